/* export.h - device memory as a DLPack capsule, called through ctypes.PyDLL */
#ifndef HEDDLE_PYTHON_EXPORT_H
#define HEDDLE_PYTHON_EXPORT_H

#include <stdint.h>

#include "fast.h"
#include "tensors/dlpack.h"

enum { EXPORT_MOST_DIMS = 32 };

/* 0: this Python lacks a function that heddle_py_export calls. */
FAST_API int heddle_py_export_start(void);

/* A new capsule, "dltensor_versioned" or "dltensor", of what `from` describes. Shape and strides
 * (of from->dims elements each, 0 to 32) are copied; `owner` is kept until the consumer's end.
 * NULL: an exception is set. After heddle_py_export_start only. */
FAST_API python_object *heddle_py_export(python_object *owner, const struct dl_tensor *from,
                                         int versioned, uint64_t flags);

#endif
