/* all.h - every kernel of order statistics of one ISA; included once, after the vocabulary
 *
 * Result  rank_kernels, the table that kernels.h declares. */
#include "kernels.h"

#include <string.h>

#define RANK_LANE u32
#include "rank_tmpl.h"
#define RANK_LANE u64
#include "rank_tmpl.h"

static const struct hd_cpu_rank_kernels rank_kernels = {
    {{rank_within_u32, rank_up_to_u32, rank_digits_u32},
     {rank_within_u64, rank_up_to_u64, rank_digits_u64}}};
