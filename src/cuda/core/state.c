/* state.c - what the states of all verbs own, from begin to free
 *
 * A state has host memory from the context's allocator and device memory that outlives calls. The
 * host memory begins with a struct hd_cuda_state; the rest of it is the verb's. */
#include <string.h>

#include "cuda.h"

void *hd_cuda_state_make(heddle_context *ctx, size_t bytes) {
  struct hd_cuda_state *state = hd_allocate(ctx, bytes);
  if (!state) return NULL;
  memset(state, 0, bytes);
  state->ctx = ctx;
  state->bytes = bytes;
  return state;
}

/* Within a call. */
static void give_back(struct hd_cuda_call *call, struct hd_cuda_state *state) {
  if (state->holders) --*state->holders;
  hd_cuda_forget(call, state->memory);
}

heddle_status hd_cuda_state_enter(struct hd_cuda_state *state, const char *entry,
                                  struct hd_cuda_call *call) {
  heddle_status status = hd_cuda_enter(state->ctx, entry, call);
  if (status) hd_release(state->ctx, state, state->bytes);
  return status;
}

heddle_status hd_cuda_state_leave(struct hd_cuda_call *call, heddle_status status,
                                  struct hd_cuda_state *state, void **out) {
  if (status) give_back(call, state);
  status = hd_cuda_leave(call, status);
  if (status)
    hd_release(state->ctx, state, state->bytes);
  else
    *out = state;
  return status;
}

void hd_cuda_state_free(struct hd_cuda_state *state) {
  struct hd_cuda_call call;
  if (!hd_cuda_enter(state->ctx, "heddle_state_free", &call)) {
    give_back(&call, state);
    (void)hd_cuda_leave(&call, HEDDLE_OK);
  }
  hd_release(state->ctx, state, state->bytes);
}
