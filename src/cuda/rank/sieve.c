/* sieve.c - few first elements of an array of 4-byte keys, in one read: kernels/rank/sieve.cu
 *
 * Method   A sample gives a bound which the k-th element is below but for bad luck; a read keeps what is up to it, and a block
 *          sorts the first of that. Where the bound was too low, or what is up to it had no room, passes over the array
 *          find the k-th and take what is up to it; the host launches them all the same, and they end at once.
 * Memory   some thousand elements for each one that lies between two samples */
#include "cuda/core/inside.h"
#include "host/status.h"
#include "rank.h"

enum { VECTOR = 16, NARROWS = (32 + RANK_BIN_BITS - 1) / RANK_BIN_BITS, DEVIATIONS = 6, MORE = 8 };

struct sieve {
  struct hd_cuda_rank *rank;
  struct hd_cuda_rank_sizes sizes;
  struct rank_sieve_args args;
  cu_pointer ticket; /* and words of tiles behind it */
};

/* Keys up to the bound, eight times as many as are expected. */
static u64 room_of(const struct hd_cuda_rank_sizes *sizes, u64 count, u64 k) {
  const u64 each = count / sizes->sampled + 1, before = k / each + 1;
  u64 root = 1;
  while (root * root < before) root++;
  return 8 * (before + DEVIATIONS * root + MORE) * each;
}

static u64 tiles_of(const struct sieve *s) {
  const u64 tile = (u64)s->sizes.threads * s->sizes.take_items * RANK_TAKEN;
  return (s->args.search.count + tile - 1) / tile;
}

static heddle_status memory(struct sieve *s) {
  enum { TICKET = 256, BINS = RANK_BINS * sizeof(u64) };
  struct hd_cuda_call *call = s->rank->call;
  struct rank_args *a = &s->args.search;
  const u64 state = (sizeof(struct rank_state) + 255) & ~(u64)255;
  const u64 zeros = state + BINS + TICKET + tiles_of(s) * sizeof(u64);
  HD_TRY(hd_cuda_scratch(call, zeros, &a->state));
  a->bins = a->state + state;
  s->ticket = a->bins + BINS;
  HD_TRY(hd_cuda_scratch(call, (u64)a->sampled * sizeof(u32), &a->samples));
  HD_TRY(hd_cuda_scratch(call, a->room * sizeof(u64), &a->kept));
  return hd_cuda_zero(call, a->state, zeros);
}

/* ---- launches -------------------------------------------------------------------------------- */

static void define(const struct sieve *s, const char *file, u32 threads,
                   struct hd_cuda_kernel_key *key) {
  hd_cuda_rank_key(s->rank, file, key);
  hd_cuda_kernel_define(key, "HEDDLE_THREADS", threads);
  hd_cuda_kernel_define(key, "HEDDLE_SAMPLED", s->sizes.sampled / s->sizes.sample_threads);
}

static heddle_status bound(const struct sieve *s) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  define(s, "rank/sample.cu", s->sizes.sample_threads, &key);
  HD_TRY(hd_cuda_kernel(s->rank->call, &key, "heddle_rank_bound", s->sizes.sample_threads, 0,
                        &kernel));
  return hd_cuda_launch(s->rank->call, &kernel, s->sizes.sampled / s->sizes.sample_threads,
                        &s->args.search, sizeof s->args.search);
}

static heddle_status sift(const struct sieve *s) {
  const u32 batch = s->sizes.threads * s->sizes.loads * VECTOR;
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  define(s, "rank/sieve.cu", s->sizes.threads, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_LOADS", s->sizes.loads);
  hd_cuda_kernel_define(&key, "HEDDLE_STAGES", s->sizes.stages);
  HD_TRY(hd_cuda_kernel(s->rank->call, &key, "heddle_rank_sieve", s->sizes.threads,
                        s->sizes.stages * batch, &kernel));
  const u64 blocks =
      hd_cuda_rank_blocks(s->rank, &kernel, s->args.search.count, batch / sizeof(u32));
  return hd_cuda_launch(s->rank->call, &kernel, blocks, &s->args, sizeof s->args);
}

static heddle_status narrow(const struct sieve *s) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  define(s, "rank/narrow.cu", s->sizes.narrow_threads, &key);
  HD_TRY(hd_cuda_kernel(s->rank->call, &key, "heddle_rank_narrow", s->sizes.narrow_threads, 0,
                        &kernel));
  const u64 blocks =
      hd_cuda_rank_blocks(s->rank, &kernel, s->args.search.count, (u64)s->sizes.narrow_threads * 8);
  for (u32 i = 0; i < NARROWS; i++)
    HD_TRY(hd_cuda_launch(s->rank->call, &kernel, blocks, &s->args.search, sizeof s->args.search));
  return HEDDLE_OK;
}

static heddle_status least(const struct sieve *s) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  define(s, "rank/least.cu", s->sizes.sample_threads, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_POSITION_BYTES", s->rank->sort.value_bytes);
  HD_TRY(hd_cuda_kernel(s->rank->call, &key, "heddle_rank_least", s->sizes.sample_threads, 0,
                        &kernel));
  return hd_cuda_launch(s->rank->call, &kernel, 1, &s->args, sizeof s->args);
}

heddle_status hd_cuda_rank_sieve(struct hd_cuda_rank *rank, cu_pointer in, u64 count,
                                 cu_pointer out, cu_pointer index) {
  struct sieve s = {.rank = rank, .sizes = hd_cuda_rank_sizes_of(rank, 1)};
  s.args = (struct rank_sieve_args){.index = index, .k = rank->k};
  s.args.search = (struct rank_args){.map = rank->job.map,
                                     .in = in,
                                     .count = count,
                                     .most = HD_U64_MAX >> 32,
                                     .room = room_of(&s.sizes, count, rank->k),
                                     .out = out,
                                     .sampled = s.sizes.sampled,
                                     .slots = 1,
                                     .finders = 1,
                                     .source = RANK_ARRAY,
                                     .share = {((f64)rank->k - 0.5) / (f64)count}};
  HD_TRY(memory(&s));
  HD_TRY(bound(&s));
  HD_TRY(sift(&s));
  HD_TRY(narrow(&s));
  struct rank_take_args take = {.map = rank->job.map,
                                .in = in,
                                .count = count,
                                .state = s.args.search.state,
                                .ticket = s.ticket,
                                .told = s.ticket + 256,
                                .keys = s.args.search.kept,
                                .k = rank->k};
  HD_TRY(hd_cuda_rank_take_all(rank, &take, true));
  return least(&s);
}
