/* work.c - a job as calls of the library; see work.h
 *
 * Limits   longer than 400 lines because what a verb takes, calls and gives is told in one place */
#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

enum { RUNS = 40 };

static void must(heddle_status status) {
  if (status != HEDDLE_OK) gpu_die("%s", heddle_message());
}

static int is(const struct work *w, const char *what) { return strcmp(w->job.what, what) == 0; }
static int is_scan(const struct work *w) { return is(w, "scan") || is(w, "before"); }
static int is_histogram(const struct work *w) { return is(w, "hist") || is(w, "weights"); }
static int is_grid(const struct work *w) { return is(w, "grid") || is(w, "gridweights"); }
static int is_rows(const struct work *w) {
  return is(w, "rows") || is(w, "columns") || is(w, "segments");
}

static int is_sort(const struct work *w) {
  return is(w, "sort") || is(w, "pairs") || is(w, "argsort") || is(w, "sortrows");
}

static int is_select(const struct work *w) {
  return is(w, "select") || is(w, "masked") || is(w, "positions") || is(w, "runs") ||
         is(w, "by_key");
}

static int is_rank(const struct work *w) {
  return is(w, "quantiles") || is(w, "top") || is(w, "toprows");
}

static int is_groups(const struct work *w) { return is(w, "groups") || is(w, "regroup"); }

static heddle_op op_of(const struct work *w) {
  return is(w, "min") ? HEDDLE_MIN : is(w, "max") ? HEDDLE_MAX : HEDDLE_SUM;
}

/* ---- one call, on either back end ---------------------------------------------------------- */

static void histogram(const struct work *w, heddle_context *ctx, const void *x, const void *weights,
                      void *out) {
  const struct job *job = &w->job;
  heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, job->bins, job->lo, job->hi, 0, w->edges, 0};
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  if (!strcmp(job->kind, "integer")) bins.kind = HEDDLE_BINS_INTEGER;
  if (!strcmp(job->kind, "edges")) bins.kind = HEDDLE_BINS_EDGES;
  if (!strcmp(job->kind, "log")) bins.kind = HEDDLE_BINS_LOG;
  options.weights = weights;
  options.weights_type = weights ? HEDDLE_F32 : HEDDLE_TYPE_DEFAULT;
  options.weight_exponent = HEDDLE_FIND_EXPONENT;
  options.sums = weights ? out : NULL;
  must(heddle_histogram(ctx, job->type, x, job->n, &bins, weights ? NULL : out, NULL, &options));
}

/* A column an axis, one behind the other in x, so far apart that those of a repeated block are unlike. */
enum { COLUMNS_APART = 5000000, MOST_AXES = 3 };

static size_t elements_of(const struct work *w) {
  return is_grid(w) ? w->job.row * (w->job.n + COLUMNS_APART) : w->job.n;
}

static size_t slots_of(const struct work *w) {
  size_t slots = 1;
  for (size_t d = 0; d < w->job.row; d++) slots *= w->job.bins;
  return slots;
}

/* Points of `row` axes, all of which have the same bins. */
static void grid(const struct work *w, heddle_context *ctx, const void *x, const void *weights,
                 void *out) {
  const struct job *job = &w->job;
  const heddle_bins one = {sizeof one, HEDDLE_BINS_EVEN, job->bins, job->lo, job->hi, 0, NULL, 0};
  heddle_histogram_nd_options options = HEDDLE_HISTOGRAM_ND_OPTIONS_INIT;
  const void *columns[MOST_AXES];
  heddle_bins bins[MOST_AXES];
  if (job->row > MOST_AXES) gpu_die("a grid has at most %d axes", MOST_AXES);
  for (size_t d = 0; d < job->row; d++) {
    columns[d] = (const char *)x + d * (job->n + COLUMNS_APART) * heddle_type_size(job->type);
    bins[d] = one;
    if (!strcmp(job->kind, "log")) bins[d].kind = HEDDLE_BINS_LOG;
  }
  options.weights = weights;
  options.weights_type = weights ? HEDDLE_F32 : HEDDLE_TYPE_DEFAULT;
  options.sums = weights ? out : NULL;
  must(heddle_histogram_nd(ctx, job->type, job->row, columns, job->n, bins, weights ? NULL : out,
                           NULL, &options));
}

