/* unique.c - the values of an array, each once, on a CPU
 *
 * Method   Few bits, and integers close together: a counter each (counted.c). Values and counts alone: a sort of keys where the values go; slices' runs are put together one behind the
 *          other. Where the bits of zeros or NaN differ, the first of the input is looked for. With first or
 *          inverse: positions are sorted, stably, and elements read by them.
 * Memory   the sort's; of positions 4 or 8 bytes an element besides */
#include "unique.h"

#include "cpu/isa/kernels.h"
#include "host/status.h"

enum {
  AHEAD = 32,      /* positions between asking for an element and reading it */
  SLICE = 1 << 14, /* elements between two polls */
  SHARE = 1 << 17  /* elements that are worth a thread */
};

#define UNIQUE_T u32
#include "heads_tmpl.h"
#define UNIQUE_T u64
#include "heads_tmpl.h"

struct unique_call {
  heddle_context *ctx;
  const struct hd_unique *job;
  const void *in;
  size_t count;
  struct hd_unique_out out;
  struct hd_cancellation *token;
};

static bool is_wide(const struct unique_call *call) { return call->job->sort.map.bits == 64; }
static u64 element_at(const struct unique_call *call, const void *x, size_t i) {
  return is_wide(call) ? element_u64(x, i) : element_u32(x, i);
}
static u64 bits_at(const struct unique_call *call, const void *x, size_t i) {
  return hd_cpu_unique_bits(&call->job->sort.map, element_at(call, x, i));
}

/* ---- values and counts ------------------------------------------------------------------------------ */

struct slices {
  const struct unique_call *call;
  size_t workers;
  u64 *before; /* of each: the element before its first */
  size_t *found;
};

static size_t slice_begin(const struct slices *s, size_t worker) {
  return worker < s->workers ? s->call->count / s->workers * worker : s->call->count;
}

static void heads_task(void *arg, size_t worker) {
  const struct slices *s = arg;
  const struct unique_call *call = s->call;
  const size_t first = slice_begin(s, worker), n = slice_begin(s, worker + 1) - first;
  void *values = call->out.values;
  s->found[worker] = is_wide(call)
                         ? heads_u64(values, first, n, s->before[worker], values, call->out.counts)
                         : heads_u32(values, first, n, s->before[worker], values, call->out.counts);
}

/* A slice's heads, at its beginning, one behind the other's. */
static size_t join(const struct slices *s) {
  const size_t size = s->call->job->sort.map.bits / 8;
  char *values = s->call->out.values;
  u64 *starts = s->call->out.counts;
  size_t found = 0;
  for (size_t w = 0; w < s->workers; w++) {
    const size_t first = slice_begin(s, w);
    if (found != first) {
      memmove(values + found * size, values + first * size, s->found[w] * size);
      if (starts) memmove(starts + found, starts + first, s->found[w] * sizeof *starts);
    }
    found += s->found[w];
  }
  return found;
}

/* Zeros of two signs, which are neighbours, and NaN, which are last, become one value each, with the bits of the
 * first in the input. Returns how many values are left. */
static size_t settle(const struct unique_call *call, size_t found) {
  const struct hd_sort_map *map = &call->job->sort.map;
  const size_t size = map->bits / 8;
  const u64 sign = (u64)1 << (map->bits - 1);
  char *values = call->out.values;
  size_t kept = 0;
  for (size_t u = 0; u < found; u++) {
    const u64 e = element_at(call, values, u), magnitude = e & ~sign;
    const bool special = !magnitude || magnitude > map->infinity;
    const u64 bits = special ? hd_cpu_unique_bits(map, e) : 0;
    if (special && kept && bits_at(call, values, kept - 1) == bits) continue;
    const u64 wide = !special        ? e
                     : is_wide(call) ? first_of_u64(map, call->in, call->count, bits)
                                     : 0;
    const u32 narrow =
        !special || is_wide(call) ? (u32)e : first_of_u32(map, call->in, call->count, bits);
    memcpy(values + kept * size, size == 8 ? (const void *)&wide : &narrow, size);
    if (call->out.counts) call->out.counts[kept] = call->out.counts[u];
    kept++;
  }
  return kept;
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
  enum { MOST = 64 };
  u64 before[MOST];
  size_t found[MOST], found_all;
  struct slices s = {.call = call, .before = before, .found = found};
  sort.what = HD_SORT_KEYS;
  sort.value_bytes = 0;
  HD_TRY(hd_cpu_sort(call->ctx, &sort, &arrays, call->count));
  const size_t worth = call->count / SHARE + 1;
  s.workers = worth < call->ctx->threads ? worth : call->ctx->threads;
  if (s.workers > MOST) s.workers = MOST;
  for (size_t w = 0; w < s.workers; w++) {
    const size_t first = slice_begin(&s, w);
    before[w] = first ? element_at(call, call->out.values, first - 1) : 0;
  }
  pthread_mutex_lock(&call->ctx->lock);
  if (s.workers > 1)
    hd_parallel(call->ctx, s.workers, heads_task, &s);
  else
    heads_task(&s, 0);
  pthread_mutex_unlock(&call->ctx->lock);
  found_all = join(&s);
  if (sort.map.is_float) found_all = settle(call, found_all);
  lengths(call, found_all);
  *call->out.found = found_all;
  return hd_cancellation_status(call->token, sort.entry);
}

