/* states.c - states of a group that are on its first member: scans, histograms, exact sums
 *
 * An update may come from the host or from that member's memory; another's is refused there. Exact sums
 * take parts from all members, as folds do (fold_state.c). */
#include "group.h"

struct state {
  heddle_context *ctx, *member;
  void *inner;
  struct hd_fold sum; /* of an exact one: as parts of an update are summed */
};

static heddle_status start(struct hd_group_call *call, heddle_context *ctx, struct state **out) {
  struct state *state = hd_allocate(ctx, sizeof *state);
  *out = state;
  if (!state) return HEDDLE_OUT_OF_MEMORY;
  *state = (struct state){.ctx = ctx, .member = hd_group(ctx)->member[0]};
  hd_group_enter(call, ctx);
  return HEDDLE_OK;
}

/* The member's state is there, or was not made. */
static heddle_status started(struct hd_group_call *call, struct state *state, heddle_status status,
                             void **out) {
  (void)hd_group_leave(call, status);
  if (status)
    hd_release(state->ctx, state, sizeof *state);
  else
    *out = state;
  return status;
}

static const struct hd_backend *of(const struct state *state) { return state->member->backend; }

static struct state *enter(struct hd_group_call *call, void *state) {
  struct state *s = state;
  hd_group_enter(call, s->ctx);
  return s;
}

static void release(struct state *state) { hd_release(state->ctx, state, sizeof *state); }

/* ---- exact -------------------------------------------------------------------------------------- */

heddle_status hd_group_exact_begin(heddle_context *ctx, const struct hd_fold *fold, void **out) {
  struct hd_group_call call;
  struct state *s;
  HD_TRY(start(&call, ctx, &s));
  s->sum = *fold;
  s->sum.init = NULL; /* the result has it */
  return started(&call, s, of(s)->exact_begin(s->member, fold, &s->inner), out);
}

heddle_status hd_group_exact_update(void *state, const void *x, const void *y, size_t count) {
  struct state *s = state;
  const size_t bytes = heddle_type_size(s->sum.type);
  const struct hd_group_array array = {
      .x = x, .y = y, .x_bytes = bytes, .y_bytes = bytes, .count = count};
  struct hd_part part[HD_GROUP_MOST];
  const struct hd_parts in = hd_group_share(s->ctx, &array, 0, NULL, part);
  return hd_parts_exact_add(s->ctx, &s->sum, &in, state);
}

heddle_status hd_group_exact_finish(void *state, struct hd_fold_out out) {
  struct hd_group_call call;
  struct state *s = enter(&call, state);
  return hd_group_leave(&call, of(s)->exact_finish(s->inner, out));
}

heddle_status hd_group_exact_export(void *state, struct hd_exact *sum) {
  struct hd_group_call call;
  struct state *s = enter(&call, state);
  return hd_group_leave(&call, of(s)->exact_export(s->inner, sum));
}

heddle_status hd_group_exact_add(void *state, const struct hd_exact *sum) {
  struct hd_group_call call;
  struct state *s = enter(&call, state);
  return hd_group_leave(&call, of(s)->exact_add(s->inner, sum));
}

void hd_group_exact_free(void *state) {
  struct state *s = state;
  of(s)->exact_free(s->inner);
  release(s);
}

/* ---- scan --------------------------------------------------------------------------------------- */

heddle_status hd_group_scan_begin(heddle_context *ctx, const struct hd_scan *scan, void **out) {
  struct hd_group_call call;
  struct state *s;
  HD_TRY(start(&call, ctx, &s));
  return started(&call, s, of(s)->scan_begin(s->member, scan, &s->inner), out);
}

heddle_status hd_group_scan_update(void *state, const void *in, size_t count, void *out) {
  struct hd_group_call call;
  struct state *s = enter(&call, state);
  return hd_group_leave(&call, of(s)->scan_update(s->inner, in, count, out));
}

heddle_status hd_group_scan_finish(void *state, void *total) {
  struct hd_group_call call;
  struct state *s = enter(&call, state);
  return hd_group_leave(&call, of(s)->scan_finish(s->inner, total));
}

heddle_status hd_group_scan_export(void *state, u64 *count, void *totals, void *x) {
  struct hd_group_call call;
  struct state *s = enter(&call, state);
  return hd_group_leave(&call, of(s)->scan_export(s->inner, count, totals, x));
}

heddle_status hd_group_scan_resume(void *state, u64 count, const void *totals, const void *x) {
  struct hd_group_call call;
  struct state *s = enter(&call, state);
  return hd_group_leave(&call, of(s)->scan_resume(s->inner, count, totals, x));
}

void hd_group_scan_free(void *state) {
  struct state *s = state;
  of(s)->scan_free(s->inner);
  release(s);
}

/* ---- histogram ---------------------------------------------------------------------------------- */

heddle_status hd_group_histogram_begin(heddle_context *ctx, const struct hd_histogram *job,
                                       void **out) {
  struct hd_group_call call;
  struct state *s;
  HD_TRY(start(&call, ctx, &s));
  return started(&call, s, of(s)->histogram_begin(s->member, job, &s->inner), out);
}

heddle_status hd_group_histogram_update(void *state, const void *in, const void *weights,
                                        size_t count) {
  struct hd_group_call call;
  struct state *s = enter(&call, state);
  return hd_group_leave(&call, of(s)->histogram_update(s->inner, in, weights, count));
}

heddle_status hd_group_histogram_finish(void *state, u64 *counts, heddle_histogram_result *result,
                                        double *sums) {
  struct hd_group_call call;
  struct state *s = enter(&call, state);
  return hd_group_leave(&call, of(s)->histogram_finish(s->inner, counts, result, sums));
}

heddle_status hd_group_histogram_export(void *state, u64 *seen, u64 *counts, void *sums) {
  struct hd_group_call call;
  struct state *s = enter(&call, state);
  return hd_group_leave(&call, of(s)->histogram_export(s->inner, seen, counts, sums));
}

heddle_status hd_group_histogram_add(void *state, u64 seen, const u64 *counts, const void *sums) {
  struct hd_group_call call;
  struct state *s = enter(&call, state);
  return hd_group_leave(&call, of(s)->histogram_add(s->inner, seen, counts, sums));
}

void hd_group_histogram_free(void *state) {
  struct state *s = state;
  of(s)->histogram_free(s->inner);
  release(s);
}
