/* avx2.c - the search's kernels for avx2; exports one table */
#define SEARCH_KERNELS hd_cpu_search_avx2
#include "search_tmpl.h"
