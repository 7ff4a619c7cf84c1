/* parts.c - one row of the host that the device has no room for, with what its sort takes, at once
 *
 * Method   Runs, as long as fit, are sorted on the device and come back. Then the result's elements, as many at a
 *          time, are gathered out of all runs, sorted once more and put where they belong: which those are,
 *          halving over keys and in runs tells, exactly. Elements alike are taken run by run, so that the
 *          order is that of the whole. Positions are values on their way.
 * Memory   the host's: a second array of keys and one of values, or, with `overwrite`, the inputs
 * Cost     each element goes to the device and back twice
 * Source   Varman et al. 1991 (merging many sorted lists in parallel) */
#include <string.h>

#include "cuda/core/inside.h"
#include "cuda/staging/move.h"
#include "host/status.h"
#include "sort.h"

enum { PART_LEAST = 4096 };

struct lists {
  char *keys, *values;
  enum hd_cuda_memory_space keys_space, values_space;
};

struct parts {
  struct hd_cuda_sort_job job; /* of keys or pairs */
  struct hd_sort sort;
  u64 count, part;
  u64 runs, sorted;                      /* of which so many are */
  struct lists in, run, out;             /* run: `runs` of them, each in order */
  u64 *begin, *end;                      /* of what is taken from each run */
  size_t own_keys, own_values, own_cuts; /* bytes that are given back */
};

static u32 key_bytes(const struct parts *p) { return p->job.key_bytes; }
static u32 value_bytes(const struct parts *p) { return p->sort.value_bytes; }
static u64 padded(u64 bytes) { return (bytes + 255) & ~(u64)255; }

/* ---- one part -------------------------------------------------------------------------------- */

static heddle_status move(const struct parts *p, const char *what, enum hd_cuda_memory_space space,
                          char *host, bool back, cu_pointer device, u64 bytes) {
  struct hd_cuda_operand operand = {.what = what, .element_bytes = 1, .space = space};
  if (back)
    operand.out = host;
  else
    operand.in = host;
  return bytes ? hd_cuda_move(p->job.call, operand, device, (size_t)bytes) : HEDDLE_OK;
}

/* Elements begin[i] to end[i] of `from`, for all i, one behind the other, sorted to `to` from `at` on. */
static heddle_status sort_pieces(const struct parts *p, const struct lists *from, const u64 *begin,
                                 const u64 *end, u64 pieces, const struct lists *to, u64 at) {
  struct hd_cuda_call *call = p->job.call;
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(call);
  const u64 k = key_bytes(p), v = value_bytes(p);
  struct hd_cuda_sort_arrays a = {0};
  struct hd_cuda_sort_rows rows = {.rows = 1};
  for (u64 i = 0; i < pieces; i++) rows.length += end[i] - begin[i];
  rows.elements = rows.length;
  HD_TRY(hd_cuda_scratch(call, rows.length * k, &a.keys));
  if (v) HD_TRY(hd_cuda_scratch(call, rows.length * v, &a.values));
  a.keys_out = a.keys, a.values_out = a.values;
  for (u64 i = 0, done = 0; i < pieces; done += end[i] - begin[i], i++) {
    const u64 n = end[i] - begin[i];
    HD_TRY(move(p, "keys", from->keys_space, from->keys + begin[i] * k, false, a.keys + done * k,
                n * k));
    if (v)
      HD_TRY(move(p, "values", from->values_space, from->values + begin[i] * v, false,
                  a.values + done * v, n * v));
  }
  HD_TRY(hd_cuda_sort_dense(&p->job, &a, &rows));
  if (to->keys)
    HD_TRY(move(p, "keys_out", to->keys_space, to->keys + at * k, true, a.keys, rows.length * k));
  if (v)
    HD_TRY(move(p, "values_out", to->values_space, to->values + at * v, true, a.values,
                rows.length * v));
  hd_cuda_scratch_reset(call, mark); /* the next part is behind it on the stream */
  return HEDDLE_OK;
}

/* ---- what belongs to a part of the result ---------------------------------------------------- */

