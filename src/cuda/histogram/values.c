/* values.c - patterns are integer bins: a bin a pattern */
#include "values.h"

#include "bins/plan.h"
#include "choose.h"
#include "host/status.h"

static u64 patterns(u32 element_bytes) { return (u64)1 << 8 * element_bytes; }

static size_t tables_bytes(u32 element_bytes) {
  const struct hd_histogram job = {.weights_type = HEDDLE_TYPE_DEFAULT};
  const size_t bytes = hd_cuda_tables_bytes(patterns(element_bytes) + HD_EXTRA_SLOTS, &job);
  return (bytes + 255) & ~(size_t)255;
}

u64 hd_cuda_histogram_values_bytes(u32 element_bytes) {
  return tables_bytes(element_bytes) + patterns(element_bytes) * sizeof(u64);
}

static heddle_status begin(struct hd_cuda_call *call, u32 element_bytes, u64 n, cu_pointer memory,
                           struct hd_cuda_count *count) {
  const heddle_type type = element_bytes == 1 ? HEDDLE_U8 : HEDDLE_U16;
  const struct hd_histogram job = {
      .type = type,
      .bins = {sizeof job.bins, HEDDLE_BINS_INTEGER, patterns(element_bytes), 0, 0, 0, NULL, 0},
      .channels = 1,
      .weights_type = HEDDLE_TYPE_DEFAULT};
  const struct hd_cuda_tables tables = {memory, tables_bytes(element_bytes),
                                        job.bins.count + HD_EXTRA_SLOTS};
  struct hd_cuda_bins *bins;
  HD_TRY(hd_cuda_bins_find(call, type, &job.bins, &bins));
  hd_cuda_count_set(count, call, &job, bins, &tables);
  count->args.narrow = bins->strategy != HD_STRATEGY_VALUES && !(n >> 32);
  count->args.out.counts = memory + tables.bytes;
  return HEDDLE_OK;
}

heddle_status hd_cuda_histogram_values(struct hd_cuda_call *call, u32 element_bytes, cu_pointer in,
                                       u64 n, cu_pointer memory, cu_pointer *counts) {
  struct hd_cuda_count count;
  HD_TRY(begin(call, element_bytes, n, memory, &count));
  HD_TRY(hd_cuda_zero(call, memory, tables_bytes(element_bytes)));
  *counts = count.args.out.counts;
  return hd_cuda_count_some(&count, in, 0, n, true);
}

heddle_status hd_cuda_histogram_values_choose(struct hd_cuda_call *call, u32 element_bytes, u64 n,
                                              struct hd_cuda_choice *first) {
  struct hd_cuda_count_choice choice;
  struct hd_cuda_count count;
  HD_TRY(begin(call, element_bytes, n, 0, &count));
  hd_cuda_count_choose(hd_cuda_limits(call->cuda), &count, n, &choice);
  *first = choice.launch;
  return HEDDLE_OK;
}
