/* avx512.c - every kernel for avx512; exports one table */
#include "cpu/vec/avx512.h"

#define HD_KERNELS hd_cpu_kernels_avx512
#include "isa_tmpl.h"
