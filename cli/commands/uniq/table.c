/* table.c - a table of open addresses over texts that lie one behind the other
 *
 * Method  Sorted by the library by the first eight bytes of their keys, those equal in them by the next eight, and
 *         few, or what is alike for long, by all. What order needs is part of what an entry costs. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "base/large_memory.h"
#include "commands/command.h"
#include "commands/group/rows/keys.h"

/* Of an entry besides its text: itself, up to four slots, prefix, place in order, and the sort's. */
enum { ENTRY_COST = sizeof(struct line_entry) + 4 * sizeof(uint64_t) + 40, FIRST_SLOTS = 1 << 10 };
/* In order: what is compared by all its bytes, and how many entries before its turn one is fetched. */
enum { FEW = 64, DEPTH_MOST = 256, AHEAD = 16 };

static const char *key_of(const struct line_table *t, const struct line_entry *e) {
  return t->text + e->text + e->key_at;
}

uint32_t line_table_tag(const char *key, size_t bytes) { return (uint32_t)keys_hash(key, bytes); }

/* The slot of a key: its entry's, or the free one where it belongs. */
static uint64_t *find(const struct line_table *t, const char *key, size_t bytes, uint32_t tag) {
  size_t at = tag & (t->slots - 1);
  for (; t->slot[at] != 0; at = (at + 1) & (t->slots - 1)) {
    if (t->slot[at] >> 32 != tag) continue;
    const struct line_entry *const e = &t->entries[(uint32_t)t->slot[at] - 1];
    if (e->key_bytes == bytes && (bytes == 0 || memcmp(key_of(t, e), key, bytes) == 0)) break;
  }
  return &t->slot[at];
}

void line_table_fetch_slot(const struct line_table *t, uint32_t tag) {
  if (t->slots > 0) __builtin_prefetch(&t->slot[tag & (t->slots - 1)]);
}

/* The entry is most often that of the first slot that is looked at. */
static const struct line_entry *guess(const struct line_table *t, uint32_t tag) {
  const uint64_t slot = t->slots > 0 ? t->slot[tag & (t->slots - 1)] : 0;
  return slot >> 32 == tag && slot != 0 ? &t->entries[(uint32_t)slot - 1] : NULL;
}

void line_table_fetch_entry(const struct line_table *t, uint32_t tag) {
  const struct line_entry *const e = guess(t, tag);
  if (e) __builtin_prefetch(e);
}

void line_table_fetch_text(const struct line_table *t, uint32_t tag) {
  const struct line_entry *const e = guess(t, tag);
  if (e) __builtin_prefetch(key_of(t, e));
}

static int no_memory(const struct line_table *t, struct failure *why) {
  return fail(why, EXIT_DATA, "out of memory after %zu distinct lines; give less by -S", t->count);
}

static int grow_slots(struct line_table *t, struct failure *why) {
  const size_t slots = t->slots == 0 ? FIRST_SLOTS : 2 * t->slots, old = t->slots;
  uint64_t *const slot = large_memory_zeroed(slots * sizeof *slot);
  if (!slot) return no_memory(t, why);
  for (size_t i = 0; i < old; i++) {
    size_t at = (size_t)(t->slot[i] >> 32) & (slots - 1);
    if (t->slot[i] == 0) continue;
    while (slot[at] != 0) at = (at + 1) & (slots - 1);
    slot[at] = t->slot[i];
  }
  large_memory_free(t->slot, old * sizeof *slot);
  t->slot = slot;
  t->slots = slots;
  return 0;
}

static int make_text_room(struct line_table *t, size_t bytes, struct failure *why) {
  if (bytes <= t->text_room - t->used) return 0;
  const size_t room = t->text_room + t->text_room / 2 + bytes + 4096;
  char *const text = large_memory_grow(t->text, t->text_room, room);
  if (!text) return no_memory(t, why);
  t->text = text;
  t->text_room = room;
  return 0;
}

static int make_room(struct line_table *t, size_t bytes, struct failure *why) {
  if (2 * (t->count + 1) > t->slots && grow_slots(t, why) != 0) return -1;
  if (t->count == t->room) {
    const size_t room = t->room + t->room / 2 + 256;
    struct line_entry *const entries =
        large_memory_grow(t->entries, t->room * sizeof *entries, room * sizeof *entries);
    if (!entries) return no_memory(t, why);
    t->entries = entries;
    t->room = room;
  }
  return make_text_room(t, bytes, why);
}

static bool key_stands_in_line(const struct counted_line *l) {
  return l->key >= l->line && l->key <= l->line + l->line_bytes;
}

static size_t text_bytes(const struct counted_line *l) {
  return l->line_bytes + (key_stands_in_line(l) ? 0 : l->key_bytes);
}

/* The line as an entry's; there is room for its text. */
static void put(struct line_table *t, struct line_entry *e, const struct counted_line *l) {
  const bool inside = key_stands_in_line(l);
  e->text = t->used;
  e->line_bytes = (uint32_t)l->line_bytes;
  e->key_at = inside ? (uint32_t)(l->key - l->line) : e->line_bytes;
  e->key_bytes = (uint32_t)l->key_bytes;
  e->bytes = (uint32_t)text_bytes(l);
  e->place = l->place;
  if (l->line_bytes > 0) memcpy(t->text + t->used, l->line, l->line_bytes);
  if (!inside) memcpy(t->text + t->used + l->line_bytes, l->key, l->key_bytes);
  t->used += e->bytes;
}

/* One more of a key. Its line may come before that which is there, as blocks need not come in order. */
static int count_again(struct line_table *t, struct line_entry *e, const struct counted_line *l,
                       struct failure *why) {
  e->count += 1;
  if (l->place >= e->place) return 0;
  if (l->key_bytes == l->line_bytes) { /* it is the same line */
    e->place = l->place;
    return 0;
  }
  if (make_text_room(t, text_bytes(l), why) != 0) return -1;
  put(t, e, l);
  return 0;
}

