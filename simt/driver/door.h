/* door.h - what the files of libsimt_cuda.so share
 *
 * Method   one lock around everything: a call takes it in door_enter and gives it back in
 *          door_leave. Work is done inside the calls, in the order of the calls; a kernel's failure
 *          is kept by its context until a call comes that would know of it on a GPU
 * Rule     an entry is: door_enter; if it refuses, return that; the work; return door_leave
 */
#ifndef SIMT_DRIVER_DOOR_H
#define SIMT_DRIVER_DOOR_H

#include "api.h"
#include "simt/driver.h"

#include <stdbool.h>

/* ---- enter.c --------------------------------------------------------------------------------- */

enum door_need {
  DOOR_NOTHING, /* works before cuInit */
  DOOR_INIT,
  DOOR_CONTEXT, /* a current context that is not lost; tells of kernels that have failed */
  DOOR_QUEUE,   /* the same for calls that only queue: they do not know of a failed kernel yet */
  DOOR_UNSAFE,  /* as DOOR_CONTEXT, and not while a stream is being recorded */
};
CUresult door_enter(const char *name, enum door_need need);
CUresult door_leave(CUresult result);
/* door_skips - a kernel has failed before: what is queued will never run. After door_enter */
bool door_skips(void);
/* door_result - what the driver calls an error of the runtime */
CUresult door_result(int error);
bool door_loses_context(int result);
CUresult door_init(unsigned flags);
/* door_unlock, door_lock - around a function of the program's that runs inside a call */
void door_unlock(void);
void door_lock(void);

/* ---- context.c ------------------------------------------------------------------------------- */

struct context {
  uint64_t id;
  unsigned flags, references; /* references: of the primary one */
  int pending, lost;          /* results; 0: none */
  bool live, primary;
};
struct context *door_current(void); /* NULL: none */
/* door_current_state - CUDA_SUCCESS, or why there is no context to work with */
CUresult door_current_state(void);
bool door_context_ok(const struct context *context);

/* ---- objects.c: handles that are alive, and whose they are ----------------------------------- */

enum door_kind {
  DOOR_MEMORY = 1,
  DOOR_PINNED,
  DOOR_REGISTERED,
  DOOR_STREAM,
  DOOR_EVENT,
  DOOR_GRAPH,
  DOOR_EXEC,
  DOOR_MODULE,
  DOOR_FUNCTION,
};
struct object {
  uintptr_t handle;
  struct context *context;
  enum door_kind kind;
};
bool door_object_add(const void *handle, enum door_kind kind); /* of the current context */
void door_object_remove(const void *handle, enum door_kind kind);
/* door_object - NULL: there is none of that kind */
const struct object *door_object(const void *handle, enum door_kind kind);
/* door_object_any - one of the context's, whichever; false: it has none */
bool door_object_any(const struct context *context, struct object *object);

/* door_stream_ok - one of the driver's own, or a live one */
bool door_stream_ok(CUstream stream);

/* ---- module.c, launch.c ---------------------------------------------------------------------- */

struct function {
  struct function *next; /* of its module */
  struct module *module;
  const void *stub;
  const struct simt_stub *table;
  char name[];
};
void door_module_destroy(struct module *module);

/* ---- capture.c: what must not be called while a stream is recorded --------------------------- */

/* door_capture_forbids - for a call that is unsafe then; the recordings are spoilt */
bool door_capture_forbids(void);
/* door_capture_implicit - the legacy stream is used while a stream that waits for it is recorded */
bool door_capture_implicit(CUstream stream);
void door_capture_stream_gone(CUstream stream);

/* ---- device.c -------------------------------------------------------------------------------- */

int door_architecture(void); /* 90 */

#endif
