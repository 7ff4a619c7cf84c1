/* avx512_select.c - the kernels of selects and runs for avx512; exports one table */
#include "cpu/vec/avx512.h"

#include "cpu/vec/avx512_pack.h"

#define HD_SELECT_KERNELS hd_cpu_select_kernels_avx512
#include "cpu/select/select_tmpl.h"
