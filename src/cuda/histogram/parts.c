/* parts.c - counting more counters than a few blocks have room for: grouped by ranges first
 *
 * Method   Slices of whole tiles go through two kernels (kernels/histogram/partition.cu, parts.cu), with
 *          scratch in between: 2 bytes an element and a word a tile and range. What lies before the first
 *          aligned element and behind the last tile is counted in global memory.
 * Limits   a slice has at most 2^MOST_BITS elements, fewer if there is not enough memory */
#include "parts.h"

#include "cuda/core/inside.h"
#include "kernels/histogram/parts.h"

enum {
  MOST_BITS = 27,  /* each slice adds all counters of all blocks to the totals */
  LEAST_BITS = 22, /* smaller ones are not worth it */
  COUNT_THREADS = 1024,
  SOFTWARE_THREADS = 128,
  SOFTWARE_BLOCKS = 4,
  SOFTWARE_MOST_BITS = 17 /* so that there are several */
};

struct parts {
  struct hd_cuda_kernel partition, count;
  struct part_args args;
  u64 tile, slice; /* elements */
};

static void define_common(const struct hd_cuda_count *c, u32 span, u32 threads,
                          struct hd_cuda_kernel_key *key) {
  hd_cuda_kernel_define(key, "HEDDLE_TYPE", c->bins->type);
  hd_cuda_kernel_define(key, "HEDDLE_KEY", c->bins->narrow ? HEDDLE_F32 : HEDDLE_F64);
  hd_cuda_kernel_define(key, "HEDDLE_STRATEGY", c->bins->strategy);
  hd_cuda_kernel_define(key, "HEDDLE_BITS", c->bins->find.by_bits);
  hd_cuda_kernel_define(key, "HEDDLE_SHIFTED", c->bins->find.bits_shift != 0);
  hd_cuda_kernel_define(key, "HEDDLE_FORMULA", c->bins->find.formula);
  hd_cuda_kernel_define(key, "HEDDLE_SPAN", span);
  hd_cuda_kernel_define(key, "HEDDLE_THREADS", threads);
}

static heddle_status find_kernels(const struct hd_cuda_count *c,
                                  const struct hd_cuda_count_choice *s, struct parts *p) {
  const bool software = hd_cuda_limits(c->call->cuda)->software;
  const u32 threads = software ? SOFTWARE_THREADS : COUNT_THREADS;
  struct hd_cuda_kernel_key key = {.file = s->launch.file};
  define_common(c, s->span, s->launch.threads, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_CHANNELS", c->args.channels);
  hd_cuda_kernel_define(&key, "HEDDLE_BLOCKS", s->min_blocks);
  hd_cuda_kernel_define(&key, "HEDDLE_VECTORS", s->loads);
  HD_TRY(hd_cuda_kernel(c->call, &key, s->launch.kernel, s->launch.threads, s->launch.shared_bytes,
                        &p->partition));
  struct hd_cuda_kernel_key behind = {.file = "histogram/parts.cu"};
  define_common(c, s->span, threads, &behind);
  return hd_cuda_kernel(c->call, &behind, "heddle_histogram_parts", threads,
                        (s->span + 1) * (u32)sizeof(u32), &p->count);
}

/* Scratch for slices of at most `slice` elements. */
static heddle_status place_slice(const struct hd_cuda_count *c, u64 slice, struct parts *p) {
  const u64 tiles = slice / p->tile;
  const u64 numbers = (tiles * p->args.stride * sizeof(u16) + 255) & ~(u64)255;
  const u64 groups = tiles * p->args.ranges * sizeof(u32);
  p->slice = tiles * p->tile;
  HD_TRY(hd_cuda_scratch(c->call, numbers + groups, &p->args.numbers));
  p->args.groups = p->args.numbers + numbers;
  return hd_cuda_scratch(c->call, p->args.ranges * sizeof(u32), &p->args.loads);
}

static heddle_status place(const struct hd_cuda_count *c, u64 n, struct parts *p) {
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(c->call);
  const bool software = hd_cuda_limits(c->call->cuda)->software;
  for (int bits = software ? SOFTWARE_MOST_BITS : MOST_BITS;; bits--) {
    const u64 most = UINT64_C(1) << bits;
    const heddle_status status = place_slice(c, n < most ? n : most, p);
    if (status != HEDDLE_OUT_OF_MEMORY || bits <= LEAST_BITS) return status;
    hd_cuda_scratch_retry(c->call, mark);
  }
}

static heddle_status count_slice(const struct hd_cuda_count *c, struct parts *p, cu_pointer in,
                                 u64 first, u64 n) {
  const bool software = hd_cuda_limits(c->call->cuda)->software;
  struct part_args *a = &p->args;
  const u64 tiles = n / p->tile, most = software ? SOFTWARE_BLOCKS : UINT64_MAX;
  const u64 blocks = hd_cuda_blocks_at_once(c->call, &p->partition);
  const u64 counting = hd_cuda_blocks_at_once(c->call, &p->count);
  a->count = c->args;
  a->count.in = in + first * heddle_type_size(c->bins->type);
  a->count.count = n;
  a->count.first_channel = (u32)((c->args.first_channel + first) % c->args.channels);
  a->tiles = (u32)tiles;
  HD_TRY(hd_cuda_zero(c->call, a->loads, a->ranges * sizeof(u32)));
  HD_TRY(hd_cuda_launch(c->call, &p->partition,
                        blocks < most ? (blocks < tiles ? blocks : tiles) : most, a, sizeof *a));
  return hd_cuda_launch(c->call, &p->count, counting < most ? counting : most, a, sizeof *a);
}

/* Elements that are no tile's. */
static heddle_status count_rest(const struct hd_cuda_count *c, cu_pointer in, u64 first, u64 n) {
  struct hd_cuda_count rest = *c;
  rest.args.first_channel = (u32)((c->args.first_channel + first) % c->args.channels);
  if (!n) return HEDDLE_OK;
  return hd_cuda_count_some(&rest, in + first * heddle_type_size(c->bins->type), 0, n, false);
}

heddle_status hd_cuda_histogram_parts(struct hd_cuda_count *c, const struct hd_cuda_count_choice *s,
                                      cu_pointer in, u64 n) {
  const u64 size = heddle_type_size(c->bins->type), head = (0 - in) % 16 / size;
  struct parts p = {.tile = (u64)s->launch.threads * s->loads * 16 / size};
  p.args.ranges = s->ranges;
  p.args.stride = (u32)(p.tile + s->ranges * HD_PART_PAD);
  HD_TRY(find_kernels(c, s, &p));
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(c->call);
  const u64 ends = head + (n - head) / p.tile * p.tile;
  HD_TRY(place(c, ends - head, &p));
  for (u64 at = head; at < ends; at += p.slice)
    HD_TRY(count_slice(c, &p, in, at, ends - at < p.slice ? ends - at : p.slice));
  hd_cuda_scratch_reset(c->call, mark);
  HD_TRY(count_rest(c, in, 0, head));
  return count_rest(c, in, ends, n - ends);
}
