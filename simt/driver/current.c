/* Records of contexts, and each thread's stack of them (entry.h).
 *
 * Method   records are never given back to the system, so that a stale handle is recognised
 * Limits   CONTEXTS at a time, of which the first DEVICES are the primary ones, DEEPEST on a stack
 */
#include "entry.h"

enum { CONTEXTS = 256, DEVICES = 16, DEEPEST = 64 };

static struct context contexts[CONTEXTS];
static uint64_t last_id;

static _Thread_local struct {
  struct context *stack[DEEPEST];
  unsigned depth;
} mine;

struct context *context_primary(int device) {
  return &contexts[device];
}

struct context *context_unused(void) {
  for (size_t i = 0; i < CONTEXTS - DEVICES; i++) {
    struct context *c = &contexts[DEVICES + (last_id + i) % (CONTEXTS - DEVICES)];
    if (!c->live) return c;
  }
  return NULL;
}

void context_start(struct context *c, int device, unsigned flags) {
  *c = (struct context){.id = ++last_id,
                        .flags = flags,
                        .device = device,
                        .live = true,
                        .primary = c < contexts + DEVICES};
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
