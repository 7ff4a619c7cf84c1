/* count.c - bincount of not too many integers
 *
 * Method   Up to MOST_COUNT integers (MOST_BYTES of one byte) below MOST_BINS are counted here, by
 *          two plain loops: setting up a histogram and merging its threads' tables takes longer
 *          than that. Weights are the library's to add. Everything else, and whatever is wrong, is
 *          declined */
#include <stdint.h>
#include <string.h>

#include "call.h"
#include "sums.h"
#include "target.h"

enum { MOST_COUNT = 1 << 18, MOST_BYTES = 1 << 15, MOST_BINS = 1 << 20, FREE_BYTES = 16 * 1024 };

#define T uint8_t
#define MOST most_8
#define COUNT count_8
#include "count_tmpl.h"

#define T uint16_t
#define MOST most_16
#define COUNT count_16
#include "count_tmpl.h"

#define T uint32_t
#define MOST most_32
#define COUNT count_32
#include "count_tmpl.h"

#define T uint64_t
#define MOST most_64
#define COUNT count_64
#include "count_tmpl.h"

/* Integers in one dimension, aligned. */
static bool is_countable(const struct array *x) {
  const ptrdiff_t bytes = x->buffer.item_bytes;
  return x->buffer.dims == 1 && !x->is_float &&
         x->count <= (bytes == 1 ? MOST_BYTES : MOST_COUNT) &&
         (uintptr_t)x->buffer.data % (uintptr_t)bytes == 0;
}

/* The greatest element. A negative one, read as unsigned, is too large, or made so. */
static uint64_t most_of(const struct array *x) {
  const void *data = x->buffer.data;
  uint64_t most;
  switch (x->buffer.item_bytes) {
  case 1:
    most = most_8(data, x->count);
    if (most > 1 && x->is_bool) return MOST_BINS; /* True is 1 */
    return most > INT8_MAX && x->type == HEDDLE_I8 ? MOST_BINS : most;
  case 2:
    most = most_16(data, x->count);
    return most > INT16_MAX && x->type == HEDDLE_I16 ? MOST_BINS : most;
  case 4: return most_32(data, x->count);
  default: return most_64(data, x->count);
  }
}

static void count_into(const struct array *x, int64_t *counts, size_t bins) {
  const void *data = x->buffer.data;
  if (bins) memset(counts, 0, bins * sizeof *counts);
  switch (x->buffer.item_bytes) {
  case 1: count_8(data, x->count, counts, bins); return;
  case 2: count_16(data, x->count, counts, bins); return;
  case 4: count_32(data, x->count, counts, bins); return;
  default: count_64(data, x->count, counts, bins); return;
  }
}

/* Sums of weights in `used` of the bins; the others are 0. */
static heddle_status weigh_into(heddle_context *ctx, const struct array *x, const struct array *w,
                                double *sums, size_t used, size_t bins) {
  heddle_bins integers = HEDDLE_BINS_INIT;
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  integers.kind = HEDDLE_BINS_INTEGER;
  integers.count = used;
  double few[SUMS_FEW];
  const struct sums_weights weights = sums_weights(w, few);
  options.weights = weights.data;
  options.weights_type = weights.type;
  options.sums = sums;
  memset(sums + used, 0, (bins - used) * sizeof *sums);
  return heddle_histogram(ctx, x->type, x->buffer.data, x->count, &integers, NULL, NULL, &options);
}

/* Without the interpreter's lock, where it is worth it. */
static python_thread *leave(const struct array *x) {
  return x->buffer.bytes < FREE_BYTES ? NULL : python.save_thread();
}

static python_object *bincount(heddle_context *ctx, const struct array *x, const struct array *w,
                               size_t least) {
  struct array out;
  python_thread *thread = leave(x);
  const uint64_t most = most_of(x);
  call_come_back(thread);
  if (most >= MOST_BINS) return array_decline();
  const size_t used = x->count ? (size_t)most + 1 : 0, bins = used > least ? used : least;
  python_object *made = target_line(&out, x, bins, call_dtype(w ? HEDDLE_F64 : HEDDLE_I64));
  if (!made) return array_decline();
  heddle_status status = HEDDLE_OK;
  thread = w ? call_leave(x, ctx) : leave(x);
  if (w)
    status = weigh_into(ctx, x, w, out.buffer.data, used, bins);
  else
    count_into(x, out.buffer.data, bins);
  call_come_back(thread);
  array_end(&out);
  if (status == HEDDLE_OK) return made;
  python.drop(made);
  return call_failed(status);
}

static python_object *weighted(heddle_context *ctx, const struct array *x, python_object *weights,
                               size_t least) {
  struct array w;
  if (!x->count || !array_begin(&w, weights, 0)) return array_decline();
  const bool fit = w.buffer.dims == 1 && w.count == x->count && !w.is_bool && !array_nulls(x) &&
                   !array_nulls(&w);
  python_object *result = fit ? bincount(ctx, x, &w, least) : array_decline();
  array_end(&w);
  return result;
}

python_object *heddle_py_bincount(python_object *object, python_object *weights, size_t least,
                                  int threads) {
  const bool is_weighted = !python_is_none(weights);
  heddle_context *ctx = is_weighted ? call_context(threads) : NULL; /* else nothing asks for it */
  struct array x;
  python_object *result;
  if ((is_weighted && !ctx) || !array_begin(&x, object, 0)) return array_decline();
  if (!is_countable(&x) || least > MOST_BINS)
    result = array_decline();
  else if (!is_weighted)
    result = bincount(ctx, &x, NULL, least);
  else
    result = weighted(ctx, &x, weights, least);
  array_end(&x);
  return result;
}
