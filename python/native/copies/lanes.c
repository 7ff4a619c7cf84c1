/* lanes.c - lanes of many chunks at a time: a vector of columns where order v1 has a number
 *
 * Method   Down the columns of a strip, line by line. Chunks of the order (docs/order.md, rules 1 and 2) begin at
 *          another line in each column, but all have so many lanes that line v goes to lane v modulo their number,
 *          counted from that beginning: line v is folded onto row v modulo the lanes of an array that holds, of
 *          each column, the lanes of the chunk that is under way. Where one ends they are taken out, in the order
 *          in which a row of theirs is folded as halves on halves, and begin anew. A column's last chunk goes on
 *          with the first elements of the next column: lines behind the last one are the first ones, a column on.
 *          Totals of chunks, and the elements of the last one, become the result by calls of the library: an
 *          aligned block of chunks is folded as one of elements is (rules 3 to 5).
 * Memory   a total a chunk; the lanes of a strip stay in the first cache */
#include "lanes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "copy.h"
#include "strips.h"

enum {
  VECTORS_F64 = 32,       /* of a strip, at most: with the lanes of f64 */
  VECTORS_F32 = 16,       /* of f32, of which a chunk has twice as many */
  TOGETHER = 16,          /* chunks whose lanes are folded by one call */
  NUMBER = sizeof(double) /* bytes of the largest lane */
};

/* ---- a call ---------------------------------------------------------------------------------------- */

struct call {
  heddle_context *ctx;
  heddle_op op;
  heddle_type type, wide;     /* of elements, of lanes */
  size_t bytes, size;         /* of an element, of a lane */
  size_t lanes, chunk, width; /* width: columns of a strip */
  strips_lines *fold;
  const struct lines *l;
  size_t
      axis; /* whose elements are neighbours: the columns of a plane; the axes behind it are its lines */
  size_t columns, length; /* of a plane */
  size_t run;             /* lines of the last axis, */
  ptrdiff_t pitch;        /* bytes from one to the next */
  char *totals;           /* of all full chunks */
  char *rest;             /* room for a chunk */
  char *rows;             /* lanes of TOGETHER chunks, and where their totals go */
  size_t places[TOGETHER], kept;
  double one; /* the operator's identity */
  uint16_t places_in_row[LANES_BYTES / sizeof(float)];
};

static heddle_options options_of(const struct call *c) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.acc_type = options.out_type = c->wide;
  return options;
}

static heddle_status total(const struct call *c, heddle_type type, const void *x, size_t n,
                           void *out) {
  const heddle_options options = options_of(c);
  return heddle_reduce(c->ctx, c->op, type, x, n, out, &options);
}

/* *left = *left op *right */
static heddle_status onto(const struct call *c, void *left, const void *right) {
  char two[2 * NUMBER];
  memcpy(two, left, c->size);
  memcpy(two + c->size, right, c->size);
  return total(c, c->wide, two, 2, left);
}

/* ---- chunks ---------------------------------------------------------------------------------------- */

/* The totals of the rows that are kept go where they belong. */
static heddle_status fold_kept(struct call *c) {
  const size_t shape[2] = {c->kept, c->lanes};
  const heddle_options options = options_of(c);
  heddle_rows rows = HEDDLE_ROWS_INIT;
  char found[TOGETHER * NUMBER];
  if (!c->kept) return HEDDLE_OK;
  rows.dims = 2, rows.axis = 1, rows.shape = shape;
  const heddle_status status =
      heddle_reduce_rows(c->ctx, c->op, c->wide, c->rows, &rows, found, &options);
  for (size_t i = 0; i < c->kept; i++)
    memcpy(c->totals + c->places[i] * c->size, found + i * c->size, c->size);
  c->kept = 0;
  return status;
}

/* Number i of n, a power of two, with its bits the other way round: so lanes fold as halves on halves do. */
static size_t reversed(size_t i, size_t n) {
  size_t r = 0;
  for (; n > 1; n /= 2, i /= 2) r = 2 * r + i % 2;
  return r;
}

/* n lanes of a column, `pitch` bytes apart, to their places in a row, in bytes; they begin anew. */
typedef void take_lanes(char *row, char *lane, size_t pitch, const uint16_t *places, size_t n,
                        double one);

static __attribute__((noinline)) void take_4(char *row, char *lane, size_t pitch,
                                             const uint16_t *places, size_t n, double one) {
  const float narrow = (float)one;
  for (size_t i = 0; i < n; i++, lane += pitch) {
    memcpy(row + places[i], lane, sizeof narrow);
    memcpy(lane, &narrow, sizeof narrow);
  }
}

