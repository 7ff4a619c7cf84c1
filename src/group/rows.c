/* rows.c - rows of an array of the host, dealt out to all members
 *
 * Method   Rows are independent. Of a shape its outermost dimension is cut that is not the axis, in the result
 *          as in the array; segments are cut where their elements are halved, and so on. Each part is a call of
 *          its own, by a member.
 * Limits   a scan along the outermost axis, one dimension, or device memory anywhere: one member does it */
#include "group.h"

struct part {
  heddle_rows rows;
  i64 skip;   /* elements from x to its first */
  size_t row; /* its first */
};

struct rows_call {
  const struct hd_fold *fold;
  const struct hd_scan *scan; /* or NULL */
  const void *x, *y;
  struct hd_fold_out out; /* of a scan: value, element for element */
  size_t parts, x_bytes, out_bytes;
  i64 strides[HEDDLE_MAX_DIMS];
  size_t shape[HD_GROUP_MOST][HEDDLE_MAX_DIMS];
  struct part part[HD_GROUP_MOST];
};

/* ---- cuts ------------------------------------------------------------------------------------ */

/* The segment at which a share of all elements is reached. */
static size_t segment_at(const heddle_rows *rows, u64 elements) {
  size_t low = 0, high = rows->segments;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (rows->offsets[middle] - rows->offsets[0] < elements)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void cut_segments(struct rows_call *c, const heddle_rows *rows, size_t parts, u64 count) {
  size_t from = 0;
  for (size_t i = 0; i < parts; i++) {
    const size_t end = i + 1 < parts ? segment_at(rows, count / parts * (i + 1)) : rows->segments;
    if (end <= from) continue;
    struct part *part = &c->part[c->parts++];
    *part = (struct part){.rows = *rows, .row = from};
    part->rows.offsets = rows->offsets + from;
    part->rows.segments = end - from;
    from = end;
  }
}

/* Dimension d is cut; strides are those of the whole array. */
static void cut_shape(struct rows_call *c, const heddle_rows *rows, size_t parts, size_t d) {
  size_t from = 0, rows_each = 1;
  for (size_t k = 0; k < rows->dims; k++) {
    c->strides[k] = hd_rows_stride(rows, k);
    if (k > d && (k != rows->axis || c->scan)) rows_each *= rows->shape[k];
  }
  for (size_t i = 0; i < parts; i++) {
    const size_t end = rows->shape[d] / parts * (i + 1) + rows->shape[d] % parts * (i + 1) / parts;
    if (end <= from) continue;
    struct part *part = &c->part[c->parts];
    for (size_t k = 0; k < rows->dims; k++) c->shape[c->parts][k] = rows->shape[k];
    c->shape[c->parts][d] = end - from;
    *part = (struct part){.rows = *rows, .row = from * rows_each};
    part->rows.shape = c->shape[c->parts++];
    part->rows.strides = c->strides;
    part->skip = (i64)from * c->strides[d];
    from = end;
  }
}

static u64 elements_of(const heddle_rows *rows) {
  u64 count = 1;
  if (rows->offsets) return rows->offsets[rows->segments] - rows->offsets[0];
  for (size_t d = 0; d < rows->dims; d++) count *= rows->shape[d];
  return count;
}

/* One part or none: not worth it. */
static void cut(heddle_context *ctx, struct rows_call *c, const heddle_rows *rows) {
  const void *const memory[] = {c->x,         c->y,         rows->offsets,
                                c->out.value, c->out.index, c->out.description};
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
    if (hd_on_device(ctx, memory[i])) return;
  const u64 count = elements_of(rows);
  const size_t parts = hd_group_shares(ctx, count, c->x_bytes);
  const size_t d = rows->axis == 0;
  if (parts < 2) return;
  if (rows->offsets)
    cut_segments(c, rows, parts, count);
  else if (d < rows->dims && !(c->scan && d))
    cut_shape(c, rows, parts, d);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static heddle_status do_part(heddle_context *ctx, void *arg, size_t i) {
  const struct rows_call *c = arg;
  const struct part *part = &c->part[i];
  const void *x = (const char *)c->x + part->skip * (i64)c->x_bytes;
  const void *y = c->y ? (const char *)c->y + part->skip * (i64)c->x_bytes : NULL;
  const size_t moved = c->scan && part->rows.offsets ? 0 : part->row; /* offsets say where */
  const struct hd_fold_out out = {c->out.value ? (char *)c->out.value + moved * c->out_bytes : NULL,
                                  c->out.index ? c->out.index + moved : NULL,
                                  c->out.description ? c->out.description + moved : NULL};
  if (c->scan) return ctx->backend->scan_rows(ctx, c->scan, x, &part->rows, out.value);
  return c->fold->exact ? ctx->backend->exact_rows(ctx, c->fold, x, y, &part->rows, out)
                        : ctx->backend->fold_rows(ctx, c->fold, x, y, &part->rows, out);
}

static heddle_status by_owner(heddle_context *ctx, const struct rows_call *c,
                              const heddle_rows *rows) {
  const void *const memory[] = {c->x,         c->y,         rows->offsets,
                                c->out.value, c->out.index, c->out.description};
  struct hd_group_call call;
  heddle_context *m = hd_group_begin(&call, ctx, sizeof memory / sizeof *memory, memory);
  const struct hd_backend *b = m->backend;
  heddle_status status;
  if (c->scan)
    status = b->scan_rows(m, c->scan, c->x, rows, c->out.value);
  else if (c->fold->exact)
    status = b->exact_rows(m, c->fold, c->x, c->y, rows, c->out);
  else
    status = b->fold_rows(m, c->fold, c->x, c->y, rows, c->out);
  return hd_group_leave(&call, status);
}

static heddle_status run(heddle_context *ctx, struct rows_call *c, const heddle_rows *rows) {
  const void *where[HD_GROUP_MOST] = {NULL};
  c->x_bytes = hd_fold_form_of(c->fold).element_bytes;
  c->out_bytes = hd_fold_result_bytes(c->fold);
  cut(ctx, c, rows);
  return c->parts > 1 ? hd_group_spread(ctx, c->parts, where, do_part, c) : by_owner(ctx, c, rows);
}

heddle_status hd_group_fold_rows(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                                 const void *y, const heddle_rows *rows, struct hd_fold_out out) {
  struct rows_call c = {.fold = fold, .x = x, .y = y, .out = out};
  return run(ctx, &c, rows);
}

heddle_status hd_group_exact_rows(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                                  const void *y, const heddle_rows *rows, struct hd_fold_out out) {
  return hd_group_fold_rows(ctx, fold, x, y, rows, out);
}

heddle_status hd_group_scan_rows(heddle_context *ctx, const struct hd_scan *scan, const void *in,
                                 const heddle_rows *rows, void *out) {
  struct rows_call c = {.fold = &scan->fold, .scan = scan, .x = in, .out.value = out};
  return run(ctx, &c, rows);
}