/* ---- with positions ---------------------------------------------------------------------------------- */

static u64 position_at(const void *order, u32 bytes, size_t i) {
  return bytes == 4 ? element_u32(order, i) : element_u64(order, i);
}

/* In the order of positions: equal elements one behind the other, the first of the input first. */
static void walk(const struct unique_call *call, const void *order, u32 bytes) {
  const struct hd_unique_out *out = &call->out;
  const size_t size = call->job->sort.map.bits / 8;
  size_t found = 0, start = 0;
  u64 last = 0;
  for (size_t i = 0; i < call->count; i++) {
    const size_t at = (size_t)position_at(order, bytes, i);
    const u64 bits = bits_at(call, call->in, at);
    if (i + AHEAD < call->count) {
      const size_t next = (size_t)position_at(order, bytes, i + AHEAD);
      __builtin_prefetch((const char *)call->in + next * size);
      if (out->inverse) __builtin_prefetch((char *)out->inverse + next * call->job->index_bytes, 1);
    }
    if (i % SLICE == 0 && hd_poll(call->token)) return;
    if (!i || bits != last) {
      if (found && out->counts) out->counts[found - 1] = i - start;
      memcpy((char *)out->values + found * size, (const char *)call->in + at * size, size);
      if (out->first) out->first[found] = at;
      start = i;
      found++;
    }
    last = bits;
    if (out->inverse) hd_cpu_unique_store(out->inverse, call->job->index_bytes, at, found - 1);
  }
  if (out->counts) out->counts[found - 1] = call->count - start;
  *out->found = found;
}

static heddle_status by_positions(const struct unique_call *call) {
  const struct hd_sort *sort = &call->job->sort;
  const size_t bytes = call->count * sort->value_bytes;
  void *order = hd_allocate(call->ctx, bytes);
  if (!order) return HEDDLE_OUT_OF_MEMORY;
  hd_large_pages(order, bytes);
  const struct hd_sort_arrays arrays = {call->in, NULL, NULL, order};
  heddle_status status = hd_cpu_sort(call->ctx, sort, &arrays, call->count);
  if (!status) {
    walk(call, order, sort->value_bytes);
    status = hd_cancellation_status(call->token, sort->entry);
  }
  hd_release(call->ctx, order, bytes);
  return status;
}

heddle_status hd_cpu_unique(heddle_context *ctx, const struct hd_unique *job, const void *in,
                            size_t count, struct hd_unique_out out) {
  struct hd_cancellation token;
  const struct unique_call call = {ctx, job, in, count, out, &token};
  hd_cancellation_start(&token, ctx);
  u64 least;
  size_t patterns = 0;
  const bool positions = out.first || out.inverse;
  const bool range = hd_cpu_unique_range(job, in, count, positions, &least, &patterns);
  if (job->sort.map.bits <= 16 || range) {
    pthread_mutex_lock(&ctx->lock);
    const heddle_status status =
        hd_cpu_unique_counted(ctx, job, in, count, out, range ? &least : NULL, patterns, &token);
    pthread_mutex_unlock(&ctx->lock);
    return status;
  }
  return positions ? by_positions(&call) : by_keys(&call);
}
