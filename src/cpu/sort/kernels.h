/* kernels.h - what an ISA object gives to sorts, and how elements travel through them
 *
 * Elements are packed into items whose first word holds the key as an unsigned integer; every step in
 * between moves items and knows no type. Sizes of items: 4, 8, 16, 24 and 32 bytes. */
#ifndef HEDDLE_CPU_SORT_KERNELS_H
#define HEDDLE_CPU_SORT_KERNELS_H

#include "api/backend.h"

enum {
  HD_SORT_BLOCK = 512, /* elements that are packed at once */
  HD_SORT_DIGIT_LEAST = 8,
  HD_SORT_DIGIT_MOST = 11,   /* bits that choose a bucket of a partition */
  HD_SORT_LINE = 64,         /* bytes: buckets are filled by whole lines */
  HD_SORT_NOTHING = 1 << 16, /* more than the items of any line */
  HD_SORT_TABLES =
      4, /* of counts: neighbours are often alike, and each count waits for the one before */
  HD_SORT_ROWS = 32, /* that are sorted a row a lane at once */
  HD_SORT_PREFIX_BITS = 11,
  HD_SORT_PREFIXES = 1 << HD_SORT_PREFIX_BITS,
  HD_SORT_NARROW_BITS = 16, /* keys of up to so many are counted */
  HD_SORT_WORDS_MOST = 4
};

/* What an item holds. */
enum hd_cpu_sort_layout {
  HD_SORT_KEY, /* the key: 4 bytes up to 32 bits, else 8 */
  HD_SORT_NARROW, /* u64: a key of up to 32 bits above a value of up to 4 bytes, or a position that fits */
  HD_SORT_WIDE, /* u64: the key, or one of up to 32 bits above the element's bits; the value */
  HD_SORT_BITS  /* u64: the key; u64: the element's bits; the value */
};

/* Where elements come from and go to; steps in bytes from one to the next. */
struct hd_cpu_sort_io {
  const char *keys, *values;   /* values NULL: none, or positions */
  char *keys_out, *values_out; /* NULL: not wanted */
  i64 keys_step, values_step, keys_out_step, values_out_step;
  struct hd_sort_map map;
  bool canonical; /* all NaN have one key, and both zeros: no bijection */
  enum hd_cpu_sort_layout layout;
  u32 value_bytes; /* 0: none. Positions: 4 or 8, of values_out */
  u32 words;       /* of an item, 8 bytes each; HD_SORT_KEY may have half of one */
  bool positions;
};

/* What a look over keys found; any and all begin as 0 and ~0, rising and falling as true. */
struct hd_cpu_sort_look {
  u64 any, all, last; /* last: the key before, where `started` */
  bool started, rising, falling;
  bool weak; /* equal neighbours count as falling */
};

/* Which bucket a key goes to: the bits from `shift` on, or with prefixes those choose one, which is cut into
 * 2^bits buckets by the bits below: prefix[i] = its first bucket << 8 | bits. */
struct hd_cpu_sort_digit {
  u32 shift, buckets;
  u32 top;           /* bits of keys from this one on are alike */
  const u32 *prefix; /* of HD_SORT_PREFIXES; NULL: none */
};

/* One thread's scatter into buckets: lines are gathered in `stage` and written when they are full. */
struct hd_cpu_sort_scatter {
  char *base; /* item 0 of the target, moved down to a line where lines are to be whole */
  char *stage;
  size_t *place; /* a bucket's next item, from base */
  u32 *
      head; /* items of the line in `stage` that are not the bucket's own, or HD_SORT_NOTHING is there */
  struct hd_cpu_sort_digit digit;
  bool nontemporal;
};

/* What works on items of one size. Keys are taken as key & mask. */
struct hd_cpu_sort_engine {
  u32 bytes;
  u32 line_items; /* that a bucket's stage holds: a power of two, whole lines */
  void (*look)(const void *items, size_t n, u64 mask, struct hd_cpu_sort_look *look);
  /* counts[any of HD_SORT_TABLES][bucket] += 1, tables being 2^HD_SORT_DIGIT_MOST apart */
  void (*count)(const void *items, size_t n, const struct hd_cpu_sort_digit *digit, size_t *counts);
  void (*scatter)(struct hd_cpu_sort_scatter *s, const void *items, size_t n);
  void (*finish)(struct hd_cpu_sort_scatter *s); /* writes the lines that are not full */
  /* Sorts n < 2^32 items at a, stably; b has the same room. True: the result is at b. Bits of the key
   * from `exponent` on tell few items apart: of floats where the exponent begins, else 64. */
  bool (*sort)(void *a, void *b, size_t n, u64 mask, u32 exponent);
  void (*reverse)(void *items, size_t n);
};

struct hd_cpu_sort_kernels {
  const struct hd_cpu_sort_engine *engine[1 + HD_SORT_WORDS_MOST]; /* [words]; [0]: half a word */
  bool quick; /* items that are nothing but their keys are sorted faster than by bits of them */
  /* Elements first .. first + n of io, n <= HD_SORT_BLOCK for keys and any for pack, as keys of 32 or
   * 64 bits (up to 32 bits: 32), as items, and back. unpack may have items where the keys go. */
  void (*load)(const struct hd_cpu_sort_io *io, size_t first, size_t n, void *keys);
  void (*pack)(const struct hd_cpu_sort_io *io, size_t first, size_t n, void *items);
  void (*unpack)(const struct hd_cpu_sort_io *io, size_t first, size_t n, const void *items);
  /* Whether a NaN or -0.0 is among n elements from first on. */
  bool (*special)(const struct hd_cpu_sort_io *io, size_t first, size_t n);
  /* Rows of n <= short_most[io->words] elements, of which the first begins at element `first` and the others
   * lie behind it: keys by all of their bits, or positions of keys up to 32 bits. a and b: each of memory for
   * HD_SORT_ROWS * n items. */
  void (*short_rows)(const struct hd_cpu_sort_io *io, size_t first, size_t rows, size_t n, void *a,
                     void *b);
  u32 short_most[2];
  /* counts[key] += 1; of types of up to 16 bits, n < 2^32 */
  void (*tally)(const struct hd_cpu_sort_io *io, size_t first, size_t n, u32 *counts);
  /* Elements first .. first + n of the output that consists of ends[k] - ends[k - 1] times key k. */
  void (*fill)(const struct hd_cpu_sort_io *io, size_t first, size_t n, const u64 *ends);
};

#endif
