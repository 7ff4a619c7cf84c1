/* strips.c - rows whose neighbours are folded together, by kernels that take them so
 *
 * Method   Lines go to the kernel some chunks at a time, so that a call can be cancelled between them;
 *          each column's total becomes its result. Where a kernel reads vectors of neighbours and the
 *          columns are none, they are made some, a few lines at a time: short rows are transposed, what
 *          else is near is gathered. Runs of few columns and few lines become one strip, lest the work
 *          of a strip be each run's. Columns a few elements apart, and short runs one after the other, go to
 *          a kernel of neighbours with what lies between, whose totals are left out. Of few columns whose
 *          lines lie one behind the other, several are one line for places, and then the best of several.
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
  MADE_LEAST = 4,       /* rows */
  BEHIND_LEAST = 64,    /* lines of several ones, whose totals are as many as those */
  SETTLING = 2048,      /* lines of bytes, among which the best of all may be */
  MADE_WIDEST = 128,    /* rows, lest lines be so few that their totals are most of the work */
  GAPS_WIDEST = 64,     /* rows of a run that goes with others */
  GAPS_MOST = 8         /* elements that go to a kernel for one of such a run */
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

/* How many lines one behind the other are one, of as many vectors as a kernel of places has in registers; 0: lines
 * are others. */
static u64 behind_of(const struct hd_cpu_fold_kernel *kernel, i64 step, i64 apart, u64 length,
                     u64 rows) {
  if (kernel->kind != HD_TOTAL_ARG || apart != 1 || step != (i64)rows || rows < 2) return 0;
  const u64 lines = 4 * kernel->strips->least / rows;
  return lines > 1 && length >= BEHIND_LEAST * lines ? lines : 0;
}

