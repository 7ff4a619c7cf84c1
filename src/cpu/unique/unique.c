/* unique.c - the values of an array, each once, on a CPU
 *
 * Method   Few bits of more than a few elements, and integers close together: tables (counted.c, ranged.c); few values: a hash (few.c). Else a sort of keys where the values
 *          go, with first or inverse of their positions, too, stably. The inverse is written run by run. Heads of
 *          runs are moved together by vectors, with their places, of which differences are the counts. Where the
 *          bits of zeros or NaN differ, the first of the input is looked for.
 * Memory   the sort's; of positions 4 or 8 bytes an element besides */
#include "unique.h"

#include "cpu/select/select.h"
#include "host/status.h"

enum {
  AHEAD = 32,      /* positions between asking for an element of the inverse and writing it */
  SLICE = 1 << 14, /* elements between two polls */
  LEAST_COUNTED = 1 << 18,      /* elements of 16 bits that are worth a table of all their values */
  LEAST_COUNTED_WORDS = 1 << 16 /* the same, with their positions */
};

struct unique_call {
  heddle_context *ctx;
  const struct hd_unique *job;
  const void *in;
  size_t count;
  struct hd_unique_out out;
  struct hd_cancellation *token;
};

/* bits are a constant in callers that read many. */
static inline __attribute__((always_inline)) u64 element_of(const void *x, size_t i, u32 bits) {
  return bits == 64 ? element_u64(x, i) : bits == 32 ? element_u32(x, i) : element_u16(x, i);
}
static u64 element_at(const struct unique_call *call, const void *x, size_t i) {
  return element_of(x, i, call->job->sort.map.bits);
}
static u64 bits_at(const struct unique_call *call, const void *x, size_t i) {
  return hd_cpu_unique_bits(&call->job->sort.map, element_at(call, x, i));
}

/* ---- values and counts ------------------------------------------------------------------------------ */

/* The first of each run of what is sorted at out.values, one behind the other; its place goes to `starts`, if that is
 * not NULL. */
static heddle_status heads(const struct unique_call *call, u64 *starts, u64 *found) {
  const struct hd_cpu_select_kernels *kernels = hd_cpu_select_kernels(call->ctx);
  const struct hd_sort *sort = &call->job->sort;
  const struct hd_cpu_packed packed = {.entry = sort->entry,
                                       .marks = {.kernels = kernels,
                                                 .heads = kernels->heads[sort->type],
                                                 .x = call->out.values,
                                                 .bytes = sort->map.bits / 8,
                                                 .count = call->count},
                                       .in = call->out.values,
                                       .out = call->out.values,
                                       .index = (char *)starts,
                                       .element_bytes = sort->map.bits / 8,
                                       .index_bytes = sizeof *starts};
  return hd_cpu_pack(call->ctx, &packed, found);
}

/* The first element of the input whose bits are these; `size`, their number, is a constant in each caller. */
static inline __attribute__((always_inline)) u64 first_of(const struct unique_call *call, u64 bits,
                                                          u32 size) {
  const struct hd_sort_map map = call->job->sort.map;
  for (size_t i = 0; i < call->count; i++) {
    const u64 e = element_of(call->in, i, size);
    if (hd_cpu_unique_bits(&map, e) == bits) return e;
  }
  return bits;
}

/* Value u, a zero or NaN, has the bits of the first in the input. */
static void settle_one(const struct unique_call *call, size_t u) {
  const u64 bits = bits_at(call, call->out.values, u);
  const u32 size = call->job->sort.map.bits;
  const u64 wide = size == 64   ? first_of(call, bits, 64)
                   : size == 32 ? first_of(call, bits, 32)
                                : first_of(call, bits, 16);
  const u32 narrow = (u32)wide;
  const u16 half = (u16)wide;
  memcpy((char *)call->out.values + u * (size / 8),
         size == 64   ? (const void *)&wide
         : size == 32 ? (const void *)&narrow
                      : &half,
         size / 8);
}

/* Of sorted floats zero follows the negative ones, NaN is last. */
static void settle(const struct unique_call *call, size_t found) {
  const struct hd_sort_map *map = &call->job->sort.map;
  const u64 sign = (u64)1 << (map->bits - 1);
  size_t low = 0, high = found; /* the first that is no negative number is from low to high */
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const u64 e = element_at(call, call->out.values, middle), magnitude = e & ~sign;
    if (e & sign && magnitude && magnitude <= map->infinity)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < found && !bits_at(call, call->out.values, low)) settle_one(call, low);
  if (found && (element_at(call, call->out.values, found - 1) & ~sign) > map->infinity)
    settle_one(call, found - 1);
}

/* Where runs begin becomes how long they are. */
static void lengths(const struct unique_call *call, size_t found) {
  u64 *starts = call->out.counts;
  for (size_t u = 0; starts && u < found; u++)
    starts[u] = (u + 1 < found ? starts[u + 1] : call->count) - starts[u];
}

