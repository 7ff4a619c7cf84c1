/* strip.c - a strip of columns: chunks, blocks of chunks and short chunks, with a strip where
 * fold_tmpl.h and blocks.c have a number
 *
 * Method   A full chunk's lanes are strips in scratch, eight lines on each at a time, then halves on
 *          halves. Above chunks, and of the blocks of lines that a short chunk is folded by, the counter of
 *          order/blocks_tmpl.h holds strips. Where no order binds, eight lines at a time are folded on
 *          one strip. */
#include "strip.h"

#include <string.h>

enum {
  LINES_POLL = 1024, /* between two polls where no order binds */
  FAR = 1 << 24,     /* bytes of lines that caches do not hold */
  ACROSS = 4096,     /* bytes that are read across: longer lines are runs */
  AHEAD = 8192,      /* bytes */
  LINE = 64          /* of a cache */
};

/* ---- blocks of strips ---------------------------------------------------------------------------- */

static inline unsigned char *slot_of(const struct hd_cpu_column_strip *s, u32 level) {
  return s->slots + level * s->bytes;
}
static inline unsigned char *folded(const struct hd_cpu_column_strip *s, unsigned char *left,
                                    const unsigned char *right) {
  s->kernel->columns->each(left, right, s->width);
  return left;
}
static inline void keep(const struct hd_cpu_column_strip *s, u32 level,
                        const unsigned char *total) {
  if (total != slot_of(s, level)) memcpy(slot_of(s, level), total, s->bytes);
}

#define BLOCKS_NAME strip
#define BLOCKS_COUNTER const struct hd_cpu_column_strip
#define BLOCKS_T unsigned char *
#define BLOCKS_OP(k, a, b) folded(k, a, b)
#define BLOCKS_SLOT(k, i) slot_of(k, i)
#define BLOCKS_KEEP(k, i, t) keep(k, i, t)
#include "order/blocks_tmpl.h"

/* acc = acc op block */
static void append(struct hd_cpu_column_strip *s, const unsigned char *block) {
  if (s->any)
    folded(s, s->acc, block);
  else if (block != s->acc)
    memcpy(s->acc, block, s->bytes);
  s->any = true;
}

/* acc = acc op the blocks that the bits of n name, biggest first. */
static void append_blocks(struct hd_cpu_column_strip *s, u64 n) {
  if (!n) return;
  const u32 top = hd_top_bit(n);
  append(s, slot_of(s, top));
  strip_onto(s, n ^ (u64)1 << top, s->acc);
}

/* ---- lines ----------------------------------------------------------------------------------------- */

/* Before n of the `left` lines to come are read: the end of an array of few columns has no vector left,
 * and is copied to where it has. */
static void before_reading(struct hd_cpu_column_strip *s, u64 n, u64 left) {
  const size_t bytes = (size_t)((left - 1) * (u64)s->pitch) + s->results * s->kernel->element_bytes;
  const bool two = s->y != s->x;
  if (n <= s->whole) return;
  memcpy(s->copy[0], s->x, bytes);
  if (two) memcpy(s->copy[1], s->y, bytes);
  s->x = s->copy[0], s->y = s->copy[two];
  s->whole = left;
}

/* Lines that a kernel may read. */
struct lines {
  const char *x, *y;
  i64 pitch;
};

/* The n lines from `at` bytes on, at most HD_STRIP_LINES, `pitch` bytes apart. */
static inline struct lines lines_at(const struct hd_cpu_column_strip *s, i64 at, i64 pitch,
                                    size_t n) {
  const size_t bytes = s->width * s->kernel->element_bytes;
  if (!s->gather) return (struct lines){s->x + at, s->y + at, pitch};
  for (size_t l = 0; l < n; l++) {
    s->gather(s->x + at + (i64)l * pitch, s->step, s->results, s->copy[0] + l * bytes);
    if (s->y != s->x)
      s->gather(s->y + at + (i64)l * pitch, s->step, s->results, s->copy[1] + l * bytes);
  }
  return (struct lines){s->copy[0], s->copy[1], (i64)bytes};
}

/* to = n lines from `at` bytes on, `pitch` bytes apart; behind *to if `onto`. */
static inline void fold_lines(const struct hd_cpu_column_strip *s, i64 at, i64 pitch, size_t n,
                              unsigned char *to, bool onto) {
  const struct lines l = lines_at(s, at, pitch, n);
  s->kernel->columns->lines(l.x, l.y, l.pitch, n, s->width, to, onto);
}

/* acc = acc op the next n lines. */
static void take_onto(struct hd_cpu_column_strip *s, size_t n) {
  fold_lines(s, 0, s->pitch, n, s->acc, s->any);
  s->any = true;
  hd_cpu_strip_advance(s, n);
}

