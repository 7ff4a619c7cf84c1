/* firsts.c - first elements of data that come in pieces: the entries, and the joining of two lists
 *
 * Method   firsts.h. What is first in a piece is the back end's to find, positions from the piece's start. */
#include "firsts.h"

#include <string.h>

#include "api/overlap.h"
#include "rounds.h"

/* ---- lists ------------------------------------------------------------------------------------- */

static size_t bytes_of(const struct hd_firsts *f, size_t room) {
  return room * (sizeof(u64) + f->sort.map.bits / 8);
}

static void drop(heddle_context *ctx, const struct hd_firsts *f, struct hd_first_list *list) {
  if (list->at) hd_release(ctx, list->at, bytes_of(f, list->room));
  *list = (struct hd_first_list){0};
}

/* Twice what there was, so that growing is seldom; k is checked to fit. */
heddle_status hd_firsts_room(heddle_context *ctx, const struct hd_firsts *f,
                             struct hd_first_list *list, size_t n) {
  if (n <= list->room) return HEDDLE_OK;
  const size_t twice = list->room > f->k / 2 ? f->k : 2 * list->room;
  const size_t room = n > twice ? n : twice;
  drop(ctx, f, list);
  list->at = hd_allocate(ctx, bytes_of(f, room));
  if (!list->at) return HEDDLE_OUT_OF_MEMORY;
  list->elements = (unsigned char *)(list->at + room);
  list->room = room;
  return HEDDLE_OK;
}

/* Both zeros are one key, and all NaN. */
static u64 key_at(const struct hd_firsts *f, const struct hd_first_list *list, size_t i) {
  const struct hd_sort_map *map = &f->sort.map;
  const size_t size = map->bits / 8;
  const u64 sign = (u64)1 << (map->bits - 1);
  u64 bits = 0;
  memcpy(&bits, list->elements + i * size, size);
  if (map->is_float && !(bits & ~sign)) bits = 0;
  if (map->is_float && (bits & ~sign) > map->infinity) bits = map->infinity + 1;
  return hd_rounds_key(map, bits);
}

bool hd_firsts_before(const struct hd_firsts *f, const struct hd_first_list *x, size_t a,
                      const struct hd_first_list *y, size_t b, bool *same) {
  const u64 left = key_at(f, x, a), right = key_at(f, y, b);
  *same = left == right && x->at[a] == y->at[b];
  return left != right ? left < right : x->at[a] < y->at[b];
}

static void copy_one(const struct hd_firsts *f, struct hd_first_list *to, size_t i,
                     const struct hd_first_list *from, size_t j) {
  const size_t size = f->sort.map.bits / 8;
  to->at[i] = from->at[j];
  memcpy(to->elements + i * size, from->elements + j * size, size);
}

/* f->joined = the first of f->list and of `more`, *n of them; false where both have one element. */
static bool join(struct hd_firsts *f, const struct hd_first_list *more, size_t more_held,
                 size_t *n) {
  size_t i = 0, j = 0;
  bool same = false;
  for (*n = 0; *n < f->k && (i < f->held || j < more_held); ++*n) {
    const bool mine =
        j == more_held || (i < f->held && hd_firsts_before(f, &f->list, i, more, j, &same));
    if (same) return false;
    copy_one(f, &f->joined, *n, mine ? &f->list : more, mine ? i++ : j++);
  }
  return true;
}

static void take_joined(struct hd_firsts *f, size_t n) {
  const struct hd_first_list old = f->list;
  f->list = f->joined;
  f->joined = old;
  f->held = n;
}

/* How many of both there are to be; the sum of two that are at most k each may not fit. */
static size_t both(const struct hd_firsts *f, size_t more) {
  return more > f->k - f->held ? f->k : f->held + more;
}

/* ---- beginning --------------------------------------------------------------------------------- */

