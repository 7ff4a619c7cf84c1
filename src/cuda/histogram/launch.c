/* launch.c - one job's launches: kernels chosen, arguments filled in
 *
 * Method   Counters lie in shared memory while they fit there; while a few processors together have
 *          room for them, each counts a range of them and all read everything; beyond that, and for
 *          few elements, they are in global memory. Blocks are as many as fill the device, but no
 *          more than pay for adding their counters up.
 *          Of few cells each has several counters side by side.
 * Limits   A block counts with 32 bits: launches are of at most 2^30 elements a block; of weights
 *          2^21, because a cell has room for twice as many. */
#include "launch.h"

#include <assert.h>

#include "cuda/core/inside.h"
#include "histogram.h"

enum {
  STATIC_BYTES = 1 << 10, /* of shared memory, which kernels and the driver take besides */
  SMALL_CELLS = 2048,     /* so few that two blocks an SM have room, and sorted data is faster so */
  SMALL_THREADS = 512,
  THREADS = 1024,
  WEIGHT_THREADS = 768, /* more would leave too few registers */
  WIDE_THREADS = 512,   /* with weights of 8 bytes, which take more registers */
  SOFTWARE_THREADS = 128,
  SOFTWARE_BLOCKS = 4,
  VECTORS = 4,       /* loads in flight a thread */
  SHORT_VECTORS = 2, /* of 2-byte elements, of which registers would not hold more */
  WORTH = 2,         /* elements a counter that pay for adding it up */
  MOST_RANGES = 24,
  FINISH_CELLS = 4 << 10, /* the last block writes the output of so many alone */
  RANGE_THREADS = 256,
  MOST_COPIES = 32,
  COPIES_WORTH = 1 << 22, /* elements */
  SOFTWARE_COPIES_WORTH = 2500,
  LEAST_COPIES = 16, /* of counters: fewer gain nothing */
  COUNT_BITS = 30,
  WEIGHT_BITS = 21,
  WHOLE = 12 /* launches begin at multiples of so many elements, as channels do */
};

enum { TICKET = 0, RANGE_WORDS = 64, HEADER_BYTES = 256 };

size_t hd_cuda_tables_bytes(u64 cells, bool weighted) {
  return HEADER_BYTES + (size_t)cells * (sizeof(u64) + (weighted ? 2 * sizeof(u64) + 4 : 0));
}

void hd_cuda_count_set(struct hd_cuda_count *c, struct hd_cuda_call *call,
                       const struct hd_histogram *job, const struct hd_cuda_bins *bins,
                       const struct hd_cuda_tables *tables) {
  const bool weighted = job->weights_type != HEDDLE_TYPE_DEFAULT;
  const u64 cells = tables->cells;
  c->call = call;
  c->bins = bins;
  c->weights_type = job->weights_type;
  c->counted = true;
  c->args = (struct hist_args){
      .slots = (u32)bins->bins.count + HD_EXTRA_SLOTS,
      .channels = (u32)job->channels,
      .ranges = 1,
      .ticket = tables->memory + TICKET,
      .totals = tables->memory + HEADER_BYTES,
      .exponent_given = job->weight_exponent,
      .packed = bins->packed,
      .find = bins->find,
  };
  if (!weighted) return;
  c->args.amounts = c->args.totals + cells * sizeof(u64);
  c->args.marks = c->args.amounts + cells * 2 * sizeof(u64);
}

/* ---- choosing ---------------------------------------------------------------------------- */

struct shape {
  u32 where, threads, span, ranges, planes, copies;
  bool near_edges; /* in shared memory */
  u32 shared;      /* bytes */
  u64 cells;
};

/* Words of shared memory a cell. */
static u32 planes_of(const struct hd_cuda_count *c) {
  if (c->weights_type == HEDDLE_TYPE_DEFAULT) return 1;
  bool wide = heddle_type_size(c->weights_type) == 8;
  return (wide ? 3u : 2u) + (c->counted ? 1u : 0u);
}

