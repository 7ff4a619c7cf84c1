/* The entry guard (entry.h): one recursive lock; failures are handed on to later calls. */
#include "entry.h"
#include "fail.h"

#include "simt/internal.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool initialised, forked;

/* A process that is a copy of one that used the device has none. */
static void note_fork(void) {
  if (atomic_load(&initialised)) atomic_store(&forked, true);
}

static void prepare(void) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &recursive);
  pthread_mutexattr_destroy(&recursive);
  pthread_atfork(NULL, NULL, note_fork);
  simt_results_are_seen();
  simt_align_memory();
}

void api_lock(void) { pthread_mutex_lock(&lock); }
void api_unlock(void) { pthread_mutex_unlock(&lock); }

CUresult api_init(unsigned flags) {
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  atomic_store(&initialised, true);
  return CUDA_SUCCESS;
}

bool api_loses_context(int result) {
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
CUresult api_result(int error) {
  switch (error) {
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidHostPointer:
  case cudaErrorInvalidDevicePointer:
  case cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
  case cudaErrorPriorLaunchFailure: return CUDA_SUCCESS; /* a later call reports it */
  default: return error;
  }
}

/* What a call must not begin with, for a context. */
static CUresult check_context(enum api_need need) {
  const CUresult result = context_state();
  struct context *c = context_current();
  if (result) return result;
  if (c->lost) return c->lost;
  if (need == API_QUEUE || !c->pending) return CUDA_SUCCESS;
  const CUresult failed = c->pending;
  c->pending = 0;
  if (api_loses_context(failed)) c->lost = failed;
  return failed;
}

CUresult api_enter(const char *name, enum api_need need) {
  if (atomic_load(&forked)) return CUDA_ERROR_NOT_INITIALIZED;
  pthread_once(&once, prepare);
  api_lock();
  CUresult result = CUDA_SUCCESS;
  if (need != API_ANYTIME && !atomic_load(&initialised)) result = CUDA_ERROR_NOT_INITIALIZED;
  if (!result && need >= API_CONTEXT) result = check_context(need);
  if (!result) simt_use_device(context_current() ? context_current()->device : 0);
  if (!result && need == API_UNSAFE && capture_forbids())
    result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (!result) {
    result = fail_code(name, CUDA_ERROR_OUT_OF_MEMORY, "cu");
    if (api_loses_context(result) && !context_state()) context_current()->lost = result;
  }
  if (result) api_unlock();
  return result;
}

bool api_skips(void) {
  const struct context *c = context_current();
  return c && c->pending;
}

/* A kernel that has failed inside this call is reported by a later one. */
CUresult api_leave(CUresult result) {
  const int failed = simt_take_failure();
  struct context *c = context_current();
  if (failed && c && !c->pending && !c->lost) c->pending = api_result(failed);
  if (result == failed) result = CUDA_SUCCESS;
  api_unlock();
  return result;
}