int line_table_add(struct line_table *t, const struct counted_line *l, size_t memory, bool *full,
                   struct failure *why) {
  *full = false;
  if (t->slots > 0) {
    const uint64_t *const slot = find(t, l->key, l->key_bytes, l->tag);
    if (*slot != 0) return count_again(t, &t->entries[(uint32_t)*slot - 1], l, why);
  }
  const size_t bytes = text_bytes(l);
  *full = t->count > 0 &&
          (t->used + bytes + (t->count + 1) * ENTRY_COST > memory || t->count >= UINT32_MAX / 2);
  if (*full) return 0;
  if (make_room(t, bytes, why) != 0) return -1;
  struct line_entry *const e = &t->entries[t->count++];
  e->count = 1;
  put(t, e, l);
  *find(t, l->key, l->key_bytes, l->tag) = (uint64_t)l->tag << 32 | t->count;
  return 0;
}

/* ---- order --------------------------------------------------------------------------------- */

uint64_t key_prefix(const char *key, size_t bytes) {
  uint64_t prefix = 0;
  if (bytes >= sizeof prefix) {
    memcpy(&prefix, key, sizeof prefix);
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(prefix) : prefix;
  }
  for (size_t i = 0; i < sizeof prefix; i++)
    prefix = prefix << 8 | (i < bytes ? (unsigned char)key[i] : 0u);
  return prefix;
}

int key_compare(const char *a, size_t a_bytes, const char *b, size_t b_bytes) {
  const size_t least = a_bytes < b_bytes ? a_bytes : b_bytes;
  const int order = least > 0 ? memcmp(a, b, least) : 0;
  return order != 0 ? order : (a_bytes > b_bytes) - (a_bytes < b_bytes);
}

struct tied {
  const char *key;
  uint32_t bytes, index;
};

static int compare_tied(const void *a, const void *b) {
  const struct tied *const x = a, *const y = b;
  return key_compare(x->key, x->bytes, y->key, y->bytes);
}

/* Of n entries whose prefixes are equal. */
static int order_few(const struct line_table *t, uint32_t *order, size_t n, struct failure *why) {
  struct tied *const all = malloc(n * sizeof *all);
  if (!all) return no_memory(t, why);
  for (size_t i = 0; i < n; i++) {
    const struct line_entry *const e = &t->entries[order[i]];
    all[i] = (struct tied){key_of(t, e), e->key_bytes, order[i]};
  }
  qsort(all, n, sizeof *all, compare_tied);
  for (size_t i = 0; i < n; i++) order[i] = all[i].index;
  free(all);
  return 0;
}

/* The eight bytes of an entry's key behind `depth` of them. */
static uint64_t prefix_at(const struct line_table *t, uint32_t index, size_t depth) {
  const struct line_entry *const e = &t->entries[index];
  return e->key_bytes > depth ? key_prefix(key_of(t, e) + depth, e->key_bytes - depth) : 0;
}

/* Entries that are equal in the first `depth` bytes; prefix has room for n, and is that of the depth afterwards. */
static int order_from(const struct line_table *t, heddle_context *ctx, size_t depth,
                      uint32_t *order, uint64_t *prefix, size_t n, struct failure *why) {
  for (size_t i = 0; i < n; i++) {
    if (i + AHEAD < n) __builtin_prefetch(&t->entries[order[i + AHEAD]]);
    prefix[i] = prefix_at(t, order[i], depth);
  }
  int status = command_check(
      heddle_sort_pairs(ctx, HEDDLE_U64, prefix, sizeof *order, order, n, prefix, order, NULL),
      NULL, why);
  for (size_t i = 0, end; i < n && status == 0; i = end) {
    for (end = i + 1; end < n && prefix[end] == prefix[i];) end++;
    if (end == i + 1) continue;
    if (end - i < FEW || depth >= DEPTH_MOST) {
      status = order_few(t, order + i, end - i, why);
      continue;
    }
    const uint64_t kept = prefix[i];
    status = order_from(t, ctx, depth + sizeof kept, order + i, prefix + i, end - i, why);
    for (size_t k = i; k < end; k++) prefix[k] = kept;
  }
  return status;
}

int line_table_order(struct line_table *t, heddle_context *ctx, struct failure *why) {
  const size_t n = t->count;
  free(t->order);
  free(t->prefix);
  t->order = malloc((n + 1) * sizeof *t->order);
  t->prefix = malloc((n + 1) * sizeof *t->prefix);
  if (!t->order || !t->prefix) return no_memory(t, why);
  for (size_t i = 0; i < n; i++) t->order[i] = (uint32_t)i;
  return order_from(t, ctx, 0, t->order, t->prefix, n, why);
}

const struct line_entry *line_table_ordered(const struct line_table *t, size_t i) {
  if (i + AHEAD < t->count) __builtin_prefetch(&t->entries[t->order[i + AHEAD]]);
  if (i + AHEAD / 2 < t->count)
    __builtin_prefetch(t->text + t->entries[t->order[i + AHEAD / 2]].text);
  return &t->entries[t->order[i]];
}

void line_table_clear(struct line_table *t) {
  t->count = t->used = 0;
  if (t->slots > 0) memset(t->slot, 0, t->slots * sizeof *t->slot);
}

void line_table_free(struct line_table *t) {
  large_memory_free(t->entries, t->room * sizeof *t->entries);
  large_memory_free(t->text, t->text_room);
  large_memory_free(t->slot, t->slots * sizeof *t->slot);
  free(t->order);
  free(t->prefix);
  memset(t, 0, sizeof *t);
}
