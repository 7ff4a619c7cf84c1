/* select.c - elements by a condition, and where they are
 *
 * Method   Few are found in memory of the array's size, then copied into an array of their own. On one thread those
 *          of many are counted first, then found in parts of which all elements would fit where they go, or by
 *          way of memory that holds them: nothing is written behind the result, even if somebody writes to the
 *          condition meanwhile.
 * Limits   What several threads find beyond MOST bytes is for Python's code, which makes a large array smaller
 *          where it is. */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "elements.h"
#include "target.h"

enum {
  MOST = 1 << 21, /* bytes of a room */
  FEW = 256,
  BLOCK = 1 << 12 /* elements, whose positions stay in a near cache */
};

/* An array of NumPy's in C order, which tensors and columns are not. */
static bool begin(struct array *a, python_object *object) {
  if (!array_begin(a, object, 0)) return false;
  if (a->by_fields) return true;
  array_end(a);
  return false;
}

static struct heddle_where where_of(const struct array *condition) {
  struct heddle_where where = HEDDLE_WHERE_INIT;
  where.type = condition->type;
  where.of = condition->buffer.data;
  return where;
}

/* What a condition finds: elements of x, or without x positions; *found of them, at `room`. */
static heddle_status find(heddle_context *ctx, const struct array *condition, const struct array *x,
                          void *room, uint64_t *found) {
  const struct heddle_where where = where_of(condition);
  if (!x) return heddle_positions(ctx, &where, condition->count, HEDDLE_U64, room, found);
  return heddle_select(ctx, &where, (size_t)x->buffer.item_bytes, x->buffer.data, condition->count,
                       room, found);
}

/* By way of memory of the size of all elements. */
static python_object *selected_by_room(heddle_context *ctx, const struct array *condition,
                                       const struct array *x, size_t bytes, python_object *dtype) {
  uint64_t few[FEW], found = 0;
  void *room = few;
  struct array out;
  if (condition->count > MOST / bytes) return array_decline();
  if (condition->count > FEW) room = malloc(condition->count * bytes);
  if (!room) return array_decline();
  python_thread *thread = call_leave(x ? x : condition, ctx);
  const heddle_status status = find(ctx, condition, x, room, &found);
  call_come_back(thread);
  python_object *made = NULL;
  if (status == HEDDLE_OK) made = target_line(&out, NULL, (size_t)found, dtype);
  if (made) {
    memcpy(out.buffer.data, room, (size_t)found * bytes);
    array_end(&out);
  }
  if (room != few) free(room);
  if (status != HEDDLE_OK) return call_failed(status);
  return made ? made : array_decline();
}

/* Positions of a block as those of the array. */
static void put_positions(const uint64_t *from, size_t count, size_t first, uint64_t *to) {
  for (size_t i = 0; i < count; i++) to[i] = from[i] + first;
}

/* What is found among elements first .. first + n, n <= BLOCK: *found of them, at most `most`, to `to`. */
static heddle_status find_block(heddle_context *ctx, const struct array *condition,
                                const struct array *x, size_t first, size_t n, size_t most,
                                char *to, uint64_t *found) {
  const size_t bytes = x ? (size_t)x->buffer.item_bytes : sizeof(uint64_t);
  const bool at_once = x && most >= n;
  uint64_t room[BLOCK];
  struct array part = *condition, of = x ? *x : *condition;
  part.buffer.data = (char *)condition->buffer.data + first * (size_t)condition->buffer.item_bytes;
  part.count = n;
  if (x) of.buffer.data = (char *)x->buffer.data + first * bytes;
  const heddle_status status = find(ctx, &part, x ? &of : NULL, at_once ? (void *)to : room, found);
  if (status != HEDDLE_OK) return status;
  if (*found > most) *found = most;
  const size_t count = (size_t)*found;
  if (!x)
    put_positions(room, count, first, (uint64_t *)(void *)to);
  else if (!at_once)
    memcpy(to, room, count * bytes);
  return status;
}

/* Into an array of `all` elements, as many as there are. So many of the condition's can be found at once, whatever they
 * are, and have positions of the array. */
