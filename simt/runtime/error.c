/* Errors: names, texts, the thread's last error, failed kernels.
 *
 * Method   a kernel's failure is pending until the next call that could know of it, which
 *          returns it. An error that loses a GPU's context is sticky: every later call that needs
 *          the context returns it and does nothing
 * Source   CUDA Runtime API 13.0, section Error Handling; details as an H200 with CUDA 13.0 has
 *          them
 */
#include "observer.h"
#include "runtime.h"
#include "simt/driver.h"

#include <pthread.h>
#include <stdatomic.h>

static _Thread_local cudaError_t last;
static bool seen; /* simt_results_are_seen */
static atomic_int pending, sticky;
static atomic_bool failed_once; /* a failure was taken by simt_take_failure */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void rt_lock(void) { pthread_mutex_lock(&lock); }
void rt_unlock(void) { pthread_mutex_unlock(&lock); }

/* Sorted by number: the list is. */
#define SIMT_ERROR(name, value, text) {value, #name, text},
static const struct error_text {
  int value;
  const char *name, *text;
} errors[] = {
#include "simt/cuda_errors.def"
};

static const struct error_text *find(cudaError_t error) {
  size_t low = 0, high = sizeof errors / sizeof errors[0];
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (errors[middle].value < (int)error)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == sizeof errors / sizeof errors[0] || errors[low].value != (int)error) return NULL;
  return &errors[low];
}

const char *cudaGetErrorName(cudaError_t error) {
  const struct error_text *e = find(error);
  return e ? e->name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  const struct error_text *e = find(error);
  return e ? e->text : "unrecognized error code";
}

/* These lose the context: documented as "the process must be terminated and relaunched". */
static bool loses_context(int error) {
  switch (error) {
  case cudaErrorIllegalAddress:
  case cudaErrorLaunchTimeout:
  case cudaErrorAssert:
  case cudaErrorHardwareStackError:
  case cudaErrorIllegalInstruction:
  case cudaErrorMisalignedAddress:
  case cudaErrorInvalidAddressSpace:
  case cudaErrorInvalidPc:
  case cudaErrorLaunchFailure: return true;
  default: return false;
  }
}

/* The first failure stays: nothing ran after it. */
void sd_launch_failed(int error) {
  int none = 0;
  atomic_compare_exchange_strong(&pending, &none, error);
}

cudaError_t rt_failure(void) {
  const int known = atomic_load_explicit(&sticky, memory_order_relaxed);
  if (known) return (cudaError_t)known;
  if (!atomic_load_explicit(&pending, memory_order_relaxed)) return cudaSuccess;
  const int error = atomic_exchange(&pending, 0);
  if (loses_context(error)) atomic_store(&sticky, error);
  return (cudaError_t)error;
}

cudaError_t rt_begin(void) {
  sd_drain();
  if (!atomic_load_explicit(&sticky, memory_order_relaxed)) rt_slack_look(NULL);
  return rt_failure();
}

cudaError_t rt_begin_later(bool *skip) {
  sd_drain();
  return rt_begin_issue(skip);
}

cudaError_t rt_begin_issue(bool *skip) {
  *skip = atomic_load(&pending) != 0;
  return (cudaError_t)atomic_load(&sticky);
}

cudaError_t rt_end(cudaError_t error) {
  if (error == cudaSuccess || error == cudaErrorNotReady) return error;
  last = error;
  if (!seen) SD_NOTIFY(error_made, (int)error);
  return error;
}

cudaError_t rt_end_launch(cudaError_t error) {
  if (error != cudaSuccess) last = error;
  return error;
}

void simt_results_are_seen(void) { seen = true; }
bool rt_calls_are_drivers(void) { return seen; }
bool sd_results_are_seen(void) { return seen; }
bool sd_may_return(void) { return !seen && rt_devices() == 1; }

int simt_take_failure(void) {
  sd_drain();
  rt_slack_look(NULL);
  const int error = atomic_exchange(&pending, 0), known = atomic_exchange(&sticky, 0);
  if (error || known) atomic_store(&failed_once, true);
  return known ? known : error;
}

bool rt_lost(void) {
  return atomic_load(&pending) != 0 || atomic_load(&sticky) != 0 || atomic_load(&failed_once);
}

/* What a reset leaves of a lost context: a device that cannot be had again. */
void rt_reset_errors(void) {
  const int none = 0;
  sd_drain();
  if (atomic_exchange(&pending, none) || atomic_load(&sticky))
    atomic_store(&sticky, cudaErrorDevicesUnavailable);
}

/* A sticky error is not given again here, only by the next call that does something. */
cudaError_t cudaPeekAtLastError(void) {
  SD_NOTIFY_BARE(error_asked);
  return last;
}

cudaError_t cudaGetLastError(void) {
  SD_NOTIFY_BARE(error_asked);
  const cudaError_t error = last;
  last = cudaSuccess;
  return error;
}
