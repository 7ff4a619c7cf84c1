/* pass.c - kernels and launches of select and runs: kernels/select/compact.cu and count.cu
 *
 * Method   One launch has fewer than 2^31 elements; a longer array takes several, of which each begins with the
 *          count of those before, in device memory. Nothing waits. */
#include "cuda/core/inside.h"
#include "select.h"

enum {
  HEADER_BYTES = 256,
  SOFTWARE_BLOCKS = 3,
  OTHER_THREADS = 4 * 32 /* of compact_bulk.cu */
};
_Static_assert(sizeof(struct select_args) == SELECT_ARGS_BYTES, "no gaps");

struct launch {
  const struct hd_cuda_select_job *job;
  struct hd_cuda_select_sizes sizes;
  struct hd_cuda_kernel kernel;
  bool same;
};

static void define(const struct launch *l, const char *file, struct hd_cuda_kernel_key *key) {
  hd_cuda_kernel_file(key, file);
  hd_cuda_kernel_define(key, "HEDDLE_KEY_BYTES", l->job->key_bytes);
  hd_cuda_kernel_define(key, "HEDDLE_ORDER", l->job->is_float);
  hd_cuda_kernel_define(key, "HEDDLE_RUNS", l->job->runs);
  hd_cuda_kernel_define(key, "HEDDLE_THREADS", l->sizes.threads);
  hd_cuda_kernel_define(key, "HEDDLE_ITEMS", l->sizes.items);
  hd_cuda_kernel_define(key, "HEDDLE_TEST", l->job->predicate ? (i64)l->job->type : -1);
  key->custom = l->job->predicate;
  key->tested = l->job->tested;
}

static u64 tile_of(const struct launch *l) { return (u64)l->sizes.threads * l->sizes.items; }

/* Of `count` elements from `of` on: the first tile begins where a vector does. */
static u64 tiles_of(const struct launch *l, cu_pointer of, u64 count) {
  const u64 skew = of % 16 / l->job->key_bytes;
  return (count + skew + tile_of(l) - 1) / tile_of(l);
}

static u64 blocks_of(const struct launch *l, u64 tiles) {
  const bool software = hd_cuda_limits(l->job->call->cuda)->software;
  const u64 most = software ? SOFTWARE_BLOCKS : hd_cuda_blocks_at_once(l->job->call, &l->kernel);
  return tiles < most ? tiles : most;
}

