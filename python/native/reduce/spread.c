/* spread.c - the greatest element minus the least, of each row
 *
 * Method   Two reductions; the difference is taken in the elements' type, that of f16 in f32.
 * Limits   Without NaN, what is not finite is for Python's code: a row may have nothing else. */
#include <math.h>
#include <stdlib.h>

#include "rows.h"
#include "target.h"

#define NAME less_u8
#define ELEMENT uint8_t
#include "difference_tmpl.h"
#define NAME less_u16
#define ELEMENT uint16_t
#include "difference_tmpl.h"
#define NAME less_u32
#define ELEMENT uint32_t
#include "difference_tmpl.h"
#define NAME less_u64
#define ELEMENT uint64_t
#include "difference_tmpl.h"
#define NAME less_f32
#define ELEMENT float
#include "difference_tmpl.h"
#define NAME less_f64
#define ELEMENT double
#include "difference_tmpl.h"

static heddle_status less_f16(uint16_t *high, const uint16_t *low, size_t count) {
  heddle_status status = HEDDLE_OK;
  for (size_t i = 0; i < count && !status; i++) {
    float h = 0, l = 0;
    status = heddle_convert(HEDDLE_F16, high + i, HEDDLE_F32, &h, 1);
    if (!status) status = heddle_convert(HEDDLE_F16, low + i, HEDDLE_F32, &l, 1);
    if (!status) h -= l;
    if (!status) status = heddle_convert(HEDDLE_F32, &h, HEDDLE_F16, high + i, 1);
    if (isnan(h) && signbit(h)) high[i] |= 0x8000; /* of two infinities, as the processor has it */
  }
  return status;
}

static heddle_status subtract(const struct array *a, void *high, const void *low, size_t count) {
  if (a->type == HEDDLE_F16) return less_f16(high, low, count);
  if (a->type == HEDDLE_F32)
    less_f32(high, low, count);
  else if (a->type == HEDDLE_F64)
    less_f64(high, low, count);
  else if (a->buffer.item_bytes == 1)
    less_u8(high, low, count);
  else if (a->buffer.item_bytes == 2)
    less_u16(high, low, count);
  else if (a->buffer.item_bytes == 4)
    less_u32(high, low, count);
  else
    less_u64(high, low, count);
  return HEDDLE_OK;
}

/* Whether floats of the array's type are all finite. */
static bool are_finite(const struct array *a, const char *x, size_t count) {
  const size_t bytes = (size_t)a->buffer.item_bytes;
  double n = 0;
  for (size_t i = 0; i < count; i++)
    if (heddle_convert(a->type, x + i * bytes, HEDDLE_F64, &n, 1) != HEDDLE_OK || !isfinite(n))
      return false;
  return true;
}

static heddle_status spread(heddle_context *ctx, const struct lines *l, bool skip, void *out) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  void *low = malloc(l->results * (size_t)l->a.buffer.item_bytes);
  if (!low) return HEDDLE_OUT_OF_MEMORY;
  options.out_type = l->a.type;
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  heddle_status status = rows_reduce(ctx, HEDDLE_MIN, l, low, &options);
  if (status == HEDDLE_OK) status = rows_reduce(ctx, HEDDLE_MAX, l, out, &options);
  if (status == HEDDLE_OK) status = subtract(&l->a, out, low, l->results);
  free(low);
  const bool fine = !skip || !l->a.is_float || status || are_finite(&l->a, out, l->results);
  return fine ? status : HEDDLE_EMPTY;
}

python_object *heddle_py_ptp(python_object *object, python_object *axis, int keepdims, int skip,
                             int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  struct target t;
  if (!ctx || !target_can() || !lines_begin(&l, object, axis, keepdims, LINES_IN_ANY_ORDER))
    return array_decline();
  if (l.a.is_bool || !target_begin(&t, &l, call_type(l.a.type))) return target_none(&l);
  const heddle_type type = l.a.type;
  python_thread *thread = call_leave(&l.a, ctx);
  const heddle_status status = spread(ctx, &l, skip, t.at);
  call_come_back(thread);
  lines_end(&l);
  return target_end(&t, status, call_type(type), type);
}
