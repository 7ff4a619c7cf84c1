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

/* ---- as totals ------------------------------------------------------------------------------- */

static void *host_address(cu_pointer device) { return (void *)(uintptr_t)device; }

/* Slots to totals, biggest block first; a free fold has one. */
static void put_in_order(const struct hd_cuda_fold_run *run, const unsigned char *slots,
                         unsigned char *totals) {
  const u32 bytes = run->total_bytes, kind = hd_cuda_fold_form(&run->fold).kind;
  u64 left = run->order_free ? run->chunks != 0 : run->chunks;
  for (; left; left ^= (u64)1 << hd_top_bit(left), totals += bytes) {
    memcpy(totals, slots + (size_t)hd_top_bit(left) * bytes, bytes);
    hd_totals_canonical(kind, totals, 1);
  }
}

heddle_status hd_cuda_fold_export(void *state, u64 *count, void *totals, void *x, void *y) {
  struct hd_cuda_fold_state *s = state;
  const struct hd_cuda_fold_run *run = &s->run;
  _Alignas(16) unsigned char slots[HD_FOLD_SLOTS * HD_FOLD_TOTAL_BYTES];
  const size_t used = (run->order_free ? 1 : HD_FOLD_SLOTS) * (size_t)run->total_bytes;
  const size_t held = (size_t)run->held * run->element_bytes;
  *count = run->chunks * run->chunk + run->held;
  if (run->chunks)
    HD_TRY(hd_cuda_copy(s->own.ctx, slots, host_address(hd_cuda_fold_run_slots(run)), used));
  if (run->chunks) put_in_order(run, slots, totals);
  if (!held) return HEDDLE_OK;
  HD_TRY(hd_cuda_copy(s->own.ctx, x, host_address(hd_cuda_fold_run_partial(run, 0)), held));
  if (!y) return HEDDLE_OK;
  return hd_cuda_copy(s->own.ctx, y, host_address(hd_cuda_fold_run_partial(run, 1)), held);
}

/* Slots of the totals of `count` elements, and how many bytes of them there are. */
static size_t slots_of(struct hd_cuda_fold_run *run, u64 count, const unsigned char *totals,
                       unsigned char *slots) {
  u64 left = run->order_free ? count != 0 : count / run->chunk;
  run->chunks = count / run->chunk;
  run->held = (u32)(count % run->chunk);
  for (; left; left ^= (u64)1 << hd_top_bit(left), totals += run->total_bytes)
    memcpy(slots + (size_t)hd_top_bit(left) * run->total_bytes, totals, run->total_bytes);
  return (run->order_free ? 1 : HD_FOLD_SLOTS) * (size_t)run->total_bytes;
}

heddle_status hd_cuda_fold_stand_behind(struct hd_cuda_call *call, struct hd_cuda_fold_run *run,
                                        u64 count, const void *totals, const void *x) {
  _Alignas(16) unsigned char slots[HD_FOLD_SLOTS * HD_FOLD_TOTAL_BYTES] = {0};
  const size_t used = slots_of(run, count, totals, slots);
  HD_TRY(hd_cuda_upload(call, hd_cuda_fold_run_slots(run), slots, used));
  if (!run->held) return HEDDLE_OK;
  return hd_cuda_upload(call, hd_cuda_fold_run_partial(run, 0), x,
                        (size_t)run->held * run->element_bytes);
}

heddle_status hd_cuda_fold_resume(struct hd_cuda_fold_state *s, u64 count, const void *totals,
                                  const void *x) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(s->own.ctx, s->run.fold.entry, &call));
  return hd_cuda_leave(&call, hd_cuda_fold_stand_behind(&call, &s->run, count, totals, x));
}
