/* avx2.c - every kernel for avx2; exports one table */
#include "cpu/vec/avx2.h"

#define HD_KERNELS hd_cpu_kernels_avx2
#include "isa_tmpl.h"
