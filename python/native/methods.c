/* methods.c - the fast calls as functions of Python's own, which ctypes need not stand in front of
 *
 * Method   Built-in functions that take their arguments as an array: of a call on a hundred floats, ctypes
 *          would take more than all else together. heddle/_plain.py looks at the arguments; a number
 *          that is none, or an argument too many, makes the call decline.
 * Source   docs.python.org/3/c-api/structures.html (PyMethodDef, METH_FASTCALL, both of the stable ABI) */
#include <limits.h>
#include <string.h>

#include "array.h"

enum { ARGUMENTS_MOST = 9 };

/* Arguments: objects, and numbers where the call has them. */
struct arguments {
  python_object *const *object;
  int number[ARGUMENTS_MOST];
};

/* The arguments of a call: 'o' stands for an object, 'n' for a number, 'd' for one that is not whole.
 * Without objects: they are others. */
static struct arguments read_all(const char *kinds, python_object *const *given, ptrdiff_t count) {
  struct arguments a = {0};
  if (count != (ptrdiff_t)strlen(kinds)) return a;
  for (ptrdiff_t i = 0; i < count; i++) {
    if (kinds[i] != 'n') continue;
    const long number = python.as_long(given[i]);
    if (number == -1) python.clear_error();
    if (number < INT_MIN || number > INT_MAX) return a;
    a.number[i] = (int)number;
  }
  a.object = given;
  return a;
}

static python_object *reduce(const struct arguments *a) {
  return heddle_py_reduce(a->object[0], a->number[1], a->number[2]);
}
static python_object *mean(const struct arguments *a) {
  return heddle_py_mean(a->object[0], a->number[1]);
}
static python_object *variance(const struct arguments *a) {
  return heddle_py_variance(a->object[0], python.as_double(a->object[1]), a->number[2],
                            a->number[3]);
}
static python_object *argreduce(const struct arguments *a) {
  return heddle_py_argreduce(a->object[0], a->number[1], a->number[2]);
}
static python_object *dot(const struct arguments *a) {
  return heddle_py_dot(a->object[0], a->object[1], a->number[2]);
}
static python_object *reduce_axis(const struct arguments *a) {
  return heddle_py_reduce_axis(a->object[0], a->number[1], a->object[2], a->number[3], a->number[4],
                               a->number[5]);
}
static python_object *reduce_where(const struct arguments *a) {
  return heddle_py_reduce_where(a->object[0], a->number[1], a->object[2], a->number[3],
                                a->number[4], a->object[5], a->object[6], a->object[7],
                                a->number[8]);
}
static python_object *mean_axis(const struct arguments *a) {
  return heddle_py_mean_axis(a->object[0], a->object[1], a->number[2], a->number[3], a->number[4]);
}
static python_object *mean_where(const struct arguments *a) {
  return heddle_py_mean_where(a->object[0], a->object[1], a->number[2], a->number[3], a->object[4],
                              a->object[5], a->number[6]);
}
static python_object *variance_axis(const struct arguments *a) {
  return heddle_py_variance_axis(a->object[0], python.as_double(a->object[1]), a->number[2],
                                 a->object[3], a->number[4], a->number[5], a->number[6]);
}
static python_object *variance_where(const struct arguments *a) {
  return heddle_py_variance_where(a->object[0], python.as_double(a->object[1]), a->number[2],
                                  a->object[3], a->number[4], a->number[5], a->object[6],
                                  a->object[7], a->number[8]);
}
static python_object *argreduce_axis(const struct arguments *a) {
  return heddle_py_argreduce_axis(a->object[0], a->number[1], a->object[2], a->number[3],
                                  a->number[4], a->number[5]);
}
static python_object *count_nonzero(const struct arguments *a) {
  return heddle_py_count_nonzero(a->object[0], a->object[1], a->number[2], a->number[3]);
}
static python_object *ptp(const struct arguments *a) {
  return heddle_py_ptp(a->object[0], a->object[1], a->number[2], a->number[3], a->number[4]);
}
static python_object *average(const struct arguments *a) {
  return heddle_py_average(a->object[0], a->object[1], a->object[2], a->number[3], a->number[4]);
}
static python_object *segments(const struct arguments *a) {
  return heddle_py_segments(a->object[0], a->object[1], a->number[2], a->object[3], a->object[4],
                            a->number[5], a->number[6]);
}
static python_object *segment_mean(const struct arguments *a) {
  return heddle_py_segment_mean(a->object[0], a->object[1], a->object[2], a->number[3],
                                a->number[4]);
}
static python_object *segment_argreduce(const struct arguments *a) {
  return heddle_py_segment_argreduce(a->object[0], a->object[1], a->number[2], a->number[3],
                                     a->number[4]);
}
static python_object *reduceat(const struct arguments *a) {
  return heddle_py_reduceat(a->object[0], a->object[1], a->number[2], a->number[3]);
}
static python_object *scan(const struct arguments *a) {
  return heddle_py_scan(a->object[0], a->object[1], a->number[2], a->number[3]);
}
static python_object *scan_axis(const struct arguments *a) {
  return heddle_py_scan_axis(a->object[0], a->object[1], a->number[2], a->object[3], a->number[4]);
}
static python_object *scan_as(const struct arguments *a) {
  return heddle_py_scan_as(a->object[0], a->object[1], a->number[2], a->object[3], a->number[4],
                           a->object[5], a->number[6], a->number[7]);
}
static python_object *bincount(const struct arguments *a) {
  return heddle_py_bincount(a->object[0], a->object[1], python.as_size(a->object[2]), a->number[3]);
}
static python_object *histogram(const struct arguments *a) {
  return heddle_py_histogram(a->object[0], a->object[1], a->object[2], a->object[3], a->object[4],
                             a->number[5]);
}

