/* search.c - heddle_search_sorted on a device: kernels/search/buckets.cu, search.cu
 *
 * Method   A block holds the table and buckets of it, where there is room and values enough to pay for them, or a
 *          tree of it, or of as much of it as there is room for, and takes many values: no larger a tree than pays
 *          for them. Nodes near the root, where the lanes of a warp meet, are there once for each lane. Host arrays of values come in slices; a table of the host is copied whole. */
#include "search.h"
#include "host/status.h"
#include "order/types.h"

enum {
  THREADS = 512,
  BLOCKS_EACH = 2,  /* an SM, at least */
  OWN_BYTES = 1024, /* of shared memory, that the driver takes */
  SOFTWARE_THREADS = 64,
  SOFTWARE_BYTES = 2048,
  WORTH = 8, /* values of a block for each node of its tree, each element and bucket of its table */
  SOFTWARE_WORTH = 2,
  LEAST_BUCKETED = 8, /* elements of a table */
  MOST_BUCKETED = 1 << 14,
  ROOMY = 2 /* buckets an element, if there is room */
};

struct search {
  struct hd_cuda_call *call;
  struct search_args args;
  u32 key_bytes, order, index_bytes, threads;
  heddle_side side;
};

static u32 items_of(const struct search *s) {
  return s->key_bytes == 1 ? 16 : 8; /* ITEMS of the kernel */
}
static u32 node_bytes(const struct search *s) { return s->key_bytes == 8 ? 8 : 4; }
static u32 copies(const struct search *s) { return s->key_bytes == 8 ? 16 : 32; }

/* Nodes, copies counted. */
static u64 nodes_of(const struct search *s, u32 levels, u32 top) {
  return ((u64)copies(s) << top) + ((u64)1 << levels) - ((u64)1 << top);
}

/* Shared memory that a block may have. */
static u64 room_of(const struct search *s) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(s->call->cuda);
  const u64 half = (u64)limits->shared_per_sm / BLOCKS_EACH - OWN_BYTES;
  if (limits->software) return SOFTWARE_BYTES;
  return half < (u64)limits->shared_per_block ? half : (u64)limits->shared_per_block;
}

static u64 bytes_of(const struct search *s, u64 buckets) {
  return SEARCH_HEAD + s->args.sorted_count * s->key_bytes + buckets * sizeof(u32);
}

/* Buckets for a block that takes so many values; 0: they do not pay, or do not fit. Shared memory that it takes. */
static u32 lay_out_buckets(struct search *s, u64 values) {
  struct search_args *a = &s->args;
  const bool software = hd_cuda_limits(s->call->cuda)->software;
  const u64 n = a->sorted_count, worth = values / (software ? SOFTWARE_WORTH : WORTH);
  a->buckets = 0;
  if (s->key_bytes < 4 || n < LEAST_BUCKETED || n > MOST_BUCKETED) return 0;
  u64 buckets = s->threads; /* a multiple of its warps, and a power of two */
  while (buckets < ROOMY * n) buckets *= 2;
  while (buckets > s->threads && buckets / 2 >= n &&
         (bytes_of(s, buckets) > room_of(s) || n + buckets > worth))
    buckets /= 2;
  if (bytes_of(s, buckets) > room_of(s) || n + buckets > worth) return 0;
  a->buckets = (u32)buckets;
  return (u32)bytes_of(s, buckets);
}

/* The tree of a block that takes so many values. */
static u32 lay_out_tree(struct search *s, u64 values) {
  struct search_args *a = &s->args;
  const u64 room = room_of(s) / node_bytes(s), worth = values / WORTH;
  a->levels = a->top = a->shift = 0;
  while (((u64)1 << a->levels) - 1 < a->sorted_count >> a->shift) {
    const u64 next = (u64)2 << a->levels;
    if (next + copies(s) <= room && (next <= worth || a->levels < 2))
      a->levels++;
    else
      a->shift++;
  }
  while (a->top < a->levels && nodes_of(s, a->levels, a->top + 1) <= room &&
         (u64)copies(s) << (a->top + 1) <= worth)
    a->top++;
  return (u32)(nodes_of(s, a->levels, a->top) * node_bytes(s));
}

