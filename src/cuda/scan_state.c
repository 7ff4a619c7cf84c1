/* scan_state.c - a scan in pieces on a device
 *
 * A state is the fold of what came so far (fold_run.c): its slots and its partial chunk are what a
 * further piece begins with, and its result is the total. An update of device memory reads it twice,
 * once to scan it and once to fold it. */
#include <string.h>

#include "../status.h"
#include "inside.h"
#include "scan.h"

struct scan_state {
  heddle_context *ctx;
  struct hd_scan_plan plan;
  struct hd_fold_run run;
  heddle_custom custom;
  size_t bytes;        /* of this allocation */
  size_t device_bytes; /* of run.memory */
  _Alignas(16) unsigned char init[HD_FOLD_TOTAL_BYTES], identity[HD_FOLD_TOTAL_BYTES];
  char text[]; /* custom.cuda_source */
};

/* A state of the job that owns what it points at, without device memory; NULL with the message set. */
static struct scan_state *make_state(heddle_context *ctx, const struct hd_scan *scan) {
  const heddle_custom *custom = scan->fold.custom;
  const size_t text = custom ? strlen(custom->cuda_source) + 1 : 0;
  struct hd_scan own = *scan;
  struct scan_state *s = hd_allocate(ctx, sizeof *s + text);
  if (!s) return NULL;
  memset(s, 0, sizeof *s);
  s->ctx = ctx;
  s->bytes = sizeof *s + text;
  if (custom) {
    s->custom = *custom;
    memcpy(s->identity, custom->identity, custom->element_bytes);
    memcpy(s->text, custom->cuda_source, text);
    s->custom.identity = s->identity;
    s->custom.cuda_source = s->text;
    own.fold.custom = &s->custom;
  }
  if (own.fold.init) {
    memcpy(s->init, own.fold.init, hd_fold_result_bytes(&own.fold));
    own.fold.init = s->init;
  }
  hd_scan_plan(&s->plan, &own);
  hd_fold_run_start(&s->run, &own.fold);
  s->device_bytes = hd_fold_run_bytes(&s->run);
  return s;
}

heddle_status hd_cuda_scan_begin(heddle_context *ctx, const struct hd_scan *scan, void **state) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, scan->fold.entry, &call));
  struct scan_state *s = make_state(ctx, scan);
  heddle_status status =
      s ? hd_cuda_memory(&call, s->device_bytes, &s->run.memory) : HEDDLE_OUT_OF_MEMORY;
  status = hd_cuda_leave(&call, status);
  if (status && s) hd_release(ctx, s, s->bytes);
  if (!status) *state = s;
  return status;
}

heddle_status hd_cuda_scan_update(void *state, const void *in, size_t count, void *out) {
  struct scan_state *s = state;
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(s->ctx, s->run.fold.entry, &call));
  return hd_cuda_leave(&call, hd_scan_take(&call, &s->plan, &s->run, in, count, out));
}

static heddle_status finish(struct hd_cuda_call *call, struct scan_state *s, void *total) {
  const struct hd_fold_out out = {.value = total};
  struct hd_fold_results results = {0, 0};
  HD_TRY(hd_fold_outputs(call, &s->run.fold, out, &results));
  if (!s->run.chunks && !s->run.held) HD_TRY(hd_fold_empty(&s->run.fold));
  return hd_fold_result_of(call, &s->run, 0, 0, 0, results);
}

heddle_status hd_cuda_scan_finish(void *state, void *total) {
  struct scan_state *s = state;
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(s->ctx, s->run.fold.entry, &call));
  return hd_cuda_leave(&call, finish(&call, s, total));
}

void hd_cuda_scan_free(void *state) {
  struct scan_state *s = state;
  struct hd_cuda_call call;
  if (!hd_cuda_enter(s->ctx, "heddle_state_free", &call)) {
    hd_cuda_forget(&call, s->run.memory);
    heddle_status status = hd_cuda_leave(&call, HEDDLE_OK);
    (void)status;
  }
  hd_release(s->ctx, s, s->bytes);
}
