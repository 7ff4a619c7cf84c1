/* strips.c - rows whose neighbours are folded together, by kernels that take them so
 *
 * Method   Lines go to the kernel some chunks at a time, so that a call can be cancelled between them;
 *          each column's total becomes its result. Where a kernel reads vectors of neighbours and the
 *          columns are none, they are made some, a few lines at a time: short rows are transposed, what
 *          else is near is gathered. Runs of few columns and few lines become one strip, lest the work
 *          of a strip be each run's.
 * Memory   the kernel's state, a total a column, and the lines that were made. */
#include <stdlib.h>
#include <string.h>

#include "cpu/fold/fold.h"
#include "host/status.h"
#include "runs.h"

enum {
  LINES = 1 << 16,      /* between two polls, at least a chunk of any kernel */
  MADE_BYTES = 1 << 14, /* of lines that are made */
  MADE_LONGEST = 64,    /* elements of a row whose neighbours are far */
  MADE_LEAST = 4        /* rows */
};

/* What a line is for the kernel. */
struct lines {
  const struct hd_cpu_strip *strip;
  const struct hd_cpu_kernels *kernels;
  char *made;    /* where lines are made */
  u64 whole;     /* lines that are read where they are, the others are made */
  size_t wide;   /* columns, at least a vector */
  u32 bytes;     /* of an element */
  size_t a_time; /* lines that are made at once */
};

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

size_t hd_cpu_fold_strip_bytes(const struct hd_cpu_fold_kernel *kernel) {
  const struct hd_cpu_fold_strips *strips = kernel->strips;
  if (!strips) return 0;
  return rounded(strips->state_bytes) + rounded((size_t)strips->most * kernel->merge.bytes) +
         MADE_BYTES;
}

/* Whether a kernel of neighbours reads the columns where they are. */
static bool are_neighbours(const struct hd_cpu_fold_strips *strips, i64 step, i64 apart, u64 length,
                           u64 rows) {
  return apart == 1 && rows >= strips->least && (step != 1 || length == 1);
}

/* Columns of lines one behind the other, at least half of a vector: what else a vector holds is left. Those of
 * u8 are nearer than a vector is long. */
static bool are_narrow(const struct hd_cpu_fold_strips *strips, i64 step, i64 apart, u64 rows) {
  return apart == 1 && step == (i64)rows && rows < strips->least && 2 * rows >= strips->least;
}

size_t hd_cpu_fold_strip_width(const struct hd_cpu_fold_kernel *kernel,
                               const struct hd_cpu_row *row, i64 apart, u64 rows) {
  const struct hd_cpu_fold_strips *strips = kernel->strips;
  if (!strips || !row->length || !apart) return 0;
  if (strips->longest) {
    const bool are_rows = llabs(row->step) < llabs(apart);
    if (rows < strips->least || (are_rows && row->length > strips->longest)) return 0;
  } else if (!are_neighbours(strips, row->step, apart, row->length, rows)) {
    const bool near = llabs(row->step) > llabs(apart) && rows >= strips->least;
    const bool narrow = are_narrow(strips, row->step, apart, rows);
    if (rows < MADE_LEAST || (row->length > MADE_LONGEST && !near && !narrow)) return 0;
  }
  const u32 most = row->length < kernel->chunk ? strips->most : strips->most_twice;
  return rows < most ? (size_t)rows : most;
}

size_t hd_cpu_fold_strip_runs(const struct hd_cpu_fold_kernel *kernel,
                              const struct hd_cpu_row_walk *walk, u64 r, u64 end) {
  const struct hd_cpu_fold_strips *strips = kernel->strips;
  const u64 run = walk->inner_run;
  if (!strips || !walk->inner || r % run) return 0;
  const struct hd_cpu_row row = hd_cpu_row_at(walk, r);
  if (!hd_cpu_runs_are_narrow(walk, &row)) return 0;
  u64 runs = MADE_BYTES / (row.length * run * kernel->element_bytes);
  if (runs > strips->most / run) runs = strips->most / run;
  if (runs > (end - r) / run) runs = (end - r) / run;
  if (runs > HD_RUNS_TOGETHER) runs = HD_RUNS_TOGETHER;
  return runs > 1 ? (size_t)runs : 0;
}

