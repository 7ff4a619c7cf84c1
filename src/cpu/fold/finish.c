/* finish.c - from a total to the result that was asked for, by order/result.h
 *
 * init enters as op(init, result) in the accumulator (rule 7); NaN leaves canonical (rule 12); the
 * one rounding is the last step. */
#include <string.h>

#include "fold.h"
#include "host/status.h"
#include "order/moments.h"
#include "order/result.h"

size_t hd_cpu_fold_out_bytes(const struct hd_fold *fold) {
  return fold->op == HEDDLE_OP_CUSTOM ? fold->custom->element_bytes
                                      : heddle_type_size(fold->out_type);
}

static __attribute__((cold)) heddle_status empty(const struct hd_fold *fold, u64 count) {
  char text[HD_NO_RESULT_BYTES];
  return hd_fail(HEDDLE_EMPTY, "%s",
                 hd_no_result(text, fold->entry, fold->verb == HD_ARGREDUCE, fold->op,
                              count ? "nothing but NaN" : "no values", ""));
}

static heddle_status arg_result(const struct hd_fold *fold, const void *total, u64 count,
                                bool is_row, struct hd_fold_out out) {
  struct hd_arg_total arg;
  memcpy(&arg, total, sizeof arg);
  if (arg.index == HD_U64_MAX && !is_row) return empty(fold, count);
  if (out.index) memcpy(out.index, &arg.index, sizeof arg.index);
  if (out.value && arg.index != HD_U64_MAX)
    memcpy(out.value, &arg.bits, heddle_type_size(fold->type));
  return HEDDLE_OK;
}

void hd_cpu_fold_places(const struct hd_fold *fold, const void *totals, size_t n,
                        struct hd_fold_out out) {
  const struct hd_arg_total *arg = totals;
  const size_t size = heddle_type_size(fold->type);
  for (size_t i = 0; out.index && i < n; i++) out.index[i] = arg[i].index;
  for (size_t i = 0; out.value && i < n; i++)
    if (arg[i].index != HD_U64_MAX) memcpy((char *)out.value + i * size, &arg[i].bits, size);
}

/* The mean or the variance alone. */
static f64 figure_result(const struct hd_fold *fold, const void *total) {
  struct hd_moments m;
  memcpy(&m, total, sizeof m);
  if (hd_moments_lost(&m, fold->nan == HEDDLE_NAN_SKIP)) return hd_f64_of_bits(HD_NAN_F64);
  return hd_canonical_f64(fold->figures == HEDDLE_FIGURES_VARIANCE ? m.m2 / m.n : m.mean);
}

static void description_result(const struct hd_fold *fold, const void *total, u64 count,
                               heddle_description *out) {
  struct hd_moments m;
  memcpy(&m, total, sizeof m);
  const bool skip = fold->nan == HEDDLE_NAN_SKIP, lost = hd_moments_lost(&m, skip);
  if (fold->figures == HEDDLE_FIGURES_ALL) {
    hd_moments_describe(&m, count, skip, out);
    return;
  }
  const f64 nan = hd_f64_of_bits(HD_NAN_F64);
  *out = (heddle_description){sizeof *out, count, m.nan, m.infinite, nan, nan, nan, nan, nan, nan};
  if (lost) return;
  out->mean = hd_canonical_f64(m.mean);
  if (fold->figures == HEDDLE_FIGURES_VARIANCE) out->variance = hd_canonical_f64(m.m2 / m.n);
}

/* The result of a total that is a number, or a custom operator's. */
static heddle_status number_result(const struct hd_fold *fold, u32 kind, u32 bytes,
                                   const void *total, u64 count, bool is_row, void *out) {
  const struct hd_total_form form = {kind, fold->op, fold->type};
  const bool nothing = !count && !fold->init;
  if (kind == HD_TOTAL_CUSTOM) {
    memcpy(out, total, bytes);
    return HEDDLE_OK;
  }
  return hd_total_value(&form, total, nothing, is_row, fold->out_type, out) ? HEDDLE_OK
                                                                            : empty(fold, count);
}

/* That of op(init, *total). Apart for its memory, which a result without init does not pay for. */
static __attribute__((noinline)) heddle_status
result_with_init(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                 const void *total, u64 count, bool is_row, void *out) {
  const struct hd_total_form form = {kernel->kind, fold->op, fold->type};
  _Alignas(64) unsigned char first[HD_MAX_CUSTOM_BYTES];
  if (form.kind == HD_TOTAL_CUSTOM)
    memcpy(first, fold->init, kernel->merge.bytes);
  else
    hd_total_of_init(&form, fold->out_type, fold->init, first);
  heddle_status status = kernel->merge.combine(first, total, fold->custom);
  if (status) return status;
  return number_result(fold, kernel->kind, kernel->merge.bytes, first, count, is_row, out);
}

heddle_status hd_cpu_fold_result(const struct hd_fold *fold,
                                 const struct hd_cpu_fold_kernel *kernel, const void *total,
                                 u64 count, bool is_row, struct hd_fold_out out) {
  if (kernel->kind == HD_TOTAL_ARG) return arg_result(fold, total, count, is_row, out);
  if (kernel->kind == HD_TOTAL_MOMENTS && out.value) {
    const f64 figure = figure_result(fold, total);
    memcpy(out.value, &figure, sizeof figure);
    return HEDDLE_OK;
  }
  if (kernel->kind == HD_TOTAL_MOMENTS) {
    description_result(fold, total, count, out.description);
    return HEDDLE_OK;
  }
  if (fold->init) return result_with_init(fold, kernel, total, count, is_row, out.value);
  return number_result(fold, kernel->kind, kernel->merge.bytes, total, count, is_row, out.value);
}
