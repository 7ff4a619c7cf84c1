/* state.c - reduce, argreduce, dot and describe in pieces on a device
 *
 * A state is a fold under way (run.c) whose memory outlives the call, and copies of what the
 * caller owns: init, and a custom operator's identity and text. */
#include <string.h>

#include "cuda/core/inside.h"
#include "fold.h"

/* text: room for custom->cuda_source. */
static void copy_job(struct hd_cuda_fold_state *s, const struct hd_fold *fold, char *text) {
  struct hd_fold *copy = &s->run.fold;
  hd_cuda_fold_run_start(&s->run, fold);
  if (fold->custom) {
    const heddle_custom *custom = fold->custom;
    copy->custom_copy = *custom;
    copy->custom_copy.identity = memcpy(s->identity, custom->identity, custom->element_bytes);
    copy->custom_copy.cuda_source =
        memcpy(text, custom->cuda_source, strlen(custom->cuda_source) + 1);
    copy->custom = &copy->custom_copy;
  }
  if (fold->init) copy->init = memcpy(s->init, fold->init, hd_cuda_fold_result_bytes(fold));
}

heddle_status hd_cuda_fold_state_begin(heddle_context *ctx, const struct hd_fold *fold,
                                       size_t bytes, void **state) {
  const size_t text = fold->custom ? strlen(fold->custom->cuda_source) + 1 : 0;
  struct hd_cuda_call call;
  struct hd_cuda_fold_state *s = hd_cuda_state_make(ctx, bytes + text);
  if (!s) return HEDDLE_OUT_OF_MEMORY;
  copy_job(s, fold, (char *)s + bytes);
  HD_TRY(hd_cuda_state_enter(&s->own, fold->entry, &call));
  heddle_status status = hd_cuda_memory(&call, hd_cuda_fold_run_bytes(&s->run), &s->own.memory);
  s->run.memory = s->own.memory;
  return hd_cuda_state_leave(&call, status, &s->own, state);
}

heddle_status hd_cuda_fold_begin(heddle_context *ctx, const struct hd_fold *fold, void **state) {
  return hd_cuda_fold_state_begin(ctx, fold, sizeof(struct hd_cuda_fold_state), state);
}

heddle_status hd_cuda_fold_update(void *state, const void *x, const void *y, size_t count) {
  struct hd_cuda_fold_state *s = state;
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(s->own.ctx, s->run.fold.entry, &call));
  return hd_cuda_leave(&call, hd_cuda_fold_take(&call, &s->run, x, y, count));
}

static heddle_status finish(struct hd_cuda_call *call, struct hd_cuda_fold_state *s,
                            struct hd_fold_out out) {
  struct hd_cuda_fold_results results = {0, 0, 0};
  HD_TRY(hd_cuda_fold_outputs(call, &s->run.fold, out, &results));
  if (!s->run.chunks && !s->run.held) HD_TRY(hd_cuda_fold_empty(&s->run.fold));
  return hd_cuda_fold_result_of(call, &s->run, 0, 0, 0, results);
}

heddle_status hd_cuda_fold_finish(void *state, struct hd_fold_out out) {
  struct hd_cuda_fold_state *s = state;
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(s->own.ctx, s->run.fold.entry, &call));
  return hd_cuda_leave(&call, finish(&call, s, out));
}

void hd_cuda_fold_free(void *state) { hd_cuda_state_free(state); }
