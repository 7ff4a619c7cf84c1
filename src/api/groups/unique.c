/* unique.c - the values of an array, each once */
#include "api/api.h"
#include "api/overlap.h"
#include "host/status.h"
#include "positions.h"

static heddle_status check_arrays(const char *entry, const struct hd_unique *job, const void *in,
                                  size_t count, const struct hd_unique_out *out) {
  const size_t size = heddle_type_size(job->type), index = job->index_bytes;
  HD_TRY(hd_check_array(entry, "in", in, count, size));
  HD_TRY(hd_check_array(entry, "values_out", out->values, count, size));
  if (out->counts) HD_TRY(hd_check_array(entry, "counts", out->counts, count, sizeof(u64)));
  if (out->first) HD_TRY(hd_check_array(entry, "first", out->first, count, sizeof(u64)));
  if (out->inverse) HD_TRY(hd_check_array(entry, "inverse", out->inverse, count, index));
  if (!out->found) return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `found` is NULL", entry);
  const struct hd_span read = {"in", in, count * size};
  const struct hd_span outs[] = {{"values_out", out->values, count * size},
                                 {"counts", out->counts, count * sizeof(u64)},
                                 {"first", out->first, count * sizeof(u64)},
                                 {"inverse", out->inverse, count * index},
                                 {"found", out->found, sizeof *out->found}};
  return hd_check_apart(entry, outs, sizeof outs / sizeof *outs, &read, 1);
}

/* Nothing is found in nothing. */
static heddle_status found_none(heddle_context *ctx, u64 *found) {
  static const u64 none = 0;
  if (ctx->preparing) return HEDDLE_OK;
  if (hd_on_device(ctx, found)) return ctx->backend->copy(ctx, found, &none, sizeof none);
  *found = none;
  return HEDDLE_OK;
}

heddle_status heddle_unique(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                            void *values_out, uint64_t *counts, uint64_t *first,
                            heddle_type index_type, void *inverse, uint64_t *found) {
  const char *entry = "heddle_unique";
  const struct hd_unique_out out = {values_out, counts, first, inverse, found};
  struct hd_unique job = {.type = type};
  HD_TRY(hd_check_context(entry, ctx));
  if (inverse) HD_TRY(hd_check_index_type(entry, index_type, &job.index_bytes));
  const size_t position = job.index_bytes == 4 || (u64)count <= (u64)1 << 32 ? 4 : 8;
  HD_TRY(hd_sort_job(entry, HEDDLE_ARGSORT, type, position, count, NULL, &job.sort));
  HD_TRY(check_arrays(entry, &job, in, count, &out));
  if (!count) return found_none(ctx, found);
  return ctx->backend->unique(ctx, &job, in, count, out);
}
