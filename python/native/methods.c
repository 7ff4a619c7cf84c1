/* methods.c - the fast calls as functions of Python's own, which ctypes need not stand in front of
 *
 * Method   Built-in functions that take their arguments as an array: of a call on a hundred floats, ctypes
 *          would take more than all else together. heddle/_plain.py looks at the arguments; a number
 *          that is none, or an argument too many, makes the call decline.
 * Source   docs.python.org/3/c-api/structures.html (PyMethodDef, METH_FASTCALL, both of the stable ABI) */
#include <limits.h>
#include <string.h>

#include "array.h"
#include "elements/elements.h"
#include "tensors/tensors.h"

enum { ARGUMENTS_MOST = 9, THREADS_MOST = 1024 };

/* Arguments: objects, and numbers where the call has them. */
struct arguments {
  python_object *const *object;
  int number[ARGUMENTS_MOST];
};

/* Threads: None stands for the default device. 0: there cannot be so many. */
static int read_threads(python_object *given) {
  if (python_is_none(given)) return HEDDLE_PY_DEFAULT;
  const long threads = python_is_int(given) ? python.as_long(given) : 0;
  if (threads == -1) python.clear_error();
  return threads < 1 || threads > THREADS_MOST ? 0 : (int)threads;
}

/* One number. False: it is none, or not of its kind. */
static bool read_number(char kind, python_object *given, int *number) {
  if (kind == 't') return (*number = read_threads(given)) != 0;
  if (kind == 'b') {
    *number = given == python.yes;
    return *number || given == python.no;
  }
  const long found = python.as_long(given);
  if (found == -1 && python.has_error()) {
    python.clear_error();
    return false;
  }
  *number = (int)found;
  return found >= INT_MIN && found <= INT_MAX;
}

/* The arguments of a call: 'o' stands for an object, 'n' for a number, 'd' for one that is not whole, 'b' for
 * True or False, 't' for threads. Without objects: they are others. */
