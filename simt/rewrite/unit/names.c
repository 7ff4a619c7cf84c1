/* Names as numbers: equal spelling, equal number; keywords come first (unit.h, keywords.h).
 *
 * Method  open addressing over the bytes of the source text, which outlives the table
 */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

struct name {
  const char *spelling;
  size_t length;
};

struct names {
  struct name *all;
  uint32_t count;
  size_t room;
  uint32_t *slots; /* number + 1, 0 = empty */
  size_t slot_count;
};

#define KEYWORD_SPELLING(name, spelling, flags) spelling,
static const char *const word_spellings[] = {KEYWORDS(KEYWORD_SPELLING)};
#define KEYWORD_FLAGS(name, spelling, flags) flags,
static const unsigned char flags_of_words[] = {KEYWORDS(KEYWORD_FLAGS)};

static size_t hash(const char *spelling, size_t length) {
  uint64_t h = 1469598103934665603u;
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)spelling[i]) * 1099511628211u;
  return (size_t)(h ^ h >> 32);
}

static void rehash(struct names *n, size_t slot_count) {
  free(n->slots);
  n->slots = text_allocate(slot_count * sizeof *n->slots);
  n->slot_count = slot_count;
  for (uint32_t i = 0; i < n->count; i++) {
    size_t s = hash(n->all[i].spelling, n->all[i].length) & (slot_count - 1);
    while (n->slots[s]) s = (s + 1) & (slot_count - 1);
    n->slots[s] = i + 1;
  }
}

uint32_t names_number(struct names *n, const char *spelling, size_t length) {
  size_t s = hash(spelling, length) & (n->slot_count - 1);
  for (; n->slots[s]; s = (s + 1) & (n->slot_count - 1)) {
    const struct name *at = &n->all[n->slots[s] - 1];
    if (at->length == length && !memcmp(at->spelling, spelling, length)) return n->slots[s] - 1;
  }
  n->all = array_room(n->all, n->count, &n->room, sizeof *n->all);
  n->all[n->count] = (struct name){spelling, length};
  n->slots[s] = ++n->count;
  const uint32_t number = n->count - 1;
  if ((size_t)n->count * 2 > n->slot_count) rehash(n, n->slot_count * 2);
  return number;
}

struct names *names_new(void) {
  struct names *n = text_allocate(sizeof *n);
  rehash(n, 4096);
  for (uint32_t i = 0; i < KEYWORD_COUNT; i++) {
    names_number(n, word_spellings[i], strlen(word_spellings[i]));
  }
  return n;
}

void names_free(struct names *n) {
  if (!n) return;
  free(n->all);
  free(n->slots);
  free(n);
}

uint32_t names_count(const struct names *n) { return n->count; }

unsigned keyword_flags(uint32_t name) { return name < KEYWORD_COUNT ? flags_of_words[name] : 0; }
