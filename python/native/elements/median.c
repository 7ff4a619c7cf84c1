/* median.c - medians along an axis of an array, or of all of it
 *
 * Method   The library finds the middle elements, and of floats the last one, which is NaN where any is. Their
 *          mean is NumPy's: in the elements' own type, of integers in f64. */
#include <math.h>
#include <stdlib.h>

#include "call.h"
#include "elements.h"
#include "lines.h"
#include "target.h"

enum { RANKS = 3, FEW = 16 };

static void means_f32(const float *found, size_t rows, bool odd, float *out) {
  for (size_t r = 0; r < rows; r++, found += RANKS) {
    /* NumPy's sums begin with 0, so that no -0 is left. */
    const float total = odd ? found[0] + 0.0F : found[0] + found[1] + 0.0F;
    out[r] = isnan(found[2]) ? NAN : odd ? total : total / 2;
  }
}

static void means_f64(const double *found, size_t rows, bool odd, double *out) {
  for (size_t r = 0; r < rows; r++, found += RANKS) {
    const double total = odd ? found[0] + 0.0 : found[0] + found[1] + 0.0;
    out[r] = isnan(found[2]) ? (double)NAN : odd ? total : total / 2;
  }
}

/* The means of what has been found; of integers they are converted first. */
static heddle_status means(const struct lines *l, void *found, void *out) {
  const bool odd = l->length % 2;
  double few[FEW * RANKS], *wide = few;
  heddle_status status = HEDDLE_OK;
  if (l->a.type == HEDDLE_F32) {
    means_f32(found, l->results, odd, out);
  } else if (l->a.type == HEDDLE_F64) {
    means_f64(found, l->results, odd, out);
  } else {
    if (l->results > FEW) wide = malloc(l->results * RANKS * sizeof *wide);
    if (!wide) return HEDDLE_OUT_OF_MEMORY;
    status = heddle_convert(l->a.type, found, HEDDLE_F64, wide, l->results * RANKS);
    if (status == HEDDLE_OK) means_f64(wide, l->results, odd, out);
    if (wide != few) free(wide);
  }
  return status;
}

static heddle_status medians(heddle_context *ctx, const struct lines *l, void *out) {
  const size_t n = l->length;
  const uint64_t ranks[RANKS] = {(n - 1) / 2, n / 2, l->a.is_float ? n - 1 : n / 2};
  uint64_t few[FEW * RANKS];
  void *found = few;
  heddle_status status;
  if (l->results > FEW) found = malloc(l->results * RANKS * sizeof(uint64_t));
  if (!found) return HEDDLE_OUT_OF_MEMORY;
  if (lines_are_one(l))
    status = heddle_nth(ctx, l->a.type, l->data, n, ranks, RANKS, found, NULL);
  else
    status = heddle_nth_rows(ctx, l->a.type, l->data, &l->rows, ranks, RANKS, found, NULL);
  if (status == HEDDLE_OK) status = means(l, found, out);
  if (found != few) free(found);
  return status;
}

python_object *heddle_py_median(python_object *object, python_object *axis, int keepdims,
                                int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  struct target t;
  if (!ctx || !target_can() || python_is_tuple(axis) ||
      !lines_begin(&l, object, axis, keepdims, LINES_IN_ORDER))
    return array_decline();
  const heddle_type type = l.a.is_float ? l.a.type : HEDDLE_F64;
  if (l.in_pieces || l.in_parts || type == HEDDLE_F16 || type == HEDDLE_BF16)
    return target_none(&l);
  if (!target_begin(&t, &l, call_type(type))) return target_none(&l);
  python_thread *thread = call_leave(&l.a, ctx);
  heddle_status status = lines_numbers(ctx, &l);
  if (status == HEDDLE_OK) status = lines_ready(&l);
  if (status == HEDDLE_OK) status = medians(ctx, &l, t.at);
  call_come_back(thread);
  lines_end(&l);
  return target_end(&t, status, call_type(type), type);
}
