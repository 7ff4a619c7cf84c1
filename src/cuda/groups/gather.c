/* gather.c - rows, group after group: kernels/search/gather.cu by the handle's order */
#include "groups.h"

static heddle_status gather(struct hd_cuda_call *call, const struct hd_cuda_groups *g,
                            size_t row_bytes, const void *in, void *out) {
  const u64 bytes = g->count * row_bytes;
  struct hd_cuda_gather rows = {.index = g->order,
                                .in_count = g->count,
                                .count = g->count,
                                .row_bytes = row_bytes,
                                .index_bytes = g->order_bytes};
  struct hd_cuda_array to;
  HD_TRY(hd_cuda_array_out(call, "out", out, bytes, 1, &to));
  HD_TRY(hd_cuda_array_in(call, "in", in, bytes, 1, &rows.in));
  rows.out = to.device;
  if (g->order)
    HD_TRY(hd_cuda_gather_rows(call, &rows));
  else
    HD_TRY(hd_cuda_check(call,
                         call->cu->copy_device(rows.out, rows.in, (size_t)bytes, call->stream),
                         "copying rows"));
  return hd_cuda_array_send(call, &to, bytes);
}

heddle_status hd_cuda_groups_gather(void *handle, size_t row_bytes, const void *in, void *out) {
  const struct hd_cuda_groups *g = handle;
  struct hd_cuda_call call;
  HD_TRY(hd_cuda_enter(g->own.ctx, "heddle_groups_gather", &call));
  return hd_cuda_leave(&call, gather(&call, g, row_bytes, in, out));
}
