/* pieces.c - a state of the library takes the pieces, from a buffer that stays in a cache
 *
 * Method   A piece is runs of the inner axes: as many as stay in the first cache, but at least those that a few
 *          cache lines hold elements of where the axis that is cut is the nearest in memory. Pieces begin where
 *          its lines do. Long runs of neighbours are taken where they lie. */
#include "pieces.h"

#include <stdint.h>
#include <stdlib.h>

#include "lanes.h"

enum {
  LINE = 64,               /* bytes of a cache line */
  COLUMN = 2 * LINE,       /* that are read of a column, where a piece may be so large */
  COLUMN_FAR = 4 * LINE,   /* of columns that do not stay in the last cache, or few */
  FAR_BYTES = 12 << 20,    /* of an array that does not */
  FEW_BYTES = 96 << 10,    /* of a piece of few */
  NARROW_PIECE = 16 << 10, /* where columns are copied line by line */
  PIECE_BYTES = 24 << 10,  /* with what is read, in the first cache */
  RUN_MOST = 3 << 18, /* elements: a cache line of such runs is less than what is copied at once */
  LONG_RUN = 16 << 10,
  WHOLE_MOST = 64 << 10 /* bytes that are sooner copied at once */
};

/* What takes elements in C order; `done` of them were before. */
typedef heddle_status taker(heddle_state *state, const void *elements, size_t count, size_t done,
                            void *out);

/* How an array is cut: runs of all axes behind `axis`, so many a piece. */
struct cut {
  size_t axis, run, runs;
  bool lies; /* axis is the last, and its elements are neighbours: nothing is copied */
};

static struct cut cut_of(const struct lines *l) {
  const size_t bytes = (size_t)l->a.buffer.item_bytes, last = l->rows.dims - 1;
  struct cut c = {last, 1, l->shape[last], false};
  c.lies = l->strides[last] == 1 && l->shape[last] * bytes >= LONG_RUN;
  if (c.lies) return c;
  while (c.axis && c.run * l->shape[c.axis] <= RUN_MOST) c.run *= l->shape[c.axis--];
  const size_t run = c.run * bytes, line = l->strides[c.axis] == 1 ? LINE / bytes : 1;
  if (line > 1 && run * line <= COPY_NARROW) {
    const size_t lines = NARROW_PIECE / (run * line);
    c.runs = lines ? lines * line : line;
    return c;
  }
  c.runs = PIECE_BYTES / run;
  const bool far = l->a.count > FAR_BYTES / bytes || run <= FEW_BYTES / (COLUMN_FAR / bytes);
  const size_t column = (far ? COLUMN_FAR : COLUMN) / bytes;
  if (line > 1 && c.runs < column) c.runs = column;
  if (c.runs > COPY_MOST / run) c.runs = COPY_MOST / run;
  c.runs = c.runs < line ? line : c.runs / line * line;
  return c;
}

bool pieces_fit(const struct lines *l) {
  if (l->results != 1 || l->a.buffer.bytes <= WHOLE_MOST) return false;
  const struct cut c = cut_of(l);
  return c.lies || c.axis + 1 < l->rows.dims;
}

/* Every piece of the axis that is cut, from x on. */
static heddle_status each_run(const struct lines *l, const struct cut *c, const char *x,
                              char *buffer, taker *take, heddle_state *state, size_t *done,
                              void *out) {
  const size_t bytes = (size_t)l->a.buffer.item_bytes, dims = l->rows.dims - c->axis;
  const size_t lead = l->strides[c->axis] == 1 ? -(uintptr_t)x % LINE / bytes : 0;
  size_t shape[HEDDLE_MAX_DIMS + 1], n;
  heddle_status status = HEDDLE_OK;
  if (c->lies) {
    status = take(state, x, c->runs, *done, out);
    *done += c->runs;
    return status;
  }
  for (size_t d = 1; d < dims; d++) shape[d] = l->shape[c->axis + d];
  for (size_t at = 0; at < l->shape[c->axis] && !status; at += n) {
    const size_t left = l->shape[c->axis] - at;
    n = !at && lead ? c->runs - LINE / bytes + lead : c->runs;
    if (n > left) n = left;
    shape[0] = n;
    copy_in_order(buffer, x + (ptrdiff_t)at * l->strides[c->axis] * (ptrdiff_t)bytes, dims, shape,
                  l->strides + c->axis, bytes);
    status = take(state, buffer, n * c->run, *done, out);
    *done += n * c->run;
  }
  return status;
}

