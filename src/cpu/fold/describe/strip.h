/* strip.h - what a strip of neighbouring columns has of each, and the tree of its nodes (rule 9)
 *
 * Method    A node's parts lie `wide` apart, so that two nodes merge by vectors across the columns. The
 *           counter of order/blocks_tmpl.h holds nodes of strips */
#ifndef HEDDLE_CPU_FOLD_DESCRIBE_STRIP_H
#define HEDDLE_CPU_FOLD_DESCRIBE_STRIP_H

#include "cpu/isa/kernels.h"
#include "cpu/vec/gather.h"
#include "cpu/vec/transpose.h"
#include "tail.h"

enum {
  STRIP_MOST = 128,    /* columns */
  STRIP_AHEAD = 4,     /* lanes fetched before they are read */
  STRIP_EIGHT = 8,     /* lines of a leaf */
  STRIP_LONGEST = 256, /* rows without gaps that are as well taken as columns */
  STRIP_SLOTS = 64,    /* of the counter: chunks, or a short chunk's lines */
};

/* `width` columns of n lines, `apart` and `pitch` bytes from each other, become f64 in lines of `wide`;
 * what lies `ahead` is fetched. True: full nodes may have them all (node.h). */
typedef bool spread_function(const char *x, i64 pitch, i64 apart, size_t n, size_t width, f64 *to,
                             size_t wide, i64 ahead);

/* Columns of a strip: 256 bytes of a line, as far as that leaves enough of them and not too many. */
#define STRIP_COLUMNS(bytes) ((bytes) > 4 ? 32 : (bytes) == 4 ? 64 : STRIP_MOST)

/* What a kernel's name asks for. */
enum {
  squares_mean = 0,
  squares_variance = 1,
  squares_describe = 1,
  rest_mean = 0,
  rest_variance = 0,
  rest_describe = 1
};

/* Parts of a node lie `wide` apart. */
enum { STRIP_MEAN, STRIP_N, STRIP_M2, STRIP_M3, STRIP_SUM, STRIP_PARTS };

struct strip {
  spread_function *spread;
  i64 apart;          /* bytes between columns */
  size_t width, wide; /* columns; the same in whole vectors */
  bool skip, squares, rest, some, any;
  u64 chunks;
  f64 size; /* of the nodes that the counter merges next */
  f64 *slot[STRIP_SLOTS], *spare, *acc;
  i64 least[STRIP_MOST + LANES64], most[STRIP_MOST + LANES64];
  u64 nan[STRIP_MOST + LANES64], infinite[STRIP_MOST + LANES64];
  f64 block[HD_CHUNK_ROWS * (STRIP_MOST + LANES64)];
  f64 two[DESC_ROW * (STRIP_MOST + LANES64)], three[DESC_ROW * (STRIP_MOST + LANES64)]; /* lanes */
  f64 node[(STRIP_SLOTS + 2) * STRIP_PARTS * (STRIP_MOST + LANES64)];
};

/* Lines that lie a multiple of a page apart do not fit the first cache together, which is for others. */
DESC_INLINE void strip_fetch(const char *x, size_t bytes, bool near) {
  for (size_t b = 0; b < bytes; b += 64)
    if (near)
      __builtin_prefetch(x + b);
    else
      __builtin_prefetch(x + b, 0, 2);
}

/* Lines of columns that are no neighbours, one behind the other in `to`: rows whose elements are
 * neighbours are transposed, others gathered a line at a time. */
static __attribute__((noinline)) void strip_make(const char *x, i64 pitch, i64 apart, size_t n,
                                                 size_t width, char *to, size_t bytes) {
  static hd_cpu_gather_kernel *const gathers[] = {gather_u8, gather_u16, gather_u32, gather_u64};
  static hd_cpu_transpose_kernel *const transposes[] = {transpose_u8, transpose_u16, transpose_u32,
                                                        transpose_u64};
  const u32 size = hd_top_bit(bytes);
  if (pitch == (i64)bytes && n > 1) {
    transposes[size](x, apart, width, n, to, width);
    return;
  }
  for (size_t r = 0; r < n; r++)
    gathers[size](x + (i64)r * pitch, apart / (i64)bytes, width, to + r * width * bytes);
}