static heddle_status find_compact(struct launch *l, bool in_place) {
  const bool ring = l->sizes.stages != 0;
  u32 threads = l->sizes.threads;
  struct hd_cuda_kernel_key key;
  define(l, ring ? "select/compact_bulk.cu" : "select/compact.cu", &key);
  hd_cuda_kernel_define(&key, "HEDDLE_VALUE_BYTES", l->job->value_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_SAME", l->same);
  hd_cuda_kernel_define(&key, "HEDDLE_POSITIONS", l->job->position_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_REST", l->job->rest);
  if (ring) {
    hd_cuda_kernel_define(&key, "HEDDLE_STAGES", l->sizes.stages);
    hd_cuda_kernel_define(&key, "HEDDLE_DEPTH", l->sizes.depth);
    hd_cuda_kernel_define(&key, "HEDDLE_ROOM", l->sizes.room);
    threads += OTHER_THREADS;
  } else {
    hd_cuda_kernel_define(&key, "HEDDLE_IN_PLACE", in_place);
    hd_cuda_kernel_define(&key, "HEDDLE_BLOCKS", l->sizes.blocks);
  }
  return hd_cuda_kernel(l->job->call, &key,
                        ring ? "heddle_select_compact_bulk" : "heddle_select_compact", threads,
                        l->sizes.shared, &l->kernel);
}

/* Tagged words of so many tiles, and of nodes above them: each level begins with a line of memory. */
static heddle_status take_words(struct hd_cuda_call *call, u64 tiles, struct select_args *args) {
  enum { LINE = 16 };
  u64 words = 0;
  for (u32 k = 0; k < SELECT_LEVELS; k++) {
    const u64 nodes = (tiles >> (5 * k)) + 1;
    args->level[k] = (u32)words;
    words += (nodes + LINE - 1) / LINE * LINE;
  }
  HD_TRY(hd_cuda_region(call, HD_REGION_SCAN, (size_t)(HEADER_BYTES + words * sizeof(u64)),
                        &args->ticket));
  args->nodes = args->ticket + HEADER_BYTES;
  /* all that there is: it is cleared at once when the tags are used up */
  args->words = (call->cuda->region[HD_REGION_SCAN].bytes - HEADER_BYTES) / sizeof(u64);
  return HEDDLE_OK;
}

/* Elements done to done + n - 1. */
static heddle_status launch_part(const struct launch *l, const struct hd_cuda_select_arrays *arrays,
                                 u64 done, u64 n, cu_pointer before, cu_pointer total) {
  const struct hd_cuda_select_job *job = l->job;
  struct select_args args = {.test = job->test,
                             .of = arrays->of + done * job->key_bytes,
                             .in = arrays->in + done * job->value_bytes,
                             .out = arrays->out,
                             .positions = arrays->positions,
                             .count = n,
                             .first = arrays->first + done,
                             .left = arrays->left,
                             .before = before,
                             .total = total,
                             .all = arrays->all};
  if (done) args.left = args.of - job->key_bytes;
  if (!job->runs) args.left = 0;
  const u64 tiles = tiles_of(l, args.of, n), blocks = blocks_of(l, tiles);
  HD_TRY(take_words(job->call, tiles, &args));
  args.tiles = (u32)tiles;
  args.drawers = (u32)blocks;
  args.ends = job->ends && done + n == arrays->count;
  return hd_cuda_launch(job->call, &l->kernel, blocks, &args, sizeof args);
}

heddle_status hd_cuda_select_pass(const struct hd_cuda_select_job *job,
                                  const struct hd_cuda_select_arrays *arrays) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(job->call->cuda);
  const u64 most = hd_cuda_select_most(limits);
  const struct hd_cuda_select_work work = {
      .count = arrays->count,
      .key_bytes = job->key_bytes,
      .value_bytes = job->value_bytes,
      .position_bytes = job->position_bytes,
      .runs = job->runs,
      .same = job->value_bytes == job->key_bytes && arrays->in == arrays->of,
      .in_place = job->value_bytes && arrays->out == arrays->in};
  struct launch l = {.job = job, .sizes = hd_cuda_select_sizes(limits, &work), .same = work.same};
  cu_pointer sums = 0;
  HD_TRY(find_compact(&l, work.in_place));
  /* Of two sums one is read while the other is written. */
  if (arrays->count > most) HD_TRY(hd_cuda_scratch(job->call, 2 * sizeof(u64), &sums));
  for (u64 done = 0, part = 0; done < arrays->count; done += most, part++) {
    const u64 left = arrays->count - done, n = left < most ? left : most;
    const cu_pointer before = done ? sums + (part + 1) % 2 * sizeof(u64) : 0;
    const cu_pointer total = left > most ? sums + part % 2 * sizeof(u64) : arrays->total;
    HD_TRY(launch_part(&l, arrays, done, n, before, total));
  }
  return HEDDLE_OK;
}

heddle_status hd_cuda_select_count(const struct hd_cuda_select_job *job,
                                   const struct hd_cuda_select_arrays *arrays) {
  const struct hd_cuda_select_work work = {.key_bytes = job->key_bytes};
  struct launch l = {.job = job,
                     .sizes = hd_cuda_select_sizes(hd_cuda_limits(job->call->cuda), &work)};
  struct select_args args = {.test = job->test,
                             .of = arrays->of,
                             .count = arrays->count,
                             .left = job->runs ? arrays->left : 0,
                             .total = arrays->total};
  struct hd_cuda_kernel_key key;
  const u64 tiles = tiles_of(&l, args.of, args.count);
  if (tiles > UINT32_MAX)
    return hd_fail(HEDDLE_UNSUPPORTED, "%s: %llu elements are more than a GPU counts at once",
                   job->call->entry, (unsigned long long)args.count);
  define(&l, "select/count.cu", &key);
  HD_TRY(hd_cuda_kernel(job->call, &key, "heddle_select_count", l.sizes.threads, 0, &l.kernel));
  HD_TRY(hd_cuda_region(job->call, HD_REGION_TICKETS, sizeof(struct select_work), &args.ticket));
  args.tiles = (u32)tiles;
  return hd_cuda_launch(job->call, &l.kernel, blocks_of(&l, tiles), &args, sizeof args);
}

heddle_status hd_cuda_select_dense(const struct hd_cuda_select_job *job,
                                   const struct hd_cuda_select_arrays *arrays) {
  struct hd_cuda_select_arrays a = *arrays;
  if (!job->value_bytes && !job->position_bytes) return hd_cuda_select_count(job, arrays);
  if (!job->rest) return hd_cuda_select_pass(job, arrays);
  /* Every tile reads it: not of the host's memory. */
  HD_TRY(hd_cuda_scratch(job->call, sizeof(u64), &a.all));
  a.total = a.all;
  HD_TRY(hd_cuda_select_count(job, &a));
  a.total = arrays->total;
  return hd_cuda_select_pass(job, &a);
}