/* As kernels/sort/key.h, of the bits that are sorted by. */
static u64 key_of(const struct parts *p, u64 at) {
  const struct hd_sort_map *map = &p->sort.map;
  const u64 sign = (u64)1 << (map->bits - 1), all = sign | (sign - 1);
  const char *from = p->run.keys + at * key_bytes(p);
  u64 x = 0;
  memcpy(&x, from, key_bytes(p));
  if (map->is_float) {
    if (p->sort.what != HD_SORT_KEYS && (x & ~sign) > map->infinity) x = map->infinity + 1;
    if (p->sort.what != HD_SORT_KEYS && x == sign) x = 0;
    x ^= (x & sign ? all : sign) ^ map->flip;
    return (x + map->turn) & all;
  }
  x ^= map->flip;
  if (p->sort.bit_end < 64) x &= ((u64)1 << p->sort.bit_end) - 1;
  return x >> p->sort.bit_begin;
}

static u64 run_end(const struct parts *p, u64 run) {
  return run + 1 < p->runs ? (run + 1) * p->part : p->count;
}

/* The first element of a run whose key is `key` or greater. */
static u64 run_from(const struct parts *p, u64 run, u64 key) {
  u64 low = run * p->part, high = run_end(p, run);
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    if (key_of(p, middle) < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The first one behind those with `key`. */
static u64 run_behind(const struct parts *p, u64 run, u64 key) {
  return key == UINT64_MAX ? run_end(p, run) : run_from(p, run, key + 1);
}

static u64 count_up_to(const struct parts *p, u64 key) {
  u64 sum = 0;
  for (u64 r = 0; r < p->runs; r++) sum += run_behind(p, r, key) - r * p->part;
  return sum;
}

/* cut[r]: the elements of run r before it are those among the first `rank` of the result. */
static void find_cuts(const struct parts *p, u64 rank, u64 *cut) {
  u64 low = 0, high = UINT64_MAX;
  while (low < high) {
    const u64 middle = low + (high - low) / 2;
    if (count_up_to(p, middle) >= rank)
      high = middle;
    else
      low = middle + 1;
  }
  u64 left = rank;
  for (u64 r = 0; r < p->runs; r++) {
    cut[r] = run_from(p, r, low);
    left -= cut[r] - r * p->part;
  }
  for (u64 r = 0; r < p->runs; r++) {
    const u64 alike = run_behind(p, r, low) - cut[r], taken = alike < left ? alike : left;
    cut[r] += taken;
    left -= taken;
  }
}

/* ---- the call -------------------------------------------------------------------------------- */

static heddle_status take(struct parts *p, u64 bytes, char **out, size_t *own) {
  *out = hd_allocate(p->job.call->ctx, (size_t)bytes);
  if (!*out) return HEDDLE_OUT_OF_MEMORY;
  *own = (size_t)bytes;
  return HEDDLE_OK;
}

static void list_positions(const struct parts *p) {
  if (value_bytes(p) == 4)
    for (u64 i = 0; i < p->count; i++) ((u32 *)(void *)p->run.values)[i] = (u32)i;
  else
    for (u64 i = 0; i < p->count; i++) ((u64 *)(void *)p->run.values)[i] = i;
}

static heddle_status sort_runs(struct parts *p) {
  for (; p->sorted < p->runs; p->sorted++) {
    const u64 begin = p->sorted * p->part, end = run_end(p, p->sorted);
    HD_TRY(sort_pieces(p, &p->in, &begin, &end, 1, &p->run, begin));
  }
  return hd_cuda_unstage(p->job.call); /* runs are there */
}

static heddle_status gather_runs(struct parts *p) {
  char *cuts;
  HD_TRY(take(p, 2 * p->runs * sizeof *p->begin, &cuts, &p->own_cuts));
  p->begin = (u64 *)(void *)cuts, p->end = p->begin + p->runs;
  for (u64 r = 0; r < p->runs; r++) p->begin[r] = r * p->part;
  for (u64 at = 0; at < p->count; at += p->part) {
    const u64 behind = p->count - at < p->part ? p->count : at + p->part;
    find_cuts(p, behind, p->end);
    HD_TRY(sort_pieces(p, &p->run, p->begin, p->end, p->runs, &p->out, at));
    memcpy(p->begin, p->end, p->runs * sizeof *p->end);
  }
  return HEDDLE_OK;
}

/* The most elements that there is room for, of p->part or fewer, by halves. */
static heddle_status choose_part(struct parts *p) {
  struct hd_cuda_call *call = p->job.call;
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(call);
  for (;; p->part -= p->part / 2) {
    const u64 bytes = padded(p->part * key_bytes(p)) + padded(p->part * value_bytes(p)) +
                      hd_cuda_sort_bytes(&p->job, p->part);
    cu_pointer memory;
    const heddle_status status = hd_cuda_scratch(call, bytes, &memory);
    if (!status) break;
    if (status != HEDDLE_OUT_OF_MEMORY || p->part <= PART_LEAST) return status;
    hd_cuda_scratch_retry(call, mark);
  }
  hd_cuda_scratch_reset(call, mark);
  p->runs = (p->count + p->part - 1) / p->part;
  return HEDDLE_OK;
}

/* Copies take memory of the device, too: if there is none left, parts are smaller. */
static heddle_status make_runs(struct parts *p) {
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(p->job.call);
  for (p->part = p->count - p->count / 2;; p->part -= p->part / 2) {
    heddle_status status = choose_part(p);
    if (!status) status = sort_runs(p);
    if (status != HEDDLE_OUT_OF_MEMORY || p->sorted || p->part <= PART_LEAST) return status;
    hd_cuda_scratch_retry(p->job.call, mark);
  }
}

/* Where runs are. */
static heddle_status place_runs(struct parts *p, bool positions) {
  const bool over = p->sort.overwrite && p->in.keys != p->out.keys &&
                    (!p->in.values || p->in.values != p->out.values);
  if (over)
    p->run = p->in;
  else
    HD_TRY(take(p, p->count * key_bytes(p), &p->run.keys, &p->own_keys));
  if (!value_bytes(p) || (over && !positions)) return HEDDLE_OK;
  p->run.values_space = HD_SPACE_HOST;
  HD_TRY(take(p, p->count * value_bytes(p), &p->run.values, &p->own_values));
  if (!positions) return HEDDLE_OK;
  list_positions(p);
  p->in.values = p->run.values, p->in.values_space = HD_SPACE_HOST;
  return HEDDLE_OK;
}

heddle_status hd_cuda_sort_parts(const struct hd_cuda_sort_job *job,
                                 const struct hd_sort_arrays *arrays, u64 count,
                                 const enum hd_cuda_memory_space space[4]) {
  struct hd_cuda_sort_scratch none = {0};
  struct parts p = {.sort = *job->sort, .count = count};
  heddle_context *ctx = job->call->ctx;
  if (job->positions) p.sort.what = HD_SORT_PAIRS;
  p.sort.scratch = NULL;
  hd_cuda_sort_job_make(&p.job, job->call, &p.sort, &none);
  p.in = (struct lists){(char *)(uintptr_t)arrays->keys, (char *)(uintptr_t)arrays->values,
                        space[0], space[1]};
  p.out = (struct lists){arrays->keys_out, arrays->values_out, space[2], space[3]};
  p.run.keys_space = p.run.values_space = HD_SPACE_HOST;
  heddle_status status = place_runs(&p, job->positions);
  if (!status) status = make_runs(&p);
  if (!status) status = gather_runs(&p);
  if (!status) status = hd_cuda_unstage(job->call); /* what is given back is no longer read */
  if (status) (void)job->call->cu->stream_sync(job->call->stream);
  if (p.own_values) hd_release(ctx, p.run.values, p.own_values);
  if (p.own_keys) hd_release(ctx, p.run.keys, p.own_keys);
  if (p.own_cuts) hd_release(ctx, p.begin, p.own_cuts);
  return status;
}
