/* finish.c - operators in CUDA C, each combined once a row, with what the call knows on the left
 *
 * Method   An operator's result is of its operands' type: a value lies in its first bytes, or in a field, as f32
 *          if that is its type, else as f64. NaN are the canonical ones of
 *          docs/order.md, rule 12. The texts are short, since each call looks its kernel up by them. */
#include "finish.h"

/* Bits of a NaN that no total has: there is none. */
static const uint64_t no_total = 0x7ff8000000000001;

/* A whole number in f64, which becomes one of 64 bits; in front of it another NaN that no total has. */
static const uint64_t any_count = 0x7ff8000000000002;
static const char whole_text[] =
    "struct heddle_element{unsigned long long bits;};"
    "__device__ heddle_element heddle_combine(heddle_element a,heddle_element b){"
    "union{unsigned long long bits;double f64;}v;"
    "if(a.bits==0x7ff8000000000001)return b;"
    "if(b.bits==0x7ff8000000000001)return a;"
    "v.bits=b.bits;"
    "b.bits=(unsigned long long)(long long)v.f64;"
    "return b;}";

/* A description; in front of it, as one of size 2, what a call asks for: count: a finish_what, nan: 1 for f32.
 * The value goes where the least element was. */
enum { ASKED = 2 };
static const char figure_text[] =
    "struct heddle_element{unsigned long long size,count,nan,infinite;"
    "double min,max,sum,mean,variance,skewness;};"
    "__device__ heddle_element heddle_combine(heddle_element a,heddle_element b){"
    "union{unsigned long long bits;double f64;float f32;}v;"
    "if(!a.size)return b;"
    "if(!b.size)return a;"
    "const double n=(double)(b.count-b.nan),q=b.sum/n;"
    "const double mean=b.infinite?b.min+b.max:b.mean;"
    "double x=mean;"
    "if(a.count==1&&(q-q==0||!(b.infinite||mean-mean==0)))x=q;"
    "v.bits=a.nan?0x7fc00000:0x7ff8000000000000;"
    "if(x==x){if(a.nan)v.f32=(float)x;else v.f64=x;}"
    "b.min=v.f64;"
    "return b;}";
_Static_assert(FINISH_QUOTIENT == 1 && FINISH_MEAN == 2, "numbers of the text");
_Static_assert(sizeof(heddle_description) == FINISH_DESCRIPTION / 2 * sizeof(double), "ten fields");

/* Results in rows of one: element i is at in + i * step elements of the type. */
static heddle_status each(heddle_context *ctx, heddle_op op, heddle_type type, const void *in,
                          size_t results, ptrdiff_t step, void *out,
                          const heddle_options *options) {
  const size_t shape[] = {results, 1};
  const ptrdiff_t strides[] = {step, 1};
  heddle_rows rows = HEDDLE_ROWS_INIT;
  if (results == 1) return heddle_reduce(ctx, op, type, in, 1, out, options);
  rows.dims = 2, rows.axis = 1, rows.shape = shape, rows.strides = strides;
  return heddle_reduce_rows(ctx, op, type, in, &rows, out, options);
}

static heddle_status combine(heddle_context *ctx, const char *text, size_t bytes,
                             const void *identity, const void *asked, const void *in,
                             size_t results, void *out) {
  heddle_custom custom = HEDDLE_CUSTOM_INIT;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  custom.element_bytes = bytes, custom.identity = identity, custom.cuda_source = text;
  options.custom = &custom, options.init = asked;
  return each(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, in, results, 1, out, &options);
}

heddle_status finish_round(heddle_context *ctx, const double *in, size_t results, ptrdiff_t step,
                           heddle_type type, void *out) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.out_type = type;
  return each(ctx, HEDDLE_SUM, HEDDLE_F64, in, results, step, out, &options);
}

heddle_status finish_whole(heddle_context *ctx, double *work, size_t results, heddle_type type,
                           void *out) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  const heddle_status status = combine(ctx, whole_text, sizeof no_total, &no_total, &any_count,
                                       work, results, work + results);
  if (status) return status;
  options.out_type = type;
  return each(ctx, HEDDLE_SUM, HEDDLE_I64, work + results, results, 1, out, &options);
}

heddle_status finish_descriptions(heddle_context *ctx, double *work, size_t results,
                                  enum finish_what what, heddle_type type, void *out) {
  static const heddle_description none; /* of size 0 */
  const heddle_description asked = {
      .size = ASKED, .count = what, .nan = !out && type == HEDDLE_F32};
  double *to = work + FINISH_DESCRIPTION / 2 * results;
  const heddle_status status =
      combine(ctx, figure_text, sizeof asked, &none, &asked, work, results, to);
  if (status || !out) return status;
  return finish_round(ctx, to + 4, results, FINISH_DESCRIPTION / 2, type, out);
}
