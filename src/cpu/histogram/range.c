/* range.c - the least and the greatest finite value of an array; see range.h
 *
 * Method   Threads take pieces of about 1 MiB by a ticket; the ISA's kernel widens each worker's range. */
#include "range.h"

#include <math.h>
#include <stdatomic.h>

#include "axes/gather.h"
#include "cpu/isa/kernels.h"
#include "host/status.h"

enum { RANGE_PIECE = 1 << 20, RANGE_WORKERS = 64 };

struct range_job {
  hd_cpu_range_kernel *kernel;
  const unsigned char *in;
  size_t count, element_bytes;
  ptrdiff_t stride; /* elements */
  bool positive;
  struct hd_cpu_range found[RANGE_WORKERS];
  atomic_size_t ticket;
  struct hd_cancellation token;
};

/* Of elements that lie apart, block after block. */
static void range_apart(const struct range_job *job, size_t from, size_t n,
                        struct hd_cpu_range *found) {
  u64 block[HD_INDEX_BLOCK];
  const ptrdiff_t step = job->stride * (ptrdiff_t)job->element_bytes;
  for (size_t i = 0; i < n; i += HD_INDEX_BLOCK) {
    const size_t part = n - i < HD_INDEX_BLOCK ? n - i : HD_INDEX_BLOCK;
    hd_cpu_gather_apart(job->element_bytes, job->in + (ptrdiff_t)(from + i) * step, job->stride,
                        part, block);
    job->kernel(block, part, job->positive, found);
  }
}

static void range_task(void *arg, size_t worker) {
  struct range_job *job = arg;
  const size_t piece = RANGE_PIECE / job->element_bytes;
  for (;;) {
    size_t from = atomic_fetch_add_explicit(&job->ticket, 1, memory_order_relaxed) * piece;
    if (from >= job->count || hd_poll(&job->token)) return;
    size_t n = job->count - from < piece ? job->count - from : piece;
    if (job->stride == 1)
      job->kernel(job->in + from * job->element_bytes, n, job->positive, &job->found[worker]);
    else
      range_apart(job, from, n, &job->found[worker]);
  }
}

heddle_status hd_cpu_find_range(heddle_context *ctx, const char *entry, heddle_type type,
                                const void *in, ptrdiff_t stride, size_t count, bool positive,
                                struct hd_cpu_range *range) {
  const struct hd_cpu_kernels *kernels = ctx->kernels;
  struct range_job job = {.kernel = kernels->histogram->range[type],
                          .in = in,
                          .count = count,
                          .element_bytes = heddle_type_size(type),
                          .stride = stride,
                          .positive = positive};
  for (size_t i = 0; i < RANGE_WORKERS; i++)
    job.found[i] = (struct hd_cpu_range){INFINITY, -INFINITY};
  hd_cancellation_start(&job.token, ctx);
  size_t workers = count * job.element_bytes / RANGE_PIECE + 1;
  if (workers > ctx->threads) workers = ctx->threads;
  if (workers > RANGE_WORKERS) workers = RANGE_WORKERS;
  if (workers == 1)
    range_task(&job, 0);
  else
    hd_parallel(ctx, workers, range_task, &job);
  *range = job.found[0];
  for (size_t i = 1; i < workers; i++) {
    if (job.found[i].lo < range->lo) range->lo = job.found[i].lo;
    if (job.found[i].hi > range->hi) range->hi = job.found[i].hi;
  }
  range->lo += 0.0; /* -0.0 and +0.0 are one value; which came first must not show */
  range->hi += 0.0;
  return hd_cancellation_status(&job.token, entry);
}

heddle_status hd_cpu_resolve_bins(heddle_context *ctx, const char *entry, heddle_type type,
                                  const void *in, ptrdiff_t stride, size_t count,
                                  heddle_bins *bins) {
  struct hd_cpu_range range;
  const bool log = bins->kind == HEDDLE_BINS_LOG;
  if (!bins->auto_range) return HEDDLE_OK;
  heddle_status status = hd_cpu_find_range(ctx, entry, type, in, stride, count, log, &range);
  if (status) return status;
  if (range.lo > range.hi) range = (struct hd_cpu_range){log ? 1 : 0, log ? 10 : 1};
  bins->lo = range.lo;
  bins->hi = range.hi;
  return HEDDLE_OK;
}
