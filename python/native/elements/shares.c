/* shares.c - the argument `q` of quantiles */
#include "shares.h"

#include <string.h>

#include "array.h"

/* One number of Python's. */
static bool read_number(python_object *object, double *value) {
  if (python_is(object, python.float_type)) {
    *value = python.as_double(object);
    return true;
  }
  if (!python_is_int(object)) return false;
  const long found = python.as_long(object);
  if (found == -1 && python.has_error()) python.clear_error();
  *value = (double)found; /* -1 is none either */
  return true;
}

static bool read_list(struct shares *s, python_object *list) {
  const ptrdiff_t count = python.list_size(list);
  if (count < 1 || count > SHARES_MOST) return false;
  for (ptrdiff_t i = 0; i < count; i++)
    if (!read_number(python.list_item(list, i), &s->q[i])) return false;
  s->count = (size_t)count;
  return true;
}

static bool read_array(struct shares *s, python_object *object) {
  struct array a;
  if (!array_begin_line(&a, object)) return false;
  const bool fine = a.type == HEDDLE_F64 && a.count && a.count <= SHARES_MOST;
  if (fine) memcpy(s->q, a.buffer.data, a.count * sizeof *s->q);
  s->count = a.count;
  array_end(&a);
  return fine;
}

bool shares_read(struct shares *s, python_object *q, int most) {
  bool fine;
  s->is_number = read_number(q, s->q);
  s->count = 1;
  if (s->is_number)
    fine = true;
  else if (python_is(q, python.list_type))
    fine = read_list(s, q);
  else
    fine = read_array(s, q);
  for (size_t i = 0; fine && i < s->count; i++) {
    fine = s->q[i] >= 0 && s->q[i] <= most;
    if (most != 1) s->q[i] /= most;
  }
  return fine;
}
