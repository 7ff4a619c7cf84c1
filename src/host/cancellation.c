/* cancellation.c - the poll callback asked by the calling thread, its answer seen by all */
#include <time.h>

#include "context.h"
#include "status.h"

enum { POLL_NS = 50 * 1000 * 1000 };

static u64 now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

void hd_cancellation_start(struct hd_cancellation *token, heddle_context *ctx) {
  token->ctx = ctx;
  token->caller = pthread_self();
  token->due = ctx->poll ? now_ns() + POLL_NS : 0;
  atomic_init(&token->cancelled, 0);
}

bool hd_poll(struct hd_cancellation *token) {
  if (!token->ctx->poll) return false;
  if (atomic_load_explicit(&token->cancelled, memory_order_relaxed)) return true;
  if (!pthread_equal(pthread_self(), token->caller)) return false;
  u64 now = now_ns();
  if (now < token->due) return false;
  token->due = now + POLL_NS;
  if (!token->ctx->poll(token->ctx->poll_user)) return false;
  atomic_store(&token->cancelled, 1);
  return true;
}

heddle_status hd_cancellation_status(struct hd_cancellation *token, const char *entry) {
  if (!atomic_load(&token->cancelled)) return HEDDLE_OK;
  return hd_fail(HEDDLE_CANCELLED, "%s: the poll callback asked to stop; the outputs are undefined",
                 entry);
}