/* Every element, in C order. The state is freed if that fails. */
static heddle_status each_piece(const struct lines *l, taker *take, heddle_state *state,
                                void *out) {
  const struct cut c = cut_of(l);
  const ptrdiff_t bytes = l->a.buffer.item_bytes;
  size_t place[HEDDLE_MAX_DIMS] = {0}, done = 0, d;
  char *buffer = c.lies ? NULL : copy_room(c.runs * c.run * (size_t)bytes);
  heddle_status status = c.lies || buffer ? HEDDLE_OK : HEDDLE_OUT_OF_MEMORY;
  do {
    ptrdiff_t from = 0;
    for (d = 0; d < c.axis; d++) from += (ptrdiff_t)place[d] * l->strides[d];
    if (!status) status = each_run(l, &c, l->data + from * bytes, buffer, take, state, &done, out);
    for (d = c.axis; d && ++place[d - 1] == l->shape[d - 1]; d--) place[d - 1] = 0;
  } while (d && !status);
  free(buffer);
  if (status) heddle_state_free(state);
  return status;
}

static heddle_status take_reduce(heddle_state *state, const void *elements, size_t count,
                                 size_t done, void *out) {
  (void)done, (void)out;
  return heddle_reduce_update(state, elements, count);
}

heddle_status pieces_reduce(heddle_context *ctx, heddle_op op, const struct lines *l, void *out,
                            const heddle_options *options) {
  heddle_state *state;
  if (lanes_fit(l, op, options)) return lanes_reduce(ctx, op, l, out, options);
  heddle_status status = heddle_reduce_begin(ctx, op, l->a.type, options, &state);
  if (status == HEDDLE_OK) status = each_piece(l, take_reduce, state, NULL);
  if (status != HEDDLE_OK) return status;
  status = heddle_reduce_finish(state, out);
  heddle_state_free(state);
  return status;
}

static heddle_status take_describe(heddle_state *state, const void *elements, size_t count,
                                   size_t done, void *out) {
  (void)done, (void)out;
  return heddle_describe_update(state, elements, count);
}

heddle_status pieces_describe(heddle_context *ctx, const struct lines *l, heddle_description *out,
                              const heddle_options *options) {
  heddle_state *state;
  heddle_status status = heddle_describe_begin(ctx, l->a.type, options, &state);
  if (status == HEDDLE_OK) status = each_piece(l, take_describe, state, NULL);
  if (status != HEDDLE_OK) return status;
  status = heddle_describe_finish(state, out);
  heddle_state_free(state);
  return status;
}

static heddle_status take_argreduce(heddle_state *state, const void *elements, size_t count,
                                    size_t done, void *out) {
  (void)done, (void)out;
  return heddle_argreduce_update(state, elements, count);
}

heddle_status pieces_argreduce(heddle_context *ctx, heddle_extreme which, const struct lines *l,
                               uint64_t *index, const heddle_options *options) {
  heddle_state *state;
  heddle_status status = heddle_argreduce_begin(ctx, which, l->a.type, options, &state);
  if (status == HEDDLE_OK) status = each_piece(l, take_argreduce, state, NULL);
  if (status != HEDDLE_OK) return status;
  status = heddle_argreduce_finish(state, NULL, index);
  heddle_state_free(state);
  return status;
}

/* What a scan writes, and where. */
struct written {
  char *out;
  size_t bytes; /* of a result */
};

static heddle_status take_scan(heddle_state *state, const void *elements, size_t count, size_t done,
                               void *out) {
  const struct written *to = out;
  return heddle_scan_update(state, elements, count, to->out + done * to->bytes);
}

