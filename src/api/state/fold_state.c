/* fold_state.c - begin, updates, result of a fold in pieces; what it holds as a piece, and back */
#include "fold_state.h"

#include <string.h>

#include "host/status.h"

/* ---- what the caller owns ---------------------------------------------------------------------- */

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

heddle_status hd_fold_state_own(heddle_context *ctx, struct hd_fold_state *s,
                                const struct hd_fold *fold) {
  const heddle_custom *custom = fold->custom;
  const size_t init = fold->init ? rounded(hd_fold_result_bytes(fold)) : 0;
  const size_t identity = custom ? rounded(custom->element_bytes) : 0;
  const size_t text = custom && custom->cuda_source ? strlen(custom->cuda_source) + 1 : 0;
  unsigned char *at;
  s->fold = *fold;
  s->owned_bytes = init + identity + text;
  if (!s->owned_bytes) return HEDDLE_OK;
  s->owned = at = hd_allocate(ctx, s->owned_bytes);
  if (!at) return HEDDLE_OUT_OF_MEMORY;
  if (init) s->fold.init = memcpy(at, fold->init, hd_fold_result_bytes(fold));
  if (!custom) return HEDDLE_OK;
  s->fold.custom_copy = *custom;
  s->fold.custom = &s->fold.custom_copy;
  s->fold.custom_copy.identity = memcpy(at + init, custom->identity, custom->element_bytes);
  if (text)
    s->fold.custom_copy.cuda_source = memcpy(at + init + identity, custom->cuda_source, text);
  return HEDDLE_OK;
}

/* ---- the back end's state ---------------------------------------------------------------------- */

static heddle_status begin_inner(heddle_context *ctx, const struct hd_fold *fold, void **inner) {
  return fold->exact ? ctx->backend->exact_begin(ctx, fold, inner)
                     : ctx->backend->fold_begin(ctx, fold, inner);
}

static void free_inner(heddle_context *ctx, const struct hd_fold *fold, void *inner) {
  if (!inner) return;
  if (fold->exact)
    ctx->backend->exact_free(inner);
  else
    ctx->backend->fold_free(inner);
}

static heddle_status update_inner(heddle_context *ctx, struct hd_fold_state *s, const void *x,
                                  const void *y, u64 count) {
  s->taken += count;
  return s->fold.exact ? ctx->backend->exact_update(s->inner, x, y, (size_t)count)
                       : ctx->backend->fold_update(s->inner, x, y, (size_t)count);
}

/* Elements that a back end's state may take from element `from` on: those of the largest aligned block. */
static u64 block_from(const struct hd_fold *fold, u64 from) {
  const struct hd_fold_form form = hd_fold_form_of(fold);
  if (fold->exact || form.order_free || !from) return HD_U64_MAX;
  const u64 level = hd_low_bit(from / form.chunk), chunk = hd_top_bit(form.chunk);
  return level + chunk > 62 ? HD_U64_MAX : (u64)1 << (level + chunk);
}

/* Memory for what is not the back end's. */
static heddle_status need_before(heddle_context *ctx, struct hd_fold_state *s) {
  if (s->memory) return HEDDLE_OK;
  s->memory = hd_allocate(ctx, hd_piece_bytes(&s->fold));
  if (!s->memory) return HEDDLE_OUT_OF_MEMORY;
  hd_piece_begin(&s->before, &s->fold, s->start, s->memory);
  return HEDDLE_OK;
}

heddle_status hd_fold_state_begin(heddle_context *ctx, struct hd_fold_state *s,
                                  const struct hd_fold *fold, u64 start) {
  const struct hd_fold_form form = hd_fold_form_of(fold);
  HD_TRY(hd_fold_state_own(ctx, s, fold));
  HD_TRY(begin_inner(ctx, &s->fold, &s->inner));
  s->start = s->end = s->from = start;
  if (!fold->exact && !form.order_free && start) {
    s->from = hd_piece_first_chunk(&form, start);
    HD_TRY(need_before(ctx, s));
  }
  s->block = block_from(fold, s->from);
  return HEDDLE_OK;
}

void hd_fold_state_end(heddle_context *ctx, struct hd_fold_state *s) {
  free_inner(ctx, &s->fold, s->inner);
  hd_release(ctx, s->memory, s->memory ? hd_piece_bytes(&s->fold) : 0);
  hd_release(ctx, s->owned, s->owned_bytes);
}

/* ---- as a piece -------------------------------------------------------------------------------- */

/* Places in the inner state count from its own first element. */
static void move_places(const struct hd_piece *piece, u64 from, void *total) {
  struct hd_arg_total arg;
  if (piece->form.total.kind != HD_TOTAL_ARG) return;
  memcpy(&arg, total, sizeof arg);
  if (arg.index != HD_U64_MAX) arg.index += from;
  memcpy(total, &arg, sizeof arg);
}

/* What the back end's state holds, behind the piece: its totals beside those, its elements where they stay. */
static heddle_status append_inner(heddle_context *ctx, struct hd_fold_state *s,
                                  struct hd_piece *piece) {
  unsigned char *totals = piece->totals + (size_t)hd_piece_totals(piece) * piece->form.bytes;
  u64 count;
  if (!s->taken) return HEDDLE_OK;
  HD_TRY(ctx->backend->fold_export(s->inner, &count, totals, piece->tail_x, piece->tail_y));
  const u32 tail = piece->form.order_free ? 0 : (u32)(count % piece->form.chunk);
  if (count) move_places(piece, s->from, totals);
  HD_TRY(hd_piece_append_run(ctx, piece, (struct hd_run){s->from, count - tail}, totals));
  piece->tail = tail, piece->count += tail;
  piece->end = s->from + count;
  return HEDDLE_OK;
}

