/* key_order.c - keys sorted by words of eight bytes, from the most significant one on
 *
 * Method  Of a run of keys whose order is open a word of each is sorted by the library: of a number its bits as they
 *         rise, of text the eight bytes behind what all keys of the run begin with. Keys of one word are a run again.
 *         Few keys, and runs as deep as only keys made for it are, are compared one by one.
 * Source  Bentley and Sedgewick 1997 (multikey quicksort), with words for characters. */
#include "key_order.h"

#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "text/number.h"

enum { FEW = 16, DEEP = 64, WORD = sizeof(uint64_t), END_AHEAD = 24, TEXT_AHEAD = 12 };

static double number_of(const char *text, size_t bytes) {
  double value = 0;
  (void)number_parse(text, bytes, HEDDLE_F64, &value);
  return value + 0.0; /* one zero */
}

/* ---- two keys ---------------------------------------------------------------------------------------- */

static int compare_bytes(const char *a, size_t a_bytes, const char *b, size_t b_bytes) {
  const size_t least = a_bytes < b_bytes ? a_bytes : b_bytes;
  const int order = least > 0 ? memcmp(a, b, least) : 0;
  return order != 0 ? order : (a_bytes > b_bytes) - (a_bytes < b_bytes);
}

int key_order_compare(const struct key_order *o, const char *a, size_t a_bytes, const char *b,
                      size_t b_bytes) {
  const char *const a_end = a + a_bytes, *const b_end = b + b_bytes;
  for (size_t k = 0; k < o->keys; k++) {
    size_t n, m;
    const char *const x = key_field(&a, a_end, o->keys - k, &n);
    const char *const y = key_field(&b, b_end, o->keys - k, &m);
    if (o->numbers[k]) {
      const double p = number_of(x, n), q = number_of(y, m);
      if (p < q || p > q) return p < q ? -1 : 1;
    }
    const int order = compare_bytes(x, n, y, m);
    if (order != 0) return order;
  }
  return 0;
}

/* ---- words ------------------------------------------------------------------------------------------- */

