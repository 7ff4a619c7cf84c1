/* columns.c - running totals of many rows at once: a row is a column of lanes, and a line holds an
 * element of each
 *
 * Method   Sixteen lines at a time go through the kernel (columns_tmpl.h). Where neighbouring rows lie
 *          one element apart, lines are read and written where they lie. Otherwise, as for short
 *          rows, they are transposed by way of a buffer in the L1 cache, and so are lines that need a
 *          conversion or are no vector long. Such narrow lines without gaps are moved many at once:
 *          in the buffer a vector laps over the lines that follow, which are written later.
 * Order    Where it binds and rows reach a chunk, lines are taken into the lanes of rule 2 as well. */
#include <string.h>

#include "columns.h"
#include "order/convert.h"

enum {
  LINES = HD_SCAN_BLOCK_LINES,
  STRIP_BYTES = 1024,     /* of a line's lanes */
  LONG_STRIP_BYTES = 256, /* with the lanes of rule 2, to stay in the L1 cache */
  LINE_GAP = 64,          /* so that the lines of a buffer do not share a set of it; a vector */
  TIGHT_BYTES = 8192,     /* of lanes without gaps at once */
  POLL_PIECES = 64
};

/* ---- elements of rows, and lines of them ------------------------------------------------------------ */

/* Elements of one size that move between rows and lines. */
struct transposition {
  char *array; /* element e of row g lies at (e * step + g * apart) elements */
  i64 step, apart;
  char *lines; /* and here at e * pitch bytes, g elements */
  size_t pitch, count, rows;
  bool gather;
};

static inline __attribute__((always_inline)) void move_one(const struct transposition *t, size_t e,
                                                           size_t g, size_t size) {
  char *a = t->array + ((i64)e * t->step + (i64)g * t->apart) * (i64)size;
  char *l = t->lines + e * t->pitch + g * size;
  memcpy(t->gather ? l : a, t->gather ? a : l, size);
}

/* The longer loop is the inner one, but whole lines of rows that lie one after the other are read at
 * once; `size` and `gather` are constants in each caller. */
static inline __attribute__((always_inline)) void move_sized(struct transposition t, size_t size,
                                                             bool gather) {
  t.gather = gather;
  if (t.count == LINES && (t.step == 1 || t.rows < LINES))
    for (size_t g = 0; g < t.rows; g++)
      for (size_t e = 0; e < LINES; e++) move_one(&t, e, g, size);
  else
    for (size_t e = 0; e < t.count; e++)
      for (size_t g = 0; g < t.rows; g++) move_one(&t, e, g, size);
}

/* Rows that are neighbours and few bytes in all: a line of them at once. Each caller's bytes are a constant. */
static inline __attribute__((always_inline)) void move_lines(const struct transposition *t,
                                                             size_t size, size_t bytes) {
  for (size_t e = 0; e < t->count; e++) {
    char *a = t->array + (i64)e * t->step * (i64)size, *l = t->lines + e * t->pitch;
    memcpy(t->gather ? l : a, t->gather ? a : l, bytes);
  }
}

/* False: the rows are others. */
static bool move_few(const struct transposition *t, size_t size) {
  if (t->apart != 1) return false;
  switch (t->rows * size) {
  case 3: move_lines(t, size, 3); return true;
  case 4: move_lines(t, size, 4); return true;
  case 6: move_lines(t, size, 6); return true;
  case 8: move_lines(t, size, 8); return true;
  case 12: move_lines(t, size, 12); return true;
  case 16: move_lines(t, size, 16); return true;
  case 24: move_lines(t, size, 24); return true;
  case 32: move_lines(t, size, 32); return true;
  default: return false;
  }
}

static void move_elements(const struct transposition *t, size_t size) {
  if (move_few(t, size)) return;
  if (t->apart == 1 && t->rows * size >= LINE_GAP) {
    for (size_t e = 0; e < t->count; e++) {
      char *a = t->array + (i64)e * t->step * (i64)size, *l = t->lines + e * t->pitch;
      memcpy(t->gather ? l : a, t->gather ? a : l, t->rows * size);
    }
    return;
  }
  switch (size * 2 + t->gather) {
  case 2: move_sized(*t, 1, false); break;
  case 3: move_sized(*t, 1, true); break;
  case 4: move_sized(*t, 2, false); break;
  case 5: move_sized(*t, 2, true); break;
  case 8: move_sized(*t, 4, false); break;
  case 9: move_sized(*t, 4, true); break;
  case 16: move_sized(*t, 8, false); break;
  default: move_sized(*t, 8, true);
  }
}

