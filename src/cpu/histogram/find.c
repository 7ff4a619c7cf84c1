/* find.c - blocks of elements to slot numbers, by the strategy of a plan */
#include "find.h"

hd_cpu_index_kernel *hd_cpu_find_kernel(const struct hd_plan *plan) {
  const struct hd_cpu_histogram_kernels *kernels =
      ((const struct hd_cpu_kernels *)plan->ctx->kernels)->histogram;
  switch (plan->strategy) {
  case HD_PLAN_INTEGER: return kernels->integer[plan->type];
  case HD_PLAN_EVEN: return kernels->even[plan->type];
  case HD_PLAN_BUCKETS: return kernels->buckets[plan->type];
  case HD_PLAN_SEARCH:
  case HD_PLAN_VALUES: break;
  }
  return NULL;
}

void hd_cpu_find_slots(const struct hd_plan *plan, hd_cpu_index_kernel *kernel, const void *in,
                       size_t n, u32 *index) {
  const unsigned char *bytes = in;
  const u32 shift = plan->index.shift;
  if (kernel) {
    kernel(&plan->index, in, n, index);
    return;
  }
  if (plan->strategy == HD_PLAN_VALUES) {
    for (size_t i = 0; i < n; i++) index[i] = plan->value_slot[bytes[i]] << shift;
    return;
  }
  for (size_t i = 0; i < n; i++)
    index[i] = hd_plan_slot(plan, bytes + i * plan->element_bytes) << shift;
}