static heddle_options options_of(const struct work *w) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.exact = w->job.exact != 0;
  return options;
}

static void rows(const struct work *w, heddle_context *ctx, const void *x, const void *offsets,
                 void *out) {
  const struct job *job = &w->job;
  const heddle_options options = options_of(w);
  const size_t shape[2] = {job->row ? job->n / job->row : 0, job->row};
  heddle_rows r = HEDDLE_ROWS_INIT;
  r.dims = 2;
  r.axis = is(w, "columns") ? 0 : 1;
  r.shape = shape;
  if (is(w, "segments")) {
    r.offsets = offsets;
    r.segments = job->block2 - 1;
  }
  must(heddle_reduce_rows(ctx, HEDDLE_SUM, job->type, x, &r, out, &options));
}

/* Keys, keys with 4 bytes each, positions, rows of keys. */
static void sort(const struct work *w, heddle_context *ctx, const void *x, const void *y,
                 void *out) {
  const struct job *job = &w->job;
  const size_t shape[2] = {job->row ? job->n / job->row : 0, job->row};
  heddle_rows r = HEDDLE_ROWS_INIT;
  r.dims = 2;
  r.axis = 1;
  r.shape = shape;
  if (is(w, "sort"))
    must(heddle_sort(ctx, job->type, x, job->n, out, NULL));
  else if (is(w, "argsort"))
    must(heddle_argsort(ctx, job->type, x, job->n, HEDDLE_U32, out, NULL));
  else if (is(w, "sortrows"))
    must(heddle_sort_rows(ctx, job->type, x, &r, out, NULL));
  else
    must(heddle_sort_pairs(ctx, job->type, x, 4, y, job->n, out,
                           (char *)out + job->n * heddle_type_size(job->type), NULL));
}

/* What is found comes behind how much it is, so that nothing waits. */
enum { COUNT_BYTES = 16 };

static void find(const struct work *w, heddle_context *ctx, const void *x, const void *y,
                 void *out) {
  const struct job *job = &w->job;
  const float least = (float)job->lo;
  uint64_t *count = out;
  char *found = (char *)out + COUNT_BYTES;
  char *more = found + job->n * heddle_type_size(job->type);
  heddle_where where = HEDDLE_WHERE_INIT;
  where.type = job->type;
  where.of = x;
  if (is(w, "select")) {
    where.comparison = HEDDLE_GREATER;
    where.value = &least;
    must(heddle_select(ctx, &where, heddle_type_size(job->type), x, job->n, found, count));
  } else if (is(w, "masked")) {
    must(heddle_select(ctx, &where, sizeof(float), y, job->n, found, count));
  } else if (is(w, "positions")) {
    must(heddle_positions(ctx, &where, job->n, HEDDLE_U32, found, count));
  } else if (is(w, "runs")) {
    must(heddle_runs(ctx, job->type, x, job->n, found, (uint64_t *)(void *)more, count));
  } else {
    must(heddle_reduce_by_key(ctx, HEDDLE_SUM, job->type, x, HEDDLE_F32, y, job->n, found, more,
                              count, NULL));
  }
}