size_t hd_cpu_fold_strip_width(const struct hd_cpu_fold_kernel *kernel,
                               const struct hd_cpu_row *row, i64 apart, u64 rows) {
  const struct hd_cpu_fold_strips *strips = kernel->strips;
  if (!strips || !row->length || !apart) return 0;
  if (behind_of(kernel, row->step, apart, row->length, rows)) return (size_t)rows;
  if (strips->longest) {
    const bool are_rows = llabs(row->step) < llabs(apart);
    if (rows < strips->least || (are_rows && row->length > strips->longest)) return 0;
  } else if (!are_neighbours(strips, row->step, apart, row->length, rows)) {
    const u64 most = MADE_WIDEST > strips->least ? MADE_WIDEST : strips->least;
    const bool near = llabs(row->step) > llabs(apart) && rows >= strips->least;
    if (rows < MADE_LEAST || (row->length > MADE_LONGEST && !near)) return 0;
    return (size_t)(rows < most ? rows : most);
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

/* Columns from the strip's first to its last. */
static size_t span_of(const struct hd_cpu_strip *strip) {
  if (!strip->group) return strip->width;
  const size_t groups = strip->width / strip->group;
  return (groups - 1) * (size_t)strip->pitch + (strip->group - 1) * (size_t)strip->apart + 1;
}

/* So many runs from row r on, no more than the kernel takes, or half of what is left lest little be. */
static u64 runs_of(const struct hd_cpu_fold_strips *strips, const struct hd_cpu_row_walk *walk,
                   u64 r, u64 end, const struct hd_cpu_strip *row, u32 chunk) {
  const struct hd_cpu_even_runs even = hd_cpu_row_walk_even(walk);
  const u64 run = walk->inner_run, most = row->length < chunk ? strips->most : strips->most_twice;
  if (r % run || even.runs < 2 || run > GAPS_WIDEST) return 0;
  if (even.apart < (i64)run * walk->inner || even.apart > GAPS_MOST * (i64)run) return 0;
  if (even.apart > llabs(row->step)) return 0; /* the rows lie in the gaps */
  u64 left = even.runs - r / run % even.runs;
  if (left > (end - r) / run) left = (end - r) / run;
  const u64 runs = most / (u64)even.apart;
  return left <= runs ? left : left < 2 * runs ? (left + 1) / 2 : runs;
}

bool hd_cpu_fold_strip_gaps(const struct hd_cpu_fold_kernel *kernel,
                            const struct hd_cpu_row_walk *walk, u64 r, u64 end,
                            struct hd_cpu_strip *strip) {
  const struct hd_cpu_fold_strips *strips = kernel->strips;
  const i64 apart = walk->inner;
  if (!strips || apart < 1 || strip->length < 2 || llabs(strip->step) <= apart) return false;
  if (apart > (strips->longest ? 1 : HD_APART_MOST)) return false;
  const u64 runs = runs_of(strips, walk, r, end, strip, kernel->chunk);
  const u64 most = strip->length < kernel->chunk ? strips->most : strips->most_twice;
  strip->group = (size_t)walk->inner_run, strip->pitch = hd_cpu_row_walk_even(walk).apart;
  strip->width = (size_t)runs * strip->group;
  if (runs > 1 && span_of(strip) >= strips->least) return true;
  if (apart == 1) return false;
  const u64 left = walk->inner_run - r % walk->inner_run, alone = most / (u64)apart;
  strip->width = strip->group = (size_t)(left <= alone ? left : alone);
  strip->pitch = 0;
  return end - r >= strip->width && span_of(strip) >= strips->least;
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
  struct lines l = {strip, kernels, made, n, span_of(strip), kernel->element_bytes, 0};
  if (strip->group) return l;
  if (alone && (strips->longest || are_neighbours(strips, strip->step, strip->apart, n, width)))
    return l;
  if (l.wide < strips->least && !strips->longest) l.wide = strips->least;
  l.whole = 0;
  l.a_time = MADE_BYTES / (l.wide * l.bytes);
  if (l.wide > strip->width) /* a vector has others, too */
    memset(made, 0, (n < l.a_time ? (size_t)n : l.a_time) * l.wide * l.bytes);
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

/* The places of columns whose lines are taken `together`. The last lines that fill no line of those are read with
 * the ones before, which changes nothing. */
static heddle_status fold_behind(const struct hd_cpu_fold_kernel *kernel,
                                 const struct hd_cpu_strip *strip, u64 together, void *memory,
                                 struct hd_arg_total *totals, struct hd_cancellation *token) {
  const struct hd_cpu_fold_strips *strips = kernel->strips;
  const size_t rows = strip->width, wide = (size_t)together * rows;
  const u64 lines = strip->length / together, last = strip->length - together;
  const i64 bytes = kernel->element_bytes, pitch = (i64)wide * bytes;
  strips->start(memory, bytes, wide);
  for (u64 at = 0, n; at < lines; at += n) {
    n = lines - at < LINES ? lines - at : LINES;
    if (hd_poll(token)) return HEDDLE_CANCELLED;
    strips->lines(memory, strip->x + (i64)at * pitch, pitch, at, (size_t)n);
  }
  strips->lines(memory, strip->x + (i64)(last * rows) * bytes, pitch, lines, 1);
  strips->finish(memory, totals);
  for (size_t c = 0; c < wide; c++) {
    struct hd_arg_total *t = &totals[c];
    if (t->index != HD_U64_MAX)
      t->index = (t->index == lines ? last : t->index * together) + c / rows;
    if (c >= rows) hd_arg_merge(&totals[c % rows], t);
  }
  return HEDDLE_OK;
}

/* The strip's columns' of `size` bytes each, without what lies between. */
static void leave_gaps_out(const struct hd_cpu_strip *strip, char *columns, size_t size) {
  if (!strip->group) return;
  for (size_t c = 0; c < strip->width; c++) {
    const i64 at = (i64)(c / strip->group) * strip->pitch + (i64)(c % strip->group) * strip->apart;
    if (at != (i64)c) memcpy(columns + c * size, columns + at * (i64)size, size);
  }
}

/* The same, or those of the first lines, if nothing behind them is better. */
static heddle_status fold_settling(const struct hd_cpu_fold_kernel *kernel,
                                   const struct hd_cpu_strip *strip, u64 together, void *memory,
                                   struct hd_arg_total *totals, struct hd_cancellation *token) {
  if (kernel->settled && kernel->element_bytes == 1 && strip->length > 2 * SETTLING) {
    struct hd_cpu_strip first = *strip;
    first.length = SETTLING;
    const heddle_status status = fold_behind(kernel, &first, together, memory, totals, token);
    size_t c = 0;
    while (c < strip->width && kernel->settled(&totals[c])) c++;
    if (status || c == strip->width) return status;
  }
  return fold_behind(kernel, strip, together, memory, totals, token);
}

heddle_status hd_cpu_fold_strip(const struct hd_fold *fold, const struct hd_cpu_fold_kernel *kernel,
                                const struct hd_cpu_strip *strip, void *memory,
                                const struct hd_cpu_kernels *kernels, struct hd_cancellation *token,
                                struct hd_fold_out out, size_t out_bytes) {
  const struct hd_cpu_fold_strips *strips = kernel->strips;
  char *totals = (char *)memory + rounded(strips->state_bytes);
  char *made = totals + rounded((size_t)strips->most * kernel->merge.bytes);
  const struct lines l = plan(kernel, strip, kernels, made);
  const i64 apart = l.whole && !strip->group ? strip->apart : 1;
  const u64 behind = strip->runs || strip->group ? 0
                                                 : behind_of(kernel, strip->step, strip->apart,
                                                             strip->length, strip->width);
  heddle_status status = HEDDLE_OK;
  if (behind) {
    status = fold_settling(kernel, strip, behind, memory, (void *)totals, token);
    if (!status) hd_cpu_fold_places(fold, totals, strip->width, out);
    return status;
  }
  strips->start(memory, apart * (i64)l.bytes, l.wide);
  for (u64 at = 0; at < strip->length;) {
    if (hd_poll(token)) return HEDDLE_CANCELLED;
    at += take_lines(&l, strips, memory, at);
  }
  if (strips->figures && out.value) {
    strips->figures(memory, strip->group ? (f64 *)(void *)totals : out.value);
    if (!strip->group) return HEDDLE_OK;
    leave_gaps_out(strip, totals, sizeof(f64));
    memcpy(out.value, totals, strip->width * sizeof(f64));
    return HEDDLE_OK;
  }
  strips->finish(memory, totals);
  leave_gaps_out(strip, totals, kernel->merge.bytes);
  if (kernel->kind == HD_TOTAL_ARG) {
    hd_cpu_fold_places(fold, totals, strip->width, out);
    return HEDDLE_OK;
  }
  for (size_t c = 0; c < strip->width && !status; c++)
    status = hd_cpu_fold_result(fold, kernel, totals + c * kernel->merge.bytes, strip->length, true,
                                out_of(out, out_bytes, c));
  return status;
}
