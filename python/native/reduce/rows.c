/* rows.c - reductions of an array's lines
 *
 * Method   What lies without gaps, in any order, is folded as one line where the order is free. Folded axes
 *          that are not one, in any order, are two folds. Masked rows are folded part by part. */
#include "rows.h"

#include <stdint.h>
#include <stdlib.h>

#include "copies/parts.h"
#include "copies/pieces.h"
#include "masked.h"

enum { LINE_LEAST = 64, LINE_MOST = 1024 /* bytes */, LINES_LEAST = 4 };

/* Whether results are nearer in memory than the elements of the folded axes but the last. */
static bool rest_is_far(const struct lines *l) {
  const size_t kept = l->kept_dims, others = l->rows.dims - 1;
  if (!kept || kept == others) return false;
  const ptrdiff_t result = l->strides[kept - 1], rest = l->strides[others - 1];
  return (result < 0 ? -result : result) < (rest < 0 ? -rest : rest);
}

/* Rows in two steps, which any order allows: what of_parts folds, an array of `shape`, and that along `axis`. */
static heddle_status fold_parts(heddle_context *ctx, heddle_op op, const struct lines *l,
                                const heddle_rows *of_parts, const size_t shape[2], size_t axis,
                                void *out, const heddle_options *options) {
  const heddle_type between = call_result_type(&l->a, op);
  const size_t size = heddle_type_size(between);
  heddle_options first = HEDDLE_OPTIONS_INIT;
  heddle_rows rows = HEDDLE_ROWS_INIT;
  if (shape[1] && shape[0] > SIZE_MAX / size / shape[1]) return HEDDLE_OUT_OF_MEMORY;
  void *parts = malloc(shape[0] * shape[1] * size);
  if (!parts) return HEDDLE_OUT_OF_MEMORY;
  first.out_type = between;
  first.nan = options->nan;
  rows.dims = 2, rows.axis = axis, rows.shape = shape;
  heddle_status status = heddle_reduce_rows(ctx, op, l->a.type, l->data, of_parts, parts, &first);
  if (op == HEDDLE_SUM_SQUARES) op = HEDDLE_SUM;
  if (status == HEDDLE_OK)
    status = heddle_reduce_rows(ctx, op, between, parts, &rows, out, options);
  free(parts);
  return status;
}

/* What is folded first, and then its results. Those are walked as memory has them: neighbouring results of a
 * part stay neighbours. */
static heddle_status reduce_twice(heddle_context *ctx, heddle_op op, const struct lines *l,
                                  void *out, const heddle_options *options) {
  const bool far = rest_is_far(l);
  const size_t shape[] = {far ? l->rest : l->results, far ? l->results : l->rest};
  const size_t others = l->rows.dims - 1, moved = far ? l->kept_dims : 0;
  size_t n[HEDDLE_MAX_DIMS + 1];
  ptrdiff_t strides[HEDDLE_MAX_DIMS + 1];
  heddle_rows of_parts = l->rows;
  for (size_t d = 0; d <= others; d++) {
    const size_t to = d == others ? d : d < moved ? d + others - moved : d - moved;
    n[to] = l->shape[d], strides[to] = l->strides[d];
  }
  of_parts.shape = n, of_parts.strides = strides;
  return fold_parts(ctx, op, l, &of_parts, shape, !far, out, options);
}

/* Whether the axis before the last is sooner folded first: its lines are neighbours by the vector, but so few
 * that rows of them are more work than their elements. */
static bool is_across(const struct lines *l) {
  const size_t last = l->rows.dims - 1, bytes = (size_t)l->a.buffer.item_bytes;
  if (l->kept_dims >= last || l->rows.axis != last || l->strides[last] != 1 || rest_is_far(l))
    return false;
  const size_t line = l->shape[last] * bytes;
  return line >= LINE_LEAST && line <= LINE_MOST && l->shape[last - 1] >= LINES_LEAST;
}

/* The same, where what is folded first are lines of neighbours, on each other. */
static heddle_status reduce_across(heddle_context *ctx, heddle_op op, const struct lines *l,
                                   void *out, const heddle_options *options) {
  const size_t last = l->rows.dims - 1, rest = l->rest / l->shape[last - 1] * l->shape[last];
  const size_t shape[] = {l->results, rest};
  heddle_rows of_parts = l->rows;
  of_parts.axis = last - 1;
  return fold_parts(ctx, op, l, &of_parts, shape, 1, out, options);
}