/* ---- one job ------------------------------------------------------------------------------------------- */

/* A group of columns on its way: buffers and where the lines stand. */
struct columns {
  const struct hd_cpu_scan_columns *job;
  const struct hd_cpu_scan_plan *plan;
  const struct hd_cpu_scan_run *run;
  size_t runs, rows;
  bool wide;    /* a line of lanes is a vector or more */
  bool tight;   /* it is not, and lines follow one another without gaps in all arrays and buffers */
  bool plain;   /* lanes are results */
  bool in_line; /* lines of input lie in the array */
  bool out_line; /* lines of output do */
  size_t strip;  /* bytes of a line of the state */
  char *elements, *lanes, *state, *next, *rule2;
  struct hd_cpu_scan_counter *counter;
  struct hd_cpu_scan_lines lines;
};

static bool is_long(const struct hd_cpu_scan_columns *job) {
  return !job->plan->kernel->independent && job->length >= job->plan->chunk;
}

static size_t strip_bytes(const struct hd_cpu_scan_columns *job) {
  return is_long(job) ? LONG_STRIP_BYTES : STRIP_BYTES;
}

static size_t line_bytes(const struct hd_cpu_scan_columns *job) {
  return job->most * sizeof(u64) + LINE_GAP;
}

/* Of the elements and of the lanes: sixteen lines, or as much without gaps and a vector's lap. */
static size_t buffer_bytes(const struct hd_cpu_scan_columns *job) {
  const size_t lines = LINES * line_bytes(job), tight = TIGHT_BYTES + LINE_GAP;
  return lines > tight ? lines : tight;
}

size_t hd_cpu_scan_columns_start(struct hd_cpu_scan_columns *job) {
  const size_t strip = strip_bytes(job), lane_bytes = job->plan->kernel->lane_bytes;
  job->most = strip / lane_bytes;
  size_t bytes = 2 * buffer_bytes(job) + HD_SCAN_STATES * strip;
  if (is_long(job))
    bytes +=
        strip + HD_ROW_BYTES / lane_bytes * strip + job->most * sizeof(struct hd_cpu_scan_counter);
  return bytes;
}

static void lay_out(struct columns *c) {
  const struct hd_cpu_scan_columns *job = c->job;
  c->strip = strip_bytes(job);
  c->elements = (char *)job->memory;
  c->lanes = c->elements + buffer_bytes(job);
  c->state = c->lanes + buffer_bytes(job);
  c->next = c->state + HD_SCAN_STATES * c->strip;
  c->rule2 = c->next + c->strip;
  c->counter =
      (struct hd_cpu_scan_counter *)(void *)(c->rule2 +
                                             HD_ROW_BYTES / c->plan->kernel->lane_bytes * c->strip);
}

/* Moves lines [at, at + count) of every run between the arrays and `lines`. */
static void transpose(const struct columns *c, char *lines, u64 at, size_t count, bool gather) {
  const struct hd_cpu_scan_columns *job = c->job;
  const size_t size = gather ? c->plan->in_bytes : c->plan->out_bytes;
  struct transposition t = {.step = gather ? job->in_step : job->out_step,
                            .apart = gather ? job->in_apart : job->out_apart,
                            .pitch = line_bytes(job),
                            .lines = lines,
                            .count = count,
                            .gather = gather};
  for (size_t r = 0; r < c->runs; r++) {
    char *array = gather ? (char *)(uintptr_t)c->run[r].in : c->run[r].out; /* gathered from only */
    t.array = array + (i64)at * t.step * (i64)size;
    t.rows = c->run[r].rows;
    move_elements(&t, size);
    t.lines += t.rows * size;
  }
}

/* Where the kernel reads `count` lines from line `at` on. */
static void take_lines(struct columns *c, u64 at, size_t count) {
  const struct hd_cpu_scan_plan *plan = c->plan;
  const i64 pitch = c->job->in_step * (i64)plan->in_bytes;
  const char *x = c->run[0].in + (i64)at * pitch;
  c->lines.x_pitch = (ptrdiff_t)pitch;
  if (!c->in_line) {
    x = plan->load ? c->elements : c->lanes;
    transpose(c, plan->load ? c->elements : c->lanes, at, count, true);
    c->lines.x_pitch = (ptrdiff_t)line_bytes(c->job);
  }
  c->lines.x = x;
  if (!plan->load) return;
  for (size_t i = 0; i < count; i++)
    plan->load(x + (ptrdiff_t)i * c->lines.x_pitch, c->lanes + i * line_bytes(c->job), c->rows,
               plan->load_nan);
  c->lines.x = c->lanes;
  c->lines.x_pitch = (ptrdiff_t)line_bytes(c->job);
}

