/* memory_space.c - the memory space of a pointer, and copies of arrays within the kernels' reach
 *
 * Result   device, pinned or pageable memory; addresses for small and middling inputs and outputs
 * Method   one call of the driver asks for everything about an address. Nothing is remembered: the
 *          caller may free memory and get other memory at the same address.
 * Limits   managed memory counts as the device's. Pinned host memory is copied, never read by
 *          kernels across the bus. */
#include <assert.h>
#include <string.h>

#include "host/status.h"
#include "inside.h"

struct found {
  unsigned type, managed; /* the driver writes an int for a bool here */
  int ordinal;
  cu_context context;
  cu_pointer start;
  size_t bytes;
};

static cu_result ask(const struct hd_cuda_driver *cu, const void *pointer, struct found *found) {
  static const int wanted[] = {CU_POINTER_MEMORY_TYPE, CU_POINTER_IS_MANAGED,
                               CU_POINTER_ORDINAL,     CU_POINTER_CONTEXT,
                               CU_POINTER_RANGE_START, CU_POINTER_RANGE_SIZE};
  int attributes[6];
  void *values[6] = {&found->type,    &found->managed, &found->ordinal,
                     &found->context, &found->start,   &found->bytes};
  memcpy(attributes, wanted, sizeof attributes);
  *found = (struct found){.ordinal = -1};
  return cu->pointer_attributes(6, attributes, values, (cu_pointer)(uintptr_t)pointer);
}

/* Device memory that the host cannot read, of whatever device. */
static bool is_device_memory(heddle_context *ctx, const void *pointer, struct found *found) {
  const struct hd_cuda_context *cuda = ctx->data;
  cu_context current = NULL, ours;
  if (cuda->forks != hd_cuda_forks()) return false;
  /* On a thread without a CUDA context the driver would know no address. */
  const bool pushed = !cuda->cu->context_current(&current) && current != cuda->context &&
                      !cuda->cu->context_push(cuda->context);
  const bool known = !ask(cuda->cu, pointer, found);
  if (pushed) (void)cuda->cu->context_pop(&ours);
  return known && found->type == CU_MEMORY_DEVICE && !found->managed;
}

bool hd_cuda_on_device(heddle_context *ctx, const void *pointer) {
  struct found found;
  return is_device_memory(ctx, pointer, &found);
}

int hd_cuda_device_of(heddle_context *ctx, const void *pointer) {
  struct found found;
  const struct hd_cuda_context *cuda = ctx->data;
  if (!is_device_memory(ctx, pointer, &found)) return -1;
  return found.ordinal == cuda->ordinal ? found.ordinal : -2;
}

/* Memory of heddle_device_alloc is known without asking: it cannot be freed behind our back. The
 * list is short, or its first blocks are the latest and the likeliest. */
static bool is_ours(struct hd_cuda_context *cuda, const void *pointer, struct found *found) {
  enum { LOOK_AT = 16 };
  const cu_pointer at = (cu_pointer)(uintptr_t)pointer;
  const struct hd_cuda_block *block = cuda->blocks;
  for (int i = 0; block && i < LOOK_AT; i++, block = block->next) {
    if (at < block->at || at - block->at >= block->bytes || block->hooked) continue;
    *found = (struct found){.type = CU_MEMORY_DEVICE,
                            .ordinal = cuda->ordinal,
                            .context = cuda->context,
                            .start = block->at,
                            .bytes = block->bytes};
    return true;
  }
  return false;
}

static heddle_status check_device(struct hd_cuda_call *call, const char *what, const void *pointer,
                                  size_t bytes, size_t element_bytes, const struct found *found) {
  const struct hd_cuda_context *cuda = call->cuda;
  if (!found->managed && found->ordinal >= 0 && found->ordinal != cuda->ordinal)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `%s` is memory of GPU %d, but `ctx` is on %s; copy it, or open a context "
                   "on that GPU",
                   call->entry, what, found->ordinal, call->ctx->device);
  if (!found->managed && found->context && found->context != cuda->context)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `%s` is memory of another CUDA context of GPU %d than `ctx` uses; call "
                   "heddle_open while that context is current",
                   call->entry, what, cuda->ordinal);
  size_t offset = (size_t)((cu_pointer)(uintptr_t)pointer - found->start);
  if (found->bytes && (offset > found->bytes || bytes > found->bytes - offset))
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `%s` needs %zu bytes, but the device memory that it lies in ends after %zu",
                   call->entry, what, bytes, offset > found->bytes ? 0 : found->bytes - offset);
  const u32 alignment = hd_cuda_alignment(element_bytes, 16);
  if ((uintptr_t)pointer % alignment)
    return hd_fail(HEDDLE_BAD_ARGUMENT,
                   "%s: `%s` is device memory at %p, no multiple of %u; a GPU reads elements that "
                   "are aligned only",
                   call->entry, what, pointer, alignment);
  return HEDDLE_OK;
}

