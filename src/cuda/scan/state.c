/* state.c - a scan in pieces on a device
 *
 * A state is the fold of what came so far (cuda/fold/run.c): its slots and its partial chunk are
 * what a further piece begins with, and its result is the total. An update of device memory reads
 * it twice, once to scan it and once to fold it. */
#include "cuda/core/inside.h"
#include "scan.h"

struct scan_state {
  struct hd_cuda_fold_state fold;
  struct hd_cuda_scan_plan plan;
};

heddle_status hd_cuda_scan_begin(heddle_context *ctx, const struct hd_scan *scan, void **state) {
  HD_TRY(hd_cuda_fold_state_begin(ctx, &scan->fold, sizeof(struct scan_state), state));
  struct scan_state *s = *state;
  const struct hd_scan own = {scan->kind, s->fold.run.fold};
  hd_cuda_scan_plan(&s->plan, &own);
  return HEDDLE_OK;
}

heddle_status hd_cuda_scan_update(void *state, const void *in, size_t count, void *out) {
  struct scan_state *s = state;
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(s->fold.own.ctx, s->plan.scan.fold.entry, &call));
  return hd_cuda_leave(&call, hd_cuda_scan_take(&call, &s->plan, &s->fold.run, in, count, out));
}

heddle_status hd_cuda_scan_finish(void *state, void *total) {
  return hd_cuda_fold_finish(state, (struct hd_fold_out){.value = total});
}

void hd_cuda_scan_free(void *state) { hd_cuda_fold_free(state); }

heddle_status hd_cuda_scan_export(void *state, u64 *count, void *totals, void *x) {
  return hd_cuda_fold_export(state, count, totals, x, NULL);
}

heddle_status hd_cuda_scan_resume(void *state, u64 count, const void *totals, const void *x) {
  return hd_cuda_fold_resume(state, count, totals, x);
}
