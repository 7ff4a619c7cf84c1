/* device.c - what a caller does with the device beside computing: memory, copies, scratch,
 * preparing
 *
 * Result   the public calls of "device memory" in heddle.h
 * Limits   memory that the caller frees is looked up in the list of this context's blocks */
#include <string.h>

#include "host/status.h"
#include "inside.h"

/* ---- memory ---------------------------------------------------------------------------------- */

heddle_status hd_cuda_device_alloc(heddle_context *ctx, size_t bytes, void **out) {
  struct hd_cuda_call call;
  cu_pointer memory = 0;
  HD_TRY(hd_cuda_enter(ctx, "heddle_device_alloc", &call));
  heddle_status status = hd_cuda_obtain(&call, bytes ? bytes : 1, true, &memory);
  if (!status) *out = (void *)(uintptr_t)memory;
  return hd_cuda_leave(&call, status);
}

heddle_status hd_cuda_device_free(heddle_context *ctx, void *memory) {
  struct hd_cuda_call call;
  cu_pointer at = (cu_pointer)(uintptr_t)memory;
  HD_TRY(hd_cuda_enter(ctx, "heddle_device_free", &call));
  heddle_status status = hd_cuda_no_capture(&call, "freeing device memory");
  const struct hd_cuda_block *block = status ? NULL : hd_cuda_block_of(call.cuda, at);
  if (!status && (!block || block->at != at || !block->callers))
    status = hd_fail(HEDDLE_BAD_ARGUMENT,
                     "heddle_device_free: `memory` %p is not what heddle_device_alloc gave on this "
                     "context, or was freed before",
                     memory);
  if (!status)
    status = hd_cuda_check(&call, hd_cuda_free_block(call.cuda, at), "freeing device memory");
  return hd_cuda_leave(&call, status);
}

heddle_status hd_cuda_set_device_allocator(heddle_context *ctx, heddle_device_allocate *allocate,
                                           heddle_device_release *release, void *user) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, "heddle_set_device_allocator", &call));
  struct hd_cuda_context *cuda = call.cuda;
  heddle_status status = HEDDLE_OK;
  size_t held = 0;
  for (const struct hd_cuda_block *block = cuda->blocks; block; block = block->next)
    held += block->bytes;
  if (held)
    status = hd_fail(HEDDLE_BAD_ARGUMENT,
                     "heddle_set_device_allocator: `ctx` holds %zu bytes of device memory of the "
                     "earlier allocator; set one right after heddle_open",
                     held);
  if (!status) {
    cuda->allocate = allocate;
    cuda->release = release;
    cuda->allocate_user = user;
  }
  return hd_cuda_leave(&call, status);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Pageable memory goes in slices through pinned memory, on the other side of which the device
 * copies: at its speed that takes no time. */
struct plain_copy {
  struct hd_cuda_call *call;
  cu_pointer from, to; /* the side that is on the device; 0: the other */
};

static heddle_status copy_slice(void *arg, u64 first, size_t n, const cu_pointer *device) {
  const struct plain_copy *copy = arg;
  cu_pointer to = copy->to ? copy->to + first : device[0];
  cu_pointer from = copy->from ? copy->from + first : device[0];
  return hd_cuda_check(copy->call, copy->call->cu->copy_device(to, from, n, copy->call->stream),
                       "copying");
}

static heddle_status copy_pageable(struct hd_cuda_call *call, void *to,
                                   enum hd_cuda_memory_space target, const void *from,
                                   size_t bytes) {
  struct plain_copy copy = {.call = call};
  struct hd_cuda_operand operand = {.what = "from", .element_bytes = 1, .space = HD_SPACE_HOST};
  if (target == HD_SPACE_DEVICE) {
    copy.to = (cu_pointer)(uintptr_t)to;
    operand.in = from;
  } else {
    copy.from = (cu_pointer)(uintptr_t)from;
    operand.out = to;
  }
  return hd_cuda_slices(call, &operand, 1, bytes, 1, copy_slice, &copy);
}

heddle_status hd_cuda_copy(heddle_context *ctx, void *to, const void *from, size_t bytes) {
  struct hd_cuda_call call;
  enum hd_cuda_memory_space source, target;
  HD_TRY(hd_cuda_enter(ctx, "heddle_copy", &call));
  heddle_status status = hd_cuda_find_space(&call, "to", to, bytes, 1, &target);
  if (!status) status = hd_cuda_find_space(&call, "from", from, bytes, 1, &source);
  if (!status && bytes && !call.preparing) {
    bool pageable = source == HD_SPACE_HOST || target == HD_SPACE_HOST;
    bool on_host = source != HD_SPACE_DEVICE && target != HD_SPACE_DEVICE;
    call.synchronous = pageable || on_host;
    if (call.synchronous) status = hd_cuda_no_capture(&call, "copying pageable memory");
    if (!status && on_host) {
      status = hd_cuda_wait(&call, call.stream);
      if (!status) memcpy(to, from, bytes);
    } else if (!status && pageable) {
      status = copy_pageable(&call, to, target, from, bytes);
    } else if (!status) {
      status = hd_cuda_check(&call,
                             call.cu->copy_any((cu_pointer)(uintptr_t)to,
                                               (cu_pointer)(uintptr_t)from, bytes, call.stream),
                             "copying");
    }
  }
  return hd_cuda_leave(&call, status);
}

/* ---- preparing, scratch ---------------------------------------------------------------------- */

heddle_status hd_cuda_prepare_begin(heddle_context *ctx) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, "heddle_prepare_begin", &call));
  heddle_status status = hd_cuda_no_capture(&call, "preparing");
  if (!status) {
    call.cuda->preparing = true;
    call.cuda->scratch_wanted = 0;
  }
  return hd_cuda_leave(&call, status);
}

/* A call of no work but the scratch that the prepared ones take. */
heddle_status hd_cuda_prepare_end(heddle_context *ctx, size_t *scratch_bytes) {
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(ctx, "heddle_prepare_end", &call));
  struct hd_cuda_context *cuda = call.cuda;
  const size_t wanted = cuda->scratch_wanted;
  cu_pointer scratch;
  heddle_status status = hd_cuda_no_capture(&call, "allocating scratch");
  cuda->preparing = call.preparing = false;
  if (!status && wanted && !cuda->callers_scratch.bytes)
    status = hd_cuda_scratch(&call, wanted, &scratch);
  if (!status && scratch_bytes) *scratch_bytes = wanted;
  return hd_cuda_leave(&call, status);
}

heddle_status hd_cuda_set_scratch(heddle_context *ctx, void *memory, size_t bytes) {
  struct hd_cuda_call call;
  enum hd_cuda_memory_space space = HD_SPACE_DEVICE;
  HD_TRY(hd_cuda_enter(ctx, "heddle_set_scratch", &call));
  heddle_status status = hd_cuda_find_space(&call, "memory", memory, bytes, 16, &space);
  if (!status && bytes && (space != HD_SPACE_DEVICE || (uintptr_t)memory % 256))
    status = hd_fail(HEDDLE_BAD_ARGUMENT,
                     "heddle_set_scratch: `memory` %p is %s; give device memory whose address is a "
                     "multiple of 256",
                     memory, space == HD_SPACE_DEVICE ? "not aligned" : "host memory");
  if (!status)
    call.cuda->callers_scratch = (struct hd_cuda_area){(cu_pointer)(uintptr_t)memory, bytes};
  return hd_cuda_leave(&call, status);
}
