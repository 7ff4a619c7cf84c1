/* merge.c - totals of runs, merged, and their result
 *
 * Method   Built-in operators merge on the host (order/merge.h) and need no device. A custom operator
 *          is CUDA C text: the same merge runs on the host with the places of totals instead of totals
 *          and writes down what is to be combined; one launch of kernels/fold/merge.cu does it.
 * Limits   a result in device memory is uploaded, which a stream that is captured refuses */
#include <assert.h>
#include <string.h>

#include "cuda/core/inside.h"
#include "fold.h"
#include "order/convert.h"
#include "order/merge.h"
#include "order/moments.h"

#include "kernels/fold/args.h" /* needs their types */

enum { MOST_BYTES = sizeof(struct hd_moments) }; /* of a built-in operator's total */

_Static_assert((int)FOLD_MERGE_INPUTS == 2 * (int)HD_RUN_TOTALS &&
                   (int)FOLD_MERGE_OUTPUTS == (int)HD_RUN_TOTALS,
               "totals of runs");
_Static_assert(sizeof(struct fold_merge_args) <= HD_ARGUMENT_BYTES, "arguments of a kernel");

static struct hd_run_form form_of(const struct hd_fold *fold, struct hd_total_form *total) {
  const bool order_free = hd_cuda_fold_is_order_free(fold);
  *total = hd_cuda_fold_form(fold);
  return (struct hd_run_form){.bytes = (u32)hd_cuda_fold_total_bytes(fold),
                              .chunk = order_free ? 1 : hd_cuda_fold_chunk(fold),
                              .order_free = order_free,
                              .combine = hd_run_combine,
                              .user = total};
}

/* ---- custom operators: the steps of a merge, and their launch -------------------------------- */

/* A total's place stands for it. */
static heddle_status write_step(void *left, const void *right, void *user) {
  struct fold_merge_args *args = user;
  struct fold_merge_step *step = &args->step[args->steps];
  assert(args->steps < FOLD_MERGE_INPUTS);
  memcpy(&step->left, left, sizeof step->left);
  memcpy(&step->right, right, sizeof step->right);
  const u16 made = (u16)(args->inputs + args->steps++);
  memcpy(left, &made, sizeof made);
  return HEDDLE_OK;
}

static struct hd_run_form step_form(const struct hd_fold *fold, struct fold_merge_args *args) {
  return (struct hd_run_form){
      .bytes = sizeof(u16), .chunk = hd_cuda_fold_chunk(fold), .combine = write_step, .user = args};
}

/* Totals of the host as items from `at` on; device memory for all of them is at args->item. */
static heddle_status upload(struct hd_cuda_call *call, const struct fold_merge_args *args, u32 at,
                            u32 n, u32 bytes, const void *totals) {
  if (!n) return HEDDLE_OK;
  return hd_cuda_upload(call, args->item + (u64)at * bytes, totals, (size_t)n * bytes);
}

static heddle_status launch_steps(struct hd_cuda_call *call, const struct hd_fold *fold,
                                  const struct fold_merge_args *args) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_kernel_file(&key, "fold/merge.cu");
  hd_cuda_fold_defines(&key, fold);
  hd_cuda_kernel_define(&key, "HEDDLE_WARPS", 4); /* items.h asks for it */
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_fold_merge", 32, 0, &kernel));
  return hd_cuda_launch(call, &kernel, 1, args, sizeof *args);
}

/* Two runs of a custom operator's. */
struct pair {
  struct hd_run left, right;
  const void *left_totals, *right_totals;
};

