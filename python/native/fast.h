/* fast.h - what the Python package calls through ctypes.PyDLL, that is, with the interpreter's lock
 *
 * Result   A Python object, or the object `declined` of heddle_py_start: the arguments are not of
 *          the plain kind that a function takes (arrays that lie in C order, of one of the
 *          library's types), or the call had an error; the package's Python code then does the call
 *          again in full and says what is wrong. NULL: an exception is set
 * Method   An array's address costs Python more than a short sum itself. Here the buffer protocol
 *          gives it, and the result is made a NumPy scalar, in one call of ctypes
 * Threads  any; each has contexts of its own. Arrays of FREE_BYTES and more are worked on without
 *          the lock
 * Errors   a signal's handler that raises during a long call ends it, and its exception is set */
#ifndef HEDDLE_PYTHON_FAST_H
#define HEDDLE_PYTHON_FAST_H

#include <stddef.h>

#include "heddle.h"
#include "python_abi.h"

#define FAST_API __attribute__((visibility("default")))

/* 0: this Python is none that fast calls work with; only heddle_py_poll and heddle_py_raise may
 * then be called. make_bool and make_index make NumPy's scalars. Every object that is given here or
 * to heddle_py_scalar is kept for good. */
FAST_API int heddle_py_start(python_object *declined, python_object *make_bool,
                             python_object *make_index);
/* What makes NumPy's scalars of a heddle_type, and the dtype of its arrays. */
FAST_API void heddle_py_scalar(int type, python_object *make, python_object *dtype);

/* NumPy's table of functions, how many bytes Python's objects begin with, and a tuple of arrays with one of
 * their dtypes. 1: NumPy's arrays are made, and read, as NumPy's own modules do it (numpy_abi.h), since each of
 * these arrays has fields as its buffer says; 0: by Python's functions and buffers. */
FAST_API int heddle_py_numpy(python_object *capsule, size_t head, python_object *arrays,
                             python_object *their_dtypes);

/* What says whether overflow or invalid values are to be reported, and what reports them: called with their
 * bits, 1 and 2, and with the number of what NumPy calls the operation (errors/errors.h). */
FAST_API void heddle_py_errors(python_object *wanted, python_object *report);

/* `threads` of a CPU, at least 1, or the default device. */
enum { HEDDLE_PY_DEFAULT = -1000000 };

/* A tuple of functions: reduce, mean, variance, argreduce, dot, reduce_axis, mean_axis, variance_axis,
 * argreduce_axis, scan, scan_axis, bincount, histogram, reduce_where, mean_where, variance_where,
 * count_nonzero, ptp, average, segments, reduceat, scan_as, segment_mean, segment_argreduce,
 * segment_scan, device_reduce, device_mean, device_variance, device_describe, device_argreduce, device_dot,
 * device_scan, device_histogram, device_bincount, sort, argsort, device_sort, device_argsort, exact,
 * exact_mean, exact_dot, median, quantile, topk, kthvalue, partition, argpartition, compress, extract,
 * flatnonzero, nonzero, searchsorted, digitize, take, unique (elements/elements.h).
 * They take the arguments of what follows, and of tensors/tensors.h, in its order. */
FAST_API python_object *heddle_py_methods(void);

python_object *heddle_py_reduce(python_object *a, int op, int threads);
python_object *heddle_py_mean(python_object *a, int threads);
/* The variance with divisor n - ddof, or with `root` its root. */
python_object *heddle_py_variance(python_object *a, double ddof, int root, int threads);
python_object *heddle_py_argreduce(python_object *a, int which, int threads);
python_object *heddle_py_dot(python_object *a, python_object *b, int threads);
/* The running totals of a in C order, written to `out`, an array of the result's type and of a's size in one
 * dimension; the result is `out`. None: a new array. Of a column with nulls two of them (columns/scan.h). */
python_object *heddle_py_scan(python_object *a, python_object *out, int op, int threads);

/* The same of an array that lies in any order, by whole elements: along its axes `axis`, which is a whole
 * number, a tuple of them, or for all axes None or NULL. A new array, made by empty(shape, dtype) or
 * empty(shape, dtype, fortran), or where nothing is left of the shape a scalar. keepdims: folded axes
 * stay, of length 1. skip: NaN do not count; where rows may have nothing else, the call declines. An argreduce is along one axis or all, a scan along one. */
FAST_API void heddle_py_arrays(python_object *empty, python_object *fortran, python_object *dtype);
python_object *heddle_py_reduce_axis(python_object *a, int op, python_object *axis, int keepdims,
                                     int skip, int threads);
python_object *heddle_py_mean_axis(python_object *a, python_object *axis, int keepdims, int skip,
                                   int threads);
python_object *heddle_py_variance_axis(python_object *a, double ddof, int root, python_object *axis,
                                       int keepdims, int skip, int threads);