/* Makes n lanes results. */
static void make_results(const struct hd_cpu_scan_plan *plan, char *lanes, size_t n, char *out) {
  if (plan->scan->fold.init) plan->kernel->apply(&plan->init, lanes, n);
  if (plan->store)
    plan->store(lanes, out, n, plan->store_nan);
  else if (plan->convert)
    for (size_t i = 0; i < n; i++)
      hd_convert_one(plan->convert, lanes + i * sizeof(u64), plan->scan->fold.out_type,
                     out + i * plan->out_bytes);
  else if (out != lanes)
    memcpy(out, lanes, n * plan->out_bytes);
}

/* From the kernel's lines to the arrays. */
static void give_lines(const struct columns *c, u64 at, size_t count) {
  const struct hd_cpu_scan_plan *plan = c->plan;
  const bool together = c->runs == 1 && c->job->out_apart == 1;
  const size_t pitch = line_bytes(c->job);
  const i64 step = c->job->out_step * (i64)plan->out_bytes;
  char *line = c->run[0].out + (i64)at * step;
  char *elements = plan->store || plan->convert ? c->elements : c->lanes;
  if (!c->out_line)
    for (size_t i = 0; i < count; i++)
      make_results(plan, c->lanes + i * pitch, c->rows,
                   together ? line + (i64)i * step : elements + i * pitch);
  if (!at && hd_cpu_scan_is_zero_first(plan))
    memset(c->out_line || together ? line : elements, 0, c->rows * plan->out_bytes);
  if (!c->out_line && !together) transpose(c, elements, at, count, false);
}

/* ---- lanes of a line, and of the state, whose last vector does not lap over -------------------- */

static size_t column_of(const struct columns *c, size_t in_state) {
  const size_t lane = c->plan->kernel->lane_bytes, vector = c->plan->kernel->vector_bytes;
  const size_t whole = c->lines.bytes / vector * vector;
  return (in_state < whole ? in_state : in_state - whole + c->lines.bytes - vector) / lane;
}

/* The totals of a chunk that ends, taken from the lanes of rule 2, give what is behind it. */
static void end_chunk(struct columns *c) {
  const size_t lane_bytes = c->plan->kernel->lane_bytes;
  c->plan->kernel->lanes_total(c->rule2, c->strip);
  for (size_t s = 0, done = 0; s < c->strip; s += lane_bytes) {
    const size_t g = column_of(c, s);
    if (g >= c->rows) return;
    u64 total = 0;
    memcpy(&total, c->rule2 + s, lane_bytes);
    /* Columns under a lap were pushed already. */
    total = g < done ? hd_cpu_scan_prefix(c->plan, &c->counter[g])
                     : hd_cpu_scan_push(c->plan, &c->counter[g], total);
    memcpy(c->next + s, &total, lane_bytes);
    if (g == done) done++;
  }
}

/* ---- all lines ------------------------------------------------------------------------------------ */

/* Lines from line `at` on by the kernel, as c->lines has them. */
static void run_kernel(struct columns *c, u64 at, size_t count) {
  const struct hd_cpu_scan_plan *plan = c->plan;
  struct hd_cpu_scan_lines *b = &c->lines;
  const u64 blocks = plan->chunk / LINES;
  b->lines = count;
  b->block = at / LINES % blocks;
  b->next = NULL;
  if (is_long(c->job) && count == LINES) {
    plan->kernel->fold_lines(b, c->rule2);
    if (b->block == blocks - 1) {
      end_chunk(c);
      b->next = c->next;
    }
  }
  plan->kernel->columns(b);
}

static void scan_block(struct columns *c, u64 at, size_t count) {
  take_lines(c, at, count);
  c->lines.out = c->lanes;
  c->lines.out_pitch = (ptrdiff_t)line_bytes(c->job);
  if (c->out_line) {
    c->lines.out_pitch = (ptrdiff_t)(c->job->out_step * (i64)c->plan->out_bytes);
    c->lines.out = c->run[0].out + (i64)at * c->lines.out_pitch;
  }
  run_kernel(c, at, count);
  give_lines(c, at, count);
}