static __attribute__((noinline)) void take_8(char *row, char *lane, size_t pitch,
                                             const uint16_t *places, size_t n, double one) {
  for (size_t i = 0; i < n; i++, lane += pitch) {
    memcpy(row + places[i], lane, sizeof one);
    memcpy(lane, &one, sizeof one);
  }
}

/* The lanes of the chunk that began at row `first` of them. */
static void take_out(const struct call *c, char *lanes, size_t pitch, size_t first) {
  const size_t ahead = c->lanes - first;
  take_lanes *const take = c->size == sizeof(float) ? take_4 : take_8;
  char *row = c->rows + c->kept * LANES_BYTES;
  take(row, lanes + first * pitch, pitch, c->places_in_row, ahead, c->one);
  take(row, lanes, pitch, c->places_in_row + ahead, first, c->one);
}

/* ---- elements one by one ----------------------------------------------------------------------------- */

/* count elements from the one with this index in C order on, the indices of all axes, to `to`. */
static void copy_some(const struct call *c, size_t index, size_t count, char *to) {
  const struct lines *l = c->l;
  size_t place[HEDDLE_MAX_DIMS + 1];
  for (size_t d = l->rows.dims; d-- > 0; index /= l->shape[d]) place[d] = index % l->shape[d];
  while (count) {
    const size_t last = l->rows.dims - 1, left = l->shape[last] - place[last];
    const size_t n = left < count ? left : count;
    ptrdiff_t at = 0;
    for (size_t d = 0; d < l->rows.dims; d++) at += (ptrdiff_t)place[d] * l->strides[d];
    const char *x = l->data + at * (ptrdiff_t)c->bytes;
    const size_t shape[1] = {n};
    copy_in_order(to, x, 1, shape, l->strides + last, c->bytes);
    to += n * c->bytes;
    count -= n, place[last] += n;
    for (size_t d = last; d && place[d] == l->shape[d]; d--) place[d] = 0, place[d - 1]++;
  }
}

/* ---- a strip ----------------------------------------------------------------------------------------- */

struct column {
  size_t head;   /* the line at which the first chunk that begins in it does */
  size_t chunks; /* that begin in it */
  size_t first;  /* of them, among all */
  size_t at;     /* bytes, in a row of lanes */
};

struct walk {
  struct call *c;
  struct strip strip;
  struct column column[LANES_STRIP]; /* by head */
  const char *x;                     /* of its first column */
  char *lanes;
  size_t line; /* lines that are folded */
  bool last;   /* no column is behind its last one */
};

/* Bytes from a plane's first line to another, and how many there are of its run from that one on. */
static ptrdiff_t line_at(const struct call *c, size_t line, size_t *left) {
  const struct lines *l = c->l;
  size_t run = line / c->run;
  const size_t within = line - run * c->run;
  ptrdiff_t at = 0;
  for (size_t d = l->rows.dims - 2; d > c->axis; run /= l->shape[d--])
    at += (ptrdiff_t)(run % l->shape[d]) * l->strides[d];
  *left = c->run - within;
  return at * (ptrdiff_t)c->bytes + (ptrdiff_t)within * c->pitch;
}

/* Lines up to that one. */
static void walk_to(struct walk *w, size_t end) {
  const struct call *c = w->c;
  const size_t pitch = w->strip.vectors * VECTOR;
  while (w->line < end) {
    const size_t row = w->line & (c->lanes - 1);
    const bool behind = w->line >= c->length;
    size_t n = end - w->line, left;
    const char *x = w->x + line_at(c, behind ? w->line - c->length : w->line, &left);
    if (behind) x += c->bytes;
    if (n > c->lanes - row) n = c->lanes - row;
    if (n > left) n = left;
    c->fold(w->lanes + row * pitch, x, c->pitch, n, &w->strip, behind && w->last);
    w->line += n;
  }
}

/* Chunk number t of column k begins, and the one before ends. */
static heddle_status begin_chunk(struct walk *w, const struct column *k, size_t t) {
  struct call *c = w->c;
  take_out(c, w->lanes + k->at, w->strip.vectors * VECTOR, k->head & (c->lanes - 1));
  if (!t) return HEDDLE_OK;
  c->places[c->kept++] = k->first + t - 1;
  return c->kept < TOGETHER ? HEDDLE_OK : fold_kept(c);
}

