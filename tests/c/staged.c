/* staged.c - calls on whole arrays and on rows, with device memory; see staged.h */
#include "staging.h"

heddle_status staged_reduce(heddle_context *ctx, heddle_op op, heddle_type type, const void *in,
                            size_t count, void *out, const heddle_options *options) {
  if (!staging_begin(ctx)) return heddle_reduce(ctx, op, type, in, count, out, options);
  in = staging_in(in, count, staged_size(type, options));
  out = staging_out(out, 1, staged_out_size(op, type, options));
  return staging_end(heddle_reduce(ctx, op, type, in, count, out, options));
}

heddle_status staged_argreduce(heddle_context *ctx, heddle_extreme which, heddle_type type,
                               const void *in, size_t count, void *value, uint64_t *index,
                               const heddle_options *options) {
  if (!staging_begin(ctx))
    return heddle_argreduce(ctx, which, type, in, count, value, index, options);
  in = staging_in(in, count, data_size(type));
  value = staging_out(value, 1, data_size(type));
  index = staging_out(index, 1, sizeof *index);
  return staging_end(heddle_argreduce(ctx, which, type, in, count, value, index, options));
}

heddle_status staged_dot(heddle_context *ctx, heddle_type type, const void *x, const void *y,
                         size_t count, void *out, const heddle_options *options) {
  if (!staging_begin(ctx)) return heddle_dot(ctx, type, x, y, count, out, options);
  x = staging_in(x, count, data_size(type));
  y = staging_in(y, count, data_size(type));
  out = staging_out(out, 1, staged_out_size(HEDDLE_SUM, type, options));
  return staging_end(heddle_dot(ctx, type, x, y, count, out, options));
}

heddle_status staged_describe(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                              heddle_description *out, const heddle_options *options) {
  if (!staging_begin(ctx)) return heddle_describe(ctx, type, in, count, out, options);
  in = staging_in(in, count, data_size(type));
  out = staging_sometimes(out, 1, sizeof *out);
  return staging_end(heddle_describe(ctx, type, in, count, out, options));
}

heddle_status staged_scan(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                          heddle_type type, const void *in, size_t count, void *out,
                          const heddle_options *options) {
  if (!staging_begin(ctx)) return heddle_scan(ctx, op, kind, type, in, count, out, options);
  in = staging_in(in, count, staged_size(type, options));
  out = staging_out(out, count, staged_scan_size(type, options));
  return staging_end(heddle_scan(ctx, op, kind, type, in, count, out, options));
}

heddle_status staged_histogram(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                               const heddle_bins *bins, uint64_t *counts,
                               heddle_histogram_result *result,
                               const heddle_histogram_options *options) {
  if (!staging_begin(ctx))
    return heddle_histogram(ctx, type, in, count, bins, counts, result, options);
  heddle_histogram_options moved = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  if (options) moved = *options;
  const size_t channels = moved.channels ? moved.channels : 1;
  const size_t table = channels * bins->count;
  in = staging_in(in, count, data_size(type));
  if (moved.weights)
    moved.weights = staging_in(moved.weights, count, data_size(moved.weights_type));
  counts = staging_out(counts, table, sizeof *counts);
  moved.sums = staging_out(moved.sums, table, sizeof *moved.sums);
  result = staging_sometimes(result, channels, sizeof *result);
  return staging_end(
      heddle_histogram(ctx, type, in, count, bins, counts, result, options ? &moved : NULL));
}

/* ---- rows --------------------------------------------------------------------------------- */

struct extent {
  heddle_rows rows;       /* as the call gets it */
  size_t count, elements; /* rows, and the elements of a scan's output */
  ptrdiff_t first, last;  /* elements from `in` that may be read, the last one excluded */
};

