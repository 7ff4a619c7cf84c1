/* Records of contexts, and each thread's stack of them (entry.h).
 *
 * Method   records are never given back to the system, so that a stale handle is recognised
 * Limits   CONTEXTS at a time, DEEPEST on a stack
 */
#include "entry.h"

enum { CONTEXTS = 256, DEEPEST = 64 };

static struct context contexts[CONTEXTS]; /* [0] is the primary one */
static uint64_t last_id;

static _Thread_local struct {
  struct context *stack[DEEPEST];
  unsigned depth;
} mine;

struct context *context_primary(void) {
  return &contexts[0];
}

struct context *context_unused(void) {
  for (size_t i = 1; i < CONTEXTS; i++) {
    struct context *c = &contexts[(last_id + i) % (CONTEXTS - 1) + 1];
    if (!c->live) return c;
  }
  return NULL;
}

void context_start(struct context *c, unsigned flags) {
  *c = (struct context){.id = ++last_id, .flags = flags, .live = true, .primary = c == contexts};
}

bool context_ok(const struct context *c) {
  return c >= contexts && c < contexts + CONTEXTS &&
         ((uintptr_t)c - (uintptr_t)contexts) % sizeof *c == 0 && c->id;
}

/* ---- The calling thread's stack -------------------------------------------------------------- */

struct context *context_current(void) {
  return mine.depth ? mine.stack[mine.depth - 1] : NULL;
}

CUresult context_state(void) {
  const struct context *c = context_current();
  if (!c) return CUDA_ERROR_INVALID_CONTEXT;
  return c->live ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

void context_set_current(struct context *c) {
  if (!mine.depth && !c) return;
  if (!mine.depth) mine.depth++;
  mine.stack[mine.depth - 1] = c;
  if (!c) mine.depth--;
}

bool context_push(struct context *c) {
  if (mine.depth == DEEPEST) return false;
  mine.stack[mine.depth++] = c;
  return true;
}

void context_pop(void) { mine.depth--; }