/* Words of cells and, with `near_edges`, edges behind the counters. */
static u32 table_words(const struct hd_cuda_count *c, bool near_edges) {
  if (c->bins->way != HD_WAY_CELLS) return 0;
  const u32 edges = (u32)c->bins->bins.count + 1;
  return (c->bins->find.words + 1) / 2 * 2 + (near_edges ? (c->bins->narrow ? 1 : 2) * edges : 0);
}

/* How many counters of a cell lie side by side, where elements crowd at the banks of shared memory
 * otherwise: more work than the table of cells leaves time for, or two elements in a word. */
static void choose_copies(const struct hd_cuda_count *c, u64 n, u32 room, struct shape *s) {
  const bool software = hd_cuda_limits(c->call->cuda)->software;
  const bool weighted = c->weights_type != HEDDLE_TYPE_DEFAULT;
  const u64 each = s->cells * s->planes;
  if (n < (software ? SOFTWARE_COPIES_WORTH : COPIES_WORTH)) return;
  if (!weighted && c->bins->way != HD_WAY_CELLS && heddle_type_size(c->bins->type) != 2) return;
  u32 copies = MOST_COPIES;
  while (copies > 1 && each * copies > room) copies /= 2;
  if (weighted || copies >= LEAST_COPIES) s->copies = copies;
}

static u32 counter_words(const struct shape *s) {
  return s->span * s->planes * s->copies + (s->where == HD_WHERE_RANGES);
}

static u32 threads_of(const struct hd_cuda_count *c, const struct shape *s, u32 words) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(c->call->cuda);
  if (limits->software) return SOFTWARE_THREADS;
  if (c->weights_type != HEDDLE_TYPE_DEFAULT)
    return heddle_type_size(c->weights_type) == 8 ? WIDE_THREADS : WEIGHT_THREADS;
  const bool half = words <= (u32)limits->shared_per_block / sizeof(u32) / 2;
  return s->cells <= SMALL_CELLS && s->copies == 1 && half ? SMALL_THREADS : THREADS;
}

/* Whether the edges fit in shared memory beside everything else. */
static bool fits_edges(const struct hd_cuda_count *c, const struct shape *s, u32 all) {
  return c->bins->way == HD_WAY_CELLS && counter_words(s) + 1 + table_words(c, true) <= all;
}

static struct shape choose(const struct hd_cuda_count *c, u64 n) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(c->call->cuda);
  struct shape s = {.where = HD_WHERE_SHARED, .ranges = 1, .copies = 1, .planes = planes_of(c)};
  const u32 all = ((u32)limits->shared_per_block - STATIC_BYTES) / (u32)sizeof(u32);
  s.cells = (u64)c->args.slots * c->args.channels;
  s.span = (u32)s.cells;
  /* Edges before more counters only where there is much to search for. */
  const bool before = c->bins->find.crowded || c->weights_type != HEDDLE_TYPE_DEFAULT;
  s.near_edges = before && fits_edges(c, &s, all);
  const u32 room = all - table_words(c, s.near_edges);
  const u64 each = room / s.planes;
  s.span = (u32)(s.cells < each ? s.cells : each);
  if (s.cells > each) {
    s.where = HD_WHERE_RANGES;
    u64 ranges = (s.cells + each - 1) / each;
    s.ranges = (u32)(ranges <= MOST_RANGES ? ranges : 1);
    s.span = (u32)((s.cells + ranges - 1) / ranges);
    if (ranges > MOST_RANGES || ranges > (u64)limits->sms) s.where = HD_WHERE_GLOBAL;
  }
  if (s.cells > SMALL_CELLS && n / WORTH < 4 * s.cells) s.where = HD_WHERE_GLOBAL;
  if (s.where == HD_WHERE_GLOBAL) s.span = 0, s.ranges = 1;
  if (s.where == HD_WHERE_SHARED) choose_copies(c, n, room, &s);
  if (s.where == HD_WHERE_SHARED && !s.near_edges) s.near_edges = fits_edges(c, &s, all);
  const u32 words = (counter_words(&s) + 1) / 2 * 2 + table_words(c, s.near_edges);
  s.shared = words * (u32)sizeof(u32);
  s.threads = threads_of(c, &s, words);
  return s;
}

