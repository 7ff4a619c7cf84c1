/* What an address is.
 *
 * Result   of memory that is neither the device's nor known to it one question is an error, and
 *          several at once get zeroes, as the driver has it
 * Source   CUDA Driver API 13.0, section Unified Addressing
 */
#include "entry.h"

/* Whose context it belongs to; NULL: nobody's. */
static struct context *owner(const struct simt_memory *place) {
  static const enum object_kind kinds[] = {[SIMT_MEMORY_DEVICE] = OBJECT_MEMORY,
                                           [SIMT_MEMORY_PINNED] = OBJECT_PINNED,
                                           [SIMT_MEMORY_MANAGED] = OBJECT_MEMORY,
                                           [SIMT_MEMORY_REGISTERED] = OBJECT_REGISTERED};
  if (place->kind == SIMT_MEMORY_UNKNOWN) return NULL;
  if (place->kind == SIMT_MEMORY_VARIABLE) return context_current();
  const struct object *object = object_find((const void *)place->begin, kinds[place->kind]);
  return object ? object->context : NULL;
}

/* One answer at `data`; false: there is no such question. */
static bool answer(void *data, int attribute, const struct simt_memory *place,
                   CUdeviceptr address) {
  const bool known = place->kind != SIMT_MEMORY_UNKNOWN;
  const bool device = place->kind == SIMT_MEMORY_DEVICE || place->kind == SIMT_MEMORY_VARIABLE;
  const bool managed = place->kind == SIMT_MEMORY_MANAGED;
  void *same = (void *)(uintptr_t)address;
  switch (attribute) {
  case CU_POINTER_CONTEXT: *(CUcontext *)data = owner(place); return true;
  case CU_POINTER_MEMORY_TYPE:
    *(unsigned *)data = !known ? 0 : device || managed ? CU_MEMORY_DEVICE : CU_MEMORY_HOST;
    return true;
  case CU_POINTER_DEVICE_POINTER: *(CUdeviceptr *)data = known ? address : 0; return true;
  case CU_POINTER_HOST_POINTER: *(void **)data = known && !device ? same : NULL; return true;
  case CU_POINTER_BUFFER_ID: *(unsigned long long *)data = place->serial; return true;
  case CU_POINTER_IS_MANAGED: *(unsigned *)data = managed; return true;
  case CU_POINTER_DEVICE_ORDINAL:
    *(int *)data = known ? place->device : CU_DEVICE_INVALID;
    return true;
  case CU_POINTER_RANGE_START: *(CUdeviceptr *)data = place->begin; return true;
  case CU_POINTER_RANGE_SIZE: *(size_t *)data = place->bytes; return true;
  case CU_POINTER_MAPPED: *(int *)data = known; return true;
  case CU_POINTER_HANDLE_TYPES: *(unsigned long long *)data = 0; return true;
  case CU_POINTER_ACCESS_FLAGS: *(unsigned *)data = known ? 3 : 0; return true;
  case CU_POINTER_MEMPOOL: *(void **)data = NULL; return true;
  case CU_POINTER_SYNC_MEMOPS:
  case CU_POINTER_IPC_CAPABLE:
  case CU_POINTER_RDMA_CAPABLE: *(unsigned *)data = 0; return true;
  default: return false;
  }
}

API_EXPORT CUresult cuPointerGetAttribute(void *data, int attribute, CUdeviceptr address) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  const struct simt_memory place = simt_memory_of((const void *)(uintptr_t)address);
  if (!data || place.kind == SIMT_MEMORY_UNKNOWN) return api_leave(CUDA_ERROR_INVALID_VALUE);
  const bool is_address = attribute == CU_POINTER_HOST_POINTER &&
                          (place.kind == SIMT_MEMORY_DEVICE || place.kind == SIMT_MEMORY_VARIABLE);
  if (is_address) return api_leave(CUDA_ERROR_INVALID_VALUE); /* the host has none for it */
  return api_leave(answer(data, attribute, &place, address) ? CUDA_SUCCESS
                                                            : CUDA_ERROR_INVALID_VALUE);
}

API_EXPORT CUresult cuPointerGetAttributes(unsigned count, const int *attributes, void **data,
                                           CUdeviceptr address) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!count || !attributes || !data) return api_leave(CUDA_ERROR_INVALID_VALUE);
  const struct simt_memory place = simt_memory_of((const void *)(uintptr_t)address);
  for (unsigned i = 0; i < count; i++)
    if (!data[i] || !answer(data[i], attributes[i], &place, address))
      return api_leave(CUDA_ERROR_INVALID_VALUE);
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr *begin, size_t *bytes,
                                            CUdeviceptr address) {
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  if (refused) return refused;
  const struct simt_memory place = simt_memory_of((const void *)(uintptr_t)address);
  if (place.kind == SIMT_MEMORY_UNKNOWN) return api_leave(CUDA_ERROR_NOT_FOUND);
  if (begin) *begin = place.begin;
  if (bytes) *bytes = place.bytes;
  return api_leave(CUDA_SUCCESS);
}