heddle_status hd_cuda_find_space(struct hd_cuda_call *call, const char *what, const void *pointer,
                                 size_t bytes, size_t element_bytes,
                                 enum hd_cuda_memory_space *space) {
  struct found found;
  *space = HD_SPACE_DEVICE;
  if (!bytes || call->record) return HEDDLE_OK;
  assert(pointer && element_bytes);
  if (is_ours(call->cuda, pointer, &found))
    return check_device(call, what, pointer, bytes, element_bytes, &found);
  cu_result result = ask(call->cu, pointer, &found);
  /* An address that CUDA has never seen is an error to old drivers, and of no type to new ones. */
  if (result && result != CU_INVALID_VALUE)
    return hd_cuda_check(call, result, "asking where an array lies");
  if (!result && (found.managed || found.type == CU_MEMORY_DEVICE))
    return check_device(call, what, pointer, bytes, element_bytes, &found);
  *space = !result && found.type == CU_MEMORY_HOST ? HD_SPACE_PINNED : HD_SPACE_HOST;
  return HEDDLE_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

static void await(struct hd_cuda_call *call, struct hd_cuda_pending pending) {
  assert(call->pendings < sizeof call->pending / sizeof *call->pending);
  call->pending[call->pendings++] = pending;
  call->synchronous = true;
}

void hd_cuda_await(struct hd_cuda_call *call, void *to, const void *pinned, size_t bytes,
                   bool staged) {
  await(call, (struct hd_cuda_pending){.to = to, .from = pinned, .bytes = bytes, .staged = staged});
}

static heddle_status place_result(struct hd_cuda_call *call, const char *what, void *to,
                                  size_t bytes, size_t element_bytes, cu_pointer *device) {
  enum hd_cuda_memory_space space;
  *device = 0;
  if (!to) return HEDDLE_OK;
  HD_TRY(hd_cuda_find_space(call, what, to, bytes, element_bytes, &space));
  if (space == HD_SPACE_DEVICE) {
    *device = (cu_pointer)(uintptr_t)to;
    return HEDDLE_OK;
  }
  return call->preparing ? HEDDLE_OK : hd_cuda_no_capture(call, "a result in host memory");
}

heddle_status hd_cuda_output(struct hd_cuda_call *call, const char *what, void *to, size_t bytes,
                             size_t element_bytes, cu_pointer *device) {
  HD_TRY(place_result(call, what, to, bytes, element_bytes, device));
  if (*device || !to) return HEDDLE_OK;
  char *pinned = call->cuda->pinned + HD_PINNED_OUTPUTS + call->pinned_used;
  call->pinned_used += (bytes + 15) & ~(size_t)15;
  assert(call->pinned_used <= HD_OUTPUT_BYTES);
  *device = (cu_pointer)(uintptr_t)pinned;
  hd_cuda_await(call, to, pinned, bytes, false);
  return HEDDLE_OK;
}

heddle_status hd_cuda_result(struct hd_cuda_call *call, const char *what, void *to, size_t bytes,
                             size_t element_bytes, cu_pointer *device) {
  HD_TRY(place_result(call, what, to, bytes, element_bytes, device));
  if (*device || !to || !bytes) return HEDDLE_OK;
  HD_TRY(hd_cuda_scratch(call, bytes, device));
  await(call, (struct hd_cuda_pending){.to = to, .device = *device, .bytes = bytes});
  return HEDDLE_OK;
}

heddle_status hd_cuda_input(struct hd_cuda_call *call, const char *what, const void *from,
                            size_t bytes, size_t element_bytes, cu_pointer *device) {
  enum hd_cuda_memory_space space;
  *device = (cu_pointer)(uintptr_t)from;
  HD_TRY(hd_cuda_find_space(call, what, from, bytes, element_bytes, &space));
  if (space == HD_SPACE_DEVICE) return HEDDLE_OK;
  HD_TRY(hd_cuda_scratch(call, bytes, device));
  call->synchronous = true; /* the caller's memory may change when the call returns */
  return hd_cuda_upload(call, *device, from, bytes);
}
