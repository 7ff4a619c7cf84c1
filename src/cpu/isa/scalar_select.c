/* scalar_select.c - the kernels of selects and runs for scalar; exports one table */
#include "cpu/vec/scalar.h"

#include "cpu/vec/pack.h"

#define HD_SELECT_KERNELS hd_cpu_select_kernels_scalar
#include "cpu/select/select_tmpl.h"
