/* neon.c - every kernel for neon; exports one table */
#include "cpu/vec/neon.h"

#define HD_KERNELS hd_cpu_kernels_neon
#include "isa_tmpl.h"
