/* The way into a call and out of it (door.h). */
#include "door.h"
#include "fail.h"

#include "simt/internal.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool initialised, forked;

/* A process that is a copy of one that used the device has none. */
static void in_child(void) {
  if (atomic_load(&initialised)) atomic_store(&forked, true);
}

static void prepare(void) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &recursive);
  pthread_mutexattr_destroy(&recursive);
  pthread_atfork(NULL, NULL, in_child);
  simt_results_are_seen();
  simt_align_memory();
}

void door_lock(void) { pthread_mutex_lock(&lock); }
void door_unlock(void) { pthread_mutex_unlock(&lock); }

CUresult door_init(unsigned flags) {
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  atomic_store(&initialised, true);
  return CUDA_SUCCESS;
}

bool door_loses_context(int result) {
  switch (result) {
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED:
  case CUDA_ERROR_UNKNOWN: return true;
  default: return false;
  }
}

/* The numbers are the same but for those that only the runtime has. */
CUresult door_result(int error) {
  switch (error) {
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidHostPointer:
  case cudaErrorInvalidDevicePointer:
  case cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
  case cudaErrorPriorLaunchFailure: return CUDA_SUCCESS; /* told by a later call */
  default: return error;
  }
}

/* What a call must not begin with, for a context. */
static CUresult state(enum door_need need) {
  const CUresult result = door_current_state();
  struct context *c = door_current();
  if (result) return result;
  if (c->lost) return c->lost;
  if (need == DOOR_QUEUE || !c->pending) return CUDA_SUCCESS;
  const CUresult failed = c->pending;
  c->pending = 0;
  if (door_loses_context(failed)) c->lost = failed;
  return failed;
}

CUresult door_enter(const char *name, enum door_need need) {
  if (atomic_load(&forked)) return CUDA_ERROR_NOT_INITIALIZED;
  pthread_once(&once, prepare);
  door_lock();
  CUresult result = CUDA_SUCCESS;
  if (need != DOOR_NOTHING && !atomic_load(&initialised)) result = CUDA_ERROR_NOT_INITIALIZED;
  if (!result && need >= DOOR_CONTEXT) result = state(need);
  if (!result && need == DOOR_UNSAFE && door_capture_forbids())
    result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (!result) {
    result = fail_code(name, CUDA_ERROR_OUT_OF_MEMORY, "cu");
    if (door_loses_context(result) && !door_current_state()) door_current()->lost = result;
  }
  if (result) door_unlock();
  return result;
}

bool door_skips(void) {
  const struct context *c = door_current();
  return c && c->pending;
}

/* A kernel that has failed inside this call is told of by a later one. */
CUresult door_leave(CUresult result) {
  const int failed = simt_take_failure();
  struct context *c = door_current();
  if (failed && c && !c->pending && !c->lost) c->pending = door_result(failed);
  if (result == failed) result = CUDA_SUCCESS;
  door_unlock();
  return result;
}
