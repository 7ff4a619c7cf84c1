/* fold.c - one result of a whole array on a device: reduce, argreduce, dot, describe
 *
 * An array in device memory is one launch (run.c), whose last block writes the result. One in
 * host memory passes in slices, as a state would be fed. */
#include "fold.h"

#include "cuda/core/inside.h"

struct transfer {
  struct hd_cuda_call *call;
  struct hd_cuda_fold_run *run;
};

static heddle_status take_slice(void *arg, u64 first, size_t n, const cu_pointer *device) {
  struct transfer *p = arg;
  (void)first;
  return hd_cuda_fold_append(p->call, p->run, device[0],
                             p->run->fold.verb == HD_DOT ? device[1] : 0, n);
}

heddle_status hd_cuda_fold_operands(struct hd_cuda_call *call, const struct hd_fold *fold,
                                    const void *x, const void *y, size_t count,
                                    struct hd_cuda_operand operands[2]) {
  const size_t size = hd_cuda_fold_element_bytes(fold);
  const bool dot = fold->verb == HD_DOT;
  operands[0] = (struct hd_cuda_operand){.what = dot ? "x" : "in", .in = x, .element_bytes = size};
  operands[1] = (struct hd_cuda_operand){.what = "y", .in = y, .element_bytes = size};
  for (unsigned i = 0; i < (dot ? 2 : 1); i++)
    HD_TRY(hd_cuda_find_space(call, operands[i].what, operands[i].in, count * size, size,
                              &operands[i].space));
  return HEDDLE_OK;
}

static heddle_status take(struct hd_cuda_call *call, struct hd_cuda_fold_run *run,
                          struct hd_cuda_operand operands[2], size_t count) {
  struct transfer transfer = {call, run};
  return hd_cuda_slices(call, operands, run->fold.verb == HD_DOT ? 2 : 1, count,
                        hd_cuda_fold_granule(run), take_slice, &transfer);
}

heddle_status hd_cuda_fold_take(struct hd_cuda_call *call, struct hd_cuda_fold_run *run,
                                const void *x, const void *y, size_t count) {
  struct hd_cuda_operand operands[2];
  HD_TRY(hd_cuda_fold_operands(call, &run->fold, x, y, count, operands));
  return take(call, run, operands, count);
}

static heddle_status fold_array(struct hd_cuda_call *call, const struct hd_fold *fold,
                                const void *x, const void *y, size_t count,
                                struct hd_fold_out out) {
  struct hd_cuda_fold_run run;
  struct hd_cuda_fold_results results = {0, 0, 0};
  struct hd_cuda_operand operands[2];
  hd_cuda_fold_run_start(&run, fold);
  HD_TRY(hd_cuda_fold_operands(call, fold, x, y, count, operands));
  HD_TRY(hd_cuda_fold_outputs(call, fold, out, &results));
  if (!count) HD_TRY(hd_cuda_fold_empty(fold));
  if (operands[0].space == HD_SPACE_DEVICE && operands[1].space == HD_SPACE_DEVICE &&
      hd_cuda_fold_at_once(&run, count))
    return hd_cuda_fold_result_of(call, &run, (cu_pointer)(uintptr_t)x, (cu_pointer)(uintptr_t)y,
                                  count, results);
  HD_TRY(hd_cuda_scratch(call, hd_cuda_fold_run_bytes(&run), &run.memory));
  HD_TRY(take(call, &run, operands, count));
  return hd_cuda_fold_result_of(call, &run, 0, 0, 0, results);
}

heddle_status hd_cuda_fold(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                           const void *y, size_t count, struct hd_fold_out out) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, fold->entry, &call));
  return hd_cuda_leave(&call, fold_array(&call, fold, x, y, count, out));
}
