/* weights.c - what a call leaves open: ranges of values, the exponent of weights
 *
 * Method   The exponent is that of the weights' type where no exponent rounds; else a sample tells one, which
 *          a second launch corrects if need be (kernels/histogram/guess.h); of few weights, or on their
 *          way from the host, a kernel finds it in a pass before. */
#include "weights.h"

#include "bins/index.h"
#include "cuda/core/inside.h"
#include "host/status.h"
#include "window.h"

enum { GUESS_WORTH = 1 << 20, SOFTWARE_GUESS_WORTH = 2000, GUESS_BITS = 40, MOST_REACH = 13 };

/* ---- ranges ---------------------------------------------------------------------------------- */

struct range_pass {
  struct hd_cuda_call *call;
  heddle_type type;
  enum hd_cuda_range_of of;
  size_t count;
  struct range_args args;
};

static heddle_status range_slice(void *arg, u64 first, size_t n, const cu_pointer *device) {
  struct range_pass *pass = arg;
  pass->args.in = device[0];
  pass->args.count = n;
  pass->args.finish = first + n == pass->count;
  return hd_cuda_range_some(pass->call, pass->type, pass->of, &pass->args);
}

/* range, exponent: where the result is to be, or 0. */
heddle_status hd_cuda_range_find(struct hd_cuda_call *call, heddle_type type,
                                 enum hd_cuda_range_of of, struct hd_cuda_operand *operand,
                                 size_t count, cu_pointer tables, cu_pointer range,
                                 cu_pointer exponent) {
  struct range_pass pass = {.call = call, .type = type, .of = of, .count = count};
  pass.args.words = tables + HD_RANGE_WORDS_AT;
  pass.args.range = range;
  pass.args.exponent = exponent;
  if (count)
    return hd_cuda_slices(call, operand, 1, count, HD_HISTOGRAM_GRANULE, range_slice, &pass);
  const cu_pointer none = 0;
  return range_slice(&pass, 0, 0, &none);
}

/* ---- exponents ------------------------------------------------------------------------------- */

/* A sample's exponent, with which all weights are counted at once. */
static heddle_status guess_exponent(struct hd_cuda_call *call, const struct hd_histogram *job,
                                    const struct hd_cuda_histogram_arrays *a, cu_pointer tables,
                                    struct hd_cuda_count *count) {
  struct hist_args *args = &count->args;
  HD_TRY(hd_cuda_scratch(call, 4 * sizeof(u32), &args->exponent));
  args->attempt = HD_ATTEMPT_GUESS;
  args->reach = GUESS_BITS;
  while (args->reach && a->count >> (GUESS_BITS - args->reach)) args->reach--;
  if (args->reach > MOST_REACH) args->reach = MOST_REACH;
  const struct range_args sample = {.in = (cu_pointer)(uintptr_t)a->operand[1].in,
                                    .count = a->count,
                                    .words = tables + HD_RANGE_WORDS_AT,
                                    .exponent = args->exponent,
                                    .sample = 1,
                                    .finish = 1};
  HD_TRY(hd_cuda_range_some(call, job->weights_type, HD_RANGE_MAGNITUDE, &sample));
  return hd_cuda_unit_try(count, &sample);
}

static heddle_status find_exponent(struct hd_cuda_call *call, const struct hd_histogram *job,
                                   struct hd_cuda_histogram_arrays *a, cu_pointer tables,
                                   struct hd_cuda_count *count) {
  struct hist_args *args = &count->args;
  const u64 worth = hd_cuda_limits(call->cuda)->software ? SOFTWARE_GUESS_WORTH : (u64)GUESS_WORTH;
  args->exponent_given = hd_whole_exponent(job->weights_type);
  if (args->exponent_given) return HEDDLE_OK;
  if (a->count >= worth && a->operand[0].space == HD_SPACE_DEVICE &&
      a->operand[1].space == HD_SPACE_DEVICE)
    return guess_exponent(call, job, a, tables, count);
  HD_TRY(hd_cuda_scratch(call, sizeof(i32), &args->exponent));
  return hd_cuda_range_find(call, job->weights_type, HD_RANGE_MAGNITUDE, &a->operand[1], a->count,
                            tables, 0, args->exponent);
}

/* What a call leaves open of its weights. */
heddle_status hd_cuda_weights_settle(struct hd_cuda_call *call, const struct hd_histogram *job,
                                     struct hd_cuda_histogram_arrays *a,
                                     const struct hd_cuda_tables *tables,
                                     struct hd_cuda_count *count) {
  if (job->exact) {
    struct hd_cuda_window window = {.range_words = tables->memory + HD_RANGE_WORDS_AT,
                                    .whole = true};
    HD_TRY(hd_cuda_scratch(call, 4 * sizeof(u32), &window.words));
    return hd_cuda_window_find(count, &a->operand[1], a->count, &window);
  }
  if (job->weights_type == HEDDLE_TYPE_DEFAULT || job->weight_exponent != HEDDLE_FIND_EXPONENT)
    return HEDDLE_OK;
  return find_exponent(call, job, a, tables->memory, count);
}
