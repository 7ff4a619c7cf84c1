/* launch.c - one job's launches: kernels chosen, arguments filled in
 *
 * Method   What choose.c chose: blocks are as many as fill the device, but no more than pay for
 *          adding their counters up.
 * Limits   A block counts with 32 bits: launches are of at most 2^30 elements a block; of weights
 *          2^21, because a counter has room for twice as many. */
#include "launch.h"

#include "choose.h"
#include "cuda/core/inside.h"
#include "histogram.h"
#include "order/exact/format.h"
#include "parts.h"

enum {
  SOFTWARE_BLOCKS = 4,
  WORTH = 2,                 /* elements a counter that pay for adding it up */
  FINISH_COUNTERS = 4 << 10, /* the last block writes the output of so many alone */
  RANGE_THREADS = 256,
  COUNT_BITS = 30,
  WEIGHT_BITS = 21,
  REST_BITS = 86 - 41, /* REST_BITS of kernels/histogram/fixed.h */
  WIDE_REST_BITS = 86 - 73,
  CARRY_WEIGHTS =
      1 << 28, /* between carries of limbs, which have room for 2^29 (order/exact/limbs.h) */
  SOFTWARE_CARRY_WEIGHTS = 5000, /* so that there are several */
  WHOLE = 12 /* launches begin at multiples of so many elements, as channels do */
};

enum { TICKET = 0, HEADER_BYTES = 256 };
#define MOST_REGION ((size_t)64 << 20) /* larger tables are scratch, zeroed by each call */

static struct hd_exact_span limbs_of(const struct hd_histogram *job) {
  if (!job->exact) return (struct hd_exact_span){0, 0};
  return hd_exact_span_of(hd_exact_format_of_type(job->weights_type), false);
}

size_t hd_cuda_tables_bytes(u64 counters, const struct hd_histogram *job) {
  const bool weighted = job->weights_type != HEDDLE_TYPE_DEFAULT;
  const struct hd_exact_span limbs = limbs_of(job);
  const size_t words = (weighted ? 5u : 1u) + limbs.end - limbs.first;
  return HEADER_BYTES + (size_t)counters * (words * sizeof(u64) + (weighted ? sizeof(u32) : 0));
}

void hd_cuda_tables_size(const struct hd_histogram *job, struct hd_cuda_tables *tables) {
  tables->counters = (job->bins.count + HD_EXTRA_SLOTS) * (u64)job->channels;
  tables->bytes = hd_cuda_tables_bytes(tables->counters, job);
}

heddle_status hd_cuda_tables_find(struct hd_cuda_call *call, const struct hd_histogram *job,
                                  struct hd_cuda_tables *tables) {
  hd_cuda_tables_size(job, tables);
  if (tables->bytes <= MOST_REGION)
    return hd_cuda_region(call, HD_REGION_HISTOGRAM, tables->bytes, &tables->memory);
  HD_TRY(hd_cuda_scratch(call, tables->bytes, &tables->memory));
  return hd_cuda_zero(call, tables->memory, tables->bytes);
}

