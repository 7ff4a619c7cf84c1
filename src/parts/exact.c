/* exact.c - exact sums of arrays in parts: each part's real sum, added up in any order */
#include "parts.h"

struct sums {
  struct hd_fold fold; /* of a part: the result alone has init and divisor */
  const struct hd_parts *in;
  struct hd_exact *sum; /* of each part */
};

static heddle_status sum_part(heddle_context *ctx, void *arg, size_t i) {
  const struct sums *s = arg;
  const struct hd_part *part = &s->in->part[i];
  void *state = NULL;
  if (!part->count) return HEDDLE_OK;
  HD_TRY(ctx->backend->exact_begin(ctx, &s->fold, &state));
  heddle_status status = ctx->backend->exact_update(state, part->x, part->y, part->count);
  if (!status) status = ctx->backend->exact_export(state, &s->sum[i]);
  ctx->backend->exact_free(state);
  return status;
}

heddle_status hd_parts_exact_add(heddle_context *ctx, const struct hd_fold *fold,
                                 const struct hd_parts *in, void *state) {
  struct sums s = {.fold = *fold, .in = in};
  const size_t bytes = (in->parts + 1) * sizeof *s.sum;
  const void **where;
  s.fold.init = NULL;
  s.fold.divisor = 0;
  HD_TRY(hd_parts_places(ctx, in, &where));
  s.sum = hd_allocate(ctx, bytes);
  heddle_status status = s.sum ? HEDDLE_OK : HEDDLE_OUT_OF_MEMORY;
  if (!status) status = hd_spread(ctx, in->parts, where, sum_part, &s);
  for (size_t i = 0; i < in->parts && !status; i++)
    if (in->part[i].count) status = ctx->backend->exact_add(state, &s.sum[i]);
  hd_release(ctx, s.sum, bytes);
  hd_parts_places_free(ctx, in, where);
  return status;
}

heddle_status hd_parts_exact(heddle_context *ctx, const struct hd_fold *fold,
                             const struct hd_parts *in, struct hd_fold_out out) {
  void *state = NULL;
  HD_TRY(ctx->backend->exact_begin(ctx, fold, &state));
  heddle_status status = hd_parts_exact_add(ctx, fold, in, state);
  if (!status) status = ctx->backend->exact_finish(state, out);
  ctx->backend->exact_free(state);
  return status;
}