static u64 blocks_of(const struct hd_cuda_count *c, const struct shape *s,
                     const struct hd_cuda_kernel *kernel, u64 n) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(c->call->cuda);
  u64 most = (u64)limits->sms * kernel->blocks_per_sm;
  if (limits->software) most = SOFTWARE_BLOCKS;
  const u64 piece = (u64)s->threads * 16 / heddle_type_size(c->bins->type);
  u64 members = most / s->ranges, work = n / piece + 1;
  if (s->where != HD_WHERE_GLOBAL && s->span) {
    u64 worth = n / WORTH / s->span / s->copies + 1;
    work = work < worth ? work : worth;
  }
  if (members < 1) members = 1;
  return (members < work ? members : work) * s->ranges;
}

/* Whether a pack of four elements and one of four weights can be loaded at once from some element on:
 * kernels/histogram/weights.cu looks for it. */
static bool packs(const struct hd_cuda_count *c, cu_pointer in, cu_pointer weights) {
  const u64 x = heddle_type_size(c->bins->type), w = heddle_type_size(c->weights_type);
  for (u64 head = 0; head < 4; head++)
    if ((in + head * x) % (x == 8 ? 16 : 4 * x) == 0 &&
        (weights + head * w) % (w == 8 ? 16 : 4 * w) == 0)
      return true;
  return false;
}

static heddle_status find_kernel(const struct hd_cuda_count *c, const struct shape *s,
                                 struct hd_cuda_kernel *kernel) {
  const bool weighted = c->weights_type != HEDDLE_TYPE_DEFAULT;
  struct hd_cuda_kernel_key key = {.file =
                                       weighted ? "histogram/weights.cu" : "histogram/count.cu"};
  hd_cuda_kernel_define(&key, "HEDDLE_TYPE", c->bins->type);
  hd_cuda_kernel_define(&key, "HEDDLE_KEY", c->bins->narrow ? HEDDLE_F32 : HEDDLE_F64);
  hd_cuda_kernel_define(&key, "HEDDLE_WAY", c->bins->way);
  hd_cuda_kernel_define(&key, "HEDDLE_BITS", c->bins->find.by_bits);
  hd_cuda_kernel_define(&key, "HEDDLE_SHIFTED", c->bins->find.bits_shift != 0);
  hd_cuda_kernel_define(&key, "HEDDLE_SURE", c->bins->find.sure);
  hd_cuda_kernel_define(&key, "HEDDLE_FORMULA", c->bins->find.formula);
  hd_cuda_kernel_define(&key, "HEDDLE_WHERE", s->where);
  hd_cuda_kernel_define(&key, "HEDDLE_CHANNELS", c->args.channels);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", s->threads);
  hd_cuda_kernel_define(&key, "HEDDLE_COPIES", s->copies);
  hd_cuda_kernel_define(&key, "HEDDLE_NEAR", s->near_edges);
  if (weighted) {
    hd_cuda_kernel_define(&key, "HEDDLE_WEIGHT", c->weights_type);
    hd_cuda_kernel_define(&key, "HEDDLE_COUNTED", c->counted);
    hd_cuda_kernel_define(&key, "HEDDLE_PACKED", packs(c, c->args.in, c->args.weights));
  } else {
    bool brief = heddle_type_size(c->bins->type) <= 2 &&
                 (c->bins->way != HD_WAY_INTEGER || c->args.channels > 1);
    hd_cuda_kernel_define(&key, "HEDDLE_VECTORS", brief ? SHORT_VECTORS : VECTORS);
    hd_cuda_kernel_define(&key, "HEDDLE_BLOCKS", s->threads == SMALL_THREADS ? 2 : 1);
    hd_cuda_kernel_define(&key, "HEDDLE_AHEAD", 1);
  }
  return hd_cuda_kernel(c->call, &key, weighted ? "histogram_weights" : "histogram_count",
                        s->threads, s->shared, kernel);
}

/* ---- launching ----------------------------------------------------------------------------- */

