/* edges.h - the edges of a histogram of a tensor on a device, as the call needs them and as its caller gets them
 *
 * Result    bins_begin: false, without an exception, for bins that are left to Python's code. bins_edges: a new tensor
 *           of the edges on the tensor's device, or NULL
 * Owner     what is begun ends by bins_end */
#ifndef HEDDLE_PYTHON_TENSORS_EDGES_H
#define HEDDLE_PYTHON_TENSORS_EDGES_H

#include "device.h"
#include "histogram/edges.h"

struct device_bins {
  struct edges e;
  const struct kept_edges *kept; /* on the device; NULL: none are */
  double few[HEDDLE_PY_BINS + 1];
};

/* bins: a number, over a range, or None, over what the elements span; or an array of the host: edges. */
bool bins_begin(struct device_bins *b, const struct device_call *c, python_object *bins,
                python_object *range);
/* After the call, which has found a range where that was None: `found`. */
python_object *bins_edges(struct device_bins *b, const struct device_call *c,
                          const heddle_histogram_result *found);
void bins_end(struct device_bins *b);

#endif
