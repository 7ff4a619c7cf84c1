/* keys.c - a table of open addresses; half of its slots at most are taken */
#include "keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/large_memory.h"

__extension__ typedef unsigned __int128 wide;

const char *keys_text(const struct keys *k, uint32_t id, size_t *length) {
  const size_t start = id == 0 ? 0 : k->end[id - 1];
  *length = k->end[id] - start;
  return k->text + start;
}

static int no_memory(const struct keys *k, struct failure *why) {
  return fail(why, EXIT_DATA, "out of memory after %zu distinct texts; give less by -S", k->count);
}

/* ---- the hash ---------------------------------------------------------------------------------------- */

static inline uint64_t eight(const char *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

static inline uint64_t four(const char *p) {
  uint32_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

/* Both halves of a product, so that every bit of either factor moves all of the result. */
static uint64_t mix(uint64_t a, uint64_t b) {
  const wide product = (wide)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t keys_hash(const char *text, size_t length) {
  const uint64_t odd = 0x9e3779b97f4a7c15u, other = 0xe7037ed1a0b428dbu;
  uint64_t h = odd ^ length, a = 0, b = 0;
  for (; length > 16; length -= 16, text += 16) h = mix(eight(text) ^ h, eight(text + 8) ^ other);
  if (length >= 8) {
    a = eight(text);
    b = eight(text + length - 8);
  } else if (length >= 4) {
    a = four(text);
    b = four(text + length - 4);
  } else if (length > 0) {
    a = (unsigned char)text[0];
    b = (uint64_t)(unsigned char)text[length / 2] << 8 | (unsigned char)text[length - 1];
  }
  h = mix(a ^ h, b ^ other);
  return mix(h ^ odd, other);
}

/* ---- the table --------------------------------------------------------------------------------------- */

static void place(struct keys *k, uint32_t id) {
  size_t at = k->tag[id] & (k->slots - 1);
  while (k->slot[at]) at = (at + 1) & (k->slots - 1);
  k->slot[at] = (uint64_t)k->tag[id] << 32 | (id + 1);
}

static int grow_slots(struct keys *k, struct failure *why) {
  const size_t slots = k->slots ? 2 * k->slots : 1024;
  if (k->count >= UINT32_MAX / 2)
    return fail(why, EXIT_DATA, "more than %zu distinct texts in memory at once; give less by -S",
                k->count);
  uint64_t *const slot = large_memory_zeroed(slots * sizeof *slot);
  if (!slot) return no_memory(k, why);
  large_memory_free(k->slot, k->slots * sizeof *slot);
  k->slot = slot;
  k->slots = slots;
  for (size_t id = 0; id < k->count; id++) place(k, (uint32_t)id);
  return 0;
}

static int grow(struct keys *k, struct failure *why) {
  const size_t room = 2 * k->room + 256;
  size_t *const end = large_memory_grow(k->end, k->end_room * sizeof *end, room * sizeof *end);
  if (!end) return no_memory(k, why);
  k->end = end;
  k->end_room = room;
  uint32_t *const tag = large_memory_grow(k->tag, k->room * sizeof *tag, room * sizeof *tag);
  if (!tag) return no_memory(k, why);
  k->tag = tag;
  k->room = room;
  return 0;
}

static int append(struct keys *k, const char *text, size_t length, uint32_t tag,
                  struct failure *why) {
  if (!k->text || length > k->text_room - k->used) {
    const size_t room = k->text_room + k->text_room / 2 + length + 4096;
    char *const grown = large_memory_grow(k->text, k->text_room, room);
    if (!grown) return no_memory(k, why);
    k->text = grown;
    k->text_room = room;
  }
  if (k->count == k->room && grow(k, why) != 0) return -1;
  if (length > 0) memcpy(k->text + k->used, text, length);
  k->used += length;
  k->tag[k->count] = tag;
  k->end[k->count++] = k->used;
  return 0;
}

/* Whether n bytes are the same: two words that may overlap, as most texts are short. */
static inline bool same(const char *a, const char *b, size_t n) {
  if (n > 16) return memcmp(a, b, n) == 0;
  if (n >= 8) return ((eight(a) ^ eight(b)) | (eight(a + n - 8) ^ eight(b + n - 8))) == 0;
  if (n >= 4) return ((four(a) ^ four(b)) | (four(a + n - 4) ^ four(b + n - 4))) == 0;
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return false;
  return true;
}

/* The slot of a text: its own, or the free one where it belongs. */
static inline uint64_t *find(const struct keys *k, const char *text, size_t length, uint32_t tag) {
  size_t at = tag & (k->slots - 1);
  for (; k->slot[at]; at = (at + 1) & (k->slots - 1)) {
    size_t other_length;
    if (k->slot[at] >> 32 != tag) continue;
    const char *const other = keys_text(k, (uint32_t)k->slot[at] - 1, &other_length);
    if (other_length == length && same(other, text, length)) break;
  }
  return &k->slot[at];
}

uint32_t keys_find(const struct keys *k, const char *text, size_t length, uint32_t tag) {
  return k->slots == 0 ? KEYS_NONE : (uint32_t)*find(k, text, length, tag) - 1;
}

int keys_id(struct keys *k, const char *text, size_t length, uint32_t tag, uint32_t *id,
            struct failure *why) {
  if (2 * (k->count + 1) > k->slots && grow_slots(k, why) != 0) return -1;
  uint64_t *const slot = find(k, text, length, tag);
  if (*slot == 0) {
    if (append(k, text, length, tag, why) != 0) return -1;
    *slot = (uint64_t)tag << 32 | k->count;
    k->filled = true;
  }
  *id = (uint32_t)*slot - 1;
  return 0;
}

int keys_append(struct keys *k, const char *text, size_t length, uint32_t tag, uint32_t *id,
                struct failure *why) {
  *id = (uint32_t)k->count;
  return append(k, text, length, tag, why);
}

/* The slot is most often the first one that is looked at. */
static inline uint32_t guess(const struct keys *k, uint32_t tag) {
  const uint64_t slot = k->slot[tag & (k->slots - 1)];
  return slot >> 32 == tag && slot != 0 ? (uint32_t)slot - 1 : KEYS_NONE;
}

void keys_fetch(const struct keys *k, const uint32_t *tags, size_t count) {
  enum { SLOT_AHEAD = 24, END_AHEAD = 16, TEXT_AHEAD = 8 };
  uint32_t id;
  if (k->slots == 0) return;
  if (count > SLOT_AHEAD) __builtin_prefetch(&k->slot[tags[SLOT_AHEAD] & (k->slots - 1)]);
  if (count > END_AHEAD && (id = guess(k, tags[END_AHEAD])) != KEYS_NONE)
    __builtin_prefetch(&k->end[id]);
  if (count > TEXT_AHEAD && (id = guess(k, tags[TEXT_AHEAD])) != KEYS_NONE)
    __builtin_prefetch(&k->text[id > 0 ? k->end[id - 1] : 0]);
}

void keys_cut(struct keys *k, size_t count) {
  if (count >= k->count) return;
  k->count = count;
  k->used = count > 0 ? k->end[count - 1] : 0;
  if (k->filled) memset(k->slot, 0, k->slots * sizeof *k->slot);
  k->filled = count > 0;
  for (size_t id = 0; id < count; id++) place(k, (uint32_t)id);
}

size_t keys_bytes(const struct keys *k) {
  return k->text_room + k->room * (sizeof *k->end + sizeof *k->tag) + k->slots * sizeof *k->slot;
}

void keys_free(struct keys *k) {
  large_memory_free(k->end, k->end_room * sizeof *k->end);
  large_memory_free(k->tag, k->room * sizeof *k->tag);
  large_memory_free(k->text, k->text_room);
  large_memory_free(k->slot, k->slots * sizeof *k->slot);
  memset(k, 0, sizeof *k);
}

const char *key_field(const char **at, const char *end, size_t left, size_t *length) {
  uint32_t bytes = 0;
  if (left <= 1) {
    const char *const field = *at;
    *length = (size_t)(end - *at);
    *at = end;
    return field;
  }
  memcpy(&bytes, *at, sizeof bytes);
  const char *const field = *at + sizeof bytes;
  *length = bytes;
  *at = field + bytes;
  return field;
}
