/* isa_avx2.c - every kernel for avx2; exports one table */
#include "vec_avx2.h"

#define HD_KERNELS hd_kernels_avx2
#include "isa_tmpl.h"
