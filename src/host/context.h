/* context.h - the inside of a heddle_context, and what every back end may ask of it: memory,
 * threads, the poll callback, a floating-point environment of its own */
#ifndef HEDDLE_HOST_CONTEXT_H
#define HEDDLE_HOST_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "heddle.h"
#include "order/types.h"

struct hd_backend;

struct heddle_context {
  const struct hd_backend *backend;
  const void *kernels;   /* the back end's own table */
  void *data;            /* the back end's own, to be ended by its close */
  atomic_bool preparing; /* between heddle_prepare_begin and heddle_prepare_end */
  unsigned threads;
  pthread_mutex_t lock; /* held by a call that uses threads or scratch */
  heddle_allocate *allocate;
  heddle_release *release;
  void *memory_user;
  heddle_device_allocate *device_allocate; /* a CPU's; NULL: as all other memory */
  heddle_device_release *device_release;
  void *device_user;
  atomic_size_t bytes_held;
  heddle_executor *run;
  void *run_user;
  heddle_poll *poll;
  void *poll_user;
  char device[64];
  char note[128];
};

/* Memory of the context, aligned to 64 bytes, not cleared; NULL with the message set. bytes > 0.
 * hd_release takes the same size back; NULL is allowed. */
void *hd_allocate(heddle_context *ctx, size_t bytes);
void hd_release(heddle_context *ctx, void *memory, size_t bytes);
/* Asks the system for large pages under memory that is about to be written for the first time. */
void hd_large_pages(void *memory, size_t bytes);
/* Where that memory comes from; NULL for both: aligned_alloc and free. */
void hd_set_allocator(heddle_context *ctx, heddle_allocate *allocate, heddle_release *release,
                      void *user);
/* count * size for a size_t that may overflow; false if it does. */
static inline bool hd_product(size_t count, size_t size, size_t *bytes) {
  return !__builtin_mul_overflow(count, size, bytes);
}

/* Runs task(arg, i) for every i < count: on the context's executor, or on the library's threads
 * and the calling one. Inside a task of the pool it runs them one after the other. Tasks find
 * round-to-nearest and denormals kept. A task may wait only for one that is certain to have
 * started: take work by an atomic ticket, and wait for lower tickets. */
void hd_parallel(heddle_context *ctx, size_t count, heddle_task *task, void *arg);

/* Cancellation token: the poll callback, for one call. Any thread may ask hd_cancelled; only the thread that made
 * the call runs the callback, at most every 50 ms, whenever it asks hd_poll. */
struct hd_cancellation {
  heddle_context *ctx;
  pthread_t caller;
  u64 due; /* ns; touched by the caller's thread only */
  atomic_int cancelled;
};
void hd_cancellation_start(struct hd_cancellation *token, heddle_context *ctx);
bool hd_poll(struct hd_cancellation *token); /* true: stop */
/* HEDDLE_OK, or HEDDLE_CANCELLED with the message set. */
heddle_status hd_cancellation_status(struct hd_cancellation *token, const char *entry);

/* Round to nearest even, no trap, denormals kept: returns what must be given back. */
unsigned long hd_float_enter(void);
void hd_float_leave(unsigned long saved);

#endif