/* Whether any or all of everything is known by the first line: rows that are many are all read otherwise. */
static bool first_line_settles(heddle_context *ctx, heddle_op op, const struct lines *l, void *out,
                               const heddle_options *options) {
  if ((op != HEDDLE_ANY && op != HEDDLE_ALL) || l->results != 1) return false;
  if (options->out_type != HEDDLE_U8 || options->init) return false;
  size_t shape[HEDDLE_MAX_DIMS + 1];
  heddle_rows first = l->rows;
  for (size_t d = 0; d < first.dims; d++) shape[d] = d == first.axis ? l->shape[d] : 1;
  first.shape = shape;
  const heddle_status status =
      heddle_reduce_rows(ctx, op, l->a.type, l->data, &first, out, options);
  return status == HEDDLE_OK && *(const unsigned char *)out == (op == HEDDLE_ANY);
}

/* A call's rows, part by part. */
struct parts_call {
  heddle_context *ctx;
  heddle_op op;
  heddle_type type;
  char *out;
  const heddle_options *options;
};

static heddle_status reduce_part(void *to, const char *data, const heddle_rows *rows,
                                 size_t first) {
  const struct parts_call *c = to;
  void *out = c->out + first * heddle_type_size(c->options->out_type);
  if (rows->shape[0] == 1)
    return heddle_reduce(c->ctx, c->op, c->type, data, rows->shape[1], out, c->options);
  return heddle_reduce_rows(c->ctx, c->op, c->type, data, rows, out, c->options);
}

heddle_status rows_reduce(heddle_context *ctx, heddle_op op, const struct lines *l, void *out,
                          const heddle_options *options) {
  if (l->results == 1 && l->block && l->any_order)
    return heddle_reduce(ctx, op, l->a.type, l->block, l->a.count, out, options);
  if (l->in_pieces) return pieces_reduce(ctx, op, l, out, options);
  if (l->in_parts) {
    struct parts_call c = {ctx, op, l->a.type, out, options};
    return parts_each(l, reduce_part, &c);
  }
  if (lines_are_one(l)) return heddle_reduce(ctx, op, l->a.type, l->data, l->a.count, out, options);
  if (l->rest > 1 && l->any_order && first_line_settles(ctx, op, l, out, options)) return HEDDLE_OK;
  if (l->rest > 1 && l->any_order && is_across(l)) return reduce_across(ctx, op, l, out, options);
  if (l->rest > 1 && l->any_order) return reduce_twice(ctx, op, l, out, options);
  return heddle_reduce_rows(ctx, op, l->a.type, l->data, &l->rows, out, options);
}

/* ---- masked ------------------------------------------------------------------------------- */

/* A reduction's calls: of parts of rows, or of one row by its state. */
struct call {
  heddle_context *ctx;
  heddle_op op;
  heddle_type type;
  char *out;
  const heddle_options *options;
  heddle_state *state;
};

static heddle_status take_rows(void *to, const struct masked_part *part) {
  const struct call *c = to;
  void *out = c->out + part->first_row * heddle_type_size(c->options->out_type);
  if (part->results == 1)
    return heddle_reduce(c->ctx, c->op, c->type, part->data, part->count, out, c->options);
  return heddle_reduce_rows(c->ctx, c->op, c->type, part->data, &part->rows, out, c->options);
}

static heddle_status take_some(void *to, const struct masked_part *part) {
  const struct call *c = to;
  return heddle_reduce_update(c->state, part->data, part->count);
}

heddle_status rows_masked(heddle_context *ctx, heddle_op op, const struct lines *l,
                          const union number *fill, void *out, const heddle_options *options) {
  struct masked m = {.l = l, .type = l->a.type, .fill = *fill};
  struct call c = {ctx, op, l->a.type, out, options, NULL};
  if (!masked_is_long(l)) return masked_each(&m, take_rows, &c);
  heddle_status status = heddle_reduce_begin(ctx, op, l->a.type, options, &c.state);
  if (status != HEDDLE_OK) return status;
  status = masked_stream(&m, take_some, &c);
  if (status == HEDDLE_OK) status = heddle_reduce_finish(c.state, out);
  heddle_state_free(c.state);
  return status;
}
