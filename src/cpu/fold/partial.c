/* partial.c - totals of parts of an array, merged, and their result
 *
 * A block of chunks is folded as an array of its own is: blocks are aligned, so that its tree is the
 * same. A block of a short chunk's elements is a short array of a power of two of them. */
#include <string.h>

#include "fold.h"
#include "order/result.h"

/* *total = that of `count` > 0 elements which begin an array, or an aligned block. */
static heddle_status total_of(heddle_context *ctx, const struct hd_fold *fold,
                              const struct hd_cpu_fold_kernel *kernel, const char *x, const char *y,
                              size_t count, void *total) {
  if (count >= kernel->chunk) return hd_cpu_fold_array(ctx, fold, kernel, x, y, count, total);
  kernel->merge.identity(total, fold->custom);
  return kernel->tail(x, y, 0, count, total, fold->custom);
}

/* Places count from the array's start. */
static void move_place(const struct hd_cpu_fold_kernel *kernel, u64 first, void *total) {
  struct hd_arg_total arg;
  if (kernel->kind != HD_TOTAL_ARG) return;
  memcpy(&arg, total, sizeof arg);
  if (arg.index != HD_U64_MAX) arg.index += first;
  memcpy(total, &arg, sizeof arg);
}

heddle_status hd_cpu_partial(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                             const void *y, struct hd_run run, void *totals) {
  struct hd_cpu_fold_kernel storage;
  const struct hd_cpu_fold_kernel *kernel = hd_cpu_fold_kernel(ctx->kernels, fold, &storage);
  _Alignas(64) unsigned char total[HD_MAX_CUSTOM_BYTES];
  unsigned char *out = totals;
  const char *px = x, *py = y;
  heddle_status status = HEDDLE_OK;
  while (run.count && !status) {
    const u64 block =
        kernel->merge.order_free ? run.count : hd_run_block(kernel->chunk, run.first, run.count);
    const size_t bytes = (size_t)block * kernel->element_bytes;
    status = total_of(ctx, fold, kernel, px, py, (size_t)block, total);
    move_place(kernel, run.first, total);
    hd_totals_canonical(kernel->kind, total, 1);
    memcpy(out, total, kernel->merge.bytes);
    out += kernel->merge.bytes;
    px += bytes;
    if (py) py += bytes;
    run.first += block, run.count -= block;
  }
  return hd_cpu_callback_failed(fold, status);
}

/* ---- totals alone ------------------------------------------------------------------------------ */

/* A custom operator merges by its own calls, everything else as order/merge.h has it. */
struct merger {
  struct hd_cpu_fold_kernel storage;
  const struct hd_cpu_fold_kernel *kernel;
  const heddle_custom *custom;
  struct hd_total_form total;
};

static heddle_status combine_custom(void *left, const void *right, void *user) {
  const struct merger *m = user;
  return m->kernel->merge.combine(left, right, m->custom);
}

static struct hd_run_form form_of(heddle_context *ctx, const struct hd_fold *fold,
                                  struct merger *m) {
  m->kernel = hd_cpu_fold_kernel(ctx->kernels, fold, &m->storage);
  m->custom = fold->custom;
  m->total = (struct hd_total_form){m->kernel->kind, fold->op, fold->type};
  struct hd_run_form form = {.bytes = m->kernel->merge.bytes,
                             .chunk = m->kernel->chunk,
                             .order_free = m->kernel->merge.order_free,
                             .combine = hd_run_combine,
                             .user = &m->total};
  if (m->kernel->kind == HD_TOTAL_CUSTOM) form.combine = combine_custom, form.user = m;
  return form;
}

heddle_status hd_cpu_merge(heddle_context *ctx, const struct hd_fold *fold, struct hd_run left,
                           const void *left_totals, struct hd_run right, const void *right_totals,
                           void *totals) {
  struct merger m;
  const struct hd_run_form form = form_of(ctx, fold, &m);
  const struct hd_run both = {left.first, left.count + right.count};
  heddle_status status = hd_runs_merge(&form, left, left_totals, right, right_totals, totals);
  if (!status)
    hd_totals_canonical(m.kernel->kind, totals, hd_run_totals(form.order_free, form.chunk, both));
  return hd_cpu_callback_failed(fold, status);
}

heddle_status hd_cpu_partial_result(heddle_context *ctx, const struct hd_fold *fold,
                                    struct hd_run run, const void *totals, struct hd_fold_out out) {
  _Alignas(64) unsigned char total[HD_MAX_CUSTOM_BYTES];
  struct merger m;
  const struct hd_run_form form = form_of(ctx, fold, &m);
  heddle_status status = HEDDLE_OK;
  if (run.count)
    status = hd_runs_total(&form, run, totals, total);
  else
    m.kernel->merge.identity(total, fold->custom);
  if (!status) status = hd_cpu_fold_result(fold, m.kernel, total, run.count, false, out);
  return hd_cpu_callback_failed(fold, status);
}
