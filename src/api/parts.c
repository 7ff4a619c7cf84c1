/* parts.c - calls on arrays that lie in several places: the checks, then src/parts */
#include "parts/parts.h"

#include <stdio.h>

#include "fold.h"
#include "parts.h"

/* What the context's devices do not reach is refused before anything is read. */
static heddle_status check_reached(const char *entry, heddle_context *ctx, const char *what,
                                   const heddle_parts *parts) {
  for (size_t i = 0; i < parts->parts && ctx->backend->device_of; i++)
    if (parts->part[i].count && ctx->backend->device_of(ctx, parts->part[i].data) == -2)
      return hd_fail(
          HEDDLE_BAD_ARGUMENT,
          "%s: part %zu of `%s` is memory of a device that `ctx` on %s is not on; copy it, "
          "or open a group with that device",
          entry, i, what, ctx->device);
  return HEDDLE_OK;
}

heddle_status hd_parts_read(const char *entry, heddle_context *ctx, const char *what,
                            const heddle_parts *given, size_t element_bytes, heddle_parts *parts,
                            size_t *count) {
  static const heddle_parts defaults = HEDDLE_PARTS_INIT;
  HD_TRY(hd_check_size(entry, what, given, sizeof *parts));
  hd_copy_sized(parts, given, &defaults, sizeof *parts);
  if (!parts->part && parts->parts)
    return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `%s->part` is NULL, but there are %zu parts", entry,
                   what, parts->parts);
  *count = 0;
  for (size_t i = 0; i < parts->parts; i++) {
    char name[64];
    (void)snprintf(name, sizeof name, "%s->part[%zu].data", what, i);
    HD_TRY(hd_check_array(entry, name, parts->part[i].data, parts->part[i].count, element_bytes));
    if (__builtin_add_overflow(*count, parts->part[i].count, count)) *count = SIZE_MAX;
    if (*count > PTRDIFF_MAX / element_bytes)
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "%s: the parts of `%s` up to part %zu have more elements than memory can hold",
                     entry, what, i);
  }
  return check_reached(entry, ctx, what, parts);
}

heddle_status hd_parts_check_alike(const char *entry, const char *what, const heddle_parts *a,
                                   const char *other, const heddle_parts *b) {
  if (a->parts != b->parts)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `%s` has %zu parts and `%s` %zu; cut both alike, with as many elements in "
                   "each part",
                   entry, what, a->parts, other, b->parts);
  for (size_t i = 0; i < a->parts; i++)
    if (a->part[i].count != b->part[i].count)
      return hd_fail(HEDDLE_BAD_ARGUMENT,
                     "%s: part %zu of `%s` has %zu elements and of `%s` %zu; cut both alike", entry,
                     i, what, a->part[i].count, other, b->part[i].count);
  return HEDDLE_OK;
}

heddle_status hd_parts_check_on_host(const char *entry, heddle_context *ctx, const char *what,
                                     const void *out) {
  HD_TRY(hd_fold_check_out(entry, what, out));
  if (!hd_on_device(ctx, out)) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT,
                 "%s: `%s` is memory of a device; the result of an array in parts is host memory",
                 entry, what);
}

heddle_status hd_parts_check_ready(const char *entry, heddle_context *ctx) {
  HD_TRY(hd_check_context(entry, ctx));
  if (!ctx->preparing) return HEDDLE_OK;
  return hd_fail(
      HEDDLE_UNSUPPORTED,
      "%s: calls on parts wait for devices and cannot be captured, so there is nothing to "
      "prepare; call it before heddle_prepare_begin or after heddle_prepare_end",
      entry);
}