/* n lines from x on, made neighbours. */
static const char *made_of(const struct lines *l, const char *x, size_t n) {
  const struct hd_cpu_strip *strip = l->strip;
  const u32 size = hd_top_bit(l->bytes);
  if (strip->runs) {
    hd_cpu_runs_to_lines(strip->runs, l->bytes, l->made, l->wide * l->bytes);
    return l->made;
  }
  if (strip->step == 1 && strip->length > 1) {
    l->kernels->transpose[size](x, strip->apart * (i64)l->bytes, strip->width, n, l->made, l->wide);
    return l->made;
  }
  for (size_t i = 0; i < n; i++)
    l->kernels->gather[size](x + (i64)i * strip->step * (i64)l->bytes, strip->apart, strip->width,
                             l->made + i * l->wide * l->bytes);
  return l->made;
}

/* Where the lines are read, and how many at once. */
static struct lines plan(const struct hd_cpu_fold_kernel *kernel, const struct hd_cpu_strip *strip,
                         const struct hd_cpu_kernels *kernels, char *made) {
  const struct hd_cpu_fold_strips *strips = kernel->strips;
  const u64 n = strip->length, width = strip->width;
  const bool alone = !strip->runs;
  struct lines l = {strip, kernels, made, n, strip->width, kernel->element_bytes, 0};
  if (alone && (strips->longest || are_neighbours(strips, strip->step, strip->apart, n, width)))
    return l;
  if (l.wide < strips->least && !strips->longest) l.wide = strips->least;
  l.whole = 0;
  l.a_time = MADE_BYTES / (l.wide * l.bytes);
  if (alone && are_narrow(strips, strip->step, strip->apart, width) && n > strips->least)
    l.whole = n - (strips->least - 1) / width;
  if (l.wide > strip->width) memset(made, 0, MADE_BYTES); /* a vector has others, too */
  return l;
}

/* The lines from `at` on go to the kernel; the result is how many they are. */
static u64 take_lines(const struct lines *l, const struct hd_cpu_fold_strips *strips, void *state,
                      u64 at) {
  const i64 bytes = l->bytes, pitch = l->strip->step * bytes;
  const char *x = l->strip->x + (i64)at * pitch;
  const bool made = at >= l->whole;
  const u64 left = (made ? l->strip->length : l->whole) - at, most = made ? l->a_time : LINES;
  const size_t n = (size_t)(left < most ? left : most);
  strips->lines(state, made ? made_of(l, x, n) : x, made ? (i64)l->wide * bytes : pitch, at, n);
  return n;
}

static struct hd_fold_out out_of(struct hd_fold_out out, size_t out_bytes, size_t c) {
  if (out.value) out.value = (char *)out.value + c * out_bytes;
  if (out.index) out.index += c;
  if (out.description) out.description += c;
  return out;
}

heddle_status hd_cpu_fold_strip(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                                const struct hd_cpu_strip *strip, void *memory,
                                const struct hd_cpu_kernels *kernels, struct hd_cancellation *token,
                                struct hd_fold_out out, size_t out_bytes) {
  const struct hd_cpu_fold_strips *strips = kernel->strips;
  char *totals = (char *)memory + rounded(strips->state_bytes);
  char *made = totals + rounded((size_t)strips->most * kernel->merge.bytes);
  const struct lines l = plan(kernel, strip, kernels, made);
  const i64 apart = l.whole ? strip->apart : 1;
  heddle_status status = HEDDLE_OK;
  strips->start(memory, apart * (i64)l.bytes, l.wide);
  for (u64 at = 0; at < strip->length;) {
    if (hd_poll(token)) return HEDDLE_CANCELLED;
    at += take_lines(&l, strips, memory, at);
  }
  if (strips->figures && out.value) {
    strips->figures(memory, out.value);
    return HEDDLE_OK;
  }
  strips->finish(memory, totals);
  if (kernel->kind == HD_TOTAL_ARG) {
    hd_cpu_fold_places(fold, totals, strip->width, out);
    return HEDDLE_OK;
  }
  for (size_t c = 0; c < strip->width && !status; c++)
    status = hd_cpu_fold_result(fold, kernel, totals + c * kernel->merge.bytes, strip->length, true,
                                out_of(out, out_bytes, c));
  return status;
}
