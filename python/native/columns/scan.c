/* scan.c - totals of the elements that are not null are written one behind the other, and spread from the
 * last one on */
#include "scan.h"

#include "call.h"
#include "column.h"
#include "errors/errors.h"
#include "target.h"

struct results {
  python_object *totals, *valid;
  struct array a, b; /* their memory, held */
};

static bool begin(struct results *r, size_t length, python_object *dtype) {
  r->totals = target_line(&r->a, NULL, length, dtype);
  r->valid = r->totals ? target_line(&r->b, NULL, length, call_bool()) : NULL;
  if (r->valid) return true;
  if (r->totals) {
    array_end(&r->a);
    python.drop(r->totals);
  }
  return false;
}

/* Both in a tuple; NULL: an exception is set. */
static python_object *pair(struct results *r) {
  python_object *made = python.new_tuple(2);
  if (made) {
    (void)python.put_in_tuple(made, 0, r->totals);
    (void)python.put_in_tuple(made, 1, r->valid);
    return made;
  }
  python.drop(r->totals);
  python.drop(r->valid);
  return NULL;
}

static heddle_status fill(struct results *r, const struct lines *l, heddle_context *ctx,
                          heddle_op op, const heddle_options *options) {
  const heddle_status status = call_numbers(ctx, &l->a);
  if (status) return status;
  return heddle_scan(ctx, op, HEDDLE_INCLUSIVE, l->a.type, l->a.buffer.data, l->a.count,
                     r->a.buffer.data, options);
}

python_object *column_scan(struct lines *l, heddle_context *ctx, heddle_op op,
                           const heddle_options *options) {
  const heddle_type type = options->out_type;
  const bool total = call_is_total(op), skip = options->nan == HEDDLE_NAN_SKIP;
  const bool as_bool = l->a.is_bool && !total;
  struct column *c = l->a.column;
  struct results r;
  if (!begin(&r, column_nulls(c) + l->a.count, as_bool ? call_bool() : call_dtype(type))) {
    lines_end(l);
    return array_decline();
  }
  void *totals = r.a.buffer.data;
  python_thread *thread = call_leave(&l->a, ctx);
  const heddle_status status = fill(&r, l, ctx, op, options);
  call_come_back(thread);
  const bool fine =
      status || !total || errors_of_lines(ctx, l, type, totals, skip, ERRORS_ACCUMULATE);
  if (status == HEDDLE_OK && fine)
    column_spread(c, totals, heddle_type_size(type), r.b.buffer.data);
  lines_end(l);
  array_end(&r.a);
  array_end(&r.b);
  if (status == HEDDLE_OK && fine) return pair(&r);
  python.drop(r.totals);
  python.drop(r.valid);
  return fine ? call_failed(status) : NULL;
}