static heddle_status find_kernel(struct search *s, bool vector, u32 bytes,
                                 struct hd_cuda_kernel *kernel) {
  struct hd_cuda_kernel_key key;
  const bool buckets = s->args.buckets != 0;
  hd_cuda_kernel_file(&key, buckets ? "search/buckets.cu" : "search/search.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_KEY_BYTES", s->key_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_ORDER", s->order);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", s->threads);
  hd_cuda_kernel_define(&key, "HEDDLE_RIGHT", s->side == HEDDLE_RIGHT);
  hd_cuda_kernel_define(&key, "HEDDLE_INDEX_BYTES", s->index_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_VECTOR", vector);
  return hd_cuda_kernel(s->call, &key, buckets ? "heddle_search_buckets" : "heddle_search",
                        s->threads, bytes, kernel);
}

static heddle_status search_slice(void *arg, u64 first, size_t n, const cu_pointer *device) {
  struct search *s = arg;
  struct hd_cuda_kernel kernel;
  const u64 tile = (u64)s->threads * items_of(s), tiles = (n + tile - 1) / tile;
  const u64 sms = (u64)hd_cuda_limits(s->call->cuda)->sms * BLOCKS_EACH;
  const u64 each = tiles < sms ? tile : n / sms;
  u32 bytes = lay_out_buckets(s, each);
  if (!bytes) bytes = lay_out_tree(s, each);
  (void)first;
  s->args.values = device[0];
  s->args.index = device[1];
  s->args.count = n;
  HD_TRY(find_kernel(s, (device[0] | device[1]) % 16 == 0, bytes, &kernel));
  return hd_cuda_launch(s->call, &kernel, hd_cuda_search_blocks(s->call, &kernel, tiles), &s->args,
                        sizeof s->args);
}

static heddle_status search(struct search *s, const void *sorted, const void *values, size_t count,
                            void *index) {
  struct hd_cuda_call *call = s->call;
  struct hd_cuda_operand operands[2] = {
      {.what = "values", .in = values, .element_bytes = s->key_bytes},
      {.what = "index", .out = index, .element_bytes = s->index_bytes}};
  HD_TRY(hd_cuda_array_in(call, "sorted", sorted, s->args.sorted_count * s->key_bytes, s->key_bytes,
                          &s->args.sorted));
  HD_TRY(hd_cuda_find_space(call, "values", values, count * s->key_bytes, s->key_bytes,
                            &operands[0].space));
  HD_TRY(hd_cuda_find_space(call, "index", index, count * s->index_bytes, s->index_bytes,
                            &operands[1].space));
  const u64 tile = (u64)s->threads * items_of(s);
  return hd_cuda_slices(call, operands, 2, count, (size_t)tile, search_slice, s);
}

heddle_status hd_cuda_search(heddle_context *ctx, heddle_type type, const void *sorted,
                             size_t sorted_count, const void *values, size_t count,
                             heddle_side side, u32 index_bytes, void *index) {
  struct hd_cuda_call call;
  struct search s = {.call = &call,
                     .args = {.map = hd_cuda_search_map(type), .sorted_count = sorted_count},
                     .key_bytes = (u32)heddle_type_size(type),
                     .order = hd_is_float(type) ? 2 : 0,
                     .index_bytes = index_bytes,
                     .side = side};
  HD_TRY(hd_cuda_enter(ctx, "heddle_search_sorted", &call));
  s.threads = hd_cuda_limits(call.cuda)->software ? SOFTWARE_THREADS : THREADS;
  return hd_cuda_leave(&call, search(&s, sorted, values, count, index));
}