/* The median, or quartiles; the greatest elements and their positions, of the array or of each row. */
static void ranks(const struct work *w, heddle_context *ctx, const void *x, void *out) {
  static const double q[][3] = {{0.5, 0, 0}, {0.25, 0.75, 0}, {0.25, 0.5, 0.75}};
  const struct job *job = &w->job;
  const size_t k = job->bins, shape[2] = {job->row ? job->n / job->row : 1, job->row};
  char *index = (char *)out + k * shape[0] * heddle_type_size(job->type);
  heddle_sort_options options = HEDDLE_SORT_OPTIONS_INIT;
  heddle_rows r = HEDDLE_ROWS_INIT;
  options.descending = 1;
  r.dims = 2;
  r.axis = 1;
  r.shape = shape;
  if (is(w, "quantiles"))
    must(heddle_quantiles(ctx, job->type, x, job->n, q[k - 1], k, out, NULL));
  else if (is(w, "top"))
    must(heddle_partial_sort(ctx, job->type, x, job->n, k, out, HEDDLE_U32, index, &options));
  else
    must(heddle_partial_sort_rows(ctx, job->type, x, &r, k, out, HEDDLE_U32, index, &options));
}

/* Positions in a table of `row` values. */
static void search(const struct work *w, heddle_context *ctx, const void *x, const void *table,
                   void *out) {
  must(heddle_search_sorted(ctx, w->job.type, table, w->job.row, x, w->job.n, HEDDLE_LEFT,
                            HEDDLE_U32, out));
}

/* Values, counts, the value of each element, and how many there are, one behind the other. */
static void unique(const struct work *w, heddle_context *ctx, const void *x, void *out) {
  const size_t n = w->job.n, size = heddle_type_size(w->job.type);
  char *values = out, *counts = values + n * size, *inverse = counts + n * 8;
  must(heddle_unique(ctx, w->job.type, x, n, values, (uint64_t *)(void *)counts, NULL, HEDDLE_U32,
                     inverse, (uint64_t *)(void *)(inverse + n * 4)));
}

/* Sums of rows of `row` values in `bins` groups; regroup: by a handle that is made before. */
static void groups(const struct work *w, heddle_context *ctx, const void *x, const void *ids,
                   void *out) {
  const struct job *job = &w->job;
  const heddle_options options = options_of(w);
  if (is(w, "regroup") && ctx == w->gpu)
    must(heddle_groups_reduce(w->groups, HEDDLE_SUM, job->type, x, job->row, out, &options));
  else
    must(heddle_scatter_reduce(ctx, HEDDLE_SUM, job->type, x, job->row, HEDDLE_I32, ids,
                               job->n / job->row, out, job->bins, &options));
}

static void call(const struct work *w, heddle_context *ctx, const void *x, const void *y,
                 void *out) {
  const struct job *job = &w->job;
  const heddle_options options = options_of(w);
  if (is_scan(w))
    must(heddle_scan(ctx, HEDDLE_SUM, is(w, "scan") ? HEDDLE_INCLUSIVE : HEDDLE_EXCLUSIVE,
                     job->type, x, job->n, out, NULL));
  else if (is_histogram(w))
    histogram(w, ctx, x, y, out);
  else if (is_grid(w))
    grid(w, ctx, x, y, out);
  else if (is_rows(w))
    rows(w, ctx, x, y, out);
  else if (is_sort(w))
    sort(w, ctx, x, y, out);
  else if (is_select(w))
    find(w, ctx, x, y, out);
  else if (is_rank(w))
    ranks(w, ctx, x, out);
  else if (is(w, "search"))
    search(w, ctx, x, y, out);
  else if (is(w, "unique"))
    unique(w, ctx, x, out);
  else if (is_groups(w))
    groups(w, ctx, x, y, out);
  else if (is(w, "dot"))
    must(heddle_dot(ctx, job->type, x, y, job->n, out, &options));
  else
    must(heddle_reduce(ctx, op_of(w), job->type, x, job->n, out, &options));
}

void work_run(void *arg) {
  struct work *w = arg;
  call(w, w->gpu, w->x, w->y, w->out);
}

/* ---- data ------------------------------------------------------------------------------------ */