/* Lines without gaps. A result's vector laps over the lines behind it, whose own come later; the last
 * lines of a column, which have too few behind them, go through buffers. */
static void scan_tight(struct columns *c, u64 at, size_t count) {
  const struct hd_cpu_scan_plan *plan = c->plan;
  const size_t first = (size_t)at * c->rows, n = count * c->rows;
  const size_t pitch = c->rows * plan->kernel->lane_bytes;
  const size_t step = plan->kernel->independent ? count : LINES;
  const bool room = (c->job->length - at - count) * pitch >= plan->kernel->vector_bytes;
  const bool out_direct = room && hd_cpu_scan_is_direct(plan) && c->run[0].in != c->run[0].out;
  const char *x = c->run[0].in + first * plan->in_bytes;
  char *out = c->run[0].out + first * plan->out_bytes, *y = out_direct ? out : c->elements;
  if (plan->load) {
    plan->load(x, c->lanes, n, plan->load_nan);
    x = c->lanes;
  } else if (!room) {
    x = memcpy(c->lanes, x, n * plan->in_bytes);
  }
  c->lines.x_pitch = c->lines.out_pitch = (ptrdiff_t)pitch;
  for (size_t i = 0; i < count; i += step) {
    c->lines.x = x + i * pitch;
    c->lines.out = y + i * pitch;
    run_kernel(c, at + i, count - i < step ? count - i : step);
  }
  if (!out_direct) make_results(plan, y, n, out);
  if (!at && hd_cpu_scan_is_zero_first(plan)) memset(out, 0, c->rows * plan->out_bytes);
}

static void start_columns(struct columns *c) {
  const struct hd_cpu_scan_plan *plan = c->plan;
  const struct hd_cpu_scan_columns *job = c->job;
  const size_t lane = plan->kernel->lane_bytes, vector = plan->kernel->vector_bytes;
  const size_t bytes = c->rows * lane;
  const bool one = c->runs == 1, laps = bytes % vector;
  const bool here = c->run[0].in == c->run[0].out;
  const u64 start = lane < sizeof start ? plan->start << 32 | (u32)plan->start : plan->start;
  c->wide = bytes >= vector;
  c->tight = one && !c->wide && job->in_apart == 1 && job->out_apart == 1 &&
             job->in_step == (i64)c->rows && job->out_step == (i64)c->rows;
  c->in_line = one && job->in_apart == 1 && (plan->load || c->wide);
  c->out_line =
      one && job->out_apart == 1 && c->wide && hd_cpu_scan_is_direct(plan) && !(laps && here);
  /* Lines that the buffer holds, input and output, are whole vectors. */
  const bool lines = (c->in_line && !plan->load) || c->out_line;
  c->lines =
      (struct hd_cpu_scan_lines){.bytes = lines ? bytes : (bytes + vector - 1) / vector * vector,
                                 .state = c->state,
                                 .pitch = c->strip,
                                 .exclusive = plan->exclusive};
  for (size_t s = 0; s < (bytes + vector - 1) / vector * vector; s += sizeof(u64))
    memcpy(c->state + s, &start, sizeof start);
  if (is_long(job))
    for (size_t g = 0; g < c->rows; g++) c->counter[g].chunks = 0;
}

heddle_status hd_cpu_scan_columns(const struct hd_cpu_scan_columns *job,
                                  const struct hd_cpu_scan_run *run, size_t runs) {
  struct columns c = {.job = job, .plan = job->plan, .run = run, .runs = runs};
  for (size_t r = 0; r < runs; r++) c.rows += run[r].rows;
  lay_out(&c);
  start_columns(&c);
  const size_t most = c.tight ? TIGHT_BYTES / sizeof(u64) / c.rows / LINES * LINES : LINES;
  for (u64 at = 0, pieces = 1; at < job->length; at += most, pieces++) {
    const u64 left = job->length - at;
    const size_t count = left < most ? (size_t)left : most;
    if (c.tight)
      scan_tight(&c, at, count);
    else
      scan_block(&c, at, count);
    if (pieces % POLL_PIECES == 0 && hd_poll(job->token)) return HEDDLE_CANCELLED;
  }
  return HEDDLE_OK;
}