heddle_status pieces_scan(heddle_context *ctx, heddle_op op, const struct lines *l, void *out,
                          const heddle_options *options) {
  struct written to = {out, heddle_type_size(options->out_type)};
  heddle_state *state;
  heddle_status status = heddle_scan_begin(ctx, op, HEDDLE_INCLUSIVE, l->a.type, options, &state);
  if (status == HEDDLE_OK) status = each_piece(l, take_scan, state, &to);
  if (status == HEDDLE_OK) heddle_state_free(state);
  return status;
}

/* ---- columns --------------------------------------------------------------------------------------- */

static heddle_status add_to_reduction(void *state, const void *elements, size_t count) {
  return heddle_reduce_update(state, elements, count);
}

/* Whether a total stays what it is with 0, or one of its elements, in the place of what is null: then elements
 * need not move. */
static bool is_filled(const struct array *a, heddle_op op) {
  const bool stays = op == HEDDLE_MIN || op == HEDDLE_MAX || (op == HEDDLE_SUM && !a->is_float);
  return stays && column_can_fill(a->column);
}

heddle_status whole_reduce(heddle_context *ctx, heddle_op op, const struct array *a, void *out,
                           const heddle_options *options) {
  const uint64_t zero = 0;
  heddle_state *state;
  if (!array_in_pieces(a))
    return heddle_reduce(ctx, op, a->type, a->buffer.data, a->count, out, options);
  heddle_status status = heddle_reduce_begin(ctx, op, a->type, options, &state);
  if (status != HEDDLE_OK) return status;
  status = is_filled(a, op) ? column_each_filled(a->column, op == HEDDLE_SUM ? &zero : NULL,
                                                 add_to_reduction, state)
                            : column_each(a->column, add_to_reduction, state);
  if (status == HEDDLE_OK) status = heddle_reduce_finish(state, out);
  heddle_state_free(state);
  return status;
}

static heddle_status add_to_search(void *state, const void *elements, size_t count) {
  return heddle_argreduce_update(state, elements, count);
}

heddle_status whole_argreduce(heddle_context *ctx, heddle_extreme which, const struct array *a,
                              uint64_t *index) {
  heddle_state *state;
  heddle_status status;
  if (!array_in_pieces(a)) {
    status = heddle_argreduce(ctx, which, a->type, a->buffer.data, a->count, NULL, index, NULL);
    if (status == HEDDLE_OK && array_nulls(a) && !a->is_bool)
      *index = column_place(a->column, *index);
    return status;
  }
  const bool filled = column_can_fill(a->column);
  status = heddle_argreduce_begin(ctx, which, a->type, NULL, &state);
  if (status != HEDDLE_OK) return status;
  status = filled ? column_each_filled(a->column, NULL, add_to_search, state)
                  : column_each(a->column, add_to_search, state);
  if (status == HEDDLE_OK) status = heddle_argreduce_finish(state, NULL, index);
  heddle_state_free(state);
  if (status != HEDDLE_OK) return status;
  /* Filled with the first one, of equal ones only what is null in front of that may have been found before it. */
  const size_t first = column_place(a->column, 0);
  if (!filled)
    *index = column_place(a->column, *index);
  else if (*index < first)
    *index = first;
  return status;
}

static heddle_status add_to_description(void *state, const void *elements, size_t count) {
  return heddle_describe_update(state, elements, count);
}

heddle_status whole_describe(heddle_context *ctx, const struct array *a, heddle_description *out,
                             const heddle_options *options) {
  heddle_state *state;
  if (!array_in_pieces(a))
    return heddle_describe(ctx, a->type, a->buffer.data, a->count, out, options);
  heddle_status status = heddle_describe_begin(ctx, a->type, options, &state);
  if (status != HEDDLE_OK) return status;
  status = column_each(a->column, add_to_description, state);
  if (status == HEDDLE_OK) status = heddle_describe_finish(state, out);
  heddle_state_free(state);
  return status;
}
