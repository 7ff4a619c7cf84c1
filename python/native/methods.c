/* methods.c - the fast calls as functions of Python's own, which ctypes need not stand in front of
 *
 * Method   Built-in functions that take their arguments as an array: of a call on a hundred floats, ctypes
 *          would take more than all else together. heddle/_plain.py looks at the arguments; a number
 *          that is none, or an argument too many, makes the call decline.
 * Source   docs.python.org/3/c-api/structures.html (PyMethodDef, METH_FASTCALL, both of the stable ABI) */
#include <limits.h>
#include <string.h>

#include "array.h"

enum { ARGUMENTS_MOST = 6 };

/* Arguments: objects, and numbers where the call has them. */
struct arguments {
  python_object *const *object;
  int number[ARGUMENTS_MOST];
};

/* The arguments of a call: 'o' stands for an object, 'n' for a number, 'd' for one that is not whole. */
static bool read(struct arguments *a, const char *kinds, python_object *const *given,
                 ptrdiff_t count) {
  a->object = given;
  if (count != (ptrdiff_t)strlen(kinds)) return false;
  for (ptrdiff_t i = 0; i < count; i++) {
    if (kinds[i] != 'n') continue;
    const long number = python.as_long(given[i]);
    if (number == -1) python.clear_error();
    if (number < INT_MIN || number > INT_MAX) return false;
    a->number[i] = (int)number;
  }
  return true;
}

#define METHOD(name, kinds, call)                                                                 \
  static python_object *name(python_object *self, python_object *const *given, ptrdiff_t count) { \
    struct arguments a;                                                                           \
    (void)self;                                                                                   \
    if (!read(&a, kinds, given, count)) return array_decline();                                   \
    return call;                                                                                  \
  }

METHOD(reduce, "onn", heddle_py_reduce(a.object[0], a.number[1], a.number[2]))
METHOD(mean, "on", heddle_py_mean(a.object[0], a.number[1]))
METHOD(variance, "odnn",
       heddle_py_variance(a.object[0], python.as_double(a.object[1]), a.number[2], a.number[3]))
METHOD(argreduce, "onn", heddle_py_argreduce(a.object[0], a.number[1], a.number[2]))
METHOD(dot, "oon", heddle_py_dot(a.object[0], a.object[1], a.number[2]))
METHOD(reduce_axis, "ononn",
       heddle_py_reduce_axis(a.object[0], a.number[1], a.object[2], a.number[3], a.number[4]))
METHOD(mean_axis, "oonn", heddle_py_mean_axis(a.object[0], a.object[1], a.number[2], a.number[3]))
METHOD(variance_axis, "odnonn",
       heddle_py_variance_axis(a.object[0], python.as_double(a.object[1]), a.number[2], a.object[3],
                               a.number[4], a.number[5]))
METHOD(argreduce_axis, "ononn",
       heddle_py_argreduce_axis(a.object[0], a.number[1], a.object[2], a.number[3], a.number[4]))
METHOD(scan, "oonn", heddle_py_scan(a.object[0], a.object[1], a.number[2], a.number[3]))
METHOD(scan_axis, "oonon",
       heddle_py_scan_axis(a.object[0], a.object[1], a.number[2], a.object[3], a.number[4]))
METHOD(bincount, "oo", heddle_py_bincount(a.object[0], python.as_size(a.object[1])))

#define ROW(name) \
  { #name, name, PYTHON_FASTCALL, NULL }
static struct python_method methods[] = {ROW(reduce),    ROW(mean),          ROW(variance),
                                         ROW(argreduce), ROW(dot),           ROW(reduce_axis),
                                         ROW(mean_axis), ROW(variance_axis), ROW(argreduce_axis),
                                         ROW(scan),      ROW(scan_axis),     ROW(bincount)};
enum { METHODS = sizeof methods / sizeof *methods };

python_object *heddle_py_methods(void) {
  python_object *all = python.new_tuple(METHODS);
  for (size_t i = 0; all && i < METHODS; i++) {
    python_object *made = python.new_function(&methods[i], NULL, NULL);
    if (made && python.put_in_tuple(all, (ptrdiff_t)i, made) == 0) continue;
    python.drop(all);
    return NULL;
  }
  return all;
}
