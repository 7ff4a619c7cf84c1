/* axes.h - axes of a strided array, merged where they are one, and in the order of memory */
#ifndef HEDDLE_PYTHON_AXES_H
#define HEDDLE_PYTHON_AXES_H

#include <stddef.h>

#include "heddle.h"

/* Axes that are walked together, outermost first: of the array and of its mask. */
struct axes {
  size_t count, n[HEDDLE_MAX_DIMS];
  ptrdiff_t stride[HEDDLE_MAX_DIMS], mask[HEDDLE_MAX_DIMS];
};

static inline void axes_add(struct axes *x, size_t n, ptrdiff_t stride, ptrdiff_t mask) {
  const size_t last = x->count - 1;
  if (n == 1) return;
  if (x->count && x->stride[last] == stride * (ptrdiff_t)n &&
      x->mask[last] == mask * (ptrdiff_t)n) {
    x->n[last] *= n;
    x->stride[last] = stride, x->mask[last] = mask;
    return;
  }
  x->n[x->count] = n, x->mask[x->count] = mask;
  x->stride[x->count++] = stride;
}

static inline size_t axes_product(const struct axes *x) {
  size_t product = 1;
  for (size_t i = 0; i < x->count; i++) product *= x->n[i];
  return product;
}

static inline ptrdiff_t axes_distance(ptrdiff_t stride) { return stride < 0 ? -stride : stride; }

/* The axes in the order of memory, none backwards; *first and *mask move by whole elements. */
static inline struct axes axes_sorted(const struct axes *x, ptrdiff_t *first, ptrdiff_t *mask) {
  struct axes merged;
  size_t order[HEDDLE_MAX_DIMS];
  merged.count = 0;
  for (size_t i = 0; i < x->count; i++) {
    size_t j = i;
    for (; j && axes_distance(x->stride[order[j - 1]]) < axes_distance(x->stride[i]); j--)
      order[j] = order[j - 1];
    order[j] = i;
  }
  for (size_t i = 0; i < x->count; i++) {
    const size_t n = x->n[order[i]];
    const ptrdiff_t stride = x->stride[order[i]], beside = x->mask[order[i]];
    if (stride < 0) *first += (ptrdiff_t)(n - 1) * stride, *mask += (ptrdiff_t)(n - 1) * beside;
    axes_add(&merged, n, axes_distance(stride), stride < 0 ? -beside : beside);
  }
  return merged;
}

#endif
