/* neon_select.c - the kernels of selects and runs for neon; exports one table */
#include "cpu/vec/neon.h"

#include "cpu/vec/neon_pack.h"

#define HD_SELECT_KERNELS hd_cpu_select_kernels_neon
#include "cpu/select/select_tmpl.h"