static uint64_t number_word(const char *text, size_t bytes) {
  const double value = number_of(text, bytes);
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static uint64_t text_word(const char *text, size_t bytes) {
  uint64_t word = 0;
  if (bytes >= WORD) {
    memcpy(&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
  }
  for (size_t i = 0; i < WORD; i++) word = word << 8 | (i < bytes ? (unsigned char)text[i] : 0u);
  return word;
}

uint64_t key_order_prefix(const struct key_order *o, const char *key, size_t bytes) {
  const char *at = key;
  size_t n;
  const char *const field = key_field(&at, key + bytes, o->keys, &n);
  return o->numbers[0] ? number_word(field, n) : text_word(field, n);
}

/* ---- runs of keys whose order is open ---------------------------------------------------------------- */

struct sorting {
  const struct key_order *order;
  heddle_context *ctx;
  const struct keys *keys;
  uint32_t *ids;
  uint64_t *word;
};

/* Keys of a run are equal up to here. */
struct place {
  size_t field, byte;
  bool number; /* the field's value is to be looked at, before its bytes */
  unsigned depth;
};

static int sort_run(const struct sorting *s, size_t from, size_t n, struct place at,
                    struct failure *why);

/* What a key has behind the place, in the place's field. */
static inline const char *behind(const struct sorting *s, uint32_t id, const struct place *at,
                                 size_t *bytes) {
  size_t n;
  const char *key = keys_text(s->keys, id, &n);
  const char *const end = key + n, *field = key;
  for (size_t k = 0; k <= at->field; k++) field = key_field(&key, end, s->order->keys - k, &n);
  *bytes = n - at->byte;
  return field + at->byte;
}

/* The same of the i-th of n ids from `ids` on; what comes soon is fetched. */
static inline const char *next(const struct sorting *s, const uint32_t *ids, size_t i, size_t n,
                               const struct place *at, size_t *bytes) {
  if (i + END_AHEAD < n) __builtin_prefetch(&s->keys->end[ids[i + END_AHEAD]]);
  if (i + TEXT_AHEAD < n) __builtin_prefetch(keys_text(s->keys, ids[i + TEXT_AHEAD], bytes));
  return behind(s, ids[i], at, bytes);
}

/* How many bytes all keys of the run have in common behind the place. */
static size_t common(const struct sorting *s, const uint32_t *ids, size_t n,
                     const struct place *at) {
  size_t most;
  const char *const first = behind(s, ids[0], at, &most);
  for (size_t i = 1; i < n && most > 0; i++) {
    size_t bytes, same = 0;
    const char *const text = next(s, ids, i, n, at, &bytes);
    while (same < most && same < bytes && text[same] == first[same]) same++;
    most = same;
  }
  return most;
}

struct one {
  const struct key_order *order;
  const char *key;
  size_t bytes;
  uint32_t id;
};

static int compare(const void *a, const void *b) {
  const struct one *const x = a, *const y = b;
  return key_order_compare(x->order, x->key, x->bytes, y->key, y->bytes);
}

static void sort_few(const struct sorting *s, uint32_t *ids, size_t n, struct one *all) {
  for (size_t i = 0; i < n; i++) {
    all[i].order = s->order;
    all[i].id = ids[i];
    all[i].key = keys_text(s->keys, ids[i], &all[i].bytes);
  }
  qsort(all, n, sizeof *all, compare);
  for (size_t i = 0; i < n; i++) ids[i] = all[i].id;
}

static int sort_deep(const struct sorting *s, uint32_t *ids, size_t n, struct failure *why) {
  struct one *const all = command_allocate(n, sizeof *all, "groups", why);
  if (!all) return -1;
  sort_few(s, ids, n, all);
  free(all);
  return 0;
}

static int sort_words(const struct sorting *s, size_t from, size_t n, struct failure *why) {
  return command_check(heddle_sort_pairs(s->ctx, HEDDLE_U64, s->word + from, sizeof *s->ids,
                                         s->ids + from, n, s->word + from, s->ids + from, NULL),
                       NULL, why);
}

/* Each run of equal words on to sort_run. */
typedef int run_take(const struct sorting *s, size_t from, size_t n, struct place at,
                     struct failure *why);
static int each_run(const struct sorting *s, size_t from, size_t n, struct place at, run_take *take,
                    struct failure *why) {
  for (size_t i = from, end; i < from + n; i = end) {
    for (end = i + 1; end < from + n && s->word[end] == s->word[i];) end++;
    if (end > i + 1 && take(s, i, end - i, at, why) != 0) return -1;
  }
  return 0;
}

/* Texts of one word, all of which have as many of its bytes, or all of which go on behind it. */
static int sort_behind(const struct sorting *s, size_t from, size_t n, struct place at,
                       struct failure *why) {
  size_t bytes;
  (void)behind(s, s->ids[from], &at, &bytes);
  if (bytes > WORD) {
    at.byte += WORD;
  } else {
    if (++at.field == s->order->keys) return 0;
    at.byte = 0;
    at.number = s->order->numbers[at.field];
  }
  return sort_run(s, from, n, at, why);
}

/* A run of one word. A text that ends in it comes before those that go on with zeros. */
static int sort_equal(const struct sorting *s, size_t from, size_t n, struct place at,
                      struct failure *why) {
  bool differ = false;
  at.depth += 1;
  if (at.number) {
    at.number = false;
    return sort_run(s, from, n, at, why);
  }
  for (size_t i = from; i < from + n; i++) {
    size_t bytes;
    (void)next(s, s->ids + from, i - from, n, &at, &bytes);
    s->word[i] = bytes <= WORD ? bytes : WORD + 1;
    differ |= s->word[i] != s->word[from];
  }
  if (differ && sort_words(s, from, n, why) != 0) return -1;
  return each_run(s, from, n, at, sort_behind, why);
}

static int sort_run(const struct sorting *s, size_t from, size_t n, struct place at,
                    struct failure *why) {
  struct one few[FEW];
  if (n <= FEW) {
    sort_few(s, s->ids + from, n, few);
    return 0;
  }
  if (at.depth >= DEEP) return sort_deep(s, s->ids + from, n, why);
  if (!at.number) at.byte += common(s, s->ids + from, n, &at);
  for (size_t i = 0; i < n; i++) {
    size_t bytes;
    const char *const text = next(s, s->ids + from, i, n, &at, &bytes);
    s->word[from + i] = at.number ? number_word(text, bytes) : text_word(text, bytes);
  }
  if (sort_words(s, from, n, why) != 0) return -1;
  return each_run(s, from, n, at, sort_equal, why);
}

int key_order_ids(const struct key_order *o, heddle_context *ctx, const struct keys *keys,
                  uint32_t *ids, struct failure *why) {
  const size_t n = keys->count;
  struct sorting s = {o, ctx, keys, ids, NULL};
  for (size_t i = 0; i < n; i++) ids[i] = (uint32_t)i;
  if (n < 2) return 0;
  s.word = command_allocate(n, sizeof *s.word, "keys", why);
  if (!s.word) return -1;
  const int status = sort_run(&s, 0, n, (struct place){.number = o->numbers[0]}, why);
  free(s.word);
  return status;
}
