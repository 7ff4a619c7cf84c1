/* What the driver API's library asks of the device beyond the runtime API.
 *
 * Limits   private: both libraries come from one build
 */
#ifndef SIMT_DRIVER_H
#define SIMT_DRIVER_H

#include "../driver_types.h"
#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Modules: shared objects with kernels -------------------------------------------------------
 * The program itself is one from the start. */

struct simt_module;
/* simt_module_open - makes a loaded object known: its code is the program's, its thread-local
 * storage is its kernels' shared memory. `inside` is any address in it; `path` is where its file
 * can be read now; `kept`: also after the process has ended. NULL: there are too many */
SIMT_API struct simt_module *simt_module_open(const void *inside, const char *path, int kept);
/* simt_module_close - before it is unloaded: its kernels and variables are forgotten */
SIMT_API void simt_module_close(struct simt_module *module);
/* simt_module_bytes - the size of the variable of the device that begins there; 0: there is none */
SIMT_API size_t simt_variable_bytes(const void *address);

/* ---- Errors -------------------------------------------------------------------------------------
 * A context of the driver's keeps its own, so the runtime's are taken out after each call. */

/* simt_take_failure - the error of a kernel that has failed since the last call, or 0 */
SIMT_API int simt_take_failure(void);
/* simt_results_are_seen - calls of the runtime come from a library: that their results are not
 * looked at by the program says nothing. For good */
SIMT_API void simt_results_are_seen(void);

/* ---- Memory ---------------------------------------------------------------------------------- */

/* simt_align_memory - what is allocated from now on begins at a multiple of 256, as the driver API
 * has it; else the ends of blocks are where a page ends, as nearly as their size allows */
SIMT_API void simt_align_memory(void);

/* ---- Devices: SIMT_DEVICES of them ------------------------------------------------------------- */

SIMT_API int simt_device_count(void);
/* simt_use_device - calls of this thread are for that device, as by cudaSetDevice */
SIMT_API void simt_use_device(int device);
/* simt_reaches - whether a device has access to the memory of another, or is the same one;
 * simt_peer - grants it, or takes it back: as it was before */
SIMT_API int simt_reaches(int device, int peer);
SIMT_API int simt_peer(int device, int peer, int wanted);

/* ---- What is at an address ------------------------------------------------------------------- */

enum simt_memory_kind {
  SIMT_MEMORY_UNKNOWN,
  SIMT_MEMORY_DEVICE,
  SIMT_MEMORY_PINNED,
  SIMT_MEMORY_MANAGED,
  SIMT_MEMORY_REGISTERED,
  SIMT_MEMORY_VARIABLE, /* of the device, in a module */
};
struct simt_memory {
  enum simt_memory_kind kind;
  uintptr_t begin;
  size_t bytes;
  uint64_t serial; /* counts allocations; 0 for what is none */
  int device;
};
SIMT_API struct simt_memory simt_memory_of(const void *address);

/* simt_fill - `count` elements of 1, 2 or 4 bytes get `value`; as cudaMemset, or cudaMemsetAsync */
SIMT_API cudaError_t simt_fill(void *memory, unsigned value, size_t element, size_t count,
                               cudaStream_t stream, int waits);

/* simt_capture_info - the graph that a stream records and its number, which no other one has; NULL
 * and 0 if it records none. simt_capture_spoil - what it records cannot be used any more */
SIMT_API cudaGraph_t simt_capture_info(cudaStream_t stream, unsigned long long *number);
SIMT_API void simt_capture_spoil(cudaStream_t stream);

/* ---- How the process is run ------------------------------------------------------------------ */

enum simt_instrumentation { SIMT_UNINSTRUMENTED, SIMT_CHECKED, SIMT_PROFILED };
SIMT_API enum simt_instrumentation simt_instrumented_for(void);

#ifdef __cplusplus
}
#endif
#endif
