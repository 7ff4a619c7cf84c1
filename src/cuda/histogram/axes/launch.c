/* launch.c - launches of kernels/axes/points.cu: the kernel chosen, its arguments filled in
 *
 * Method   Axes that all find their bins in the same way have a kernel made for it, others one that asks each
 *          axis. Blocks are as many as fill the device, but no more than pay for adding their counters up.
 * Limits   a launch has at most 2^30 points, so that counters of 32 bits have room */
#include "axes.h"
#include "cuda/core/inside.h"
#include "host/status.h"
#include "kernels/axes/args.h"

enum {
  SOFTWARE_BLOCKS = 4,
  WORTH = 2,                 /* points a counter that pay for adding it up */
  FINISH_COUNTERS = 4 << 10, /* the last block writes the output of so many alone */
  LOAD_BYTES = 16
};

_Static_assert(HD_AXES_MOST == HD_MOST_DIMS, "kernels/axes/args.h has room for all axes");
_Static_assert(sizeof(struct axes_args) <= HD_ARGUMENT_BYTES, "a kernel takes the struct");

/* ---- the choice ------------------------------------------------------------------------------ */

static bool is_packed(const struct hd_cuda_axes *axes, const struct hd_cuda_some_points *some) {
  for (size_t d = 0; d < axes->job.dims; d++)
    if (some->stride[d] != 1 || some->column[d] % LOAD_BYTES != some->column[0] % LOAD_BYTES)
      return false;
  return true;
}

/* Where the table of buckets of axis d begins behind those of the axes before it, in words. */
static u32 table_of(const struct hd_cuda_axes *axes, size_t d) {
  u32 at = 0;
  for (size_t i = 0; i < d; i++) at += (axes->bins[i]->find.words + 1) / 2 * 2;
  return at;
}

static u32 table_words(const struct hd_cuda_axes *axes) { return table_of(axes, axes->job.dims); }

/* Whether buckets are found in the same manner on all axes, and have room in shared memory. */
static bool are_buckets_alike(const struct hd_cuda_axes *axes) {
  const struct hist_slots *first = &axes->bins[0]->find;
  u64 words = 0;
  for (size_t d = 0; d < axes->job.dims; d++) {
    const struct hist_slots *find = &axes->bins[d]->find;
    if (find->by_bits != first->by_bits || find->sure != first->sure) return false;
    words += (find->words + 1) / 2 * 2;
  }
  return words < hd_cuda_axes_room(hd_cuda_limits(axes->call->cuda));
}

/* How all axes find bins: one way, or HD_STRATEGY_MIXED. */
static u32 strategy_of(const struct hd_cuda_axes *axes) {
  const u32 strategy = axes->bins[0]->strategy;
  for (size_t d = 1; d < axes->job.dims; d++)
    if (axes->bins[d]->strategy != strategy) return HD_STRATEGY_MIXED;
  if (strategy == HD_STRATEGY_STEPS || strategy == HD_STRATEGY_SEARCH) return HD_STRATEGY_MIXED;
  if (strategy == HD_STRATEGY_BUCKETS && !are_buckets_alike(axes)) return HD_STRATEGY_MIXED;
  return strategy;
}

struct hd_cuda_axes_job hd_cuda_axes_job_of(const struct hd_cuda_axes_pass *pass,
                                            const struct hd_cuda_some_points *some) {
  const struct hd_cuda_axes *axes = pass->axes;
  return (struct hd_cuda_axes_job){
      .limits = hd_cuda_limits(axes->call->cuda),
      .type = axes->job.type,
      .dims = axes->job.dims,
      .n = axes->points.count,
      .slots = axes->job.slots,
      .packed = is_packed(axes, some),
      .table_words = strategy_of(axes) == HD_STRATEGY_BUCKETS ? table_words(axes) : 0,
      .weighted = pass->grid.weights_type != HEDDLE_TYPE_DEFAULT};
}

/* How edges of even bins are computed, if it is the same for all axes; else they are read. */
static u32 formula_of(const struct hd_cuda_axes *axes) {
  for (size_t d = 1; d < axes->job.dims; d++)
    if (axes->bins[d]->find.formula != axes->bins[0]->find.formula) return 0;
  return axes->bins[0]->find.formula;
}

static bool is_narrow(const struct hd_cuda_axes *axes) {
  for (size_t d = 0; d < axes->job.dims; d++) /* integer bins have no keys */
    if (axes->bins[d]->strategy != HD_STRATEGY_INTEGER) return axes->bins[d]->narrow;
  return false;
}

