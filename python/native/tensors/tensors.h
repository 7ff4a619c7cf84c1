/* tensors.h - the entries for tensors: all that a function says, in the order of fast.h
 *
 * Result   as those of fast.h: of a tensor of the host theirs, of one on a device a tensor there */
#ifndef HEDDLE_PYTHON_TENSORS_H
#define HEDDLE_PYTHON_TENSORS_H

#include "fast.h"

/* What opens a device: called with its number, it gives the calling thread's context, which lives as long as the
 * thread. */
FAST_API void heddle_py_devices(python_object *open);

python_object *heddle_py_device_reduce(python_object *a, int op, python_object *axis, int keepdims,
                                       int skip, python_object *dtype, python_object *initial,
                                       python_object *where, int threads);
python_object *heddle_py_device_mean(python_object *a, python_object *axis, int keepdims, int skip,
                                     python_object *dtype, python_object *where, int threads);
python_object *heddle_py_device_variance(python_object *a, double ddof, int root,
                                         python_object *axis, int keepdims, int skip,
                                         python_object *dtype, python_object *where, int threads);
/* All of a tensor on a device: a tuple of hd.Description's numbers but `nulls`, for which it waits. */
python_object *heddle_py_device_describe(python_object *a, int skip);
python_object *heddle_py_device_argreduce(python_object *a, int which, python_object *axis,
                                          int keepdims, int skip, int threads);
python_object *heddle_py_device_dot(python_object *left, python_object *right, int threads);
python_object *heddle_py_device_scan(python_object *a, python_object *out, int op,
                                     python_object *axis, int skip, python_object *dtype, int kind,
                                     int threads);
python_object *heddle_py_device_histogram(python_object *a, python_object *bins,
                                          python_object *range, python_object *density,
                                          python_object *weights, int threads);
/* least: minlength. length: an int, or None, where it waits for the greatest element. */
python_object *heddle_py_device_bincount(python_object *x, python_object *weights, size_t least,
                                         python_object *length, int threads);
/* Bools, whose bytes may be any, and bfloat16 are declined. */
python_object *heddle_py_device_sort(python_object *a, python_object *axis, int descending,
                                     int nan_first, int threads);
python_object *heddle_py_device_argsort(python_object *a, python_object *axis, int descending,
                                        int nan_first, int threads);

#endif