static struct arguments read_all(const char *kinds, python_object *const *given, ptrdiff_t count) {
  struct arguments a = {0};
  for (ptrdiff_t i = 0; i < count; i++) {
    if (!kinds[i]) return a;
    if (kinds[i] != 'o' && kinds[i] != 'd' && !read_number(kinds[i], given[i], &a.number[i]))
      return a;
  }
  if (!kinds[count]) a.object = given;
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
static python_object *exact(const struct arguments *a) {
  return heddle_py_exact(a->object[0], a->number[1], a->object[2], a->number[3], a->number[4],
                         a->object[5], a->number[6]);
}
static python_object *exact_mean(const struct arguments *a) {
  return heddle_py_exact_mean(a->object[0], a->object[1], a->number[2], a->number[3], a->object[4],
                              a->number[5]);
}
static python_object *exact_dot(const struct arguments *a) {
  return heddle_py_exact_dot(a->object[0], a->object[1], a->number[2]);
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
static python_object *segment_scan(const struct arguments *a) {
  return heddle_py_segment_scan(a->object[0], a->object[1], a->number[2], a->object[3],
                                a->number[4], a->number[5]);
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
static python_object *sort(const struct arguments *a) {
  return heddle_py_sort(a->object[0], a->object[1], a->number[2], a->number[3], a->number[4]);
}
static python_object *argsort(const struct arguments *a) {
  return heddle_py_argsort(a->object[0], a->object[1], a->number[2], a->number[3], a->number[4]);
}
static python_object *median(const struct arguments *a) {
  return heddle_py_median(a->object[0], a->object[1], a->number[2], a->number[3]);
}
static python_object *quantile(const struct arguments *a) {
  return heddle_py_quantile(a->object[0], a->object[1], a->object[2], a->number[3], a->number[4],
                            a->number[5]);
}
static python_object *topk(const struct arguments *a) {
  return heddle_py_topk(a->object[0], a->number[1], a->number[2], a->object[3], a->number[4]);
}
static python_object *kthvalue(const struct arguments *a) {
  return heddle_py_kthvalue(a->object[0], a->number[1], a->object[2], a->number[3]);
}
static python_object *partition(const struct arguments *a) {
  return heddle_py_partition(a->object[0], a->number[1], a->object[2], a->number[3]);
}
static python_object *argpartition(const struct arguments *a) {
  return heddle_py_argpartition(a->object[0], a->number[1], a->object[2], a->number[3]);
}
static python_object *compress(const struct arguments *a) {
  return heddle_py_compress(a->object[0], a->object[1], a->object[2], a->number[3]);
}
static python_object *extract(const struct arguments *a) {
  return heddle_py_extract(a->object[0], a->object[1], a->number[2]);
}
static python_object *flatnonzero(const struct arguments *a) {
  return heddle_py_flatnonzero(a->object[0], a->number[1]);
}
static python_object *nonzero(const struct arguments *a) {
  return heddle_py_nonzero(a->object[0], a->number[1]);
}
static python_object *searchsorted(const struct arguments *a) {
  return heddle_py_searchsorted(a->object[0], a->object[1], a->object[2], a->number[3]);
}
static python_object *digitize(const struct arguments *a) {
  return heddle_py_digitize(a->object[0], a->object[1], a->number[2], a->number[3]);
}
static python_object *take(const struct arguments *a) {
  return heddle_py_take(a->object[0], a->object[1], a->object[2], a->number[3]);
}
static python_object *unique(const struct arguments *a) {
  return heddle_py_unique(a->object[0], a->number[1], a->number[2], a->number[3], a->number[4]);
}
static python_object *bincount(const struct arguments *a) {
  if (!python_is_none(a->object[3])) return array_decline(); /* a length */
  return heddle_py_bincount(a->object[0], a->object[1], python.as_size(a->object[2]), a->number[4]);
}
static python_object *histogram(const struct arguments *a) {
  return heddle_py_histogram(a->object[0], a->object[1], a->object[2], a->object[3], a->object[4],
                             a->number[5]);
}

static python_object *device_reduce(const struct arguments *a) {
  return heddle_py_device_reduce(a->object[0], a->number[1], a->object[2], a->number[3],
                                 a->number[4], a->object[5], a->object[6], a->object[7],
                                 a->number[8]);
}
static python_object *device_mean(const struct arguments *a) {
  return heddle_py_device_mean(a->object[0], a->object[1], a->number[2], a->number[3], a->object[4],
                               a->object[5], a->number[6]);
}
static python_object *device_variance(const struct arguments *a) {
  return heddle_py_device_variance(a->object[0], python.as_double(a->object[1]), a->number[2],
                                   a->object[3], a->number[4], a->number[5], a->object[6],
                                   a->object[7], a->number[8]);
}
static python_object *device_describe(const struct arguments *a) {
  return heddle_py_device_describe(a->object[0], a->number[1]);
}
static python_object *device_argreduce(const struct arguments *a) {
  return heddle_py_device_argreduce(a->object[0], a->number[1], a->object[2], a->number[3],
                                    a->number[4], a->number[5]);
}
static python_object *device_dot(const struct arguments *a) {
  return heddle_py_device_dot(a->object[0], a->object[1], a->number[2]);
}
static python_object *device_scan(const struct arguments *a) {
  return heddle_py_device_scan(a->object[0], a->object[1], a->number[2], a->object[3], a->number[4],
                               a->object[5], a->number[6], a->number[7]);
}
static python_object *device_histogram(const struct arguments *a) {
  return heddle_py_device_histogram(a->object[0], a->object[1], a->object[2], a->object[3],
                                    a->object[4], a->number[5]);
}
static python_object *device_bincount(const struct arguments *a) {
  return heddle_py_device_bincount(a->object[0], a->object[1], python.as_size(a->object[2]),
                                   a->object[3], a->number[4]);
}
static python_object *device_sort(const struct arguments *a) {
  return heddle_py_device_sort(a->object[0], a->object[1], a->number[2], a->number[3],
                               a->number[4]);
}
static python_object *device_argsort(const struct arguments *a) {
  return heddle_py_device_argsort(a->object[0], a->object[1], a->number[2], a->number[3],
                                  a->number[4]);
}

/* heddle_py_methods gives them in this order. */
static const struct {
  const char *name, *kinds;
  python_object *(*call)(const struct arguments *);
} calls[] = {
    {"reduce", "ont", reduce},
    {"mean", "ot", mean},
    {"variance", "odnt", variance},
    {"argreduce", "ont", argreduce},
    {"dot", "oot", dot},
    {"reduce_axis", "onobbt", reduce_axis},
    {"mean_axis", "oobbt", mean_axis},
    {"variance_axis", "odnobbt", variance_axis},
    {"argreduce_axis", "onobbt", argreduce_axis},
    {"scan", "oont", scan},
    {"scan_axis", "oonot", scan_axis},
    {"bincount", "oooot", bincount},
    {"histogram", "ooooot", histogram},
    {"reduce_where", "onobbooot", reduce_where},
    {"mean_where", "oobboot", mean_where},
    {"variance_where", "odnobboot", variance_where},
    {"count_nonzero", "oobt", count_nonzero},
    {"ptp", "oobbt", ptp},
    {"average", "ooobt", average},
    {"segments", "oonoobt", segments},
    {"reduceat", "oont", reduceat},
    {"scan_as", "oonobont", scan_as},
    {"segment_mean", "ooobt", segment_mean},
    {"segment_argreduce", "oonbt", segment_argreduce},
    {"segment_scan", "oonobt", segment_scan},
    {"device_reduce", "onobbooot", device_reduce},
    {"device_mean", "oobboot", device_mean},
    {"device_variance", "odnobboot", device_variance},
    {"device_describe", "ob", device_describe},
    {"device_argreduce", "onobbt", device_argreduce},
    {"device_dot", "oot", device_dot},
    {"device_scan", "oonobont", device_scan},
    {"device_histogram", "ooooot", device_histogram},
    {"device_bincount", "oooot", device_bincount},
    {"sort", "oobbt", sort},
    {"argsort", "oobbt", argsort},
    {"device_sort", "oobbt", device_sort},
    {"device_argsort", "oobbt", device_argsort},
    {"exact", "onobbot", exact},
    {"exact_mean", "oobbot", exact_mean},
    {"exact_dot", "oot", exact_dot},
    {"median", "oobt", median},
    {"quantile", "ooobnt", quantile},
    {"topk", "onbot", topk},
    {"kthvalue", "onot", kthvalue},
    {"partition", "onot", partition},
    {"argpartition", "onot", argpartition},
    {"compress", "ooot", compress},
    {"extract", "oot", extract},
    {"flatnonzero", "ot", flatnonzero},
    {"nonzero", "ot", nonzero},
    {"searchsorted", "ooot", searchsorted},
    {"digitize", "oobt", digitize},
    {"take", "ooot", take},
    {"unique", "obbbt", unique},
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