void hd_cuda_count_set(struct hd_cuda_count *c, struct hd_cuda_call *call,
                       const struct hd_histogram *job, const struct hd_cuda_bins *bins,
                       const struct hd_cuda_tables *tables) {
  const bool weighted = job->weights_type != HEDDLE_TYPE_DEFAULT;
  const u64 counters = tables->counters;
  c->call = call;
  c->bins = bins;
  c->weights_type = job->weights_type;
  c->counted = true;
  c->thin = false;
  c->exact = job->exact;
  c->uncarried = 0;
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
  c->args.amounts = c->args.totals + counters * sizeof(u64);
  c->args.units = c->args.amounts + counters * 2 * sizeof(u64);
  const struct hd_exact_span limbs = limbs_of(job);
  c->args.limbs = c->args.units + counters * 2 * sizeof(u64);
  c->args.first_limb = limbs.first;
  c->args.limbs_count = limbs.end - limbs.first;
  c->args.marks = c->args.limbs + counters * c->args.limbs_count * sizeof(i64);
  c->args.rest_bits = heddle_type_size(job->weights_type) == 8 ? WIDE_REST_BITS : REST_BITS;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static u64 blocks_of(const struct hd_cuda_count *c, const struct hd_cuda_count_choice *s,
                     const struct hd_cuda_kernel *kernel, u64 n) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(c->call->cuda);
  u64 most = limits->software ? SOFTWARE_BLOCKS : hd_cuda_blocks_at_once(c->call, kernel);
  const u64 piece = (u64)s->launch.threads * 16 / heddle_type_size(c->bins->type);
  u64 members = most / s->ranges, work = n / piece + 1;
  if (s->where != HD_WHERE_GLOBAL && s->span) {
    u64 worth = n / WORTH / s->span / s->copies + 1;
    work = work < worth ? work : worth;
  }
  if (members < 1) members = 1;
  return (members < work ? members : work) * s->ranges;
}

/* Whether a pack of four elements and one of four weights can be loaded at once from some element
 * on: kernels/histogram/weights.cu looks for it. */
static bool packs(const struct hd_cuda_count *c, cu_pointer in, cu_pointer weights) {
  const u64 x = heddle_type_size(c->bins->type), w = heddle_type_size(c->weights_type);
  for (u64 head = 0; head < 4; head++)
    if ((in + head * x) % (x == 8 ? 16 : 4 * x) == 0 &&
        (weights + head * w) % (w == 8 ? 16 : 4 * w) == 0)
      return true;
  return false;
}

static heddle_status find_kernel(const struct hd_cuda_count *c,
                                 const struct hd_cuda_count_choice *s,
                                 struct hd_cuda_kernel *kernel) {
  const bool weighted = c->weights_type != HEDDLE_TYPE_DEFAULT;
  const struct hd_cuda_choice *l = &s->launch;
  struct hd_cuda_kernel_key key = {.file = l->file};
  hd_cuda_kernel_define(&key, "HEDDLE_TYPE", c->bins->type);
  hd_cuda_kernel_define(&key, "HEDDLE_KEY", c->bins->narrow ? HEDDLE_F32 : HEDDLE_F64);
  hd_cuda_kernel_define(&key, "HEDDLE_STRATEGY", c->bins->strategy);
  hd_cuda_kernel_define(&key, "HEDDLE_BITS", c->bins->find.by_bits);
  hd_cuda_kernel_define(&key, "HEDDLE_SHIFTED", c->bins->find.bits_shift != 0);
  hd_cuda_kernel_define(&key, "HEDDLE_SURE", c->bins->find.sure);
  hd_cuda_kernel_define(&key, "HEDDLE_FORMULA", c->bins->find.formula);
  hd_cuda_kernel_define(&key, "HEDDLE_WHERE", s->where);
  hd_cuda_kernel_define(&key, "HEDDLE_CHANNELS", c->args.channels);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", l->threads);
  hd_cuda_kernel_define(&key, "HEDDLE_COPIES", s->copies);
  hd_cuda_kernel_define(&key, "HEDDLE_NEAR", s->near_edges);
  hd_cuda_kernel_define(&key, "HEDDLE_STEPS", c->bins->steps);
  if (weighted) {
    hd_cuda_kernel_define(&key, "HEDDLE_WEIGHT", c->weights_type);
    hd_cuda_kernel_define(&key, "HEDDLE_COUNTED", c->counted);
    hd_cuda_kernel_define(&key, "HEDDLE_THIN", c->thin);
    hd_cuda_kernel_define(&key, "HEDDLE_EXACT", c->exact);
    hd_cuda_kernel_define(&key, "HEDDLE_PACKED", packs(c, c->args.in, c->args.weights));
  } else {
    hd_cuda_kernel_define(&key, "HEDDLE_VECTORS", s->loads);
    hd_cuda_kernel_define(&key, "HEDDLE_BLOCKS", s->min_blocks);
    hd_cuda_kernel_define(&key, "HEDDLE_AHEAD", 1);
    hd_cuda_kernel_define(&key, "HEDDLE_HALVES", s->halves);
  }
  return hd_cuda_kernel(c->call, &key, l->kernel, l->threads, l->shared_bytes, kernel);
}

