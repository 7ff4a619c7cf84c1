/* avx2_select.c - the kernels of selects and runs for avx2; exports one table */
#include "cpu/vec/avx2.h"

#include "cpu/vec/avx2_pack.h"

#define HD_SELECT_KERNELS hd_cpu_select_kernels_avx2
#include "cpu/select/select_tmpl.h"