python_object *heddle_py_argreduce_axis(python_object *a, int which, python_object *axis,
                                        int keepdims, int skip, int threads);
python_object *heddle_py_scan_axis(python_object *a, python_object *out, int op,
                                   python_object *axis, int threads);
/* Either of them, with a dtype and NaN that do not count. */
enum { HEDDLE_PY_TOTALS = -1, HEDDLE_PY_ALONG = 0, HEDDLE_PY_LONGER = 1 };
/* kind: as the two above; along an axis, which is None for one dimension alone; with the identity in front of
 * each row, which makes it longer. */
python_object *heddle_py_scan_as(python_object *a, python_object *out, int op, python_object *axis,
                                 int skip, python_object *dtype, int kind, int threads);

/* The same of the elements that `where` lets through, an array of bools that broadcasts to a; True or NULL:
 * of all. dtype: of the result, as NumPy takes it; None or NULL: by the elements. initial: added in front, a
 * number of Python's own; any other object: none. */
python_object *heddle_py_reduce_where(python_object *a, int op, python_object *axis, int keepdims,
                                      int skip, python_object *dtype, python_object *initial,
                                      python_object *where, int threads);
python_object *heddle_py_mean_where(python_object *a, python_object *axis, int keepdims, int skip,
                                    python_object *dtype, python_object *where, int threads);
python_object *heddle_py_variance_where(python_object *a, double ddof, int root,
                                        python_object *axis, int keepdims, int skip,
                                        python_object *dtype, python_object *where, int threads);

/* Exact sums, of elements or of their squares by `op`, means and dots of floats (docs/order.md, rule 15). */
python_object *heddle_py_exact(python_object *a, int op, python_object *axis, int keepdims,
                               int skip, python_object *dtype, int threads);
python_object *heddle_py_exact_mean(python_object *a, python_object *axis, int keepdims, int skip,
                                    python_object *dtype, int threads);
python_object *heddle_py_exact_dot(python_object *a, python_object *b, int threads);

/* The elements in order along an axis, or as one row for None; and the positions that sort them. */
python_object *heddle_py_sort(python_object *a, python_object *axis, int descending, int nan_first,
                              int threads);
python_object *heddle_py_argsort(python_object *a, python_object *axis, int descending,
                                 int nan_first, int threads);

/* How many elements are not zero, and the greatest minus the least. */
python_object *heddle_py_count_nonzero(python_object *a, python_object *axis, int keepdims,
                                       int threads);
python_object *heddle_py_ptp(python_object *a, python_object *axis, int keepdims, int skip,
                             int threads);
/* The mean with weights of the shape of a. */
python_object *heddle_py_average(python_object *a, python_object *axis, python_object *weights,
                                 int keepdims, int threads);
/* Reductions of x[offsets[i]:offsets[i + 1]] of one line; of x[indices[i]:indices[i + 1]], of which the last
 * one ends with the line. 64-bit integers, which do not fall. */
python_object *heddle_py_segments(python_object *x, python_object *offsets, int op,
                                  python_object *dtype, python_object *initial, int skip,
                                  int threads);
python_object *heddle_py_segment_mean(python_object *x, python_object *offsets,
                                      python_object *dtype, int skip, int threads);
/* Running totals, where segments leave nothing out. */
python_object *heddle_py_segment_scan(python_object *x, python_object *offsets, int op,
                                      python_object *dtype, int skip, int threads);
/* Indices from each segment's start on. */
python_object *heddle_py_segment_argreduce(python_object *x, python_object *offsets, int which,
                                           int skip, int threads);
python_object *heddle_py_reduceat(python_object *a, python_object *indices, int op, int threads);

/* How often each of some small integers occurs, or what their weights add up to: an array of at least `least`
 * numbers. weights: of as many elements, or None. */
python_object *heddle_py_bincount(python_object *x, python_object *weights, size_t least,
                                  int threads);

/* The counts of an array's elements, or the sums of their weights, or if `density` is True densities, and
 * the edges, in a tuple: in `bins` even bins over `range`, a tuple of two numbers, or None, over what the
 * elements span; or between the edges `bins`, an array, which is the second of the results then. weights: of
 * the array's shape, or None. */
python_object *heddle_py_histogram(python_object *a, python_object *bins, python_object *range,
                                   python_object *density, python_object *weights, int threads);

/* A heddle_poll: looks whether a signal has come, and runs its handler. */
FAST_API int heddle_py_poll(void *unused);
/* Raises what such a handler raised in this thread; `declined` if none has. */
FAST_API python_object *heddle_py_raise(void);
/* How many handlers of signals are running in this thread, in the middle of the library's calls. */
FAST_API int heddle_py_depth(void);
/* Python ends: polls cancel from now on, without the lock, which must be free meanwhile. */
FAST_API void heddle_py_end(void);
FAST_API int heddle_py_has_ended(void);

#endif