/* ---- nodes --------------------------------------------------------------------------------------- */

DESC_INLINE struct moments_node strip_load(const f64 *p, size_t wide, bool some, bool squares,
                                           bool rest) {
  struct moments_node to;
  to.mean = load_f64_f64(p + STRIP_MEAN * wide);
  if (some) to.n = load_f64_f64(p + STRIP_N * wide);
  if (squares) to.m2 = load_f64_f64(p + STRIP_M2 * wide);
  if (rest) to.m3 = load_f64_f64(p + STRIP_M3 * wide);
  if (rest) to.sum = load_f64_f64(p + STRIP_SUM * wide);
  return to;
}
DESC_INLINE void strip_put(f64 *p, size_t wide, struct moments_node v, bool some, bool squares,
                           bool rest) {
  node_store(p + STRIP_MEAN * wide, v.mean);
  if (some) node_store(p + STRIP_N * wide, v.n);
  if (squares) node_store(p + STRIP_M2 * wide, v.m2);
  if (rest) node_store(p + STRIP_M3 * wide, v.m3);
  if (rest) node_store(p + STRIP_SUM * wide, v.sum);
}

DESC_INLINE void merge_as(f64 *a, const f64 *b, size_t wide, f64 size, bool some, bool squares,
                          bool rest) {
  for (size_t i = 0; i < wide; i += LANES64) {
    const struct moments_node left = strip_load(a + i, wide, some, squares, rest);
    const struct moments_node right = strip_load(b + i, wide, some, squares, rest);
    strip_put(a + i, wide, node_merge(left, right, size, some, squares, rest), some, squares, rest);
  }
}
static __attribute__((noinline)) void strip_merge(const struct strip *s, f64 *a, const f64 *b,
                                                  bool some, f64 size) {
  if (s->rest)
    some ? merge_as(a, b, s->wide, size, true, true, true)
         : merge_as(a, b, s->wide, size, false, true, true);
  else if (s->squares)
    some ? merge_as(a, b, s->wide, size, true, true, false)
         : merge_as(a, b, s->wide, size, false, true, false);
  else
    some ? merge_as(a, b, s->wide, size, true, false, false)
         : merge_as(a, b, s->wide, size, false, false, false);
}

static f64 *strip_both(struct strip *s, f64 *a, const f64 *b) {
  strip_merge(s, a, b, s->some, s->size);
  s->size *= 2;
  return a;
}
/* A node that is kept changes places with the slot's, whose content is spent. */
static void strip_keep(struct strip *s, u32 level, f64 *node) {
  f64 **from = level && s->slot[level - 1] == node ? &s->slot[level - 1] : &s->spare;
  if (s->slot[level] == node) return;
  *from = s->slot[level], s->slot[level] = node;
}

#define BLOCKS_NAME strip
#define BLOCKS_COUNTER struct strip
#define BLOCKS_T f64 *
#define BLOCKS_OP(k, a, b) strip_both(k, a, b)
#define BLOCKS_SLOT(k, i) (k)->slot[i]
#define BLOCKS_KEEP(k, i, t) strip_keep(k, i, t)
#include "order/blocks_tmpl.h"

/* acc = acc and then the blocks of 2^k items, `size` values an item, that the bits of n name. A first block
 * changes places with acc. */
static void strip_append(struct strip *s, u64 n, f64 size) {
  for (; n; n ^= (u64)1 << hd_top_bit(n)) {
    const u32 level = hd_top_bit(n);
    f64 *block = s->slot[level], *count = block + STRIP_N * s->wide;
    if (!s->some)
      for (size_t i = 0; i < s->wide; i++) count[i] = size * (f64)((u64)1 << level);
    if (s->any)
      strip_merge(s, s->acc, block, true, 0);
    else
      s->slot[level] = s->acc, s->acc = block;
    s->any = true;
  }
}

#endif
