/* keys.c - texts to ids by a table of open addresses; the order of texts */
#include "keys.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text/number.h"

const char *keys_text(const struct keys *k, uint32_t id, size_t *length) {
  const size_t start = id == 0 ? 0 : k->end[id - 1];
  *length = k->end[id] - start;
  return k->text + start;
}

static int no_memory(const struct keys *k, struct failure *why) {
  return fail(why, EXIT_DATA, "out of memory after %zu groups", k->count);
}

/* FNV-1a, its bits mixed once more: the table takes the low ones. */
static uint64_t hash(const char *text, size_t length) {
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
  return h ^ h >> 29;
}

static void place(struct keys *k, uint32_t id) {
  size_t length;
  const char *const text = keys_text(k, id, &length);
  size_t at = (size_t)hash(text, length) & (k->slots - 1);
  while (k->slot[at]) at = (at + 1) & (k->slots - 1);
  k->slot[at] = id + 1;
}

/* Half of the slots at most are taken. */
static int grow_slots(struct keys *k, struct failure *why) {
  const size_t slots = k->slots ? 2 * k->slots : 1024;
  if (k->count >= UINT32_MAX / 2) return fail(why, EXIT_DATA, "more than %zu groups", k->count);
  uint32_t *const slot = calloc(slots, sizeof *slot);
  if (!slot) return no_memory(k, why);
  free(k->slot);
  k->slot = slot;
  k->slots = slots;
  for (size_t id = 0; id < k->count; id++) place(k, (uint32_t)id);
  return 0;
}

static int append(struct keys *k, const char *text, size_t length, struct failure *why) {
  if (length > k->text_room - k->used) {
    const size_t room = 2 * k->text_room + length + 4096;
    char *const grown = realloc(k->text, room);
    if (!grown) return no_memory(k, why);
    k->text = grown;
    k->text_room = room;
  }
  if (k->count == k->room) {
    const size_t room = 2 * k->room + 256;
    size_t *const grown = realloc(k->end, room * sizeof *grown);
    if (!grown) return no_memory(k, why);
    k->end = grown;
    k->room = room;
  }
  memcpy(k->text + k->used, text, length);
  k->used += length;
  k->end[k->count++] = k->used;
  return 0;
}

int keys_id(struct keys *k, const char *text, size_t length, uint32_t *id, struct failure *why) {
  if (2 * (k->count + 1) > k->slots && grow_slots(k, why) != 0) return -1;
  size_t at = (size_t)hash(text, length) & (k->slots - 1);
  for (; k->slot[at]; at = (at + 1) & (k->slots - 1)) {
    size_t other_length;
    const char *const other = keys_text(k, k->slot[at] - 1, &other_length);
    if (other_length != length || memcmp(other, text, length) != 0) continue;
    *id = k->slot[at] - 1;
    return 0;
  }
  if (append(k, text, length, why) != 0) return -1;
  *id = (uint32_t)k->count - 1;
  k->slot[at] = *id + 1;
  return 0;
}

/* ---- order ---------------------------------------------------------------------------------------- */

struct entry {
  double number; /* of all, or 0 of all */
  const char *text;
  size_t length;
  uint32_t id;
};

static int compare(const void *a, const void *b) {
  const struct entry *const x = a, *const y = b;
  if (x->number < y->number || x->number > y->number) return x->number < y->number ? -1 : 1;
  const size_t least = x->length < y->length ? x->length : y->length;
  const int order = least ? memcmp(x->text, y->text, least) : 0;
  if (order) return order;
  return (x->length > y->length) - (x->length < y->length);
}

int keys_order(const struct keys *k, uint32_t *order, struct failure *why) {
  struct entry *const all = malloc((k->count + 1) * sizeof *all);
  bool numbers = true;
  if (!all) return no_memory(k, why);
  for (size_t i = 0; i < k->count; i++) {
    struct entry *const e = &all[i];
    e->id = (uint32_t)i;
    e->text = keys_text(k, e->id, &e->length);
    numbers = numbers && e->length > 0 &&
              number_parse(e->text, e->length, HEDDLE_F64, &e->number) == NUMBER_OK &&
              e->number == e->number;
  }
  for (size_t i = 0; i < k->count && !numbers; i++) all[i].number = 0;
  qsort(all, k->count, sizeof *all, compare);
  for (size_t i = 0; i < k->count; i++) order[i] = all[i].id;
  free(all);
  return 0;
}

void keys_free(struct keys *k) {
  free(k->end);
  free(k->text);
  free(k->slot);
}
