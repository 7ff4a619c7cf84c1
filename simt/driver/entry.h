/* entry.h - what the files of libsimt_cuda.so share
 *
 * Method   one lock around everything: a call takes it in api_enter and gives it back in
 *          api_leave. Work is done inside the calls, in the order of the calls; a kernel's failure
 *          is kept by its context until a call comes that would know of it on a GPU
 * Rule     an entry is: api_enter; if it refuses, return that; the work; return api_leave
 */
#ifndef SIMT_DRIVER_ENTRY_H
#define SIMT_DRIVER_ENTRY_H

#include "api.h"
#include "simt/driver.h"

#include <stdbool.h>

/* ---- entry.c --------------------------------------------------------------------------------- */

enum api_need {
  API_ANYTIME, /* works before cuInit */
  API_INITIALISED,
  API_CONTEXT, /* a current context that is not lost; reports kernels that have failed */
  API_QUEUE,   /* the same for calls that only queue: they do not know of a failed kernel yet */
  API_UNSAFE,  /* as API_CONTEXT, and not while a stream is being recorded */
};
CUresult api_enter(const char *name, enum api_need need);
CUresult api_leave(CUresult result);
/* api_skips - a kernel has failed before: what is queued will never run. After api_enter */
bool api_skips(void);
/* api_result - what the driver calls an error of the runtime */
CUresult api_result(int error);
bool api_loses_context(int result);
CUresult api_init(unsigned flags);
/* api_unlock, api_lock - around a function of the program's that runs inside a call */
void api_unlock(void);
void api_lock(void);

/* ---- current.c ------------------------------------------------------------------------------- */

struct context {
  uint64_t id;
  unsigned flags, references; /* references: of the primary one */
  int pending, lost;          /* results; 0: none */
  int device;
  bool live, primary;
};
struct context *context_primary(int device);
struct context *context_unused(void); /* a record that is free; NULL: there is none */
void context_start(struct context *context, int device, unsigned flags);
bool context_ok(const struct context *context); /* one of the records, used at least once */

/* Of the calling thread. */
struct context *context_current(void); /* NULL: none */
/* context_state - CUDA_SUCCESS, or why there is no context to work with */
CUresult context_state(void);
void context_set_current(struct context *context); /* in place of the topmost; NULL: takes it off */
bool context_push(struct context *context);        /* false: too many */
void context_pop(void);

/* ---- objects.c: handles that are alive, and whose they are ----------------------------------- */

enum object_kind {
  OBJECT_MEMORY = 1,
  OBJECT_PINNED,
  OBJECT_REGISTERED,
  OBJECT_STREAM,
  OBJECT_EVENT,
  OBJECT_GRAPH,
  OBJECT_EXEC,
  OBJECT_MODULE,
  OBJECT_FUNCTION,
  OBJECT_LIBRARY, /* of no context, as are kernels */
  OBJECT_KERNEL,
  OBJECT_USER, /* of no context */
};
struct object {
  uintptr_t handle;
  struct context *context;
  enum object_kind kind;
};
bool object_add(const void *handle, enum object_kind kind);      /* of the current context */
bool object_add_free(const void *handle, enum object_kind kind); /* of none */
void object_remove(const void *handle, enum object_kind kind);
/* object_find - NULL: there is none of that kind */
const struct object *object_find(const void *handle, enum object_kind kind);
/* object_any - one of the context's, whichever; false: it has none */
bool object_any(const struct context *context, struct object *object);

/* object_stream_ok - one of the driver's own, or a live one */
bool object_stream_ok(CUstream stream);
/* object_stream_current - such a one, and of the current context: what work is put into */
bool object_stream_current(CUstream stream);

/* ---- modules/, launch.c ---------------------------------------------------------------------- */

struct function {
  struct function *next; /* of its module */
  struct module *module;
  const void *stub;
  const struct simt_stub *table;
  char name[];
};
void module_destroy(struct module *module);
/* function_of - what a handle of a function or of a kernel is in the current context: *out */
CUresult function_of(CUfunction handle, struct function **out);

/* ---- recordings.c: what must not be called while a stream is recorded ------------------------ */

/* capture_forbids - for a call that is unsafe then; the recordings are spoilt */
bool capture_forbids(void);
/* capture_implicit - the legacy stream is used while a stream that waits for it is recorded */
bool capture_implicit(CUstream stream);
void capture_stream_gone(CUstream stream);
bool capture_has_room(void);
void capture_note(CUstream stream, int mode); /* it is recorded from now on, if there is room */
bool capture_is_of_another_thread(CUstream stream); /* who alone may end it */
int capture_exchange_mode(int mode);                /* the calling thread's; the one before */

/* ---- user_object.c --------------------------------------------------------------------------- */

/* user_objects_drop - a graph gives up its references; user_objects_copy - another one gets as
 * many. False: there is no memory, and it has none */
void user_objects_drop(const void *holder);
bool user_objects_copy(const void *from, const void *to);

/* ---- settings.c ------------------------------------------------------------------------------ */

int settings_architecture(void); /* 90 */
int settings_multiprocessors(void);
bool settings_device_ok(CUdevice device); /* there are SIMT_DEVICES of them */

#endif