static heddle_status find_blocks(heddle_context *ctx, const struct array *condition,
                                 const struct array *x, char *out, size_t all) {
  const size_t bytes = x ? (size_t)x->buffer.item_bytes : sizeof(uint64_t);
  struct array front = *condition;
  uint64_t found = 0;
  front.count = all;
  if (all) {
    const heddle_status status = find(ctx, &front, x, out, &found);
    if (status != HEDDLE_OK) return status;
  }
  size_t held = (size_t)found;
  for (size_t i = all, n; i < condition->count && held < all; i += n) {
    n = condition->count - i < BLOCK ? condition->count - i : BLOCK;
    const heddle_status status =
        find_block(ctx, condition, x, i, n, all - held, out + held * bytes, &found);
    if (status != HEDDLE_OK) return status;
    held += (size_t)found;
  }
  memset(out + held * bytes, 0, (all - held) * bytes); /* none, unless the condition has changed */
  return HEDDLE_OK;
}

static python_object *selected_by_blocks(heddle_context *ctx, const struct array *condition,
                                         const struct array *x, python_object *dtype) {
  const struct heddle_where where = where_of(condition);
  uint64_t found = 0;
  struct array out;
  python_thread *thread = call_leave(x ? x : condition, ctx);
  heddle_status status = heddle_positions(ctx, &where, condition->count, HEDDLE_U64, NULL, &found);
  call_come_back(thread);
  if (status != HEDDLE_OK) return call_failed(status);
  python_object *made = target_line(&out, NULL, (size_t)found, dtype);
  if (!made) return array_decline();
  thread = call_leave(x ? x : condition, ctx);
  status = find_blocks(ctx, condition, x, out.buffer.data, (size_t)found);
  call_come_back(thread);
  array_end(&out);
  if (status == HEDDLE_OK) return made;
  python.drop(made);
  return call_failed(status);
}

static python_object *selected(heddle_context *ctx, const struct array *condition,
                               const struct array *x) {
  const size_t bytes = x ? (size_t)x->buffer.item_bytes : sizeof(uint64_t);
  python_object *dtype = !x ? call_index() : x->is_bool ? call_bool() : call_type(x->type);
  if (condition->count > BLOCK && call_is_alone(ctx))
    return selected_by_blocks(ctx, condition, x, dtype);
  return selected_by_room(ctx, condition, x, bytes, dtype);
}

/* one_line: both have one dimension. */
static python_object *select_from(python_object *condition, python_object *object, bool one_line,
                                  bool any_shape, int threads) {
  heddle_context *ctx = call_context(threads);
  struct array c, x;
  python_object *result = NULL;
  if (!ctx || !target_can() || !begin(&c, condition)) return array_decline();
  if (begin(&x, object)) {
    if ((any_shape || c.buffer.dims == 1) && (!one_line || x.buffer.dims == 1) &&
        c.count <= x.count)
      result = selected(ctx, &c, &x);
    else
      result = array_decline();
    array_end(&x);
  } else {
    result = array_decline();
  }
  array_end(&c);
  return result;
}

python_object *heddle_py_compress(python_object *condition, python_object *a, python_object *axis,
                                  int threads) {
  bool one_line = false;
  if (!python_is_none(axis)) {
    const long along = python_is_int(axis) ? python.as_long(axis) : 1;
    if (along == -1 && python.has_error()) python.clear_error();
    if (along != 0) return array_decline();
    one_line = true;
  }
  return select_from(condition, a, one_line, false, threads);
}

python_object *heddle_py_extract(python_object *condition, python_object *a, int threads) {
  return select_from(condition, a, false, true, threads);
}

/* ---- positions ------------------------------------------------------------------------------------- */

python_object *heddle_py_flatnonzero(python_object *object, int threads) {
  heddle_context *ctx = call_context(threads);
  struct array a;
  if (!ctx || !target_can() || !begin(&a, object)) return array_decline();
  python_object *result = selected(ctx, &a, NULL);
  array_end(&a);
  return result;
}

python_object *heddle_py_nonzero(python_object *object, int threads) {
  heddle_context *ctx = call_context(threads);
  struct array a;
  if (!ctx || !target_can() || !array_begin_line(&a, object)) return array_decline();
  python_object *result = selected(ctx, &a, NULL), *all = NULL;
  array_end(&a);
  if (!result || array_is_declined(result)) return result ? array_decline() : NULL;
  all = python.new_tuple(1);
  if (all && python.put_in_tuple(all, 0, result) == 0) return all;
  if (all)
    python.drop(all);
  else
    python.drop(result);
  return NULL;
}
