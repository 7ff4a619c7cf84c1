/* arrays.c - whole arrays of the host in device memory, for what reads or writes them in any order
 *
 * Limits   they fit the device's memory beside what the call takes */
#include "cuda/core/inside.h"
#include "cuda/staging/move.h"
#include "order/types.h"
#include "search.h"

enum { SOFTWARE_BLOCKS = 3 };

static heddle_status room(struct hd_cuda_call *call, const char *what, u64 bytes,
                          cu_pointer *device) {
  heddle_status status = hd_cuda_scratch(call, (size_t)bytes, device);
  if (status != HEDDLE_OUT_OF_MEMORY) return status;
  return hd_fail(
      HEDDLE_OUT_OF_MEMORY,
      "%s: `%s` is host memory and needs %llu bytes of scratch on %s, which has not as much; free "
      "device memory, or use a context on \"cpu\"",
      call->entry, what, (unsigned long long)bytes, call->ctx->device);
}

heddle_status hd_cuda_array_in(struct hd_cuda_call *call, const char *what, const void *from,
                               u64 bytes, size_t element_bytes, cu_pointer *device) {
  struct hd_cuda_operand operand = {.what = what, .in = from, .element_bytes = 1};
  *device = (cu_pointer)(uintptr_t)from;
  if (!from || !bytes) return HEDDLE_OK;
  HD_TRY(hd_cuda_find_space(call, what, from, (size_t)bytes, element_bytes, &operand.space));
  if (operand.space == HD_SPACE_DEVICE) return HEDDLE_OK;
  HD_TRY(room(call, what, bytes, device));
  return hd_cuda_move(call, operand, *device, (size_t)bytes);
}

heddle_status hd_cuda_array_out(struct hd_cuda_call *call, const char *what, void *to, u64 bytes,
                                size_t element_bytes, struct hd_cuda_array *array) {
  *array = (struct hd_cuda_array){.what = what, .to = to, .space = HD_SPACE_DEVICE, .bytes = bytes};
  array->device = (cu_pointer)(uintptr_t)to;
  if (!to || !bytes) return HEDDLE_OK;
  HD_TRY(hd_cuda_find_space(call, what, to, (size_t)bytes, element_bytes, &array->space));
  if (array->space == HD_SPACE_DEVICE) return HEDDLE_OK;
  if (!call->preparing) HD_TRY(hd_cuda_no_capture(call, "a result in host memory"));
  call->synchronous = true;
  return room(call, what, bytes, &array->device);
}

heddle_status hd_cuda_array_send(struct hd_cuda_call *call, const struct hd_cuda_array *array,
                                 u64 bytes) {
  const struct hd_cuda_operand operand = {
      .what = array->what, .out = array->to, .element_bytes = 1, .space = array->space};
  if (array->space == HD_SPACE_DEVICE || !bytes) return HEDDLE_OK;
  return hd_cuda_move(call, operand, array->device, (size_t)bytes);
}

/* Bits of infinity; INF of the table is shifted up by one. */
static u64 infinity_of(heddle_type type) {
  switch (type) {
#define CASE(T, n, family, bits, s, a, l, k, v, least, most, raw, inf) \
  case HEDDLE_##T: return (u64)(inf) >> 1;
    HD_FLOAT_TYPES(CASE)
#undef CASE
  default: return 0;
  }
}

struct sort_map hd_cuda_search_map(heddle_type type) {
  const u64 sign = (u64)1 << (8 * heddle_type_size(type) - 1);
  struct sort_map map = {.infinity = infinity_of(type)};
  if (hd_is_signed(type)) map.flip = sign;
  if (hd_is_float(type)) map.turn = 0 - ((sign - 1) - map.infinity);
  return map;
}

u64 hd_cuda_search_blocks(struct hd_cuda_call *call, const struct hd_cuda_kernel *kernel,
                          u64 work) {
  const bool software = hd_cuda_limits(call->cuda)->software;
  const u64 most = software ? SOFTWARE_BLOCKS : hd_cuda_blocks_at_once(call, kernel);
  return work < most ? work : most;
}
