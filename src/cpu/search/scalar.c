/* scalar.c - the search's kernels for scalar; exports one table */
#define SEARCH_KERNELS hd_cpu_search_scalar
#include "search_tmpl.h"
