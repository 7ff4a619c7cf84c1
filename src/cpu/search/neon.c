/* neon.c - the search's kernels for neon; exports one table */
#define SEARCH_KERNELS hd_cpu_search_neon
#include "search_tmpl.h"