static heddle_status find_kernel(const struct hd_cuda_axes_pass *pass,
                                 const struct hd_cuda_axes_choice *s, bool packed,
                                 struct hd_cuda_kernel *kernel) {
  const struct hd_cuda_axes *axes = pass->axes;
  const u32 strategy = strategy_of(axes);
  const struct hd_cuda_choice *l = &s->launch;
  struct hd_cuda_kernel_key key;
  hd_cuda_kernel_file(&key, l->file);
  hd_cuda_kernel_define(&key, "HEDDLE_TYPE", axes->job.type);
  hd_cuda_kernel_define(&key, "HEDDLE_KEY", is_narrow(axes) ? HEDDLE_F32 : HEDDLE_F64);
  hd_cuda_kernel_define(&key, "HEDDLE_STRATEGY", strategy);
  hd_cuda_kernel_define(&key, "HEDDLE_BITS",
                        strategy == HD_STRATEGY_BUCKETS ? axes->bins[0]->find.by_bits : 0);
  hd_cuda_kernel_define(&key, "HEDDLE_SHIFTED", 1);
  hd_cuda_kernel_define(&key, "HEDDLE_SURE",
                        strategy == HD_STRATEGY_BUCKETS && axes->bins[0]->find.sure);
  hd_cuda_kernel_define(&key, "HEDDLE_NEAR", 0);
  hd_cuda_kernel_define(&key, "HEDDLE_FORMULA",
                        strategy == HD_STRATEGY_EVEN ? formula_of(axes) : 0);
  hd_cuda_kernel_define(&key, "HEDDLE_DIMS", (i64)axes->job.dims);
  hd_cuda_kernel_define(&key, "HEDDLE_FLOW", axes->job.flow);
  hd_cuda_kernel_define(&key, "HEDDLE_OUTSIDE", pass->outside);
  hd_cuda_kernel_define(&key, "HEDDLE_PACKED", packed);
  hd_cuda_kernel_define(&key, "HEDDLE_WHERE", s->where);
  hd_cuda_kernel_define(&key, "HEDDLE_HALVES", s->halves);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", l->threads);
  hd_cuda_kernel_define(&key, "HEDDLE_BLOCKS", s->min_blocks);
  hd_cuda_kernel_define(&key, "HEDDLE_VECTORS", s->vectors);
  hd_cuda_kernel_define(&key, "HEDDLE_AHEAD", s->ahead);
  return hd_cuda_kernel(axes->call, &key, l->kernel, l->threads, l->shared_bytes, kernel);
}

/* ---- the launch ------------------------------------------------------------------------------ */

static u64 blocks_of(const struct hd_cuda_axes_pass *pass, const struct hd_cuda_axes_choice *s,
                     const struct hd_cuda_kernel *kernel, u64 n, bool packed) {
  const struct hd_cuda_limits *limits = hd_cuda_limits(pass->axes->call->cuda);
  const u64 per = packed ? LOAD_BYTES / heddle_type_size(pass->axes->job.type) : 1;
  u64 most = (u64)limits->sms * kernel->blocks_per_sm, work = n / (s->launch.threads * per) + 1;
  if (limits->software) most = SOFTWARE_BLOCKS;
  if (s->span) {
    const u64 worth = n / WORTH / s->span + 1;
    work = work < worth ? work : worth;
  }
  return most < work ? most : work;
}

static void set_axes(const struct hd_cuda_axes_pass *pass, const struct hd_cuda_some_points *some,
                     struct axes_args *args) {
  const struct hd_cuda_axes *axes = pass->axes;
  u32 apart = 1;
  for (size_t d = axes->job.dims; d-- > 0;) {
    const struct hd_cuda_bins *bins = axes->bins[d];
    args->axis[d] = (struct axis_args){.find = bins->find,
                                       .column = some->column[d],
                                       .stride = some->stride[d],
                                       .apart = apart,
                                       .strategy = bins->strategy,
                                       .packed = bins->packed,
                                       .table = table_of(axes, d)};
    apart *= (u32)bins->bins.count + (axes->job.flow ? 2 : 0); /* at most 2^28 */
  }
  args->outside = pass->outside ? axes->outside : 0;
}

static heddle_status launch(struct hd_cuda_axes_pass *pass, const struct hd_cuda_some_points *some,
                            const struct hd_cuda_axes_job *job, struct axes_args *args) {
  struct hd_cuda_axes_choice choice;
  struct hd_cuda_kernel kernel;
  hd_cuda_axes_choose(job, &choice);
  HD_TRY(find_kernel(pass, &choice, job->packed, &kernel));
  set_axes(pass, some, args);
  args->count.count = some->n;
  args->count.span = choice.span;
  const u64 blocks = blocks_of(pass, &choice, &kernel, some->n, job->packed);
  return hd_cuda_launch(pass->axes->call, &kernel, blocks, args, sizeof *args);
}

heddle_status hd_cuda_axes_count(struct hd_cuda_axes_pass *pass,
                                 const struct hd_cuda_some_points *some, bool last) {
  const struct hd_cuda_axes_job job = hd_cuda_axes_job_of(pass, some);
  struct axes_args args = {.count = pass->count.args};
  args.count.finish = last && pass->tables.counters <= FINISH_COUNTERS;
  HD_TRY(launch(pass, some, &job, &args));
  return last && !args.count.finish ? hd_cuda_count_finish(&pass->count) : HEDDLE_OK;
}

heddle_status hd_cuda_axes_slots(struct hd_cuda_axes_pass *pass,
                                 const struct hd_cuda_some_points *some, cu_pointer *slots) {
  struct hd_cuda_axes_job job = hd_cuda_axes_job_of(pass, some);
  struct axes_args args = {.count = pass->count.args};
  job.weighted = true; /* the way of weights, for counts too */
  if (job.packed) {    /* slots of a vector of points are stored at once */
    const u64 size = heddle_type_size(job.type);
    const u64 head = (0 - some->column[0]) % LOAD_BYTES / size * sizeof(u32);
    *slots += (0 - (*slots + head)) % LOAD_BYTES;
  }
  args.slots = *slots;
  return launch(pass, some, &job, &args);
}