heddle_status hd_parts_gather(heddle_context *ctx, const heddle_parts *x, const heddle_parts *y,
                              const heddle_parts *out, struct hd_part **part, size_t *bytes) {
  *bytes = (x->parts + 1) * sizeof **part;
  *part = hd_allocate(ctx, *bytes);
  if (!*part) return HEDDLE_OUT_OF_MEMORY;
  for (size_t i = 0; i < x->parts; i++)
    (*part)[i] = (struct hd_part){x->part[i].data, y ? y->part[i].data : NULL,
                                  out ? out->part[i].data : NULL, x->part[i].count};
  return HEDDLE_OK;
}

/* ---- folds ------------------------------------------------------------------------------------- */

/* y: of a dot, cut as x is; else NULL. */
static heddle_status fold(heddle_context *ctx, const struct hd_fold *job, const heddle_parts *x,
                          const heddle_parts *y, size_t count, struct hd_fold_out out) {
  struct hd_part *part;
  size_t bytes;
  HD_TRY(hd_parts_gather(ctx, x, y, NULL, &part, &bytes));
  const struct hd_parts in = {x->parts, part, count};
  unsigned long saved = hd_float_enter();
  heddle_status status = hd_parts_fold(ctx, job, &in, out);
  hd_float_leave(saved);
  hd_release(ctx, part, bytes);
  return status;
}

heddle_status heddle_reduce_parts(heddle_context *ctx, heddle_op op, heddle_type type,
                                  const heddle_parts *in, void *out,
                                  const heddle_options *options) {
  const char *entry = "heddle_reduce_parts";
  struct hd_fold job;
  heddle_parts parts;
  size_t count;
  HD_TRY(hd_parts_check_ready(entry, ctx));
  HD_TRY(hd_fold_job(entry, ctx, HEDDLE_REDUCE, op, type, options, &job));
  HD_TRY(hd_parts_read(entry, ctx, "in", in, hd_fold_element_bytes(&job), &parts, &count));
  HD_TRY(hd_parts_check_on_host(entry, ctx, "out", out));
  return fold(ctx, &job, &parts, NULL, count, (struct hd_fold_out){out, NULL, NULL});
}

heddle_status heddle_argreduce_parts(heddle_context *ctx, heddle_extreme which, heddle_type type,
                                     const heddle_parts *in, void *value, uint64_t *index,
                                     const heddle_options *options) {
  const char *entry = "heddle_argreduce_parts";
  struct hd_fold job;
  heddle_parts parts;
  size_t count;
  HD_TRY(hd_parts_check_ready(entry, ctx));
  HD_TRY(hd_fold_check_extreme(entry, which));
  HD_TRY(hd_fold_job(entry, ctx, HEDDLE_ARGREDUCE, hd_fold_extreme_op(which), type, options, &job));
  HD_TRY(hd_parts_read(entry, ctx, "in", in, hd_fold_element_bytes(&job), &parts, &count));
  HD_TRY(hd_fold_check_pair(entry, type, value, index));
  HD_TRY(hd_parts_check_on_host(entry, ctx, "index", index));
  if (value) HD_TRY(hd_parts_check_on_host(entry, ctx, "value", value));
  return fold(ctx, &job, &parts, NULL, count, (struct hd_fold_out){value, index, NULL});
}

heddle_status heddle_dot_parts(heddle_context *ctx, heddle_type type, const heddle_parts *x,
                               const heddle_parts *y, void *out, const heddle_options *options) {
  const char *entry = "heddle_dot_parts";
  struct hd_fold job;
  heddle_parts first, second;
  size_t count;
  HD_TRY(hd_parts_check_ready(entry, ctx));
  HD_TRY(hd_fold_job(entry, ctx, HEDDLE_DOT, HEDDLE_SUM, type, options, &job));
  HD_TRY(hd_parts_read(entry, ctx, "x", x, hd_fold_element_bytes(&job), &first, &count));
  HD_TRY(hd_parts_read(entry, ctx, "y", y, hd_fold_element_bytes(&job), &second, &count));
  HD_TRY(hd_parts_check_alike(entry, "x", &first, "y", &second));
  HD_TRY(hd_parts_check_on_host(entry, ctx, "out", out));
  return fold(ctx, &job, &first, &second, count, (struct hd_fold_out){out, NULL, NULL});
}