/* ---- launching ----------------------------------------------------------------------------- */

/* A launch over all counters. */
static heddle_status launch_counters(const struct hd_cuda_count *c, const char *file,
                                     const char *name) {
  enum { FINISH_THREADS = 256, FINISH_BLOCKS = 1024 };
  struct hd_cuda_kernel_key key = {.file = file};
  struct hd_cuda_kernel kernel;
  u64 counters = (u64)c->args.slots * c->args.channels, blocks = counters / FINISH_THREADS + 1;
  if (hd_cuda_limits(c->call->cuda)->software) blocks = 1;
  HD_TRY(hd_cuda_kernel(c->call, &key, name, FINISH_THREADS, 0, &kernel));
  return hd_cuda_launch(c->call, &kernel, blocks < FINISH_BLOCKS ? blocks : FINISH_BLOCKS, &c->args,
                        sizeof c->args);
}

heddle_status hd_cuda_count_finish(struct hd_cuda_count *c) {
  if (c->exact) return launch_counters(c, "histogram/exact.cu", "heddle_histogram_exact");
  return launch_counters(c, "histogram/finish.cu", "heddle_histogram_finish");
}

/* Room for `some` more weights in limbs, at most CARRY_WEIGHTS of them. */
static heddle_status keep_limbs(struct hd_cuda_count *c, u64 some) {
  const bool software = hd_cuda_limits(c->call->cuda)->software;
  if (!c->exact) return HEDDLE_OK;
  if (c->uncarried &&
      c->uncarried + some > (software ? SOFTWARE_CARRY_WEIGHTS : (u64)CARRY_WEIGHTS)) {
    HD_TRY(launch_counters(c, "histogram/carry.cu", "heddle_histogram_carry"));
    c->uncarried = 0;
  }
  c->uncarried += some;
  return HEDDLE_OK;
}

/* Launches of at most so many elements a block as its counters have room for. */
static heddle_status launch_some(struct hd_cuda_count *c, const struct hd_cuda_count_choice *s,
                                 const struct hd_cuda_kernel *kernel, u64 n, bool finish) {
  const u64 element_bytes = heddle_type_size(c->bins->type);
  const u64 weight_bytes = heddle_type_size(c->weights_type); /* 0: none */
  struct hist_args args = c->args;
  args.span = s->span;
  args.ranges = s->ranges;
  do {
    const u64 blocks = blocks_of(c, s, kernel, n);
    u64 most = (blocks / s->ranges) << (weight_bytes ? WEIGHT_BITS : COUNT_BITS);
    if (c->exact && most > CARRY_WEIGHTS) most = CARRY_WEIGHTS;
    most -= most % WHOLE;
    args.count = n < most ? n : most;
    n -= args.count;
    args.finish = finish && !n;
    HD_TRY(keep_limbs(c, args.count));
    HD_TRY(hd_cuda_launch(c->call, kernel, blocks, &args, sizeof args));
    args.in += args.count * element_bytes;
    args.weights += args.count * weight_bytes;
  } while (n);
  return HEDDLE_OK;
}

/* The launch for weights that words of one unit do for. */
static heddle_status weigh_thin(struct hd_cuda_count *c, u64 n) {
  struct hd_cuda_count thin = *c;
  struct hd_cuda_count_choice choice;
  struct hd_cuda_kernel kernel;
  thin.thin = true;
  thin.args.thin = HD_THIN_OURS;
  hd_cuda_count_choose(hd_cuda_limits(c->call->cuda), &thin, n, &choice);
  HD_TRY(find_kernel(&thin, &choice, &kernel));
  return launch_some(&thin, &choice, &kernel, n, false);
}

