/* search.c - elements of an array by their ranks, in one read for RANK_SLOTS of them: src/kernels/rank
 *
 * Method   A sample gives each rank an interval of keys; one read counts what is below it and keeps what is in it, in
 *          which finders then look (kernels/rank/split.cu, narrow.cu, finish.cu). Where an interval did not hold its
 *          rank, or what is in it had no room, passes over the array follow; the device knows, and the host
 *          launches all of them, which end at once. Keys of one or two bytes are counted instead.
 * Memory   about a 24th of the array a slot */
#include "cuda/core/inside.h"
#include "host/status.h"
#include "rank.h"

enum { RESULT_THREADS = 32, NARROWED = 2 /* passes over what is kept */ };

struct search {
  struct hd_cuda_rank *rank;
  struct hd_cuda_rank_sizes sizes;
  struct rank_args args;
  u64 state_bytes;
};

static u64 padded(u64 bytes) { return (bytes + 255) & ~(u64)255; }

/* The key of +inf, which no number's is above. */
static u64 most_of(const struct hd_cuda_rank *rank) {
  const struct hd_sort_map *map = &rank->sort.map;
  const u64 sign = (u64)1 << (map->bits - 1), all = sign | (sign - 1);
  if (!rank->wanted.quantiles || !map->is_float) return all;
  return ((map->infinity ^ sign ^ map->flip) + map->turn) & all;
}

/* Keys of an interval, some more than are expected. */
static u64 room_of(const struct search *s, u64 count) {
  enum { DEVIATIONS = 6, MORE = 8 }; /* as sample.cu has them, and rounded */
  u64 root = 1;
  while (root * root < s->sizes.sampled) root++;
  const u64 width = DEVIATIONS * root + 2 * MORE;
  const u64 expected = (count / s->sizes.sampled + 1) * width;
  return expected + expected / 4 + 1024;
}

/* ---- launches -------------------------------------------------------------------------------- */

static void define(const struct search *s, const char *file, u32 threads,
                   struct hd_cuda_kernel_key *key) {
  hd_cuda_rank_key(s->rank, file, key);
  hd_cuda_kernel_define(key, "HEDDLE_THREADS", threads);
  hd_cuda_kernel_define(key, "HEDDLE_SAMPLED", s->sizes.sampled / s->sizes.sample_threads);
}

/* A kernel of `threads`, as many blocks of it as there is work for `elements`; blocks: or so many. */
static heddle_status launch(const struct search *s, const char *file, const char *name, u32 threads,
                            u64 elements, u64 blocks) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  define(s, file, threads, &key);
  HD_TRY(hd_cuda_kernel(s->rank->call, &key, name, threads, 0, &kernel));
  if (!blocks) blocks = hd_cuda_rank_blocks(s->rank, &kernel, elements, (u64)threads * 8);
  return hd_cuda_launch(s->rank->call, &kernel, blocks, &s->args, sizeof s->args);
}

