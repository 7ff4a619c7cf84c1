/* isa_scalar.c - every kernel for scalar; exports one table */
#include "vec_scalar.h"

#define HD_KERNELS hd_kernels_scalar
#include "isa_tmpl.h"
