/* fold.c - one result of a whole array on a device: reduce, argreduce, dot, describe
 *
 * An array in device memory is one launch (fold_run.c), whose last block writes the result. One in
 * host memory passes in slices, as a state would be fed. */
#include "fold.h"

#include "inside.h"

struct passage {
  struct hd_cuda_call *call;
  struct hd_fold_run *run;
};

static heddle_status take_slice(void *arg, u64 first, size_t n, const cu_pointer *device) {
  struct passage *p = arg;
  (void)first;
  return hd_fold_append(p->call, p->run, device[0], p->run->fold.verb == HD_DOT ? device[1] : 0, n);
}

heddle_status hd_fold_take(struct hd_cuda_call *call, struct hd_fold_run *run, const void *x,
                           const void *y, size_t count) {
  const bool dot = run->fold.verb == HD_DOT;
  struct passage passage = {call, run};
  struct hd_cuda_stream streams[2] = {
      {.what = dot ? "x" : "in", .in = x, .element_bytes = run->element_bytes},
      {.what = "y", .in = y, .element_bytes = run->element_bytes}};
  const size_t bytes = count * run->element_bytes;
  HD_TRY(hd_cuda_place(call, streams[0].what, x, bytes, run->element_bytes, &streams[0].place));
  if (dot) HD_TRY(hd_cuda_place(call, "y", y, bytes, run->element_bytes, &streams[1].place));
  return hd_cuda_slices(call, streams, dot ? 2 : 1, count, hd_fold_granule(run), take_slice,
                        &passage);
}

static heddle_status fold_array(struct hd_cuda_call *call, const struct hd_fold *fold,
                                const void *x, const void *y, size_t count,
                                struct hd_fold_out out) {
  const bool dot = fold->verb == HD_DOT;
  struct hd_fold_run run;
  struct hd_fold_results results = {0, 0};
  enum hd_place in_x, in_y = HD_PLACE_DEVICE;
  hd_fold_run_start(&run, fold);
  const size_t bytes = count * run.element_bytes;
  HD_TRY(hd_cuda_place(call, dot ? "x" : "in", x, bytes, run.element_bytes, &in_x));
  if (dot) HD_TRY(hd_cuda_place(call, "y", y, bytes, run.element_bytes, &in_y));
  HD_TRY(hd_fold_outputs(call, fold, out, &results));
  if (!count) HD_TRY(hd_fold_empty(fold));
  if (in_x == HD_PLACE_DEVICE && in_y == HD_PLACE_DEVICE && hd_fold_at_once(&run, count))
    return hd_fold_result_of(call, &run, (cu_pointer)(uintptr_t)x,
                             dot ? (cu_pointer)(uintptr_t)y : 0, count, results);
  HD_TRY(hd_cuda_scratch(call, hd_fold_run_bytes(&run), &run.memory));
  HD_TRY(hd_fold_take(call, &run, x, y, count));
  return hd_fold_result_of(call, &run, 0, 0, 0, results);
}

heddle_status hd_cuda_fold(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                           const void *y, size_t count, struct hd_fold_out out) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, fold->entry, &call));
  return hd_cuda_leave(&call, fold_array(&call, fold, x, y, count, out));
}
