/* isa_avx512.c - every kernel for avx512; exports one table */
#include "vec_avx512.h"

#define HD_KERNELS hd_kernels_avx512
#include "isa_tmpl.h"
