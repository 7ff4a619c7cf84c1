/* Contexts: the primary one, others, each thread's stack of them.
 *
 * Method   the records are those of current.c. What a context has made goes with it, and so does
 *          the error that lost it
 * Limits   all contexts of a device share its memory
 * Source   CUDA Driver API 13.0, sections Primary Context Management and Context Management
 */
#include "entry.h"

#include "cuda_runtime_api.h"

#include <string.h>

/* ---- The end --------------------------------------------------------------------------------- */

static void destroy_object(const struct object *object) {
  void *handle = (void *)object->handle;
  switch (object->kind) {
  case OBJECT_MEMORY: cudaFree(handle); break;
  case OBJECT_PINNED: cudaFreeHost(handle); break;
  case OBJECT_REGISTERED: cudaHostUnregister(handle); break;
  case OBJECT_STREAM: cudaStreamDestroy(handle); break;
  case OBJECT_EVENT: cudaEventDestroy(handle); break;
  case OBJECT_GRAPH:
    cudaGraphDestroy(handle);
    user_objects_drop(handle);
    break;
  case OBJECT_EXEC:
    cudaGraphExecDestroy(handle);
    user_objects_drop(handle);
    break;
  case OBJECT_MODULE: module_destroy(handle); break;
  case OBJECT_FUNCTION: break; /* goes with its module */
  case OBJECT_LIBRARY:
  case OBJECT_USER:
  case OBJECT_KERNEL: break; /* are no context's */
  }
}

static void destroy(struct context *c) {
  struct object object;
  while (object_any(c, &object)) {
    object_remove((void *)object.handle, object.kind);
    destroy_object(&object);
  }
  simt_take_failure();
  c->live = false;
  c->references = 0;
  c->pending = c->lost = 0;
}

/* ---- The primary context --------------------------------------------------------------------- */

API_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!context) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (!settings_device_ok(device)) return api_leave(CUDA_ERROR_INVALID_DEVICE);
  struct context *primary = context_primary(device);
  if (!primary->live) context_start(primary, device, primary->flags);
  primary->references++;
  *context = primary;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!settings_device_ok(device)) return api_leave(CUDA_ERROR_INVALID_DEVICE);
  struct context *primary = context_primary(device);
  if (!primary->live || !primary->references) return api_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (--primary->references == 0) destroy(primary);
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!settings_device_ok(device)) return api_leave(CUDA_ERROR_INVALID_DEVICE);
  struct context *primary = context_primary(device);
  if (primary->live) destroy(primary);
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!settings_device_ok(device)) return api_leave(CUDA_ERROR_INVALID_DEVICE);
  struct context *primary = context_primary(device);
  if (flags & ~(unsigned)CU_CTX_FLAGS) return api_leave(CUDA_ERROR_INVALID_VALUE);
  primary->flags = flags;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!settings_device_ok(device)) return api_leave(CUDA_ERROR_INVALID_DEVICE);
  struct context *primary = context_primary(device);
  if (!flags || !active) return api_leave(CUDA_ERROR_INVALID_VALUE);
  *flags = primary->flags;
  *active = primary->live;
  return api_leave(CUDA_SUCCESS);
}

/* ---- Contexts of the program's own ----------------------------------------------------------- */

static CUresult create(CUcontext *context, unsigned flags, CUdevice device) {
  if (!context || (flags & ~(unsigned)CU_CTX_FLAGS)) return CUDA_ERROR_INVALID_VALUE;
  if (!settings_device_ok(device)) return CUDA_ERROR_INVALID_DEVICE;
  struct context *c = context_unused();
  if (!c || !context_push(c)) return CUDA_ERROR_OUT_OF_MEMORY;
  context_start(c, device, flags);
  *context = c;
  return CUDA_SUCCESS;
}

API_EXPORT CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  return refused ? refused : api_leave(create(context, flags, device));
}

/* `parameters` ask for shares of the device, which there are not. */
API_EXPORT CUresult cuCtxCreate_v4(CUcontext *context, const void *parameters, unsigned flags,
                                   CUdevice device) {
  static const char nothing[32];
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (parameters && memcmp(parameters, nothing, 24) != 0)
    return api_leave(CUDA_ERROR_NOT_SUPPORTED);
  return api_leave(create(context, flags, device));
}

API_EXPORT CUresult cuCtxDestroy_v2(CUcontext context) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!context_ok(context) || context->primary) return api_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (!context->live) return api_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
  destroy(context);
  if (context_current() == context) context_pop();
  return api_leave(CUDA_SUCCESS);
}

/* ---- Which one is current -------------------------------------------------------------------- */

API_EXPORT CUresult cuCtxGetCurrent(CUcontext *context) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!context) return api_leave(CUDA_ERROR_INVALID_VALUE);
  *context = context_current();
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuCtxSetCurrent(CUcontext context) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (context && !context_ok(context)) return api_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (context && !context->live) return api_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
  context_set_current(context);
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!context_ok(context)) return api_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (!context->live) return api_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
  return api_leave(context_push(context) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

API_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!context_current()) return api_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (context) *context = context_current();
  context_pop();
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuCtxGetDevice(CUdevice *device) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!device) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (!context_current()) return api_leave(CUDA_ERROR_INVALID_CONTEXT);
  *device = context_current()->device;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuCtxGetFlags(unsigned *flags) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!flags) return api_leave(CUDA_ERROR_INVALID_VALUE);
  if (!context_current()) return api_leave(CUDA_ERROR_INVALID_CONTEXT);
  *flags = context_current()->flags;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!context) context = context_current();
  if (!context || !context_ok(context)) return api_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (!context->live) return api_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
  if (!id) return api_leave(CUDA_ERROR_INVALID_VALUE);
  *id = context->id;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuCtxSynchronize(void) {
  const CUresult refused = api_enter(__func__, API_UNSAFE);
  return refused ? refused : api_leave(api_result((int)cudaDeviceSynchronize()));
}
