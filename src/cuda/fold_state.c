/* fold_state.c - reduce, argreduce, dot and describe in pieces on a device
 *
 * A state is a fold under way (fold_run.c) whose memory outlives the call, and copies of what the
 * caller owns: init, and a custom operator's identity and text. */
#include <string.h>

#include "../status.h"
#include "fold.h"
#include "inside.h"

struct fold_state {
  heddle_context *ctx;
  struct hd_fold_run run;
  heddle_custom custom;
  size_t bytes;        /* of this allocation */
  size_t device_bytes; /* of run.memory */
  _Alignas(16) unsigned char init[HD_FOLD_TOTAL_BYTES], identity[HD_FOLD_TOTAL_BYTES];
  char text[]; /* custom.cuda_source */
};

/* A state of the job, without device memory; NULL with the message set. */
static struct fold_state *make_state(heddle_context *ctx, const struct hd_fold *fold) {
  const size_t text = fold->custom ? strlen(fold->custom->cuda_source) + 1 : 0;
  struct fold_state *s = hd_allocate(ctx, sizeof *s + text);
  if (!s) return NULL;
  memset(s, 0, sizeof *s);
  s->ctx = ctx;
  s->bytes = sizeof *s + text;
  hd_fold_run_start(&s->run, fold);
  if (fold->custom) {
    s->custom = *fold->custom;
    memcpy(s->identity, fold->custom->identity, fold->custom->element_bytes);
    memcpy(s->text, fold->custom->cuda_source, text);
    s->custom.identity = s->identity;
    s->custom.cuda_source = s->text;
    s->run.fold.custom = &s->custom;
  }
  if (fold->init) {
    memcpy(s->init, fold->init, hd_fold_result_bytes(fold));
    s->run.fold.init = s->init;
  }
  return s;
}

heddle_status hd_cuda_fold_begin(heddle_context *ctx, const struct hd_fold *fold, void **state) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, fold->entry, &call));
  struct fold_state *s = make_state(ctx, fold);
  heddle_status status = s ? HEDDLE_OK : HEDDLE_OUT_OF_MEMORY;
  if (s) {
    s->device_bytes = hd_fold_run_bytes(&s->run);
    status = hd_cuda_memory(&call, s->device_bytes, &s->run.memory);
  }
  status = hd_cuda_leave(&call, status);
  if (status && s) hd_release(ctx, s, s->bytes);
  if (!status) *state = s;
  return status;
}

heddle_status hd_cuda_fold_update(void *state, const void *x, const void *y, size_t count) {
  struct fold_state *s = state;
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(s->ctx, s->run.fold.entry, &call));
  return hd_cuda_leave(&call, hd_fold_take(&call, &s->run, x, y, count));
}

static heddle_status finish(struct hd_cuda_call *call, struct fold_state *s,
                            struct hd_fold_out out) {
  struct hd_fold_results results = {0, 0};
  HD_TRY(hd_fold_outputs(call, &s->run.fold, out, &results));
  if (!s->run.chunks && !s->run.held) HD_TRY(hd_fold_empty(&s->run.fold));
  return hd_fold_result_of(call, &s->run, 0, 0, 0, results);
}

heddle_status hd_cuda_fold_finish(void *state, struct hd_fold_out out) {
  struct fold_state *s = state;
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(s->ctx, s->run.fold.entry, &call));
  return hd_cuda_leave(&call, finish(&call, s, out));
}

void hd_cuda_fold_free(void *state) {
  struct fold_state *s = state;
  struct hd_cuda_call call;
  if (!hd_cuda_enter(s->ctx, "heddle_state_free", &call)) {
    hd_cuda_forget(&call, s->run.memory);
    heddle_status status = hd_cuda_leave(&call, HEDDLE_OK);
    (void)status;
  }
  hd_release(s->ctx, s, s->bytes);
}