static heddle_status split(const struct search *s) {
  const struct hd_cuda_rank_sizes *sizes = &s->sizes;
  const u32 slots = s->args.slots, bytes = s->rank->job.key_bytes;
  const u32 held = (slots <= 2 ? 16u : slots <= 4 ? 12u : 6u) * 4 / bytes; /* as split.cu has it */
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  define(s, "rank/split.cu", sizes->threads, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_SLOTS", slots);
  hd_cuda_kernel_define(&key, "HEDDLE_LOADS", sizes->loads);
  hd_cuda_kernel_define(&key, "HEDDLE_BLOCKS", sizes->blocks);
  HD_TRY(hd_cuda_kernel(s->rank->call, &key, "heddle_rank_split", sizes->threads,
                        sizes->threads * slots * held * bytes, &kernel));
  const u64 tile = (u64)sizes->threads * sizes->loads * (16 / bytes);
  const u64 blocks = hd_cuda_rank_blocks(s->rank, &kernel, s->args.count, tile);
  return hd_cuda_launch(s->rank->call, &kernel, blocks, &s->args, sizeof s->args);
}

static heddle_status narrow(struct search *s, u32 source, u32 passes) {
  const u64 elements = source == RANK_ARRAY ? s->args.count : s->args.room;
  s->args.source = source;
  for (u32 p = 0; p < passes; p++)
    HD_TRY(launch(s, "rank/narrow.cu", "heddle_rank_narrow", s->sizes.narrow_threads, elements, 0));
  return HEDDLE_OK;
}

/* ---- up to RANK_SLOTS of what is wanted ------------------------------------------------------ */

static heddle_status find_by_read(struct search *s) {
  const struct hd_cuda_rank_sizes *sizes = &s->sizes;
  const u32 passes = (8 * s->rank->job.key_bytes + RANK_BIN_BITS - 1) / RANK_BIN_BITS;
  HD_TRY(launch(s, "rank/sample.cu", "heddle_rank_bounds", sizes->sample_threads, 0,
                3 * (u64)s->args.slots));
  HD_TRY(split(s));
  HD_TRY(narrow(s, RANK_KEPT, NARROWED));
  HD_TRY(
      launch(s, "rank/finish.cu", "heddle_rank_collect", sizes->finish_threads, s->args.room, 0));
  HD_TRY(
      launch(s, "rank/finish.cu", "heddle_rank_finish", sizes->finish_threads, 0, s->args.finders));
  return narrow(s, RANK_ARRAY, passes);
}

/* Kernels of counted keys tell both zeros apart, and NaN, as `ties` says that they are not. */
static heddle_status launch_apart(struct search *s, const char *name) {
  const u32 order = s->rank->job.order;
  if (order == 2) s->rank->job.order = 1;
  heddle_status status = launch(s, "rank/result.cu", name, RESULT_THREADS, 0, 1);
  s->rank->job.order = order;
  return status;
}

static heddle_status find_some(struct search *s) {
  HD_TRY(hd_cuda_zero(s->rank->call, s->args.state, s->state_bytes));
  return s->args.starts ? launch_apart(s, "heddle_rank_counted") : find_by_read(s);
}

/* ---- the search ------------------------------------------------------------------------------ */

/* Memory for `slots` slots, each of `each` finders, and the sample or counts. */
static heddle_status begin(struct search *s, struct hd_cuda_rank *rank, cu_pointer in, u64 count,
                           u32 slots, u32 each) {
  struct hd_cuda_call *call = rank->call;
  const u32 bytes = rank->job.key_bytes;
  *s = (struct search){.rank = rank, .sizes = hd_cuda_rank_sizes_of(rank, slots)};
  s->args = (struct rank_args){.map = rank->job.map,
                               .in = in,
                               .count = count,
                               .most = most_of(rank),
                               .sampled = s->sizes.sampled,
                               .ties = rank->job.order == 2,
                               .slots = slots,
                               .finders = slots * each};
  s->state_bytes = padded(sizeof(struct rank_state));
  HD_TRY(hd_cuda_scratch(call, s->state_bytes + s->args.finders * RANK_BINS * sizeof(u64),
                         &s->args.state));
  if (bytes <= 2) return hd_cuda_rank_count(rank, in, count, &s->args.starts);
  s->args.bins = s->args.state + s->state_bytes;
  s->state_bytes += s->args.finders * RANK_BINS * sizeof(u64);
  s->args.room = room_of(s, count);
  HD_TRY(hd_cuda_scratch(call, (u64)s->sizes.sampled * bytes, &s->args.samples));
  HD_TRY(hd_cuda_scratch(call, slots * s->args.room * bytes, &s->args.kept));
  HD_TRY(hd_cuda_scratch(call, (u64)s->args.finders * RANK_SMALL * bytes, &s->args.small));
  return launch(s, "rank/sample.cu", "heddle_rank_gather", s->sizes.sample_threads, 0,
                s->sizes.sampled / s->sizes.sample_threads);
}

static void want(struct search *s, const struct hd_cuda_rank_wanted *wanted, u64 at) {
  for (u32 i = 0; i < s->args.slots; i++)
    if (wanted->quantiles) {
      s->args.share[i] = wanted->shares[at + i];
    } else {
      s->args.rank[i] = wanted->ranks[at + i];
      s->args.share[i] = ((f64)wanted->ranks[at + i] + 0.5) / (f64)s->args.count;
    }
}

heddle_status hd_cuda_rank_search(struct hd_cuda_rank *rank, cu_pointer in, u64 count,
                                  cu_pointer out) {
  const struct hd_cuda_rank_wanted *wanted = &rank->wanted;
  const struct hd_quantiles *quantiles = wanted->quantiles;
  const u32 most = wanted->count < RANK_SLOTS ? (u32)wanted->count : RANK_SLOTS;
  struct search s;
  HD_TRY(begin(&s, rank, in, count, most, quantiles ? 2 : 1));
  if (quantiles) {
    s.args.method = (u32)quantiles->method;
    s.args.skip = quantiles->nan == HEDDLE_NAN_SKIP;
    if (s.args.skip && rank->sort.map.is_float) s.args.fault = hd_cuda_fault(rank->call);
  }
  for (u64 at = 0; at < wanted->count; at += s.args.slots) {
    const u64 left = wanted->count - at;
    s.args.slots = left < most ? (u32)left : most;
    s.args.finders = s.args.slots * (quantiles ? 2 : 1);
    s.args.out = out + at * hd_cuda_rank_bytes(rank);
    want(&s, wanted, at);
    HD_TRY(find_some(&s));
    HD_TRY(launch_apart(&s, "heddle_rank_result"));
  }
  return HEDDLE_OK;
}

heddle_status hd_cuda_rank_find(struct hd_cuda_rank *rank, cu_pointer in, u64 count, u64 wanted,
                                cu_pointer *state) {
  const struct hd_cuda_rank_wanted one = {.ranks = &wanted, .count = 1};
  struct search s;
  HD_TRY(begin(&s, rank, in, count, 1, 1));
  want(&s, &one, 0);
  *state = s.args.state;
  return find_some(&s);
}