heddle_status heddle_describe_parts(heddle_context *ctx, heddle_type type, const heddle_parts *in,
                                    heddle_description *out, const heddle_options *options) {
  const char *entry = "heddle_describe_parts";
  struct hd_fold job;
  heddle_description known;
  heddle_parts parts;
  size_t count;
  HD_TRY(hd_parts_check_ready(entry, ctx));
  HD_TRY(hd_fold_job(entry, ctx, HEDDLE_DESCRIBE, HEDDLE_SUM, type, options, &job));
  HD_TRY(hd_parts_read(entry, ctx, "in", in, hd_fold_element_bytes(&job), &parts, &count));
  HD_TRY(hd_parts_check_on_host(entry, ctx, "out", out));
  HD_TRY(hd_check_size(entry, "out", out, sizeof *out));
  HD_TRY(fold(ctx, &job, &parts, NULL, count, (struct hd_fold_out){NULL, NULL, &known}));
  hd_return_sized(out, &known, sizeof known);
  return HEDDLE_OK;
}

/* ---- scan -------------------------------------------------------------------------------------- */

/* Each part of `out` is that of `in` itself, element on element, or overlaps no part of either. */
static heddle_status check_outs_apart(const char *entry, const heddle_parts *in, size_t in_bytes,
                                      const heddle_parts *out, size_t out_bytes) {
  for (size_t i = 0; i < out->parts; i++) {
    const size_t n = out->part[i].count;
    const struct hd_span to = {"out", out->part[i].data, n * out_bytes};
    for (size_t k = 0; n && k < in->parts; k++) {
      const size_t m = in->part[k].count;
      const struct hd_span from = {"in", in->part[k].data, m * in_bytes};
      const struct hd_span other = {"out", out->part[k].data, m * out_bytes};
      const bool itself = k == i && in->part[i].data == out->part[i].data && in_bytes == out_bytes;
      if ((!m || itself || !hd_spans_touch(&from, &to)) &&
          (!m || k == i || !hd_spans_touch(&other, &to)))
        continue;
      return hd_fail(
          HEDDLE_BAD_ARGUMENT,
          "%s: part %zu of `out` overlaps part %zu of `in` or of `out`; give memory of its "
          "own, or that of its part of `in` if the types have one size",
          entry, i, k);
    }
  }
  return HEDDLE_OK;
}

heddle_status heddle_scan_parts(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                                heddle_type type, const heddle_parts *in, const heddle_parts *out,
                                const heddle_options *options) {
  const char *entry = "heddle_scan_parts";
  struct hd_scan scan = {.kind = kind};
  heddle_parts from, to;
  struct hd_part *part;
  size_t count, bytes;
  HD_TRY(hd_parts_check_ready(entry, ctx));
  HD_TRY(hd_check_scan_kind(entry, kind));
  HD_TRY(hd_fold_job(entry, ctx, HEDDLE_SCAN, op, type, options, &scan.fold));
  const size_t in_bytes = hd_fold_element_bytes(&scan.fold);
  const size_t out_bytes = hd_fold_result_bytes(&scan.fold);
  HD_TRY(hd_parts_read(entry, ctx, "in", in, in_bytes, &from, &count));
  HD_TRY(hd_parts_read(entry, ctx, "out", out, out_bytes, &to, &count));
  HD_TRY(hd_parts_check_alike(entry, "in", &from, "out", &to));
  HD_TRY(check_outs_apart(entry, &from, in_bytes, &to, out_bytes));
  HD_TRY(hd_parts_gather(ctx, &from, NULL, &to, &part, &bytes));
  const struct hd_parts parts = {from.parts, part, count};
  unsigned long saved = hd_float_enter();
  heddle_status status = hd_parts_scan(ctx, &scan, &parts);
  hd_float_leave(saved);
  hd_release(ctx, part, bytes);
  return status;
}