heddle_status hd_fold_state_piece(heddle_context *ctx, struct hd_fold_state *s,
                                  struct hd_piece *piece, void **memory) {
  *memory = hd_allocate(ctx, hd_piece_bytes(&s->fold));
  if (!*memory) return HEDDLE_OUT_OF_MEMORY;
  hd_piece_begin(piece, &s->fold, s->start, *memory);
  if (s->memory) hd_piece_copy(piece, &s->before);
  const heddle_status status = append_inner(ctx, s, piece);
  if (status) hd_fold_state_piece_end(ctx, s, *memory);
  return status;
}

void hd_fold_state_piece_end(heddle_context *ctx, const struct hd_fold_state *s, void *memory) {
  hd_release(ctx, memory, hd_piece_bytes(&s->fold));
}

/* A back end's state that holds the piece's tail. */
static heddle_status inner_with_tail(heddle_context *ctx, const struct hd_fold_state *s,
                                     const struct hd_piece *piece, void **inner) {
  HD_TRY(begin_inner(ctx, &s->fold, inner));
  if (!piece->tail) return HEDDLE_OK;
  const heddle_status status =
      ctx->backend->fold_update(*inner, piece->tail_x, piece->tail_y, piece->tail);
  if (status) free_inner(ctx, &s->fold, *inner);
  return status;
}

heddle_status hd_fold_state_install(heddle_context *ctx, struct hd_fold_state *s,
                                    const struct hd_piece *piece) {
  void *inner = NULL;
  HD_TRY(need_before(ctx, s));
  HD_TRY(inner_with_tail(ctx, s, piece, &inner));
  free_inner(ctx, &s->fold, s->inner);
  s->inner = inner;
  s->start = piece->start, s->end = piece->end, s->count = piece->count;
  s->from = piece->form.order_free ? piece->end : piece->run.first + piece->run.count;
  s->taken = piece->tail;
  s->block = block_from(&s->fold, s->from);
  hd_piece_begin(&s->before, &s->fold, piece->start, s->memory);
  hd_piece_copy(&s->before, piece);
  s->before.count -= piece->tail, s->before.end -= piece->tail, s->before.tail = 0;
  return HEDDLE_OK;
}

/* ---- updates ----------------------------------------------------------------------------------- */

/* The block is full: its total joins those before, and the next one begins. */
static heddle_status next_block(heddle_context *ctx, struct hd_fold_state *s) {
  struct hd_piece piece;
  void *memory;
  HD_TRY(hd_fold_state_piece(ctx, s, &piece, &memory));
  const heddle_status status = hd_fold_state_install(ctx, s, &piece);
  hd_fold_state_piece_end(ctx, s, memory);
  return status;
}

static heddle_status update_blocks(heddle_context *ctx, struct hd_fold_state *s, const char *x,
                                   const char *y, u64 count) {
  const size_t bytes = hd_fold_form_of(&s->fold).element_bytes;
  while (count) {
    const bool open = s->memory && hd_piece_is_open(&s->before);
    const u64 room = open ? s->from - s->before.end : s->block - s->taken;
    const u64 n = room < count ? room : count;
    HD_TRY(open ? hd_piece_append_elements(ctx, &s->before, x, y, n)
                : update_inner(ctx, s, x, y, n));
    s->end += n, s->count += n;
    if (!open && s->taken == s->block) HD_TRY(next_block(ctx, s));
    x += n * bytes;
    if (y) y += n * bytes;
    count -= n;
  }
  return HEDDLE_OK;
}

heddle_status hd_fold_state_update(heddle_context *ctx, struct hd_fold_state *s, const char *entry,
                                   const void *x, const void *y, u64 count) {
  if (count > HD_U64_MAX - s->end)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: %llu elements from element %llu on have no index below 2^64", entry,
                   (unsigned long long)count, (unsigned long long)s->end);
  if (!s->fold.exact && (s->memory || s->block != HD_U64_MAX))
    return update_blocks(ctx, s, x, y, count);
  s->end += count, s->count += count;
  return update_inner(ctx, s, x, y, count);
}

/* ---- the result -------------------------------------------------------------------------------- */

heddle_status hd_fold_state_finish(heddle_context *ctx, struct hd_fold_state *s, const char *entry,
                                   struct hd_fold_out out) {
  const bool order_free = s->fold.exact || hd_fold_form_of(&s->fold).order_free;
  const bool moved = s->fold.verb == HD_ARGREDUCE && s->from; /* places */
  struct hd_piece piece;
  void *memory;
  if (s->fold.exact) return ctx->backend->exact_finish(s->inner, out);
  if (!order_free && s->start && s->count)
    return hd_fail(
        HEDDLE_BAD_ARGUMENT,
        "%s: the state begins with element %llu of its array, and a result is that of the "
        "whole; merge it into the state of what lies before",
        entry, (unsigned long long)s->start);
  if (!s->count || (!s->memory && !moved)) return ctx->backend->fold_finish(s->inner, out);
  HD_TRY(hd_fold_state_piece(ctx, s, &piece, &memory));
  const heddle_status status = hd_piece_result(ctx, &piece, out);
  hd_fold_state_piece_end(ctx, s, memory);
  return status;
}
