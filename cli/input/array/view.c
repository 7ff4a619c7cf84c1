/* view.c - pieces read by their places, turned and scaled in a buffer */
#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 1 << 14 };

struct viewed {
  struct array_view view;
  struct stream *under;
  const char *name; /* the stream's */
  uint64_t at;      /* of view.bytes */
  size_t begin, end;
  unsigned char raw[8 * ELEMENTS], out[8 * ELEMENTS];
};

static heddle_type turned_sign(heddle_type type) {
  switch (type) {
  case HEDDLE_U8: return HEDDLE_I8;
  case HEDDLE_I8: return HEDDLE_U8;
  case HEDDLE_I16: return HEDDLE_U16;
  case HEDDLE_I32: return HEDDLE_U32;
  default: return HEDDLE_U64;
  }
}

heddle_type array_view_type(const struct array_view *view) {
  return view->values == VIEW_SCALED    ? HEDDLE_F64
         : view->values == VIEW_FLIPPED ? turned_sign(view->stored)
                                        : view->stored;
}

bool array_view_is_plain(const struct array_view *view) {
  return view->values == VIEW_STORED && view->piece >= view->bytes;
}

static void turn(unsigned char *p, size_t count, size_t size) {
  for (size_t i = 0; i < count; i++, p += size)
    for (size_t k = 0; k < size / 2; k++) {
      const unsigned char kept = p[k];
      p[k] = p[size - 1 - k];
      p[size - 1 - k] = kept;
    }
}

static void flip(unsigned char *p, size_t count, size_t size) {
  const size_t high = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? size - 1 : 0;
  for (size_t i = 0; i < count; i++) p[i * size + high] ^= 0x80;
}

static int scale(struct viewed *v, size_t count, struct failure *why) {
  if (heddle_convert(v->view.stored, v->raw, HEDDLE_F64, v->out, count) != HEDDLE_OK)
    return fail(why, EXIT_DATA, "%s: %s", v->name, heddle_message());
  for (size_t i = 0; i < count; i++) {
    double value;
    memcpy(&value, v->out + 8 * i, 8);
    const bool blank = v->view.has_blank && value == v->view.blank;
    value = blank ? (double)NAN : v->view.zero + v->view.scale * value;
    memcpy(v->out + 8 * i, &value, 8);
  }
  return 0;
}

/* The next elements, in this machine's order. */
static int read_raw(struct viewed *v, size_t *bytes, struct failure *why) {
  const struct array_view *const a = &v->view;
  const size_t size = heddle_type_size(a->stored);
  *bytes = 0;
  while (*bytes < ELEMENTS * size && v->at < a->bytes) {
    const uint64_t inside = v->at % a->piece;
    uint64_t step = a->piece - inside;
    if (step > a->bytes - v->at) step = a->bytes - v->at;
    if (step > ELEMENTS * size - *bytes) step = ELEMENTS * size - *bytes;
    const uint64_t place = a->begin + v->at / a->piece * a->stride + inside;
    if (stream_at(v->under, place, v->raw + *bytes, (size_t)step, why) != 0) return -1;
    *bytes += (size_t)step;
    v->at += step;
  }
  if (a->swapped) turn(v->raw, *bytes / size, size);
  return 0;
}

static int make(void *user, void *buffer, size_t capacity, size_t *got, struct failure *why) {
  struct viewed *const v = user;
  if (v->begin == v->end) {
    const size_t size = heddle_type_size(v->view.stored);
    size_t bytes;
    if (read_raw(v, &bytes, why) != 0) return -1;
    const size_t count = bytes / size;
    v->begin = 0;
    v->end = count * heddle_type_size(array_view_type(&v->view));
    if (v->view.values == VIEW_FLIPPED) flip(v->raw, count, size);
    if (v->view.values != VIEW_SCALED)
      memcpy(v->out, v->raw, bytes);
    else if (scale(v, count, why) != 0)
      return -1;
  }
  *got = v->end - v->begin < capacity ? v->end - v->begin : capacity;
  memcpy(buffer, v->out + v->begin, *got);
  v->begin += *got;
  return 0;
}

int array_view_open(struct stream **stream, const struct array_view *view, char *name,
                    struct failure *why) {
  struct stream *made;
  struct viewed *const v = calloc(1, sizeof *v);
  if (!v || !name) {
    free(name);
    free(v);
    return fail(why, EXIT_DATA, "%s: no memory to read it", stream_name(*stream));
  }
  v->view = *view;
  v->under = *stream;
  v->name = name;
  if (stream_open_made(name, make, v, *stream, &made, why) != 0) {
    free(name);
    free(v);
    return -1;
  }
  stream_give(made, free, name);
  *stream = made;
  return 0;
}