heddle_status hd_cuda_count_finish(struct hd_cuda_count *c) {
  enum { FINISH_THREADS = 256, FINISH_BLOCKS = 1024 };
  struct hd_cuda_kernel_key key = {.file = "histogram/finish.cu"};
  struct hd_cuda_kernel kernel;
  void *arguments[] = {&c->args};
  u64 cells = (u64)c->args.slots * c->args.channels, blocks = cells / FINISH_THREADS + 1;
  if (hd_cuda_limits(c->call->cuda)->software) blocks = 1;
  HD_TRY(hd_cuda_kernel(c->call, &key, "histogram_finish", FINISH_THREADS, 0, &kernel));
  return hd_cuda_launch(c->call, &kernel, blocks < FINISH_BLOCKS ? blocks : FINISH_BLOCKS,
                        arguments);
}

/* Launches of at most so many elements a block as its counters have room for. */
static heddle_status launch_some(struct hd_cuda_count *c, const struct shape *s,
                                 const struct hd_cuda_kernel *kernel, u64 n, bool finish) {
  const u64 element_bytes = heddle_type_size(c->bins->type);
  const u64 weight_bytes = heddle_type_size(c->weights_type); /* 0: none */
  struct hist_args args = c->args;
  void *arguments[] = {&args};
  args.span = s->span;
  args.ranges = s->ranges;
  do {
    const u64 blocks = blocks_of(c, s, kernel, n);
    u64 most = (blocks / s->ranges) << (weight_bytes ? WEIGHT_BITS : COUNT_BITS);
    most -= most % WHOLE;
    args.count = n < most ? n : most;
    n -= args.count;
    args.finish = finish && !n;
    HD_TRY(hd_cuda_launch(c->call, kernel, blocks, arguments));
    args.in += args.count * element_bytes;
    args.weights += args.count * weight_bytes;
  } while (n);
  return HEDDLE_OK;
}

heddle_status hd_cuda_count_some(struct hd_cuda_count *c, cu_pointer in, cu_pointer weights, u64 n,
                                 bool last) {
  const u64 cells = (u64)c->args.slots * c->args.channels;
  const bool finish = last && cells <= FINISH_CELLS;
  c->args.in = in;
  c->args.weights = weights;
  if (c->weights_type != HEDDLE_TYPE_DEFAULT) c->args.fault = hd_cuda_fault(c->call);
  if (c->weights_type == HEDDLE_TYPE_DEFAULT && c->bins->way == HD_WAY_VALUES) {
    struct hist_args args = c->args;
    args.count = n;
    args.finish = finish;
    HD_TRY(hd_cuda_histogram_bytes(c->call, &args, c->bins->value_slot));
  } else {
    const struct shape shape = choose(c, n);
    struct hd_cuda_kernel kernel;
    HD_TRY(find_kernel(c, &shape, &kernel));
    HD_TRY(launch_some(c, &shape, &kernel, n, finish));
  }
  return last && !finish ? hd_cuda_count_finish(c) : HEDDLE_OK;
}

heddle_status hd_cuda_range_some(struct hd_cuda_call *call, heddle_type type,
                                 enum hd_cuda_range_of of, const struct range_args *args) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(call->cuda);
  struct hd_cuda_kernel_key key = {.file = "histogram/range.cu"};
  struct hd_cuda_kernel kernel;
  struct range_args copy = *args;
  void *arguments[] = {&copy};
  hd_cuda_kernel_define(&key, "HEDDLE_TYPE", type);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", RANGE_THREADS);
  hd_cuda_kernel_define(&key, "HEDDLE_POSITIVE", of);
  HD_TRY(hd_cuda_kernel(call, &key, "histogram_range", RANGE_THREADS, 0, &kernel));
  u64 blocks = args->count * heddle_type_size(type) / (RANGE_THREADS * 16) + 1;
  u64 most = limits->software ? SOFTWARE_BLOCKS : (u64)limits->sms * kernel.blocks_per_sm;
  return hd_cuda_launch(call, &kernel, blocks < most ? blocks : most, arguments);
}