/* heddle_py_methods gives them in this order. */
static const struct {
  const char *name, *kinds;
  python_object *(*call)(const struct arguments *);
} calls[] = {
    {"reduce", "onn", reduce},
    {"mean", "on", mean},
    {"variance", "odnn", variance},
    {"argreduce", "onn", argreduce},
    {"dot", "oon", dot},
    {"reduce_axis", "ononnn", reduce_axis},
    {"mean_axis", "oonnn", mean_axis},
    {"variance_axis", "odnonnn", variance_axis},
    {"argreduce_axis", "ononnn", argreduce_axis},
    {"scan", "oonn", scan},
    {"scan_axis", "oonon", scan_axis},
    {"bincount", "ooon", bincount},
    {"histogram", "ooooon", histogram},
    {"reduce_where", "ononnooon", reduce_where},
    {"mean_where", "oonnoon", mean_where},
    {"variance_where", "odnonnoon", variance_where},
    {"count_nonzero", "oonn", count_nonzero},
    {"ptp", "oonnn", ptp},
    {"average", "ooonn", average},
    {"segments", "oonoonn", segments},
    {"reduceat", "oonn", reduceat},
    {"scan_as", "oonononn", scan_as},
    {"segment_mean", "ooonn", segment_mean},
    {"segment_argreduce", "oonnn", segment_argreduce},
};
enum { CALLS = sizeof calls / sizeof *calls };
static struct python_method methods[CALLS];

/* A function's own object is its place among the calls. */
static python_object *call(python_object *self, python_object *const *given, ptrdiff_t count) {
  const long at = python.as_long(self);
  const struct arguments a = read_all(calls[at].kinds, given, count);
  return a.object ? calls[at].call(&a) : array_decline();
}

static python_object *function_at(size_t i) {
  python_object *self = python.from_unsigned(i), *made = NULL;
  methods[i] = (struct python_method){calls[i].name, call, PYTHON_FASTCALL, NULL};
  if (self) made = python.new_function(&methods[i], self, NULL);
  if (self) python.drop(self);
  return made;
}

python_object *heddle_py_methods(void) {
  python_object *all = python.new_tuple(CALLS);
  for (size_t i = 0; all && i < CALLS; i++) {
    python_object *made = function_at(i);
    if (made && python.put_in_tuple(all, (ptrdiff_t)i, made) == 0) continue;
    python.drop(all);
    return NULL;
  }
  return all;
}