heddle_status hd_firsts_begin(heddle_context *ctx, const struct hd_sort *sort, size_t k, u64 start,
                              struct hd_firsts **out) {
  struct hd_firsts *f = hd_allocate(ctx, sizeof *f);
  if (!f) return HEDDLE_OUT_OF_MEMORY;
  *f = (struct hd_firsts){.sort = *sort, .k = k, .start = start, .end = start};
  f->sort.entry = "heddle_partial_sort_update";
  *out = f;
  return HEDDLE_OK;
}

void hd_firsts_free(heddle_context *ctx, struct hd_firsts *f) {
  if (!f) return;
  drop(ctx, f, &f->list);
  drop(ctx, f, &f->piece);
  drop(ctx, f, &f->joined);
  hd_release(ctx, f, sizeof *f);
}

static heddle_status check_begin(const char *entry, const heddle_context *ctx, heddle_type type,
                                 size_t k, heddle_state **out) {
  size_t bytes;
  if (!out) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `out` is NULL", entry);
  if (!hd_product(k, sizeof(u64) + heddle_type_size(type), &bytes) || bytes > PTRDIFF_MAX)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `k` is %zu; so many elements with their positions are more than memory "
                   "can hold",
                   entry, k);
  if (!ctx->preparing) return HEDDLE_OK;
  return hd_fail(HEDDLE_UNSUPPORTED,
                 "%s: `ctx` is being prepared, but first elements are joined on the host; call it "
                 "before heddle_prepare_begin or after heddle_prepare_end",
                 entry);
}

heddle_status heddle_partial_sort_begin(heddle_context *ctx, heddle_type type, size_t k,
                                        uint64_t start, const heddle_sort_options *options,
                                        heddle_state **out) {
  static const char entry[] = "heddle_partial_sort_begin";
  struct hd_sort sort;
  heddle_state *state;
  HD_TRY(hd_check_context(entry, ctx));
  HD_TRY(hd_partial_job(entry, type, HEDDLE_U64, &sort, 0, options, &sort));
  HD_TRY(check_begin(entry, ctx, type, k, out));
  HD_TRY(hd_state_new(ctx, HD_STATE_FIRSTS, &state));
  const heddle_status status = hd_firsts_begin(ctx, &sort, k, start, &state->firsts);
  if (status)
    heddle_state_free(state);
  else
    *out = state;
  return status;
}

/* ---- a piece ----------------------------------------------------------------------------------- */

static heddle_status update(heddle_context *ctx, struct hd_firsts *f, const void *in,
                            size_t count) {
  const size_t more = count < f->k ? count : f->k;
  size_t n;
  HD_TRY(hd_firsts_room(ctx, f, &f->piece, more));
  HD_TRY(hd_firsts_room(ctx, f, &f->joined, both(f, more)));
  HD_TRY(
      ctx->backend->partial_sort(ctx, &f->sort, in, count, more, f->piece.elements, f->piece.at));
  for (size_t i = 0; i < more; i++) f->piece.at[i] += f->end;
  (void)join(f, &f->piece, more, &n); /* positions behind all before */
  take_joined(f, n);
  return HEDDLE_OK;
}

heddle_status heddle_partial_sort_update(heddle_state *state, const void *in, size_t count) {
  static const char entry[] = "heddle_partial_sort_update";
  heddle_status status = HEDDLE_OK;
  HD_TRY(hd_check_state(entry, state, HD_STATE_FIRSTS));
  struct hd_firsts *f = state->firsts;
  HD_TRY(hd_check_array(entry, "in", in, count, f->sort.map.bits / 8));
  if (count > HD_U64_MAX - f->end)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `state` stands at position %llu and %zu elements come; positions end at "
                   "2^64 - 1",
                   entry, (unsigned long long)f->end, count);
  if (!count) return HEDDLE_OK;
  if (f->k) {
    const unsigned long saved = hd_float_enter();
    status = update(state->ctx, f, in, count);
    hd_float_leave(saved);
  }
  state->failed = status != HEDDLE_OK;
  if (status) return status;
  f->end += count, f->count += count;
  return HEDDLE_OK;
}

/* ---- two as one -------------------------------------------------------------------------------- */

