/* elements.h - order statistics, selects, searches and values of NumPy's arrays, as fast.h has its entries
 *
 * Result   as fast.h: a Python object, the object that declines, or NULL with an exception set */
#ifndef HEDDLE_PYTHON_ELEMENTS_H
#define HEDDLE_PYTHON_ELEMENTS_H

#include "python_abi.h"

/* axis: None or a whole number. */
python_object *heddle_py_median(python_object *a, python_object *axis, int keepdims, int threads);
/* q: a number, a list of them, or an array of f64; `most` stands for all elements: 1 or 100. */
python_object *heddle_py_quantile(python_object *a, python_object *q, python_object *axis,
                                  int keepdims, int most, int threads);

/* The first k in order and where they are, along the last axis: a tuple. */
python_object *heddle_py_topk(python_object *x, int k, int largest, python_object *axis,
                              int threads);
/* The k-th element of one line, from 1 on, and where it is: a tuple of arrays without dimensions. */
python_object *heddle_py_kthvalue(python_object *x, int k, python_object *axis, int threads);
/* One line of which the first elements, up to place kth, are in order; or its positions. */
python_object *heddle_py_partition(python_object *a, int kth, python_object *axis, int threads);
python_object *heddle_py_argpartition(python_object *a, int kth, python_object *axis, int threads);

/* The elements of a that a condition lets through; axis: None, or that of one line. */
python_object *heddle_py_compress(python_object *condition, python_object *a, python_object *axis,
                                  int threads);
python_object *heddle_py_extract(python_object *condition, python_object *a, int threads);
/* Where elements are that are not zero; nonzero: of one line, in a tuple. */
python_object *heddle_py_flatnonzero(python_object *a, int threads);
python_object *heddle_py_nonzero(python_object *a, int threads);

/* side: "left" or "right". */
python_object *heddle_py_searchsorted(python_object *a, python_object *v, python_object *side,
                                      int threads);
/* Edges that rise. */
python_object *heddle_py_digitize(python_object *x, python_object *bins, int right, int threads);
/* axis: None, for all of a, or 0 of one line. */
python_object *heddle_py_take(python_object *a, python_object *indices, python_object *axis,
                              int threads);

/* The values, each once; with what else is asked for, in a tuple. */
python_object *heddle_py_unique(python_object *a, int first, int inverse, int counts, int threads);

#endif
