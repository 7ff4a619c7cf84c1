/* pool.h - device memory of the package's own arrays, from the driver's stream-ordered pool
 *
 * Result   a context's device memory comes from the pool of its device, and goes back to it
 * Order    an allocation is a stream's, before what is queued on it from then on. A release is the default
 *          stream's, behind what is queued on it, without a wait; or, where other streams may have used the memory, it
 *          waits for the device
 * Limits   drivers without a pool: their plain allocations, whose release always waits
 * Source   CUDA Driver API 13.0: Stream Ordered Memory Allocator */
#ifndef HEDDLE_PYTHON_TENSORS_POOL_H
#define HEDDLE_PYTHON_TENSORS_POOL_H

#include "fast.h"

/* A new context's pool, by a driver that the process has loaded. 0: it stays as it is. */
FAST_API int heddle_py_pool(heddle_context *ctx, const char *driver);
/* heddle_device_alloc and heddle_device_free on such a context, without the interpreter's lock. in_order: only work on the
 * default streams has used the memory. */
FAST_API heddle_status heddle_py_pool_alloc(heddle_context *ctx, size_t bytes, void *stream,
                                            void **out);
FAST_API heddle_status heddle_py_pool_free(heddle_context *ctx, void *memory, int in_order);

#endif
