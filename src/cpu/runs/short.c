/* short.c - results of neighbouring runs of few elements
 *
 * Method   Runs are sorted by length, by counting. Those of one length are made lines, a few hundred at a time:
 *          element e of each is a line, and lines are folded by vectors of columns, as rows of few elements are
 *          (cpu/fold/rows/short_rows.c). No work of the fold is a run's own then. What is longer is folded by
 *          itself.
 * Memory   lines and accumulators of a group, and 4 bytes a run. */
#include <string.h>

#include "cpu/fold/columns/columns.h"
#include "cpu/fold/columns/strip.h"
#include "runs.h"

enum {
  SHORT_MOST = 32,       /* elements of a run that is made part of lines */
  GROUP_MOST = 512,      /* runs that are made lines at once */
  LINES_BYTES = 1 << 15, /* of such a group, at least a vector of runs */
  GAP_BYTES = 64,        /* between lines, lest they share the sets of a cache */
  TABLES = 4, /* of counts: neighbours are often alike, and each count waits for the one before */
  RESULT_MOST = 8 /* bytes */
};

/* Runs of `length` elements that are made lines at once, at least 64: vectors of any set. */
static size_t group_of(size_t length, size_t bytes) {
  const size_t fit = LINES_BYTES / (length * bytes) / 64 * 64;
  return fit < 64 ? 64 : fit > GROUP_MOST ? GROUP_MOST : fit;
}

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* Where a thread's memory is. */
struct memory {
  unsigned char *lines, *results;
  void *accumulators;
  u32 *order;
};

static size_t lines_bytes(size_t bytes) {
  const size_t least = 64 * (size_t)SHORT_MOST * bytes;
  return rounded(least > LINES_BYTES ? least : LINES_BYTES) + (size_t)SHORT_MOST * GAP_BYTES;
}

size_t hd_cpu_short_runs_bytes(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                               size_t most) {
  if (!kernel->columns) return 0;
  const size_t sums = rounded(hd_cpu_sum_runs_bytes(fold, kernel, most));
  const size_t lines = lines_bytes(kernel->element_bytes) + GROUP_MOST * (size_t)RESULT_MOST +
                       rounded(hd_cpu_strip_scratch(kernel, GROUP_MOST)) +
                       rounded(most * sizeof(u32));
  return sums > lines ? sums : lines;
}

static struct memory memory_of(const struct hd_cpu_fold_kernel *kernel, void *memory) {
  struct memory m = {.lines = memory};
  m.results = m.lines + lines_bytes(kernel->element_bytes);
  m.accumulators = m.results + GROUP_MOST * (size_t)RESULT_MOST;
  m.order = (u32 *)(void *)((unsigned char *)m.accumulators +
                            rounded(hd_cpu_strip_scratch(kernel, GROUP_MOST)));
  return m;
}

/* ---- moves ----------------------------------------------------------------------------------- */

typedef u32 quad __attribute__((vector_size(16)));
typedef u64 pair __attribute__((vector_size(16)));

