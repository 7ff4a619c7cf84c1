/* unique.c - the values of an array, each once: found in memory of the array's size, then copied
 *
 * Limits   Of arrays beyond MOST bytes, and their inverse of several dimensions, by Python's code. */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "elements.h"
#include "target.h"

enum { MOST = 1 << 20, RESULTS = 4, VALUES = 0, FIRST = 1, INVERSE = 2, COUNTS = 3 };

struct found {
  void *values;
  uint64_t *more[RESULTS]; /* by the names above; NULL: not asked for */
  uint64_t count;
};

/* A new array of one of the results. */
static python_object *copied(const void *from, size_t count, python_object *dtype) {
  struct array out;
  python_object *made = target_line(&out, NULL, count, dtype);
  if (!made) return NULL;
  memcpy(out.buffer.data, from, count * (size_t)out.buffer.item_bytes);
  array_end(&out);
  return made;
}

/* The values, or a tuple. NULL: an exception may be set. */
static python_object *results(const struct array *a, const struct found *f) {
  python_object *made[RESULTS] = {NULL}, *all = NULL;
  ptrdiff_t count = 0;
  bool fine = true;
  made[count++] =
      copied(f->values, (size_t)f->count, a->is_bool ? call_bool() : call_type(a->type));
  fine = made[0] != NULL;
  for (int i = FIRST; i < RESULTS && fine; i++) {
    if (!f->more[i]) continue;
    made[count] = copied(f->more[i], i == INVERSE ? a->count : (size_t)f->count, call_index());
    fine = made[count++] != NULL;
  }
  if (fine && count == 1) return made[0];
  if (fine) all = python.new_tuple(count);
  for (ptrdiff_t i = 0; i < count; i++) {
    if (all)
      (void)python.put_in_tuple(all, i, made[i]);
    else if (made[i])
      python.drop(made[i]);
  }
  return all;
}

static python_object *unique(heddle_context *ctx, const struct array *a, const bool *asked) {
  struct found f = {.count = 0};
  char *memory = malloc(RESULTS * a->count * sizeof(uint64_t)), *at = memory;
  if (!memory) return array_decline();
  for (int i = 0; i < RESULTS; i++, at += a->count * sizeof(uint64_t))
    if (i == VALUES)
      f.values = at;
    else if (asked[i])
      f.more[i] = (uint64_t *)(void *)at;
  python_thread *thread = call_leave(a, ctx);
  heddle_status status = call_numbers(ctx, a);
  if (status == HEDDLE_OK)
    status = heddle_unique(ctx, a->type, a->buffer.data, a->count, f.values, f.more[COUNTS],
                           f.more[FIRST], HEDDLE_U64, f.more[INVERSE], &f.count);
  call_come_back(thread);
  python_object *made = status == HEDDLE_OK ? results(a, &f) : call_failed(status);
  free(memory);
  return made;
}

python_object *heddle_py_unique(python_object *object, int first, int inverse, int counts,
                                int threads) {
  heddle_context *ctx = call_context(threads);
  const bool asked[RESULTS] = {true, first, inverse, counts};
  struct array a;
  if (!ctx || !target_can() || !array_begin(&a, object, 0)) return array_decline();
  python_object *result = NULL;
  if (a.by_fields && a.count && a.buffer.bytes <= MOST && (!inverse || a.buffer.dims == 1))
    result = unique(ctx, &a, asked);
  else
    result = array_decline();
  array_end(&a);
  return result;
}
