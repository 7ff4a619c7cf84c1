/* first.c - the first elements of the sorted array: topk; partition and argpartition of one line
 *
 * Method   topk is a partial sort. So are positions that part a line up to an eighth of it, and elements of a short
 *          line: theirs come first, then, between them, all others as they are. Beyond, positions are those of a
 *          sort. Elements are parted around the one of the place's rank (around.c). All as heddle/_rank has it. */
#include <stdlib.h>
#include <string.h>

#include "around.h"
#include "call.h"
#include "elements.h"
#include "lines.h"
#include "target.h"

enum {
  PART = 8,
  NEAR = 4096, /* elements that need no memory */
  FEW = 16     /* neighbours that are moved sooner than memcpy begins to */
};

/* ---- topk ------------------------------------------------------------------------------------------ */

static heddle_status partial_sort(heddle_context *ctx, const struct lines *l, size_t k, int largest,
                                  void *values, void *index) {
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  options.descending = options.nan_first = largest;
  if (lines_are_one(l))
    return heddle_partial_sort(ctx, l->a.type, l->data, l->a.count, k, values, HEDDLE_U64, index,
                               &options);
  return heddle_partial_sort_rows(ctx, l->a.type, l->data, &l->rows, k, values, HEDDLE_U64, index,
                                  &options);
}

/* Two results of a call as a tuple, or what the first one gives where there are none. */
static python_object *end_both(struct target *values, python_object *dtype, heddle_type type,
                               struct target *index, heddle_status status) {
  python_object *first = target_end(values, status, dtype, type);
  if (status != HEDDLE_OK) {
    array_end(&index->array);
    python.drop(index->object);
    return first;
  }
  python_object *second = target_end(index, status, call_index(), HEDDLE_U64);
  python_object *both = python.new_tuple(2);
  if (both && python.put_in_tuple(both, 0, first) == 0 && python.put_in_tuple(both, 1, second) == 0)
    return both;
  if (both) python.drop(both);
  return NULL;
}

python_object *heddle_py_topk(python_object *object, int k, int largest, python_object *axis,
                              int threads) {
  heddle_context *ctx = call_context(threads);
  struct lines l;
  struct target values, index;
  if (!ctx || !target_can() || !lines_begin_whole(&l, object, axis)) return array_decline();
  const size_t last = l.rows.dims - 1;
  if (l.reversed || l.rows.axis != last || k < 1 || (size_t)k > l.shape[last] ||
      l.a.type == HEDDLE_BF16)
    return target_none(&l);
  python_object *dtype = l.a.is_bool ? call_bool() : call_type(l.a.type);
  l.result_shape[last] = (size_t)k;
  if (!target_begin(&values, &l, dtype)) return target_none(&l);
  if (!target_begin(&index, &l, call_index())) {
    array_end(&values.array);
    python.drop(values.object);
    return target_none(&l);
  }
  python_thread *thread = call_leave(&l.a, ctx);
  heddle_status status = lines_numbers(ctx, &l);
  if (status == HEDDLE_OK) status = partial_sort(ctx, &l, (size_t)k, largest, values.at, index.at);
  call_come_back(thread);
  const heddle_type type = l.a.type;
  lines_end(&l);
  return end_both(&values, dtype, type, &index, status);
}

/* ---- partitions ------------------------------------------------------------------------------------ */

static bool is_first_axis(python_object *axis) {
  if (!python_is_int(axis)) return false;
  const long found = python.as_long(axis);
  if (found == -1 && python.has_error()) {
    python.clear_error();
    return false;
  }
  return found == 0 || found == -1;
}

/* The first elements by their positions, which come back in `index`. */
static void gather(const struct array *a, const uint64_t *index, size_t count, char *out) {
  const size_t bytes = (size_t)a->buffer.item_bytes;
  const char *in = a->buffer.data;
  for (size_t i = 0; i < count; i++) memcpy(out + i * bytes, in + index[i] * bytes, bytes);
}