/* Rule 2: the first strip of lanes is the total of the next chunk. */
static unsigned char *take_chunk(struct hd_cpu_column_strip *s) {
  const struct hd_cpu_fold_columns *columns = s->kernel->columns;
  const size_t lanes = s->kernel->chunk / HD_CHUNK_ROWS;
  for (size_t row = 0; row < HD_CHUNK_ROWS; row += HD_STRIP_LINES) {
    for (size_t j = 0; j < lanes; j++) {
      const i64 at = (i64)(row * lanes + j) * s->pitch;
      fold_lines(s, at, (i64)lanes * s->pitch, HD_STRIP_LINES, s->lanes + j * s->bytes, row > 0);
    }
  }
  for (size_t h = lanes / 2; h; h /= 2)
    columns->each(s->lanes, s->lanes + h * s->bytes, h * s->width);
  hd_cpu_strip_advance(s, s->kernel->chunk);
  return s->lanes;
}

/* Rule 5: the n lines of a short chunk. */
static void take_tail(struct hd_cpu_column_strip *s, size_t n) {
  const size_t leaves = n / HD_STRIP_LINES;
  for (size_t k = 0, taken; k < leaves; k += taken) {
    const u32 level = !s->gather && k + 1 < leaves;
    unsigned char *block = k >> level & 1 ? s->spare : slot_of(s, level);
    const struct lines l = lines_at(s, 0, s->pitch, HD_STRIP_LINES);
    s->kernel->columns->block(l.x, l.y, l.pitch, level, s->width, block);
    taken = (size_t)1 << level;
    hd_cpu_strip_advance(s, taken * HD_STRIP_LINES);
    strip_push(s, k, level, block);
  }
  append_blocks(s, leaves);
  if (n % HD_STRIP_LINES) take_onto(s, n % HD_STRIP_LINES);
}

/* ---- where any order gives the same ----------------------------------------------------------------- */

/* What comes some way behind the next n lines, where line lies behind line: processors fetch ahead of one
 * run, and lines that are read across are none. (Always inline: for a compiler such a function does nothing.) */
static inline __attribute__((always_inline)) void fetch(const struct hd_cpu_column_strip *s,
                                                        size_t n) {
  for (i64 b = 0; b < (i64)n * s->pitch; b += LINE) {
    __builtin_prefetch(s->x + AHEAD + b);
    if (s->y != s->x) __builtin_prefetch(s->y + AHEAD + b);
  }
}

static bool fold_in_any_order(struct hd_cpu_column_strip *s, u64 n,
                              const struct hd_cpu_strip_blocks *above) {
  const i64 bytes = (i64)(s->width * s->kernel->element_bytes);
  const bool far =
      !s->gather && s->pitch == bytes && HD_STRIP_LINES * bytes <= ACROSS && n * (u64)bytes > FAR;
  for (u64 k = 0; k < above->count; k++) append(s, above->totals + k * above->apart);
  for (u64 at = 0; at < n;) {
    const u64 left = n - at;
    const size_t lines = left < HD_STRIP_LINES ? (size_t)left : HD_STRIP_LINES;
    if (at % LINES_POLL == 0 && hd_poll(s->token)) return false;
    before_reading(s, lines, left);
    if (far) fetch(s, lines);
    take_onto(s, lines);
    at += lines;
  }
  return true;
}

/* ---- in order ----------------------------------------------------------------------------------------- */

static bool fold_in_order(struct hd_cpu_column_strip *s, u64 n,
                          const struct hd_cpu_strip_blocks *above) {
  u64 count = 0;
  for (; count < above->count; count++)
    strip_push(s, count << above->level, above->level, above->totals + count * above->apart);
  count <<= above->level;
  for (; n >= s->kernel->chunk; n -= s->kernel->chunk, count++) {
    if (hd_poll(s->token)) return false;
    before_reading(s, s->kernel->chunk, n);
    strip_push(s, count, 0, take_chunk(s));
  }
  if (hd_poll(s->token)) return false;
  append_blocks(s, count);
  if (n) before_reading(s, n, n);
  take_tail(s, (size_t)n);
  return true;
}

bool hd_cpu_strip_fold(struct hd_cpu_column_strip *s, u64 n,
                       const struct hd_cpu_strip_blocks *above) {
  return s->kernel->merge.order_free ? fold_in_any_order(s, n, above) : fold_in_order(s, n, above);
}

/* ---- a few lines, all that there are ----------------------------------------------------------------- */

size_t hd_cpu_strip_scratch(const struct hd_cpu_fold_kernel *kernel, size_t width) {
  const size_t leaves = hd_top_bit(kernel->chunk / HD_STRIP_LINES) + 1;
  return (2 + (kernel->merge.order_free ? 0 : leaves)) * width * kernel->columns->bytes;
}

const void *hd_cpu_strip_of_lines(const struct hd_cpu_fold_kernel *kernel, const void *x,
                                  const void *y, i64 pitch, size_t n, size_t width, void *scratch) {
  const size_t bytes = width * kernel->columns->bytes;
  unsigned char *at = scratch;
  struct hd_cpu_column_strip s = {.kernel = kernel,
                                  .x = x,
                                  .y = y,
                                  .pitch = pitch,
                                  .width = width,
                                  .bytes = bytes,
                                  .acc = at,
                                  .spare = at + bytes,
                                  .slots = at + 2 * bytes};
  if (!kernel->merge.order_free) {
    take_tail(&s, n);
    return s.acc;
  }
  while (n) {
    const size_t lines = n < HD_STRIP_LINES ? n : HD_STRIP_LINES;
    take_onto(&s, lines);
    n -= lines;
  }
  return s.acc;
}
