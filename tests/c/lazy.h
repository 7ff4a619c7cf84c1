/* lazy.h - what the files of the lazy driver share: operations that are queued, and who runs them
 *
 * Result   lazy_queue.c keeps operations a stream and runs those that are due; lazy_driver.c has the
 *          driver's entries
 * Limits   all between lazy_enter and lazy_leave, which hold one lock */
#ifndef TESTS_LAZY_H
#define TESTS_LAZY_H

#include <stddef.h>
#include <stdint.h>

enum kind { COPY_IN, COPY_OUT, COPY_DEVICE, COPY_ANY, FILL, LAUNCH, RECORD, WAIT, GRAPH };

struct op {
  struct op *next;
  enum kind kind;
  uint64_t number;
  uintptr_t to, from; /* WAIT: `from` is the stream that the event was recorded on */
  size_t bytes;
  unsigned grid[3], block[3], shared, value;
  void *object; /* a kernel, an event or a graph */
  void **arguments;
  char *data;
  uint64_t version; /* of the event: the number of the record */
};

struct event {
  struct event *next;
  void *handle, *stream;
  uint64_t queued, done;
};

/* The driver behind this one. */
/* clang-format off */
#define LAZY_ENTRIES(X)                                                                            \
  X(copy_in, "cuMemcpyHtoDAsync_v2", (uintptr_t, uintptr_t, size_t, void *))                       \
  X(copy_out, "cuMemcpyDtoHAsync_v2", (uintptr_t, uintptr_t, size_t, void *))                      \
  X(copy_device, "cuMemcpyDtoDAsync_v2", (uintptr_t, uintptr_t, size_t, void *))                   \
  X(copy_any, "cuMemcpyAsync", (uintptr_t, uintptr_t, size_t, void *))                             \
  X(fill, "cuMemsetD8Async", (uintptr_t, unsigned char, size_t, void *))                           \
  X(fill_now, "cuMemsetD8_v2", (uintptr_t, unsigned char, size_t))                                 \
  X(download, "cuMemcpyDtoH_v2", (void *, uintptr_t, size_t))                                      \
  X(upload, "cuMemcpyHtoD_v2", (uintptr_t, const void *, size_t))                                  \
  X(launch, "cuLaunchKernel", (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
    unsigned, void *, void **, void **))                                                           \
  X(graph, "cuGraphLaunch", (void *, void *))                                                      \
  X(record, "cuEventRecord", (void *, void *))                                                     \
  X(wait, "cuStreamWaitEvent", (void *, void *, unsigned))                                         \
  X(event_sync, "cuEventSynchronize", (void *))                                                    \
  X(event_destroy, "cuEventDestroy_v2", (void *))                                                  \
  X(stream_sync, "cuStreamSynchronize", (void *))                                                  \
  X(stream_query, "cuStreamQuery", (void *))                                                       \
  X(stream_create, "cuStreamCreate", (void **, unsigned))                                          \
  X(stream_destroy, "cuStreamDestroy_v2", (void *))                                                \
  X(capturing, "cuStreamIsCapturing", (void *, int *))                                             \
  X(capture, "cuStreamBeginCapture_v2", (void *, int))                                             \
  X(sync, "cuCtxSynchronize", (void))                                                              \
  X(attributes, "cuPointerGetAttributes", (unsigned, int *, void **, uintptr_t))                   \
  X(release, "cuMemFree_v2", (void *))                                                          \
  X(release_behind, "cuMemFreeAsync", (uintptr_t, void *))                                     \
  X(unpin, "cuMemFreeHost", (void *))                                                              \
  X(unload, "cuModuleUnload", (void *))                                                            \
  X(primary_release, "cuDevicePrimaryCtxRelease_v2", (int))
/* clang-format on */

struct lazy_real {
#define X(member, symbol, arguments) int(*member) arguments;
  LAZY_ENTRIES(X)
#undef X
};
extern struct lazy_real real;

void lazy_enter(void);
int lazy_leave(int code); /* returns the code */

enum { LEGACY = 1 }; /* CUDA's other name for the default stream */
static inline void *handle_of(void *stream) { return (uintptr_t)stream == LEGACY ? NULL : stream; }

int is_captured(void *stream);
struct event *event_of(void *handle);
void set_apart(void *stream); /* it does not wait for the default stream, nor that for it */
struct op *put(void *stream, enum kind kind);

void run_one(void *stream); /* all of a stream, and what that waits for */
void run_for(void *stream); /* what waiting for a stream runs */
void run_all(void);
void reach(struct event *e, uint64_t version, void *stream);
int heard(void); /* the first code of an operation that nobody has heard of, once */

#endif