/* The columns of a strip, of which the first one is number `from` of all columns of all planes. */
static void find_columns(struct walk *w, size_t from, size_t plane_end) {
  const struct call *c = w->c;
  const size_t step = VECTOR / c->size, whole = (w->strip.vectors - 1) * step;
  for (size_t i = 0; i < w->strip.columns; i++) {
    const size_t index = (from + i) * c->length, over = index % c->chunk;
    struct column k = {.head = over ? c->chunk - over : 0};
    const bool last = from + i + 1 == plane_end;
    k.first = (index + k.head) / c->chunk;
    k.chunks = (c->length - k.head + (last ? 0 : c->chunk - 1)) / c->chunk;
    k.at = (i < whole ? i : i + whole + step - w->strip.columns) * c->size;
    size_t j = i;
    for (; j && w->column[j - 1].head > k.head; j--) w->column[j] = w->column[j - 1];
    w->column[j] = k;
  }
}

static heddle_status fold_strip(struct walk *w) {
  const struct call *c = w->c;
  heddle_status status = HEDDLE_OK;
  bool more = true;
  w->line = 0;
  for (size_t t = 0; more; t++) {
    more = false;
    for (size_t i = 0; i < w->strip.columns; i++) {
      const struct column *k = &w->column[i];
      if (t > k->chunks) continue;
      walk_to(w, k->head + t * c->chunk);
      status = begin_chunk(w, k, t);
      if (status != HEDDLE_OK) return status;
      more |= t < k->chunks;
    }
  }
  return status;
}

/* ---- planes -------------------------------------------------------------------------------------------- */

/* The chunk that begins in a plane's last column and does not end there. */
static heddle_status between_planes(struct call *c, size_t plane_end) {
  const size_t index = plane_end * c->length, over = index % c->chunk;
  if (!over || index - over + c->chunk > c->l->a.count) return HEDDLE_OK;
  copy_some(c, index - over, c->chunk, c->rest);
  return total(c, c->type, c->rest, c->chunk, c->totals + index / c->chunk * c->size);
}

static heddle_status fold_plane(struct walk *w, const char *x, size_t plane) {
  struct call *c = w->c;
  const size_t step = VECTOR / c->size, strips = (c->columns + c->width - 1) / c->width;
  heddle_status status = HEDDLE_OK;
  for (size_t s = 0; s < strips && !status; s++) {
    const size_t first = c->columns * s / strips, end = c->columns * (s + 1) / strips;
    w->strip.columns = end - first;
    w->strip.vectors = (end - first + step - 1) / step;
    w->x = x + first * c->bytes;
    w->last = end == c->columns;
    find_columns(w, plane * c->columns + first, (plane + 1) * c->columns);
    status = fold_strip(w);
  }
  if (status == HEDDLE_OK) status = fold_kept(c);
  return status == HEDDLE_OK ? between_planes(c, (plane + 1) * c->columns) : status;
}

static heddle_status fold_planes(struct walk *w) {
  const struct call *c = w->c;
  const struct lines *l = c->l;
  const size_t outer = c->axis;
  size_t place[HEDDLE_MAX_DIMS + 1] = {0}, plane = 0, d;
  heddle_status status = HEDDLE_OK;
  do {
    ptrdiff_t at = 0;
    for (d = 0; d < outer; d++) at += (ptrdiff_t)place[d] * l->strides[d];
    status = fold_plane(w, l->data + at * (ptrdiff_t)c->bytes, plane++);
    for (d = outer; d && ++place[d - 1] == l->shape[d - 1]; d--) place[d - 1] = 0;
  } while (d && !status);
  return status;
}

/* ---- the tree ------------------------------------------------------------------------------------------- */

/* acc = acc op each of the aligned blocks that tile n < 2^level elements, biggest first; `any`: there is an acc. */
static heddle_status fold_blocks(const struct call *c, heddle_type type, size_t bytes,
                                 const char *x, size_t n, bool any, void *acc) {
  heddle_status status = HEDDLE_OK;
  size_t bit = 1;
  while (bit <= n / 2) bit *= 2;
  for (; n && !status; bit /= 2) {
    char block[NUMBER];
    if (!(n & bit)) continue;
    status = total(c, type, x, bit, any ? block : acc);
    if (!status && any) status = onto(c, acc, block);
    any = true;
    x += bit * bytes, n -= bit;
  }
  return status;
}