static size_t results_of(const struct work *w) {
  const struct job *job = &w->job;
  const size_t size = heddle_type_size(job->type);
  if (is_scan(w) || is(w, "sort") || is(w, "sortrows")) return job->n * size;
  if (is(w, "pairs")) return job->n * (size + 4);
  if (is(w, "select") || is(w, "masked") || is(w, "positions"))
    return COUNT_BYTES + job->n * (size > 4 ? size : 4);
  if (is(w, "runs")) return COUNT_BYTES + job->n * size + (job->n + 1) * 8;
  if (is(w, "by_key")) return COUNT_BYTES + job->n * (size + 4);
  if (is(w, "quantiles")) return job->bins * 8;
  if (is_rank(w)) return (job->row ? job->n / job->row : 1) * job->bins * (size + 4);
  if (is(w, "argsort") || is(w, "search")) return job->n * 4;
  if (is(w, "unique")) return job->n * (size + 12) + 8;
  if (is_groups(w)) return job->bins * job->row * size;
  if (is_histogram(w)) return job->bins * 8;
  if (is_grid(w)) return slots_of(w) * 8;
  if (is(w, "rows")) return job->n / job->row * 8;
  if (is(w, "columns")) return job->row * 8;
  if (is(w, "segments")) return (job->block2 - 1) * 8;
  return 8;
}

/* The second array, in memory of the host or of the device; NULL: the job has none. */
static void *second_of(const struct work *w,
                       void *bring(const char *, size_t, size_t, size_t, unsigned)) {
  const struct job *job = &w->job;
  size_t n = job->n, size = 4;
  if (is(w, "segments"))
    n = job->block2, size = 8;
  else if (is(w, "search"))
    n = job->row, size = heddle_type_size(job->type);
  else if (is(w, "dot"))
    size = heddle_type_size(job->type);
  else if (is_groups(w))
    n = job->n / job->row;
  else if (!is(w, "weights") && !is(w, "gridweights") && !is(w, "pairs") && !is(w, "by_key") &&
           !is(w, "masked"))
    return NULL;
  return bring(job->data2, job->block2, n, size, 1);
}

const char *work_begin(struct work *w) {
  const struct job *job = &w->job;
  const size_t size = heddle_type_size(job->type);
  if (size == 0) return "no such type";
  w->on_host = is(w, "host") || is(w, "pinned");
  if (w->on_host) {
    void *host = job_on_host(job->data, job->block, job->n, size, 0);
    w->x = host;
    if (is(w, "pinned")) {
      void *pinned = gpu_pinned(job->n * size);
      memcpy(pinned, host, job->n * size);
      w->x = pinned;
    }
  } else {
    char *there = job_on_device(job->data, job->block, elements_of(w) + job->offset, size, 0);
    w->x = there + job->offset * size;
  }
  w->y = second_of(w, job_on_device);
  w->edges = NULL;
  w->groups = NULL;
  if (is(w, "regroup"))
    must(heddle_groups_make(w->gpu, HEDDLE_I32, w->y, job->n / job->row, job->bins, &w->groups));
  if (is(w, "hist") && !strcmp(job->kind, "edges")) {
    const void *edges = job_on_host(job->data2, job->bins + 1, job->bins + 1, 8, 1);
    w->edges = malloc((job->bins + 1) * 8);
    if (!w->edges) gpu_die("no memory for edges");
    memcpy(w->edges, edges, (job->bins + 1) * 8);
  }
  w->out_bytes = results_of(w);
  w->memory = gpu_memory(w->out_bytes + job->out_offset * size);
  w->out = w->memory + job->out_offset * size;
  gpu_fill(w->out, 0xA5, w->out_bytes);
  return NULL;
}

void work_end(struct work *w) {
  heddle_groups_free(w->groups);
  gpu_forget(w->memory);
  free(w->edges);
  if (is(w, "pinned")) gpu_unpin((void *)(uintptr_t)w->x);
  w->out = NULL;
}

/* ---- the result ------------------------------------------------------------------------------ */

/* The unsigned type of an element's bytes: results may lie at any of its multiples. */
static heddle_type words_of(const struct work *w) {
  switch (heddle_type_size(w->job.type)) {
  case 1: return HEDDLE_U8;
  case 2: return HEDDLE_U16;
  case 4: return HEDDLE_U32;
  default: return HEDDLE_U64;
  }
}