static heddle_status merge_custom(struct hd_cuda_call *call, const struct hd_fold *fold,
                                  const struct pair *pair, void *totals) {
  struct fold_merge_args args = {0};
  const struct hd_run_form form = step_form(fold, &args);
  const struct hd_run both = {pair->left.first, pair->left.count + pair->right.count};
  const u32 bytes = (u32)fold->custom->element_bytes;
  const u32 n = hd_run_totals(false, form.chunk, pair->left);
  const u32 m = hd_run_totals(false, form.chunk, pair->right);
  u16 place[FOLD_MERGE_INPUTS], given[FOLD_MERGE_INPUTS];
  assert(n + m <= FOLD_MERGE_INPUTS);
  args.inputs = n + m;
  args.outputs = hd_run_totals(false, form.chunk, both);
  for (u32 i = 0; i < args.inputs; i++) place[i] = (u16)i;
  HD_TRY(hd_runs_merge(&form, pair->left, place, pair->right, place + n, given));
  memcpy(args.output, given, args.outputs * sizeof *given);
  HD_TRY(hd_cuda_output(call, "totals", totals, args.outputs * (size_t)bytes, 1, &args.out));
  HD_TRY(hd_cuda_scratch(call, (size_t)(args.inputs + args.steps) * bytes, &args.item));
  HD_TRY(upload(call, &args, 0, n, bytes, pair->left_totals));
  HD_TRY(upload(call, &args, n, m, bytes, pair->right_totals));
  return launch_steps(call, fold, &args);
}

/* init, if there is one, is the last input and the leftmost operand. */
static heddle_status custom_result(struct hd_cuda_call *call, const struct hd_fold *fold,
                                   struct hd_run run, const void *totals, cu_pointer out) {
  struct fold_merge_args args = {.out = out, .outputs = 1};
  const struct hd_run_form form = step_form(fold, &args);
  const u32 bytes = (u32)fold->custom->element_bytes;
  const u32 n = hd_run_totals(false, form.chunk, run);
  u16 place[HD_RUN_TOTALS], total;
  args.inputs = n + (fold->init != NULL);
  for (u32 i = 0; i < n; i++) place[i] = (u16)i;
  HD_TRY(hd_runs_total(&form, run, place, &total));
  args.output[0] = total;
  if (fold->init) {
    args.output[0] = (u16)n;
    HD_TRY(write_step(&args.output[0], &total, &args));
  }
  HD_TRY(hd_cuda_scratch(call, (size_t)(args.inputs + args.steps) * bytes, &args.item));
  HD_TRY(upload(call, &args, 0, n, bytes, totals));
  HD_TRY(upload(call, &args, n, fold->init != NULL, bytes, fold->init));
  return launch_steps(call, fold, &args);
}

/* ---- merge ----------------------------------------------------------------------------------- */

