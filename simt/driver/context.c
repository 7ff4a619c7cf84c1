/* Contexts: the primary one, others, each thread's stack of them.
 *
 * Method   records that are never given back to the system, so that a stale handle is recognised.
 *          What a context has made goes with it, and so does the error that lost it
 * Limits   one device; all contexts share its memory. CONTEXTS at a time
 * Source   CUDA Driver API 13.0, sections Primary Context Management and Context Management
 */
#include "door.h"

#include "cuda_runtime_api.h"

#include <string.h>

enum { CONTEXTS = 256, DEEPEST = 64 };

static struct context contexts[CONTEXTS]; /* [0] is the primary one */
static uint64_t last_id;

static _Thread_local struct {
  struct context *stack[DEEPEST];
  unsigned depth;
} mine;

bool door_context_ok(const struct context *c) {
  return c >= contexts && c < contexts + CONTEXTS &&
         ((uintptr_t)c - (uintptr_t)contexts) % sizeof *c == 0 && c->id;
}

struct context *door_current(void) {
  return mine.depth ? mine.stack[mine.depth - 1] : NULL;
}

CUresult door_current_state(void) {
  const struct context *c = door_current();
  if (!c) return CUDA_ERROR_INVALID_CONTEXT;
  return c->live ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

static void start(struct context *c, unsigned flags) {
  *c = (struct context){.id = ++last_id, .flags = flags, .live = true, .primary = c == contexts};
}

static void set_current(struct context *c) {
  if (!mine.depth && !c) return;
  if (!mine.depth) mine.depth++;
  mine.stack[mine.depth - 1] = c;
  if (!c) mine.depth--;
}

static bool push(struct context *c) {
  if (mine.depth == DEEPEST) return false;
  mine.stack[mine.depth++] = c;
  return true;
}

/* ---- The end --------------------------------------------------------------------------------- */

static void destroy_object(const struct object *object) {
  void *handle = (void *)object->handle;
  switch (object->kind) {
  case DOOR_MEMORY: cudaFree(handle); break;
  case DOOR_PINNED: cudaFreeHost(handle); break;
  case DOOR_REGISTERED: cudaHostUnregister(handle); break;
  case DOOR_STREAM: cudaStreamDestroy(handle); break;
  case DOOR_EVENT: cudaEventDestroy(handle); break;
  case DOOR_GRAPH: cudaGraphDestroy(handle); break;
  case DOOR_EXEC: cudaGraphExecDestroy(handle); break;
  case DOOR_MODULE: door_module_destroy(handle); break;
  case DOOR_FUNCTION: break; /* goes with its module */
  }
}

static void end(struct context *c) {
  struct object object;
  while (door_object_any(c, &object)) {
    door_object_remove((void *)object.handle, object.kind);
    destroy_object(&object);
  }
  simt_take_failure();
  c->live = false;
  c->references = 0;
  c->pending = c->lost = 0;
}

/* ---- The primary context --------------------------------------------------------------------- */

DOOR_API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (!context) return door_leave(CUDA_ERROR_INVALID_VALUE);
  if (device != 0) return door_leave(CUDA_ERROR_INVALID_DEVICE);
  if (!contexts[0].live) start(&contexts[0], contexts[0].flags);
  contexts[0].references++;
  *context = &contexts[0];
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (device != 0) return door_leave(CUDA_ERROR_INVALID_DEVICE);
  if (!contexts[0].live || !contexts[0].references) return door_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (--contexts[0].references == 0) end(&contexts[0]);
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (device != 0) return door_leave(CUDA_ERROR_INVALID_DEVICE);
  if (contexts[0].live) end(&contexts[0]);
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (device != 0) return door_leave(CUDA_ERROR_INVALID_DEVICE);
  if (flags & ~(unsigned)CU_CTX_FLAGS) return door_leave(CUDA_ERROR_INVALID_VALUE);
  contexts[0].flags = flags;
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (device != 0) return door_leave(CUDA_ERROR_INVALID_DEVICE);
  if (!flags || !active) return door_leave(CUDA_ERROR_INVALID_VALUE);
  *flags = contexts[0].flags;
  *active = contexts[0].live;
  return door_leave(CUDA_SUCCESS);
}

/* ---- Contexts of the program's own ----------------------------------------------------------- */

static CUresult create(CUcontext *context, unsigned flags, CUdevice device) {
  if (!context || (flags & ~(unsigned)CU_CTX_FLAGS)) return CUDA_ERROR_INVALID_VALUE;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  for (size_t i = 1; i < CONTEXTS; i++) {
    struct context *c = &contexts[(last_id + i) % (CONTEXTS - 1) + 1];
    if (c->live) continue;
    if (!push(c)) return CUDA_ERROR_OUT_OF_MEMORY;
    start(c, flags);
    *context = c;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_OUT_OF_MEMORY;
}

DOOR_API CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  return refused ? refused : door_leave(create(context, flags, device));
}

/* `parameters` ask for shares of the device, which there are not. */
DOOR_API CUresult cuCtxCreate_v4(CUcontext *context, const void *parameters, unsigned flags,
                                 CUdevice device) {
  static const char nothing[32];
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (parameters && memcmp(parameters, nothing, 24) != 0)
    return door_leave(CUDA_ERROR_NOT_SUPPORTED);
  return door_leave(create(context, flags, device));
}

DOOR_API CUresult cuCtxDestroy_v2(CUcontext context) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (!door_context_ok(context) || context->primary) return door_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (!context->live) return door_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
  end(context);
  if (door_current() == context) mine.depth--;
  return door_leave(CUDA_SUCCESS);
}

/* ---- Which one is current -------------------------------------------------------------------- */

DOOR_API CUresult cuCtxGetCurrent(CUcontext *context) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (!context) return door_leave(CUDA_ERROR_INVALID_VALUE);
  *context = door_current();
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuCtxSetCurrent(CUcontext context) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (context && !door_context_ok(context)) return door_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (context && !context->live) return door_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
  set_current(context);
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuCtxPushCurrent_v2(CUcontext context) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (!door_context_ok(context)) return door_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (!context->live) return door_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
  return door_leave(push(context) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

DOOR_API CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (!mine.depth) return door_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (context) *context = door_current();
  mine.depth--;
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuCtxGetDevice(CUdevice *device) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (!device) return door_leave(CUDA_ERROR_INVALID_VALUE);
  if (!door_current()) return door_leave(CUDA_ERROR_INVALID_CONTEXT);
  *device = 0;
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuCtxGetFlags(unsigned *flags) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (!flags) return door_leave(CUDA_ERROR_INVALID_VALUE);
  if (!door_current()) return door_leave(CUDA_ERROR_INVALID_CONTEXT);
  *flags = door_current()->flags;
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
  const CUresult refused = door_enter(__func__, DOOR_INIT);
  if (refused) return refused;
  if (!context) context = door_current();
  if (!context || !door_context_ok(context)) return door_leave(CUDA_ERROR_INVALID_CONTEXT);
  if (!context->live) return door_leave(CUDA_ERROR_CONTEXT_IS_DESTROYED);
  if (!id) return door_leave(CUDA_ERROR_INVALID_VALUE);
  *id = context->id;
  return door_leave(CUDA_SUCCESS);
}

DOOR_API CUresult cuCtxSynchronize(void) {
  const CUresult refused = door_enter(__func__, DOOR_UNSAFE);
  return refused ? refused : door_leave(door_result((int)cudaDeviceSynchronize()));
}