/* Runs are alike if exclusive-or and sum of the output's words are. */
static const char *runs_are_alike(struct work *w) {
  uint64_t first[2] = {0, 0}, again[2] = {0, 0};
  const heddle_type type = words_of(w);
  const size_t words = w->job.n;
  heddle_options wide = HEDDLE_OPTIONS_INIT;
  wide.out_type = HEDDLE_U64;
  for (int run = 0; run < RUNS; run++) {
    gpu_fill(w->out, (unsigned char)run, w->out_bytes);
    work_run(w);
    must(heddle_reduce(w->gpu, HEDDLE_XOR, type, w->out, words, &again[0], NULL));
    must(heddle_reduce(w->gpu, HEDDLE_SUM, type, w->out, words, &again[1], &wide));
    if (run == 0) memcpy(first, again, sizeof first);
    if (memcmp(first, again, sizeof first) != 0) return "runs differ";
  }
  return NULL;
}

/* A histogram of a repeated block is that of the block, repeated: the CPU counts one. */
static const char *counts_are_exact(struct work *w, const uint64_t *got) {
  struct work one = *w;
  const size_t size = heddle_type_size(w->job.type);
  const size_t block = w->job.block < w->job.n ? w->job.block : w->job.n;
  one.job.n = block;
  uint64_t *wanted = calloc(w->job.bins, 8);
  if (!wanted) gpu_die("no memory for the counts");
  call(&one, w->cpu, job_on_host(w->job.data, block, block, size, 0), NULL, wanted);
  const char *why = NULL;
  for (size_t i = 0; i < w->job.bins && !why; i++)
    if (wanted[i] * (w->job.n / block) != got[i]) why = "a count is wrong";
  free(wanted);
  return why;
}

/* Of values and counts what is behind those found is undefined. */
static int same_unique(const struct work *w, const char *wanted, const char *got) {
  const size_t n = w->job.n, size = heddle_type_size(w->job.type), inverse = n * (size + 8);
  uint64_t found;
  memcpy(&found, wanted + inverse + n * 4, sizeof found);
  return memcmp(wanted + inverse, got + inverse, n * 4 + sizeof found) == 0 &&
         memcmp(wanted, got, found * size) == 0 &&
         memcmp(wanted + n * size, got + n * size, found * sizeof found) == 0;
}

static const char *same_as_cpu(struct work *w, const void *got) {
  const struct job *job = &w->job;
  const size_t size = heddle_type_size(job->type);
  const void *x = w->x, *y = second_of(w, job_on_host);
  if (!w->on_host) {
    const char *all = job_on_host(job->data, job->block, elements_of(w) + job->offset, size, 0);
    x = all + job->offset * size;
  }
  unsigned char *wanted = malloc(w->out_bytes);
  if (!wanted) gpu_die("no memory for the CPU's result");
  memset(wanted, 0xA5, w->out_bytes);
  call(w, w->cpu, x, y, wanted);
  const int same = is(w, "unique") ? same_unique(w, (const char *)wanted, got)
                                   : memcmp(wanted, got, w->out_bytes) == 0;
  free(wanted);
  return same ? NULL : "not the CPU's bits";
}

const char *work_verify(struct work *w) {
  gpu_fill(w->out, 0xA5, w->out_bytes);
  work_run(w);
  must(heddle_sync(w->gpu));
  unsigned char *got = malloc(w->out_bytes);
  if (!got) gpu_die("no memory for the result");
  gpu_copy(got, w->out, w->out_bytes);
  const int repeats = is(w, "hist") && w->job.offset == 0 &&
                      (w->job.n < w->job.block || w->job.n % w->job.block == 0);
  const char *why =
      repeats ? counts_are_exact(w, (const uint64_t *)(const void *)got) : same_as_cpu(w, got);
  free(got);
  if (!why && is_scan(w)) why = runs_are_alike(w);
  return why;
}
