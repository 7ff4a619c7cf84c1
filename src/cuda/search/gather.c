/* gather.c - rows by their positions: kernels/search/gather.cu
 *
 * Method   Loads are as wide as rows and arrays are aligned. Positions and rows of the host come in slices; the
 *          array that is read anywhere is copied whole. */
#include "host/status.h"
#include "order/types.h"
#include "search.h"

enum {
  THREADS = 256,
  ITEMS = 4,         /* rows of a thread at once */
  MOST_LANES = 32,   /* of a row */
  PART_UNITS = 1024, /* of a row, at least */
  PARTS_EACH = 64,   /* rows enough for an SM: of fewer, long ones are cut */
  SLICE_ROWS = 1
};

static u32 lanes_of(u64 units) {
  u32 lanes = 1;
  while (lanes < units && lanes < MOST_LANES) lanes *= 2;
  return lanes;
}

heddle_status hd_cuda_gather_rows(struct hd_cuda_call *call, const struct hd_cuda_gather *gather) {
  const u32 unit = hd_cuda_alignment(gather->in | gather->out | gather->row_bytes, 16);
  struct gather_args a = {.in = gather->in,
                          .in_count = gather->in_count,
                          .index = gather->index,
                          .count = gather->count,
                          .first = gather->first,
                          .out = gather->out,
                          .units = gather->row_bytes / unit,
                          .parts = 1,
                          .fault = hd_cuda_fault(call)};
  const u64 enough = PARTS_EACH * (u64)hd_cuda_limits(call->cuda)->sms;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  if (a.units > PART_UNITS && a.count < enough) a.parts = (a.units + PART_UNITS - 1) / PART_UNITS;
  a.part_units = (a.units + a.parts - 1) / a.parts;
  const u32 lanes = lanes_of(a.part_units);
  hd_cuda_kernel_file(&key, "search/gather.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_UNIT", unit);
  hd_cuda_kernel_define(&key, "HEDDLE_LANES", lanes);
  hd_cuda_kernel_define(&key, "HEDDLE_INDEX_BYTES", gather->index_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_SIGNED", gather->is_signed);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", THREADS);
  hd_cuda_kernel_define(&key, "HEDDLE_ITEMS", ITEMS);
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_gather", THREADS, 0, &kernel));
  const u64 each = (u64)THREADS / lanes * ITEMS, work = (a.count * a.parts + each - 1) / each;
  return hd_cuda_launch(call, &kernel, hd_cuda_search_blocks(call, &kernel, work), &a, sizeof a);
}

struct gather {
  struct hd_cuda_call *call;
  struct hd_cuda_gather rows;
};

static heddle_status gather_slice(void *arg, u64 first, size_t n, const cu_pointer *device) {
  struct gather *g = arg;
  struct hd_cuda_gather rows = g->rows;
  rows.index = device[0];
  rows.out = device[1];
  rows.count = n;
  rows.first = first;
  return hd_cuda_gather_rows(g->call, &rows);
}

static heddle_status gather_array(struct gather *g, const void *in, const void *index, size_t count,
                                  void *out) {
  struct hd_cuda_call *call = g->call;
  const size_t bytes = g->rows.row_bytes, index_bytes = g->rows.index_bytes;
  struct hd_cuda_operand operands[2] = {
      {.what = "index", .in = index, .element_bytes = index_bytes},
      {.what = "out", .out = out, .element_bytes = bytes}};
  HD_TRY(hd_cuda_find_space(call, "index", index, count * index_bytes, index_bytes,
                            &operands[0].space));
  HD_TRY(hd_cuda_find_space(call, "out", out, count * bytes, 1, &operands[1].space));
  if (operands[0].space != HD_SPACE_DEVICE || operands[1].space != HD_SPACE_DEVICE)
    call->synchronous = true; /* a fault of any slice is the call's own */
  HD_TRY(hd_cuda_array_in(call, "in", in, g->rows.in_count * bytes, 1, &g->rows.in));
  return hd_cuda_slices(call, operands, 2, count, SLICE_ROWS, gather_slice, g);
}

heddle_status hd_cuda_gather(heddle_context *ctx, size_t element_bytes, const void *in,
                             size_t in_count, heddle_type index_type, const void *index,
                             size_t count, void *out) {
  struct hd_cuda_call call;
  struct gather g = {.call = &call,
                     .rows = {.in_count = in_count,
                              .row_bytes = element_bytes,
                              .index_bytes = (u32)heddle_type_size(index_type),
                              .is_signed = hd_is_signed(index_type)}};
  HD_TRY(hd_cuda_enter(ctx, "heddle_gather", &call));
  return hd_cuda_leave(&call, gather_array(&g, in, index, count, out));
}