heddle_status hd_cuda_merge(heddle_context *ctx, const struct hd_fold *fold, struct hd_run left,
                            const void *left_totals, struct hd_run right, const void *right_totals,
                            void *totals) {
  struct hd_total_form total;
  const struct hd_run_form form = form_of(fold, &total);
  const struct hd_run both = {left.first, left.count + right.count};
  struct hd_cuda_call call;
  if (total.kind == HD_TOTAL_CUSTOM) {
    const struct pair pair = {left, right, left_totals, right_totals};
    if (!both.count) return HEDDLE_OK;
    HD_TRY(hd_cuda_enter(ctx, fold->entry, &call));
    return hd_cuda_leave(&call, merge_custom(&call, fold, &pair, totals));
  }
  HD_TRY(hd_runs_merge(&form, left, left_totals, right, right_totals, totals));
  hd_totals_canonical(total.kind, totals, hd_run_totals(form.order_free, form.chunk, both));
  return HEDDLE_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

/* As fold would give it, on the host. */
struct result {
  _Alignas(16) unsigned char value[sizeof(heddle_description)];
  u64 index;
};

static heddle_status nothing_but_nan(const struct hd_fold *fold) {
  char text[HD_NO_RESULT_BYTES];
  return hd_fail(
      HEDDLE_EMPTY, "%s",
      hd_no_result(text, fold->entry, fold->verb == HD_ARGREDUCE, fold->op, "nothing but NaN", ""));
}

/* The result of a built-in operator's total of `count` > 0 elements. */
static heddle_status result_of(const struct hd_fold *fold, const struct hd_total_form *form,
                               const void *total, u64 count, struct result *out) {
  unsigned char first[MOST_BYTES];
  if (form->kind == HD_TOTAL_MOMENTS) {
    struct hd_moments moments;
    heddle_description description;
    memcpy(&moments, total, sizeof moments);
    hd_moments_describe(&moments, count, fold->nan == HEDDLE_NAN_SKIP, &description);
    memcpy(out->value, &description, sizeof description);
    return HEDDLE_OK;
  }
  if (form->kind == HD_TOTAL_ARG) {
    struct hd_arg_total arg;
    memcpy(&arg, total, sizeof arg);
    memcpy(out->value, &arg.bits, sizeof arg.bits);
    out->index = arg.index;
    return arg.index == HD_U64_MAX ? nothing_but_nan(fold) : HEDDLE_OK;
  }
  if (fold->divisor != 0 &&
      fold->verb == HD_REDUCE) { /* as store_result of order/device/result.h */
    f64 sum;
    (void)hd_total_value(form, total, false, false, HEDDLE_F64, &sum);
    sum = hd_canonical_f64(sum / fold->divisor);
    hd_convert_one(HEDDLE_F64, &sum, fold->out_type, out->value);
    return HEDDLE_OK;
  }
  if (fold->init) {
    hd_cuda_fold_init_total(fold, first);
    hd_total_merge(form, first, total);
    total = first;
  }
  return hd_total_value(form, total, false, false, fold->out_type, out->value)
             ? HEDDLE_OK
             : nothing_but_nan(fold);
}

/* To where hd_cuda_output placed the caller's result: device memory, or pinned memory that waits for
 * leave. */
static heddle_status hand_in(struct hd_cuda_call *call, const void *callers, cu_pointer to,
                             const void *from, size_t bytes) {
  if (!to) return HEDDLE_OK;
  if (to == (cu_pointer)(uintptr_t)callers) return hd_cuda_upload(call, to, from, bytes);
  memcpy((void *)(uintptr_t)to, from, bytes);
  return HEDDLE_OK;
}

static heddle_status built_in_result(struct hd_cuda_call *call, const struct hd_fold *fold,
                                     struct hd_run run, const void *totals, struct hd_fold_out out,
                                     struct hd_cuda_fold_results results) {
  const void *value = fold->verb == HD_DESCRIBE ? (void *)out.description : out.value;
  unsigned char total[MOST_BYTES];
  struct hd_total_form total_form;
  const struct hd_run_form form = form_of(fold, &total_form);
  struct result result;
  if (call->preparing) return HEDDLE_OK; /* the totals may be anything */
  HD_TRY(hd_runs_total(&form, run, totals, total));
  HD_TRY(result_of(fold, &total_form, total, run.count, &result));
  HD_TRY(hand_in(call, value, results.value, result.value, hd_cuda_fold_result_bytes(fold)));
  return hand_in(call, out.index, results.index, &result.index, sizeof result.index);
}

static heddle_status result(struct hd_cuda_call *call, const struct hd_fold *fold,
                            struct hd_run run, const void *totals, struct hd_fold_out out) {
  struct hd_cuda_fold_results results = {0, 0, 0};
  HD_TRY(hd_cuda_fold_outputs(call, fold, out, &results));
  if (fold->op == HEDDLE_OP_CUSTOM) return custom_result(call, fold, run, totals, results.value);
  return built_in_result(call, fold, run, totals, out, results);
}

heddle_status hd_cuda_partial_result(heddle_context *ctx, const struct hd_fold *fold,
                                     struct hd_run run, const void *totals,
                                     struct hd_fold_out out) {
  struct hd_cuda_call call;
  assert(run.first == 0);
  if (!run.count) return hd_cuda_fold(ctx, fold, NULL, NULL, 0, out);
  HD_TRY(hd_cuda_enter(ctx, fold->entry, &call));
  return hd_cuda_leave(&call, result(&call, fold, run, totals, out));
}