static heddle_status differ(const char *entry, const char *what) {
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `into` and `from` are of first elements with another %s; both have to be of "
                 "the same call with the same types and options",
                 entry, what);
}

heddle_status hd_firsts_merge(const char *entry, heddle_context *ctx, struct hd_firsts *into,
                              const struct hd_firsts *from) {
  size_t n;
  if (into->sort.type != from->sort.type) return differ(entry, "type");
  if (into->k != from->k) return differ(entry, "k");
  if (into->sort.descending != from->sort.descending) return differ(entry, "descending");
  if (into->sort.nan_first != from->sort.nan_first) return differ(entry, "nan_first");
  if (from->count > HD_U64_MAX - into->count)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: both together have more than 2^64 - 1 elements",
                   entry);
  if (!from->count) return HEDDLE_OK;
  HD_TRY(hd_firsts_room(ctx, into, &into->joined, both(into, from->held)));
  if (!join(into, &from->list, from->held, &n))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `into` and `from` both have an element at the same position; merge pieces "
                   "that are apart, and give heddle_partial_sort_begin the `start` of each",
                   entry);
  take_joined(into, n);
  if (!into->count || from->start < into->start) into->start = from->start;
  if (!into->count || from->end > into->end) into->end = from->end;
  into->count += from->count;
  return HEDDLE_OK;
}

/* ---- results ----------------------------------------------------------------------------------- */

static heddle_status put_out(heddle_context *ctx, void *out, const void *from, size_t bytes) {
  if (!out || !bytes) return HEDDLE_OK;
  if (!hd_on_device(ctx, out)) {
    memcpy(out, from, bytes);
    return HEDDLE_OK;
  }
  HD_TRY(ctx->backend->copy(ctx, out, from, bytes));
  return ctx->backend->sync(ctx, true);
}

static heddle_status put_index(heddle_context *ctx, const struct hd_firsts *f, bool narrow,
                               void *index) {
  if (!narrow) return put_out(ctx, index, f->list.at, f->held * sizeof(u64));
  const size_t bytes = f->held * sizeof(u32);
  if (!index || !bytes) return HEDDLE_OK;
  u32 *at = hd_allocate(ctx, bytes);
  if (!at) return HEDDLE_OUT_OF_MEMORY;
  for (size_t i = 0; i < f->held; i++) at[i] = (u32)f->list.at[i];
  const heddle_status status = put_out(ctx, index, at, bytes);
  hd_release(ctx, at, bytes);
  return status;
}

static heddle_status check_index(const char *entry, const struct hd_firsts *f, heddle_type type) {
  if (type != HEDDLE_U32 && type != HEDDLE_U64)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `index_type` %d is neither HEDDLE_U32 nor HEDDLE_U64",
                   entry, (int)type);
  if (type == HEDDLE_U64 || f->end <= (u64)1 << 32) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: positions up to %llu do not fit HEDDLE_U32; give HEDDLE_U64", entry,
                 (unsigned long long)f->end - 1);
}

heddle_status heddle_partial_sort_finish(heddle_state *state, void *out, heddle_type index_type,
                                         void *index, size_t *found) {
  static const char entry[] = "heddle_partial_sort_finish";
  HD_TRY(hd_check_state(entry, state, HD_STATE_FIRSTS));
  const struct hd_firsts *f = state->firsts;
  const size_t size = f->sort.map.bits / 8, index_bytes = index_type == HEDDLE_U32 ? 4 : 8;
  if (!found) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `found` is NULL", entry);
  if (index) HD_TRY(check_index(entry, f, index_type));
  const struct hd_span outs[] = {{"out", out, out ? f->held * size : 0},
                                 {"index", index, index ? f->held * index_bytes : 0}};
  HD_TRY(hd_check_apart(entry, outs, 2, NULL, 0));
  HD_TRY(put_out(state->ctx, out, f->list.elements, f->held * size));
  HD_TRY(put_index(state->ctx, f, index_type == HEDDLE_U32, index));
  *found = f->held;
  return HEDDLE_OK;
}