/* Elements of 4 bytes, a multiple of 4 of each of as many runs: four of four runs at a time. */
static void quads_to_lines(const char *const *from, size_t runs, size_t length, size_t pitch,
                           unsigned char *lines) {
  for (size_t r = 0; r < runs; r += 4)
    for (size_t e = 0; e < length; e += 4) {
      quad in[4], out[4];
      for (size_t k = 0; k < 4; k++) memcpy(&in[k], from[r + k] + e * sizeof(u32), sizeof *in);
      const quad a = __builtin_shufflevector(in[0], in[1], 0, 4, 1, 5);
      const quad b = __builtin_shufflevector(in[2], in[3], 0, 4, 1, 5);
      const quad c = __builtin_shufflevector(in[0], in[1], 2, 6, 3, 7);
      const quad d = __builtin_shufflevector(in[2], in[3], 2, 6, 3, 7);
      out[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
      out[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
      out[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
      out[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
      for (size_t k = 0; k < 4; k++)
        memcpy(lines + (e + k) * pitch + r * sizeof(u32), &out[k], sizeof *out);
    }
}

/* Of 8 bytes, two of two runs at a time. */
static void pairs_to_lines(const char *const *from, size_t runs, size_t length, size_t pitch,
                           unsigned char *lines) {
  for (size_t r = 0; r < runs; r += 2)
    for (size_t e = 0; e < length; e += 2) {
      pair a, b;
      memcpy(&a, from[r] + e * sizeof(u64), sizeof a);
      memcpy(&b, from[r + 1] + e * sizeof(u64), sizeof b);
      const pair first = __builtin_shufflevector(a, b, 0, 2);
      const pair second = __builtin_shufflevector(a, b, 1, 3);
      memcpy(lines + e * pitch + r * sizeof(u64), &first, sizeof first);
      memcpy(lines + (e + 1) * pitch + r * sizeof(u64), &second, sizeof second);
    }
}

/* size is a constant in each caller. */
static inline __attribute__((always_inline)) void to_lines(const char *x, const u32 *starts,
                                                           const u32 *order, size_t runs,
                                                           size_t length, size_t pitch, size_t size,
                                                           unsigned char *lines) {
  const char *from[GROUP_MOST];
  for (size_t r = 0; r < runs; r++) from[r] = x + (size_t)starts[order[r]] * size;
  const size_t block = size == 4 ? 4 : size == 8 ? 2 : 0;
  const size_t blocks = block ? runs / block * block : 0,
               whole = block ? length / block * block : 0;
  if (size == 4) quads_to_lines(from, blocks, whole, pitch, lines);
  if (size == 8) pairs_to_lines(from, blocks, whole, pitch, lines);
  for (size_t e = 0; e < length; e++, lines += pitch)
    for (size_t r = e < whole ? blocks : 0; r < runs; r++)
      memcpy(lines + r * size, from[r] + e * size, size);
}

static inline __attribute__((always_inline)) void
to_runs(const unsigned char *results, const u32 *order, size_t runs, size_t size, char *out) {
  for (size_t r = 0; r < runs; r++) memcpy(out + (size_t)order[r] * size, results + r * size, size);
}

static void move_in(const struct hd_cpu_short_runs *job, const u32 *starts, const u32 *order,
                    size_t runs, size_t length, size_t pitch, unsigned char *lines) {
  switch (job->kernel->element_bytes) {
  case 1: to_lines(job->x, starts, order, runs, length, pitch, 1, lines); break;
  case 2: to_lines(job->x, starts, order, runs, length, pitch, 2, lines); break;
  case 4: to_lines(job->x, starts, order, runs, length, pitch, 4, lines); break;
  default: to_lines(job->x, starts, order, runs, length, pitch, 8, lines);
  }
}

static void move_out(const struct hd_cpu_short_runs *job, const unsigned char *results,
                     const u32 *order, size_t runs) {
  switch (job->out_bytes) {
  case 1: to_runs(results, order, runs, 1, job->out); break;
  case 2: to_runs(results, order, runs, 2, job->out); break;
  case 4: to_runs(results, order, runs, 4, job->out); break;
  default: to_runs(results, order, runs, 8, job->out);
  }
}

/* ---- runs ------------------------------------------------------------------------------------ */

static heddle_status fold_one(const struct hd_cpu_short_runs *job, const u32 *starts, size_t r,
                              void *slots) {
  const struct hd_fold_out out = {job->out + r * job->out_bytes, NULL, NULL};
  return hd_cpu_fold_contiguous(job->fold, job->kernel, slots,
                                job->x + (size_t)starts[r] * job->kernel->element_bytes, NULL,
                                starts[r + 1] - starts[r], out);
}

/* Runs of one length, as `order` numbers them. */
static heddle_status fold_alike(const struct hd_cpu_short_runs *job, const u32 *starts,
                                const u32 *order, size_t runs, size_t length,
                                const struct memory *m) {
  const struct hd_cpu_fold_kernel *kernel = job->kernel;
  const size_t group = group_of(length, kernel->element_bytes), least = kernel->columns->least;
  const size_t pitch = group * kernel->element_bytes + GAP_BYTES;
  for (size_t r = 0; r < runs; r += group) {
    const size_t n = runs - r < group ? runs - r : group;
    move_in(job, starts, order + r, n, length, pitch, m->lines);
    const void *accumulators = hd_cpu_strip_of_lines(kernel, m->lines, m->lines, (i64)pitch, length,
                                                     n < least ? least : n, m->accumulators);
    const heddle_status status =
        hd_cpu_fold_results(job->fold, kernel, accumulators, n, length, m->results);
    if (status) return status;
    move_out(job, m->results, order + r, n);
  }
  return HEDDLE_OK;
}

/* Runs of one element, which are a line where they lie. */
static heddle_status fold_ones(const struct hd_cpu_short_runs *job, u32 start, size_t runs,
                               const struct memory *m) {
  const struct hd_cpu_fold_kernel *kernel = job->kernel;
  heddle_status status = HEDDLE_OK;
  for (size_t r = 0, n; r < runs && !status; r += n) {
    const char *x = job->x + (start + r) * kernel->element_bytes;
    n = runs - r < GROUP_MOST ? runs - r : GROUP_MOST;
    if (n < kernel->columns->least) {
      memcpy(m->lines, x, n * kernel->element_bytes);
      x = (const char *)m->lines;
    }
    const void *accumulators = hd_cpu_strip_of_lines(
        kernel, x, x, 0, 1, n < kernel->columns->least ? kernel->columns->least : n,
        m->accumulators);
    status =
        hd_cpu_fold_results(job->fold, kernel, accumulators, n, 1, job->out + r * job->out_bytes);
  }
  return status;
}

/* Numbers of runs by their length; places[n] = where those of n elements end, and longer ones begin at the last. */
static void sort_by_length(const u32 *starts, size_t runs, u32 *order, u32 places[SHORT_MOST + 1]) {
  u32 next[(SHORT_MOST + 2) * TABLES] = {0};
  for (size_t r = 0; r < runs; r++) {
    const u32 length = starts[r + 1] - starts[r];
    next[(length <= SHORT_MOST ? length : SHORT_MOST + 1) * TABLES + r % TABLES]++;
  }
  for (u32 i = 0, before = 0; i < (SHORT_MOST + 2) * TABLES; i++) {
    const u32 here = next[i];
    next[i] = before;
    before += here;
    if (i / TABLES <= SHORT_MOST) places[i / TABLES] = before;
  }
  for (size_t r = 0; r < runs; r++) {
    const u32 length = starts[r + 1] - starts[r];
    order[next[(length <= SHORT_MOST ? length : SHORT_MOST + 1) * TABLES + r % TABLES]++] = (u32)r;
  }
}

heddle_status hd_cpu_fold_short_runs(const struct hd_cpu_short_runs *job, const u32 *starts,
                                     size_t runs, void *memory, void *slots) {
  heddle_status status = HEDDLE_OK;
  u32 places[SHORT_MOST + 1];
  if (!job->kernel->columns) {
    for (size_t r = 0; r < runs && !status; r++) status = fold_one(job, starts, r, slots);
    return status;
  }
  const struct memory m = memory_of(job->kernel, memory);
  if (starts[runs] - starts[0] == runs) return fold_ones(job, starts[0], runs, &m);
  if (hd_cpu_sum_runs_fit(job, starts[runs] - starts[0], runs))
    return hd_cpu_sum_runs(job, starts, runs, memory);
  sort_by_length(starts, runs, m.order, places);
  for (u32 n = 1; n <= SHORT_MOST && !status; n++)
    status = fold_alike(job, starts, m.order + places[n - 1], places[n] - places[n - 1], n, &m);
  for (size_t at = places[SHORT_MOST]; at < runs && !status; at++)
    status = fold_one(job, starts, m.order[at], slots);
  return status;
}
