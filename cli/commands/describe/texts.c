/* texts.c - a batch's texts to ids of the column's, each looked up once a batch that has it anew */
#include "texts.h"

#include <stdlib.h>
#include <string.h>

static int make_room(struct texts *t, struct failure *why) {
  if (t->keys.count <= t->room) return 0;
  uint64_t *const counts = realloc(t->counts, t->keys.room * sizeof *counts);
  if (!counts) return fail(why, EXIT_DATA, "out of memory after %zu distinct texts", t->keys.count);
  memset(counts + t->room, 0, (t->keys.room - t->room) * sizeof *counts);
  t->counts = counts;
  t->room = t->keys.room;
  return 0;
}

/* The map of a batch's texts goes as far as its table: texts it has had before are there. */
static int map(struct texts *t, struct interned *from, size_t memory, struct failure *why) {
  const size_t count = from->keys.count;
  if (count <= from->mapped) return 0;
  uint32_t *const grown = realloc(from->map, from->keys.room * sizeof *grown);
  if (!grown) return fail(why, EXIT_DATA, "out of memory for %zu texts", count);
  from->map = grown;
  for (size_t id = from->mapped; id < count; id++) {
    size_t length;
    const char *const text = keys_text(&from->keys, (uint32_t)id, &length);
    const uint32_t *const tag = &from->keys.tag[id];
    keys_fetch(&t->keys, tag, count - id);
    if (!t->full && keys_bytes(&t->keys) + length <= memory) {
      if (keys_id(&t->keys, text, length, *tag, &grown[id], why) != 0) return -1;
      continue;
    }
    grown[id] = keys_find(&t->keys, text, length, *tag);
    t->full |= grown[id] == KEYS_NONE;
  }
  from->mapped = count;
  return 0;
}

int texts_add(struct texts *t, struct interned *from, size_t rows, size_t memory,
              struct failure *why) {
  if (map(t, from, memory, why) != 0 || make_room(t, why) != 0) return -1;
  for (size_t row = 0; row < rows; row++) {
    const uint32_t id = from->map[from->ids[row]];
    if (id != KEYS_NONE) t->counts[id] += 1;
  }
  return 0;
}

static bool is_missing(const struct text_missing *missing, const char *text, size_t length) {
  const struct text_field field = {.begin = text, .end = text + length};
  return length == 0 || (missing && text_is_missing(missing, &field));
}

static bool is_before(const char *a, size_t a_bytes, const char *b, size_t b_bytes) {
  const int order = memcmp(a, b, a_bytes < b_bytes ? a_bytes : b_bytes);
  return order != 0 ? order < 0 : a_bytes < b_bytes;
}

void texts_sum_up(const struct texts *t, const struct text_missing *missing,
                  struct texts_summary *out) {
  memset(out, 0, sizeof *out);
  for (size_t id = 0; id < t->keys.count; id++) {
    size_t length;
    const char *const text = keys_text(&t->keys, (uint32_t)id, &length);
    const uint64_t count = t->counts[id];
    if (is_missing(missing, text, length)) {
      out->missing += count;
      continue;
    }
    out->there += count;
    out->distinct += 1;
    if (out->top &&
        (count < out->frequency ||
         (count == out->frequency && !is_before(text, length, out->top, out->top_bytes))))
      continue;
    out->top = text;
    out->top_bytes = length;
    out->frequency = count;
  }
}

void texts_free(struct texts *t) {
  keys_free(&t->keys);
  free(t->counts);
}