static heddle_status by_keys(const struct unique_call *call) {
  struct hd_sort sort = call->job->sort;
  const struct hd_sort_arrays arrays = {call->in, NULL, call->out.values, NULL};
  u64 found;
  sort.what = HD_SORT_KEYS;
  sort.value_bytes = 0;
  HD_TRY(hd_cpu_sort(call->ctx, &sort, &arrays, call->count));
  HD_TRY(heads(call, call->out.counts, &found));
  if (sort.map.is_float) settle(call, found);
  lengths(call, found);
  *call->out.found = found;
  return HEDDLE_OK;
}

/* ---- with positions ---------------------------------------------------------------------------------- */

/* bytes, of a position, and bits, of an element, are constants in each caller. */
static inline __attribute__((always_inline)) void invert(const struct unique_call *call,
                                                         const void *order, u32 bytes, u32 bits) {
  const void *sorted = call->out.values;
  char *inverse = call->out.inverse;
  const u32 index_bytes = call->job->index_bytes;
  u64 last = 0, u = 0;
  for (size_t i = 0; i < call->count; i++) {
    const size_t ahead = i + AHEAD < call->count ? i + AHEAD : i;
    const u64 at = bytes == 4 ? element_u32(order, i) : element_u64(order, i);
    const u64 next = bytes == 4 ? element_u32(order, ahead) : element_u64(order, ahead);
    const u64 e = element_of(sorted, i, bits);
    __builtin_prefetch(inverse + next * index_bytes, 1);
    u += i && e != last;
    last = e;
    hd_cpu_unique_store(inverse, index_bytes, (size_t)at, u);
    if (i % SLICE == 0 && hd_poll(call->token)) return;
  }
}

static void invert_any(const struct unique_call *call, const void *order, u32 bytes) {
  const u32 bits = call->job->sort.map.bits;
  if (bytes == 8)
    bits == 64 ? invert(call, order, 8, 64) : invert(call, order, 8, 32); /* 16 bits are counted */
  else if (bits == 16)
    invert(call, order, 4, 16);
  else
    bits == 64 ? invert(call, order, 4, 64) : invert(call, order, 4, 32);
}

/* Elements in order, zeros and NaN of one bit pattern each, and where they were: of equal ones the first comes first. */
static heddle_status by_order(const struct unique_call *call, const void *order, u32 bytes) {
  const struct hd_unique_out *out = &call->out;
  u64 *starts = out->counts ? out->counts : out->first, found;
  if (out->inverse) invert_any(call, order, bytes);
  HD_TRY(hd_cancellation_status(call->token, call->job->sort.entry));
  HD_TRY(heads(call, starts, &found));
  for (u64 u = 0; u < found && out->first; u++)
    out->first[u] =
        bytes == 4 ? element_u32(order, (size_t)starts[u]) : element_u64(order, (size_t)starts[u]);
  if (call->job->sort.map.is_float) settle(call, found);
  lengths(call, found);
  *out->found = found;
  return HEDDLE_OK;
}

static heddle_status by_positions(const struct unique_call *call) {
  const struct hd_sort *sort = &call->job->sort;
  const size_t bytes = call->count * sort->value_bytes;
  void *order = hd_allocate(call->ctx, bytes);
  if (!order) return HEDDLE_OUT_OF_MEMORY;
  hd_large_pages(order, bytes);
  const struct hd_sort_arrays arrays = {call->in, NULL, call->out.values, order};
  heddle_status status = hd_cpu_sort(call->ctx, sort, &arrays, call->count);
  if (!status) status = by_order(call, order, sort->value_bytes);
  hd_release(call->ctx, order, bytes);
  return status;
}

heddle_status hd_cpu_unique(heddle_context *ctx, const struct hd_unique *job, const void *in,
                            size_t count, struct hd_unique_out out) {
  struct hd_cancellation token;
  const struct unique_call call = {ctx, job, in, count, out, &token};
  const bool positions = out.first || out.inverse;
  heddle_status status;
  u64 least;
  size_t patterns;
  hd_cancellation_start(&token, ctx);
  const bool range =
      hd_cpu_unique_range(job, in, count, positions || out.counts, &least, &patterns);
  if (job->sort.map.bits > 16 && !range &&
      hd_cpu_unique_few(ctx, job, in, count, out, &token, &status))
    return status;
  const size_t counted = positions ? LEAST_COUNTED_WORDS : LEAST_COUNTED;
  const bool sorts = job->sort.map.bits > 16 || (job->sort.map.bits == 16 && count < counted);
  if (sorts && !range) return positions ? by_positions(&call) : by_keys(&call);
  pthread_mutex_lock(&ctx->lock);
  status = range ? hd_cpu_unique_ranged(ctx, job, in, count, out, least, patterns, &token)
                 : hd_cpu_unique_counted(ctx, job, in, count, out, &token);
  pthread_mutex_unlock(&ctx->lock);
  return status;
}
