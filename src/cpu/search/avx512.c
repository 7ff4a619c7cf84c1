/* avx512.c - the search's kernels for avx512; exports one table */
#define SEARCH_KERNELS hd_cpu_search_avx512
#include "search_tmpl.h"