/* *out = the prefix of n totals of chunks, which are overwritten. */
static heddle_status prefix(const struct call *c, size_t n, void *out) {
  const size_t block = c->chunk / 2, blocks = n / block;
  const size_t shape[2] = {blocks, block};
  const heddle_options options = options_of(c);
  heddle_rows rows = HEDDLE_ROWS_INIT;
  if (n < c->chunk) return total(c, c->wide, c->totals, n, out);
  char *of_blocks = malloc(blocks * c->size);
  if (!of_blocks) return HEDDLE_OUT_OF_MEMORY;
  rows.dims = 2, rows.axis = 1, rows.shape = shape;
  heddle_status status =
      heddle_reduce_rows(c->ctx, c->op, c->wide, c->totals, &rows, of_blocks, &options);
  struct call above = *c;
  above.totals = of_blocks;
  if (status == HEDDLE_OK) status = prefix(&above, blocks, out);
  free(of_blocks);
  if (status != HEDDLE_OK) return status;
  return fold_blocks(c, c->wide, c->size, c->totals + blocks * block * c->size, n % block, true,
                     out);
}

static heddle_status finish(struct call *c, void *out, const heddle_options *options) {
  const size_t count = c->l->a.count, rest = count % c->chunk;
  char result[NUMBER];
  heddle_status status = prefix(c, count / c->chunk, result);
  if (status == HEDDLE_OK && rest) {
    copy_some(c, count - rest, rest, c->rest);
    status = fold_blocks(c, c->type, c->bytes, c->rest, rest, true, result);
  }
  if (status != HEDDLE_OK) return status;
  return heddle_reduce(c->ctx, c->op, c->wide, result, 1, out, options);
}

/* ---- the whole ------------------------------------------------------------------------------------------ */

static struct call call_of(heddle_context *ctx, heddle_op op, const struct lines *l,
                           const heddle_options *options) {
  const size_t dims = l->rows.dims;
  const bool wide = lanes_are_wide(l, options), f64 = wide || l->a.type == HEDDLE_F64;
  struct call c = {.ctx = ctx, .op = op, .type = l->a.type, .l = l};
  c.bytes = (size_t)l->a.buffer.item_bytes;
  c.size = f64 ? sizeof(double) : sizeof(float);
  c.wide = f64 ? HEDDLE_F64 : HEDDLE_F32;
  c.lanes = LANES_BYTES / c.size, c.chunk = LANES_CHUNK_ROWS * c.lanes;
  c.axis = lanes_axis(l), c.columns = l->shape[c.axis];
  c.run = l->shape[dims - 1], c.length = 1;
  for (size_t d = c.axis + 1; d < dims; d++) c.length *= l->shape[d];
  c.pitch = l->strides[dims - 1] * (ptrdiff_t)c.bytes;
  c.fold = strips_fold(op == HEDDLE_PROD, wide ? STRIPS_WIDE : f64 ? STRIPS_F64 : STRIPS_F32);
  c.one = op == HEDDLE_PROD ? 1 : -0.0;
  c.width = (f64 ? VECTORS_F64 : VECTORS_F32) * (VECTOR / c.size);
  for (size_t i = 0; i < c.lanes; i++)
    c.places_in_row[i] = (uint16_t)(reversed(i, c.lanes) * c.size);
  return c;
}

heddle_status lanes_reduce(heddle_context *ctx, heddle_op op, const struct lines *l, void *out,
                           const heddle_options *options) {
  struct call c = call_of(ctx, op, l, options);
  struct walk w = {.c = &c};
  heddle_options last = *options;
  const size_t widest = c.columns < c.width ? c.columns + VECTOR / c.size : c.width;
  const size_t lanes = c.lanes * widest * c.size, chunk = c.chunk * c.bytes;
  w.lanes = copy_room(lanes + chunk + TOGETHER * LANES_BYTES);
  c.totals = malloc(l->a.count / c.chunk * c.size);
  heddle_status status = w.lanes && c.totals ? HEDDLE_OK : HEDDLE_OUT_OF_MEMORY;
  if (status == HEDDLE_OK) {
    memset(w.lanes, 0, lanes);
    c.rest = w.lanes + lanes, c.rows = c.rest + chunk;
    status = fold_planes(&w);
  }
  last.acc_type = HEDDLE_TYPE_DEFAULT;
  if (!last.out_type) last.out_type = c.wide;
  if (status == HEDDLE_OK) status = finish(&c, out, &last);
  free(c.totals);
  free(w.lanes);
  return status;
}
