/* firsts_bytes.c - first elements as bytes, and out of bytes that may be anyone's
 *
 * Method   What is read has to be what a state gives: as many elements as k and all that came leave, each at a position
 *          of its own among them, in order. */
#include "firsts.h"
#include "wire.h"

void hd_firsts_put_head(struct hd_writer *w, const struct hd_firsts *f) {
  hd_put_u32(w, f->sort.type);
  hd_put_u32(w, f->sort.descending);
  hd_put_u32(w, f->sort.nan_first);
  hd_put_u32(w, 0);
  hd_put_u64(w, f->k);
  hd_put_u64(w, f->held);
  hd_put_u64(w, f->start);
  hd_put_u64(w, f->end);
  hd_put_u64(w, f->count);
}

size_t hd_firsts_list_bytes(const struct hd_firsts *f) {
  return f->held * (sizeof(u64) + f->sort.map.bits / 8);
}

void hd_firsts_put_list(struct hd_writer *w, const struct hd_firsts *f) {
  hd_put(w, f->list.at, f->held * sizeof(u64));
  hd_put(w, f->list.elements, f->held * (f->sort.map.bits / 8));
}

struct saved_firsts {
  u32 type;
  heddle_sort_options options;
  u64 k, held, start, end, count;
};

static const char *get_head(struct hd_reader *from, struct saved_firsts *s) {
  static const heddle_sort_options defaults = HEDDLE_SORT_OPTIONS_INIT;
  s->options = defaults;
  s->type = hd_get_u32(from);
  const u32 descending = hd_get_u32(from), nan_first = hd_get_u32(from), zero = hd_get_u32(from);
  s->options.descending = descending != 0, s->options.nan_first = nan_first != 0;
  s->k = hd_get_u64(from), s->held = hd_get_u64(from);
  s->start = hd_get_u64(from), s->end = hd_get_u64(from), s->count = hd_get_u64(from);
  if (from->cut) return "they are cut short";
  if (descending > 1 || nan_first > 1 || zero) return "it is in no such order";
  if (s->k > SIZE_MAX) return "it has more elements than memory holds";
  if (s->end < s->start || s->end - s->start < s->count || (!s->count && s->end != s->start))
    return "its elements are more than its positions";
  if (s->held != (s->count < s->k ? s->count : s->k)) return "it has not as many as came first";
  return NULL;
}

static const char *check_list(const struct hd_firsts *f) {
  bool same;
  for (size_t i = 0; i < f->held; i++) {
    if (f->list.at[i] < f->start || f->list.at[i] >= f->end) return "a position is not of its own";
    if (i && !hd_firsts_before(f, &f->list, i - 1, &f->list, i, &same))
      return "its elements are out of order";
  }
  return NULL;
}

static const char *fill(heddle_context *ctx, struct hd_reader *from, const struct saved_firsts *s,
                        struct hd_firsts *f, heddle_status *status) {
  const size_t size = f->sort.map.bits / 8;
  if (from->left % (sizeof(u64) + size) || from->left / (sizeof(u64) + size) != s->held)
    return "they are not as many as its elements ask for";
  *status = hd_firsts_room(ctx, f, &f->list, (size_t)s->held);
  if (*status) return NULL;
  f->held = (size_t)s->held;
  f->start = s->start, f->end = s->end, f->count = s->count;
  if (!f->held) return NULL;
  hd_get(from, f->list.at, f->held * sizeof(u64));
  hd_get(from, f->list.elements, f->held * size);
  return check_list(f);
}

const char *hd_firsts_get(heddle_context *ctx, struct hd_reader *from, heddle_state **out,
                          heddle_status *status) {
  struct saved_firsts s;
  const char *why = get_head(from, &s);
  *status = HEDDLE_OK;
  if (why) return why;
  *status =
      heddle_partial_sort_begin(ctx, (heddle_type)s.type, (size_t)s.k, s.start, &s.options, out);
  if (*status) return NULL;
  return fill(ctx, from, &s, (*out)->firsts, status);
}