heddle_status hd_cuda_count_some(struct hd_cuda_count *c, cu_pointer in, cu_pointer weights, u64 n,
                                 bool last) {
  const u64 counters = (u64)c->args.slots * c->args.channels;
  const bool finish = last && counters <= FINISH_COUNTERS && !c->exact;
  c->args.in = in;
  c->args.weights = weights;
  if (c->weights_type != HEDDLE_TYPE_DEFAULT) c->args.fault = hd_cuda_fault(c->call);
  struct hd_cuda_count_choice choice;
  hd_cuda_count_choose(hd_cuda_limits(c->call->cuda), c, n, &choice);
  if (c->weights_type == HEDDLE_TYPE_DEFAULT && c->bins->strategy == HD_STRATEGY_VALUES) {
    struct hist_args args = c->args;
    args.count = n;
    args.finish = finish;
    HD_TRY(hd_cuda_histogram_bytes(c->call, &choice, &args));
  } else if (choice.where == HD_WHERE_PARTS) {
    HD_TRY(hd_cuda_histogram_parts(c, &choice, in, n));
  } else {
    struct hd_cuda_kernel kernel;
    if (c->args.thin) HD_TRY(weigh_thin(c, n));
    HD_TRY(find_kernel(c, &choice, &kernel));
    HD_TRY(launch_some(c, &choice, &kernel, n, finish));
  }
  return last && !finish ? hd_cuda_count_finish(c) : HEDDLE_OK;
}

static heddle_status find_unit(struct hd_cuda_call *call, const struct range_args *args) {
  struct hd_cuda_kernel_key key = {.file = "histogram/unit.cu"};
  struct hd_cuda_kernel kernel;
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", RANGE_THREADS);
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_histogram_unit", RANGE_THREADS, 0, &kernel));
  return hd_cuda_launch(call, &kernel, 1, args, sizeof *args);
}

heddle_status hd_cuda_unit_try(struct hd_cuda_count *c, const struct range_args *sample) {
  struct hist_args *args = &c->args;
  const u64 bytes = HD_THIN_COPIES * 2 * sizeof(u64) * (u64)args->slots * args->channels;
  if (!hd_cuda_count_thin_choose(hd_cuda_limits(c->call->cuda), c, sample->count)) return HEDDLE_OK;
  args->thin = HD_THIN_OTHERS;
  HD_TRY(hd_cuda_scratch(c->call, bytes, &args->thin_units));
  HD_TRY(hd_cuda_zero(c->call, args->thin_units, bytes));
  return find_unit(c->call, sample);
}

heddle_status hd_cuda_range_some(struct hd_cuda_call *call, heddle_type type,
                                 enum hd_cuda_range_of of, const struct range_args *args) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(call->cuda);
  struct hd_cuda_kernel_key key = {.file = "histogram/range.cu"};
  struct hd_cuda_kernel kernel;
  hd_cuda_kernel_define(&key, "HEDDLE_TYPE", type);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", RANGE_THREADS);
  hd_cuda_kernel_define(&key, "HEDDLE_POSITIVE", of);
  hd_cuda_kernel_define(&key, "HEDDLE_APART", args->apart != 0);
  HD_TRY(hd_cuda_kernel(call, &key, "heddle_histogram_range", RANGE_THREADS, 0, &kernel));
  u64 blocks = args->sample ? 1 : args->count * heddle_type_size(type) / (RANGE_THREADS * 16) + 1;
  u64 most = limits->software ? SOFTWARE_BLOCKS : hd_cuda_blocks_at_once(call, &kernel);
  return hd_cuda_launch(call, &kernel, blocks < most ? blocks : most, args, sizeof *args);
}