/* Elements first .. end, or their positions, go to `to`. */
static void put_gap(const struct array *a, size_t first, size_t end, bool positions, char *to) {
  const size_t bytes = (size_t)a->buffer.item_bytes, n = end - first;
  const char *from = (const char *)a->buffer.data + first * bytes;
  if (positions)
    for (size_t i = 0; i < n; i++) ((uint64_t *)(void *)to)[i] = first + i;
  else if (n > FEW)
    memcpy(to, from, n * bytes);
  else if (bytes == sizeof(uint64_t))
    for (size_t i = 0; i < n; i++) memcpy(to + i * 8, from + i * 8, 8);
  else if (bytes == sizeof(uint32_t))
    for (size_t i = 0; i < n; i++) memcpy(to + i * 4, from + i * 4, 4);
  else
    memcpy(to, from, n * bytes);
}

/* All but the elements whose bits are set, in their order. */
static void put_others(const struct array *a, const uint64_t *bits, bool positions, char *out) {
  const size_t bytes = positions ? sizeof(uint64_t) : (size_t)a->buffer.item_bytes;
  size_t from = 0;
  for (size_t word = 0; word * 64 < a->count; word++)
    for (uint64_t mask = bits[word]; mask; mask &= mask - 1) {
      const size_t at = word * 64 + (size_t)__builtin_ctzll(mask);
      put_gap(a, from, at, positions, out);
      out += (at - from) * bytes;
      from = at + 1;
    }
  put_gap(a, from, a->count, positions, out);
}

/* The first `least` in order, then the others; bits: one an element, none is set. */
static heddle_status part(heddle_context *ctx, const struct array *a, size_t least, bool positions,
                          char *out, uint64_t *index, uint64_t *bits) {
  const heddle_status status = heddle_partial_sort(ctx, a->type, a->buffer.data, a->count, least,
                                                   NULL, HEDDLE_U64, index, NULL);
  if (status != HEDDLE_OK) return status;
  for (size_t i = 0; i < least; i++) bits[index[i] / 64] |= (uint64_t)1 << index[i] % 64;
  if (positions)
    memcpy(out, index, least * sizeof *index);
  else
    gather(a, index, least, out);
  put_others(a, bits, positions,
             out + least * (positions ? sizeof *index : (size_t)a->buffer.item_bytes));
  return HEDDLE_OK;
}

static heddle_status partition(heddle_context *ctx, const struct array *a, size_t least,
                               bool positions, void *out) {
  const size_t words = a->count / 64 + 1;
  uint64_t room[NEAR / PART + NEAR / 64 + 1], *index = room;
  if (!positions && (least > a->count / PART || a->count >= HEDDLE_PY_AROUND_LEAST))
    return heddle_py_around(ctx, a, least - 1, out);
  if (least > a->count / PART)
    return heddle_argsort(ctx, a->type, a->buffer.data, a->count, HEDDLE_U64, out, NULL);
  if (a->count > NEAR) index = malloc((least + words) * sizeof *index);
  if (!index) return HEDDLE_OUT_OF_MEMORY;
  memset(index + least, 0, words * sizeof *index);
  const heddle_status status = part(ctx, a, least, positions, out, index, index + least);
  if (index != room) free(index);
  return status;
}

static python_object *parted(python_object *object, int kth, python_object *axis, int threads,
                             bool positions) {
  heddle_context *ctx = call_context(threads);
  struct array a, out;
  if (!ctx || !target_can() || !is_first_axis(axis) || !array_begin_line(&a, object))
    return array_decline();
  const ptrdiff_t place = kth < 0 ? kth + (ptrdiff_t)a.count : kth;
  const bool within = place >= 0 && (size_t)place < a.count;
  python_object *dtype = positions ? call_index() : a.is_bool ? call_bool() : call_type(a.type);
  python_object *made = within ? target_line(&out, NULL, a.count, dtype) : NULL;
  if (!made) {
    array_end(&a);
    return array_decline();
  }
  python_thread *thread = call_leave(&a, ctx);
  heddle_status status = call_numbers(ctx, &a);
  if (status == HEDDLE_OK)
    status = partition(ctx, &a, (size_t)place + 1, positions, out.buffer.data);
  call_come_back(thread);
  array_end(&out);
  array_end(&a);
  if (status == HEDDLE_OK) return made;
  python.drop(made);
  return call_failed(status);
}

python_object *heddle_py_partition(python_object *a, int kth, python_object *axis, int threads) {
  return parted(a, kth, axis, threads, false);
}
python_object *heddle_py_argpartition(python_object *a, int kth, python_object *axis, int threads) {
  return parted(a, kth, axis, threads, true);
}
