/* split.c - delimiters found eight characters at a time, up to the last field that is wanted
 *
 * Limits  What has doubled quotes in a wanted field, or something behind a closing quote, is left to text/record.h. */
#include "split.h"

#include <string.h>

static inline bool is_blank(char c, char delimiter) {
  return c == ' ' || c == '\r' || (c == '\t' && delimiter != '\t');
}

/* The top bits of those of the eight characters at `from` that are c, the first one lowest. */
static inline uint64_t mark(const char *from, char c) {
  const uint64_t ones = 0x0101010101010101u, low = 0x7f7f7f7f7f7f7f7fu;
  uint64_t word;
  memcpy(&word, from, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  word ^= ones * (unsigned char)c; /* bytes become 0, and their top bits are set: */
  return ~(((word & low) + low) | word | low);
}

/* Where the record's delimiters are, up to `most` of them, and behind them its end; how many delimiters. Words of
 * eight bytes may reach behind the end. */
static inline size_t find_delimiters(const char *record, const char *end, char delimiter,
                                     size_t most, const char **at) {
  size_t count = 0;
  for (const char *from = record; from < end && count < most; from += sizeof(uint64_t))
    for (uint64_t found = mark(from, delimiter); found && count < most; found &= found - 1)
      at[count++] = from + (unsigned)__builtin_ctzll(found) / 8;
  while (count > 0 && at[count - 1] >= end) count--;
  at[count] = end;
  return count;
}

static inline struct piece trimmed(const char *begin, const char *end, char delimiter) {
  while (begin < end && is_blank(*begin, delimiter)) begin++;
  while (begin < end && is_blank(end[-1], delimiter)) end--;
  return (struct piece){begin, end, begin};
}

/* Fields far behind the first are not worth a list of all delimiters. */
enum { LISTED = 48 };

enum split split_plain(const struct wanted *w, const char *record, const char *end,
                       struct piece *pieces) {
  const size_t last = w->field[w->count - 1];
  const char *at[LISTED + 2];
  if (last >= LISTED) return SPLIT_ODD;
  const size_t found = find_delimiters(record, end, w->delimiter, last + 1, at);
  if (found < last) return SPLIT_SHORT;
  if (found > last && w->ends) return SPLIT_ODD;
  for (size_t u = 0; u < w->count; u++) {
    const size_t field = w->field[u];
    pieces[u] = trimmed(field > 0 ? at[field - 1] + 1 : record, at[field], w->delimiter);
  }
  return SPLIT_DONE;
}

/* The first c from `at` on, or `end`. */
static inline const char *find(const char *at, const char *end, char c) {
  for (; at < end; at += sizeof(uint64_t)) {
    const uint64_t found = mark(at, c);
    if (!found) continue;
    at += (unsigned)__builtin_ctzll(found) / 8;
    return at < end ? at : end;
  }
  return end;
}

/* The closing quote of the text that begins at `at`, or `end`. */
static inline const char *find_close(const char *at, const char *end, bool *doubled) {
  for (;; at += 2) {
    at = find(at, end, '"');
    if (at == end || at + 1 == end || at[1] != '"') return at;
    *doubled = true;
  }
}

enum split split_quoted(const struct wanted *w, const char *record, const char *end,
                        struct piece *pieces) {
  const char delimiter = w->delimiter;
  const char *at = record;
  size_t u = 0;
  for (size_t index = 0; u < w->count; index++) {
    while (at < end && is_blank(*at, delimiter)) at++;
    struct piece piece = {at, at, at};
    bool doubled = false;
    const char *stop;
    if (at < end && *at == '"') {
      const char *const close = find_close(at + 1, end, &doubled);
      if (close >= end) return SPLIT_ODD;
      piece.begin = at + 1;
      piece.end = close;
      for (stop = close + 1; stop < end && is_blank(*stop, delimiter);) stop++;
      if (stop < end && *stop != delimiter) return SPLIT_ODD;
    } else {
      stop = find(at, end, delimiter);
      piece = trimmed(at, stop, delimiter);
    }
    if (index == w->field[u]) {
      if (doubled) return SPLIT_ODD;
      pieces[u++] = piece;
    }
    if (stop == end) return u == w->count ? SPLIT_DONE : SPLIT_SHORT;
    at = stop + 1;
  }
  return w->ends ? SPLIT_ODD : SPLIT_DONE;
}
