/* take.c - elements by their positions, of which negative ones count from the end
 *
 * Method   The library takes positions that are all within; only where it refuses them they are looked at, and
 *          those that are negative become others.
 * Limits   Positions outside of the array, and rows of more than one element, are for Python's code. */
#include <stdlib.h>

#include "call.h"
#include "elements.h"
#include "target.h"

/* From what the index counts; NULL: one is outside. */
static int64_t *counted_from_front(const struct array *index, size_t length) {
  int64_t *made = malloc((index->count ? index->count : 1) * sizeof *made);
  bool fine = made && length <= INT64_MAX;
  for (size_t i = 0; fine && i < index->count; i++) {
    const int64_t at = index->type == HEDDLE_I64 ? ((const int64_t *)index->buffer.data)[i]
                                                 : ((const int32_t *)index->buffer.data)[i];
    made[i] = at < 0 ? at + (int64_t)length : at;
    fine = made[i] >= 0 && made[i] < (int64_t)length;
  }
  if (fine) return made;
  free(made);
  return NULL;
}

static heddle_status gather(heddle_context *ctx, const struct array *a, const struct array *index,
                            void *out) {
  const size_t bytes = (size_t)a->buffer.item_bytes;
  const heddle_status status = heddle_gather(ctx, bytes, a->buffer.data, a->count, index->type,
                                             index->buffer.data, index->count, out);
  if (status != HEDDLE_BAD_DATA || (index->type != HEDDLE_I64 && index->type != HEDDLE_I32))
    return status;
  int64_t *positions = counted_from_front(index, a->count);
  if (!positions) return status;
  const heddle_status again =
      heddle_gather(ctx, bytes, a->buffer.data, a->count, HEDDLE_I64, positions, index->count, out);
  free(positions);
  return again;
}

/* Of one position alone the element is a number, which Python makes. */
static bool is_index(const struct array *index) {
  return !index->is_float && !index->is_bool && index->buffer.item_bytes >= 4 &&
         index->buffer.dims > 0 && index->buffer.dims <= HEDDLE_MAX_DIMS;
}

static python_object *taken(heddle_context *ctx, const struct array *a, const struct array *index) {
  const size_t dims = (size_t)index->buffer.dims;
  size_t shape[HEDDLE_MAX_DIMS];
  struct array out;
  if (!is_index(index)) return array_decline();
  for (size_t d = 0; d < dims; d++) shape[d] = (size_t)index->buffer.shape[d];
  python_object *made =
      target_array(&out, dims, shape, a->is_bool ? call_bool() : call_type(a->type));
  if (!made) return array_decline();
  python_thread *thread = call_leave(index, ctx);
  const heddle_status status = gather(ctx, a, index, out.buffer.data);
  call_come_back(thread);
  array_end(&out);
  if (status == HEDDLE_OK) return made;
  python.drop(made);
  return call_failed(status);
}

/* Whether an axis of an array of so many dimensions means all of it. */
static bool is_all(python_object *axis, int dims) {
  if (python_is_none(axis)) return true;
  if (dims != 1 || !python_is_int(axis)) return false;
  const long along = python.as_long(axis);
  if (along == -1 && python.has_error()) {
    python.clear_error();
    return false;
  }
  return along == 0 || along == -1;
}

python_object *heddle_py_take(python_object *object, python_object *indices, python_object *axis,
                              int threads) {
  heddle_context *ctx = call_context(threads);
  struct array a, index;
  if (!ctx || !target_can() || !array_begin(&a, object, 0)) return array_decline();
  python_object *result = NULL;
  bool done = false; /* then NULL is an exception */
  if (a.by_fields && is_all(axis, a.buffer.dims) && array_begin(&index, indices, 0)) {
    done = index.by_fields;
    if (done) result = taken(ctx, &a, &index);
    array_end(&index);
  }
  array_end(&a);
  return done ? result : array_decline();
}