static struct extent extent_of(const heddle_rows *rows) {
  struct extent e = {*rows, 1, 1, 0, 1};
  if (rows->offsets) {
    e.count = rows->segments;
    e.elements = (size_t)rows->offsets[rows->segments];
    e.last = (ptrdiff_t)e.elements;
    void *offsets = (void *)(uintptr_t)rows->offsets;
    e.rows.offsets = staging_sometimes(offsets, rows->segments + 1, 8);
    return e;
  }
  ptrdiff_t step = 1;
  for (size_t d = rows->dims; d-- > 0;) {
    const ptrdiff_t stride = rows->strides ? rows->strides[d] : step;
    const ptrdiff_t reach = ((ptrdiff_t)rows->shape[d] - 1) * stride;
    step *= (ptrdiff_t)rows->shape[d];
    e.elements *= rows->shape[d];
    if (d != rows->axis) e.count *= rows->shape[d];
    *(reach < 0 ? &e.first : &e.last) += reach;
  }
  if (e.elements == 0) e.first = e.last = 0;
  return e;
}

/* The device's address of element 0 of an array whose elements first .. last - 1 are moved. */
static const void *rows_in(const struct extent *e, const void *in, size_t size) {
  const ptrdiff_t before = e->first * (ptrdiff_t)size;
  const size_t count = (size_t)(e->last - e->first);
  return count ? (const char *)staging_in((const char *)in + before, count, size) - before : in;
}

heddle_status staged_reduce_rows(heddle_context *ctx, heddle_op op, heddle_type type,
                                 const void *in, const heddle_rows *rows, void *out,
                                 const heddle_options *options) {
  if (!staging_begin(ctx)) return heddle_reduce_rows(ctx, op, type, in, rows, out, options);
  const struct extent e = extent_of(rows);
  in = rows_in(&e, in, staged_size(type, options));
  out = staging_out(out, e.count, staged_out_size(op, type, options));
  return staging_end(heddle_reduce_rows(ctx, op, type, in, &e.rows, out, options));
}

heddle_status staged_argreduce_rows(heddle_context *ctx, heddle_extreme which, heddle_type type,
                                    const void *in, const heddle_rows *rows, void *value,
                                    uint64_t *index, const heddle_options *options) {
  if (!staging_begin(ctx))
    return heddle_argreduce_rows(ctx, which, type, in, rows, value, index, options);
  const struct extent e = extent_of(rows);
  in = rows_in(&e, in, data_size(type));
  value = staging_out(value, e.count, data_size(type));
  index = staging_out(index, e.count, sizeof *index);
  return staging_end(heddle_argreduce_rows(ctx, which, type, in, &e.rows, value, index, options));
}

heddle_status staged_dot_rows(heddle_context *ctx, heddle_type type, const void *x, const void *y,
                              const heddle_rows *rows, void *out, const heddle_options *options) {
  if (!staging_begin(ctx)) return heddle_dot_rows(ctx, type, x, y, rows, out, options);
  const struct extent e = extent_of(rows);
  x = rows_in(&e, x, data_size(type));
  y = rows_in(&e, y, data_size(type));
  out = staging_out(out, e.count, staged_out_size(HEDDLE_SUM, type, options));
  return staging_end(heddle_dot_rows(ctx, type, x, y, &e.rows, out, options));
}

heddle_status staged_describe_rows(heddle_context *ctx, heddle_type type, const void *in,
                                   const heddle_rows *rows, heddle_description *out,
                                   const heddle_options *options) {
  if (!staging_begin(ctx)) return heddle_describe_rows(ctx, type, in, rows, out, options);
  const struct extent e = extent_of(rows);
  in = rows_in(&e, in, data_size(type));
  out = staging_sometimes(out, e.count, sizeof *out);
  return staging_end(heddle_describe_rows(ctx, type, in, &e.rows, out, options));
}

heddle_status staged_scan_rows(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                               heddle_type type, const void *in, const heddle_rows *rows, void *out,
                               const heddle_options *options) {
  if (!staging_begin(ctx)) return heddle_scan_rows(ctx, op, kind, type, in, rows, out, options);
  const struct extent e = extent_of(rows);
  in = rows_in(&e, in, staged_size(type, options));
  out = staging_out(out, e.elements, staged_scan_size(type, options));
  return staging_end(heddle_scan_rows(ctx, op, kind, type, in, &e.rows, out, options));
}
