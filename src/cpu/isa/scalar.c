/* scalar.c - every kernel for scalar; exports one table */
#include "cpu/vec/scalar.h"

#define HD_KERNELS hd_cpu_kernels_scalar
#include "isa_tmpl.h"
