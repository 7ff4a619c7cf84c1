/* test_cuda_figures.c - figures that a device finishes in the launch that folds: means, variances, roots
 *
 * Method   A mean is found from the CPU's sum in f64, or in the accumulator, by a division and heddle_convert
 *          here; a variance of each row apart by the CPU, whose own are compared with describe's. Arrays lie on the device, of lengths and shapes at which src/cuda/fold/choose.c and
 *          src/cuda/rows/choose.c take another kernel, at an aligned address and one element behind it.
 * Limits   what a device refuses is test_arguments.c's */
#include <math.h>
#include <stdbool.h>

#include "gpu.h"

enum { MOST = 1 << 22, BESIDE = 64 };

static char *x_there, *out_there, *got, *wanted;
static double *sums;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  x_there = gpu_memory(MOST * 8 + 16);
  out_there = gpu_memory(MOST + 2 * BESIDE);
  got = allocate(MOST + 2 * BESIDE);
  wanted = allocate(MOST + 2 * BESIDE);
  sums = allocate(MOST * sizeof *sums);
  return 0;
}

static int teardown(void **state) {
  if (gpu_device()) {
    gpu_forget(x_there);
    gpu_forget(out_there);
  }
  free(got);
  free(wanted);
  free(sums);
  return gpu_teardown(state);
}

struct job {
  heddle_op op;
  heddle_type type, acc, out;
  heddle_nan nan;
  enum data_kind data;
};

static const struct job jobs[] = {
    {HEDDLE_SUM, HEDDLE_F32, HEDDLE_F64, HEDDLE_F32, HEDDLE_NAN_PROPAGATE, DATA_WIDE},
    {HEDDLE_SUM, HEDDLE_I32, HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE,
     DATA_WIDE},
    {HEDDLE_SUM, HEDDLE_F16, HEDDLE_TYPE_DEFAULT, HEDDLE_F16, HEDDLE_NAN_PROPAGATE, DATA_WIDE},
    {HEDDLE_SUM, HEDDLE_F64, HEDDLE_TYPE_DEFAULT, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_SKIP, DATA_HOLES},
    {HEDDLE_SUM, HEDDLE_U8, HEDDLE_TYPE_DEFAULT, HEDDLE_F32, HEDDLE_NAN_PROPAGATE, DATA_WIDE},
    {HEDDLE_SUM_SQUARES, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_F64, HEDDLE_NAN_PROPAGATE,
     DATA_WIDE},
    {HEDDLE_SUM, HEDDLE_BF16, HEDDLE_F64, HEDDLE_BF16, HEDDLE_NAN_PROPAGATE, DATA_HOLES},
    {HEDDLE_SUM, HEDDLE_U64, HEDDLE_TYPE_DEFAULT, HEDDLE_F16, HEDDLE_NAN_PROPAGATE, DATA_WIDE},
};
enum { JOBS = sizeof jobs / sizeof *jobs };

static heddle_type out_of(const struct job *job) { return job->out ? job->out : HEDDLE_F64; }

/* rows: NULL for the whole array. */
static heddle_status fold(heddle_context *ctx, const struct job *job, double divisor,
                          const void *in, size_t n, const heddle_rows *rows, void *out) {
  heddle_options options =
      make_options(job->nan, job->acc, divisor == 0 ? HEDDLE_F64 : job->out, NULL);
  options.divisor = divisor;
  if (rows) return heddle_reduce_rows(ctx, job->op, job->type, in, rows, out, &options);
  return heddle_reduce(ctx, job->op, job->type, in, n, out, &options);
}

static void check(const struct job *job, double divisor, size_t n, const heddle_rows *rows,
                  size_t results, const char *what) {
  const size_t size = data_size(job->type), bytes = results * data_size(out_of(job)) + 2 * BESIDE;
  assert_true(n <= MOST && bytes <= MOST + 2 * BESIDE);
  char *x = data_new(job->data, job->type, 31, n);
  memset(wanted, 0xA5, bytes);
  same_status(HEDDLE_OK, fold(gpu_cpu, job, 0, x, n, rows, sums), "the CPU's sums, %s", what);
  for (size_t i = 0; i < results; i++) sums[i] /= divisor;
  same_status(HEDDLE_OK, heddle_convert(HEDDLE_F64, sums, out_of(job), wanted + BESIDE, results),
              "rounded");
  for (size_t turn = 0; turn < 2; turn++) {
    gpu_up(x_there + turn * size, x, n * size);
    gpu_fill(out_there, 0xA5, bytes);
    same_status(HEDDLE_OK,
                fold(gpu_ctx, job, divisor, x_there + turn * size, n, rows, out_there + BESIDE),
                "on the device, %s", what);
    gpu_down(got, out_there, bytes);
    same_array(HEDDLE_U8, wanted, got, bytes, "op %d of %zu %s by %g, %s, %zu behind", (int)job->op,
               n, heddle_type_name(job->type), divisor, what, turn);
  }
  free(x);
}

/* The first job always, of the others one in some on the software device. */
static void check_jobs(size_t number, double divisor, size_t n, const heddle_rows *rows,
                       size_t results, const char *what) {
  for (size_t j = 0; j < JOBS; j++)
    if (!j || !gpu_is_software() || (number + j) % 5 == 0)
      check(&jobs[j], divisor, n, rows, results, what);
}

static void arrays(void **state) {
  static const size_t counts[] = {0,           1,
                                  2,           7,
                                  31,          33,
                                  255,         256,
                                  1000,        1023,
                                  1024,        1025,
                                  2047,        2048,
                                  2049,        8191,
                                  8192,        8193,
                                  20000,       65536,
                                  65537,       99999,
                                  300000,      2000 * 1024 + 77,
                                  2100 * 1024, 2100 * 1024 + 5};
  (void)state;
  if (!gpu_device()) skip();
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    const size_t n = counts[c];
    check_jobs(c, n ? (double)n : NAN, n, NULL, 1, "an array");
    check_jobs(c + 1, -0.375, n, NULL, 1, "an array");
  }
}

static void axes(void **state) {
  static const size_t shapes[][3] = {
      {300, 7, 1},  {70, 32, 1},  {500, 129, 1},     {40, 1025, 1}, {9, 5000, 1},   {3, 300000, 1},
      {1, 2049, 3}, {4, 1000, 9}, {1, 69 * 2048, 2}, {2, 31, 700},  {1, 5000, 300}, {3, 0, 5}};
  (void)state;
  if (!gpu_device()) skip();
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const size_t *shape = shapes[s], length = shape[1];
    heddle_rows rows = HEDDLE_ROWS_INIT;
    char what[64];
    rows.dims = 3, rows.axis = 1, rows.shape = shape;
    snprintf(what, sizeof what, "%zu x %zu x %zu along 1", shape[0], length, shape[2]);
    check_jobs(s, length ? (double)length : NAN, shape[0] * length * shape[2], &rows,
               shape[0] * shape[2], what);
  }
}

/* Segments from empty to some thousand elements, one of each `turn` of a hundred thousand. */
static heddle_rows make_segments(uint64_t *offsets, size_t count, size_t turn) {
  heddle_rows rows = HEDDLE_ROWS_INIT;
  offsets[0] = 3;
  for (size_t r = 0; r < count; r++) {
    const uint64_t some = data_word(turn, r) % (r % 3 ? 40 : 4000);
    offsets[r + 1] = offsets[r] + (r % turn == turn - 1 ? 100000 + r : some);
  }
  rows.offsets = offsets, rows.segments = count;
  return rows;
}

static void segments(void **state) {
  enum { ROWS = 200 };
  uint64_t offsets[ROWS + 1];
  (void)state;
  if (!gpu_device()) skip();
  const heddle_rows rows = make_segments(offsets, ROWS, 50);
  check_jobs(0, 12.5, offsets[ROWS], &rows, ROWS, "segments");
}

/* ---- variances ----------------------------------------------------------------------------------- */

struct figure_job {
  heddle_figures figure;
  heddle_type type, out;
  heddle_nan nan;
  enum data_kind data;
  double ddof;
};

static const struct figure_job figure_jobs[] = {
    {HEDDLE_FIGURES_VARIANCE, HEDDLE_F32, HEDDLE_F32, HEDDLE_NAN_PROPAGATE, DATA_WIDE, 1},
    {HEDDLE_FIGURES_VARIANCE, HEDDLE_F64, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, DATA_WIDE, 0},
    {HEDDLE_FIGURES_DEVIATION, HEDDLE_I32, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, DATA_WIDE,
     0.5},
    {HEDDLE_FIGURES_MEAN, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_SKIP, DATA_HOLES, 0},
    {HEDDLE_FIGURES_VARIANCE, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_SKIP, DATA_HOLES, 1},
    {HEDDLE_FIGURES_DEVIATION, HEDDLE_F64, HEDDLE_F64, HEDDLE_NAN_SKIP, DATA_HOLES, 0},
    {HEDDLE_FIGURES_VARIANCE, HEDDLE_F16, HEDDLE_F16, HEDDLE_NAN_PROPAGATE, DATA_NEAR1, 0},
    {HEDDLE_FIGURES_VARIANCE, HEDDLE_U8, HEDDLE_F32, HEDDLE_NAN_PROPAGATE, DATA_WIDE, 0},
    {HEDDLE_FIGURES_VARIANCE, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, DATA_HOLES, 0},
    {HEDDLE_FIGURES_VARIANCE, HEDDLE_F64, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_SKIP, DATA_SPECIAL, 0},
    {HEDDLE_FIGURES_MEAN, HEDDLE_U64, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, DATA_WIDE, 0},
    {HEDDLE_FIGURES_VARIANCE, HEDDLE_BF16, HEDDLE_BF16, HEDDLE_NAN_SKIP, DATA_HOLES, 0},
};
enum { FIGURE_JOBS = sizeof figure_jobs / sizeof *figure_jobs };

static heddle_options options_of(const struct figure_job *job) {
  heddle_options options = make_options(job->nan, HEDDLE_TYPE_DEFAULT, job->out, NULL);
  options.figures = job->figure, options.ddof = job->ddof;
  return options;
}

/* Element i of row r: of segments, of the middle axis of three, or of the array. */
static size_t place_of(const heddle_rows *rows, size_t r, size_t i) {
  if (!rows) return i;
  if (rows->offsets) return rows->offsets[r] + i;
  const size_t across = rows->shape[2];
  return (r / across * rows->shape[1] + i) * across + r % across;
}
static size_t length_of(const heddle_rows *rows, size_t n, size_t r) {
  if (!rows) return n;
  return rows->offsets ? rows->offsets[r + 1] - rows->offsets[r] : rows->shape[1];
}

/* The figures of rows, each apart, by the CPU. */
static void figures_wanted(const struct figure_job *job, const char *x, size_t n,
                           const heddle_rows *rows, size_t results, char *to) {
  const heddle_options options = options_of(job);
  const size_t size = data_size(job->type), out = data_size(job->out ? job->out : HEDDLE_F64);
  char *row = allocate(n * size + 1);
  for (size_t r = 0; r < results; r++) {
    const size_t length = length_of(rows, n, r);
    for (size_t i = 0; i < length; i++)
      memcpy(row + i * size, x + place_of(rows, r, i) * size, size);
    same_status(HEDDLE_OK, heddle_figure(gpu_cpu, job->type, row, length, to + r * out, &options),
                "the CPU's figure");
  }
  free(row);
}

static heddle_status figure(const struct figure_job *job, const void *in, size_t n,
                            const heddle_rows *rows, void *out) {
  const heddle_options options = options_of(job);
  if (rows) return heddle_figure_rows(gpu_ctx, job->type, in, rows, out, &options);
  return heddle_figure(gpu_ctx, job->type, in, n, out, &options);
}

static void check_figure(const struct figure_job *job, size_t n, const heddle_rows *rows,
                         size_t results, const char *what) {
  const size_t size = data_size(job->type);
  const size_t bytes = results * data_size(job->out ? job->out : HEDDLE_F64) + 2 * BESIDE;
  assert_true(n <= MOST && bytes <= MOST + 2 * BESIDE);
  char *x = data_new(job->data, job->type, 41, n);
  memset(wanted, 0xA5, bytes);
  figures_wanted(job, x, n, rows, results, wanted + BESIDE);
  for (size_t turn = 0; turn < 2; turn++) {
    gpu_up(x_there + turn * size, x, n * size);
    gpu_fill(out_there, 0xA5, bytes);
    same_status(HEDDLE_OK, figure(job, x_there + turn * size, n, rows, out_there + BESIDE),
                "on the device, %s", what);
    gpu_down(got, out_there, bytes);
    same_array(HEDDLE_U8, wanted, got, bytes, "figure %d of %zu %s, %s, ddof %g, %s, %zu behind",
               (int)job->figure, n, heddle_type_name(job->type), data_name(job->data), job->ddof,
               what, turn);
  }
  free(x);
}

static void check_figures(size_t number, size_t n, const heddle_rows *rows, size_t results,
                          const char *what) {
  for (size_t j = 0; j < FIGURE_JOBS; j++)
    if (!j || !gpu_is_software() || (number + j) % 7 == 0)
      check_figure(&figure_jobs[j], n, rows, results, what);
}

static void figures_of_arrays(void **state) {
  static const size_t counts[] = {0,
                                  1,
                                  2,
                                  3,
                                  31,
                                  32,
                                  33,
                                  127,
                                  1000,
                                  1023,
                                  1024,
                                  1025,
                                  2047,
                                  2048,
                                  2049,
                                  8191,
                                  8192,
                                  8193,
                                  20000,
                                  65537,
                                  99999,
                                  300000,
                                  8 * 1024 + 31 * 32 + 31,
                                  132 * 1024,
                                  265 * 1024 + 3,
                                  1056 * 1024 + 1,
                                  2112 * 1024 + 777};
  (void)state;
  if (!gpu_device()) skip();
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
    check_figures(c, counts[c], NULL, 1, "an array");
}

static void figures_of_axes(void **state) {
  static const size_t shapes[][3] = {
      {300, 7, 1},  {70, 32, 1},  {500, 129, 1},     {40, 1025, 1}, {9, 5000, 1},  {2, 300000, 1},
      {1, 2049, 3}, {4, 1000, 9}, {1, 69 * 2048, 2}, {2, 31, 700},  {1, 5000, 40}, {3, 0, 5}};
  (void)state;
  if (!gpu_device()) skip();
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const size_t *shape = shapes[s];
    heddle_rows rows = HEDDLE_ROWS_INIT;
    char what[64];
    rows.dims = 3, rows.axis = 1, rows.shape = shape;
    snprintf(what, sizeof what, "%zu x %zu x %zu along 1", shape[0], shape[1], shape[2]);
    check_figures(s, shape[0] * shape[1] * shape[2], &rows, shape[0] * shape[2], what);
  }
}

static void figures_of_segments(void **state) {
  enum { ROWS = 60 };
  uint64_t offsets[ROWS + 1];
  (void)state;
  if (!gpu_device()) skip();
  const heddle_rows rows = make_segments(offsets, ROWS, 30);
  for (size_t j = 0; j < FIGURE_JOBS; j += 2)
    check_figure(&figure_jobs[j], offsets[ROWS], &rows, ROWS, "segments");
}

/* Sums beyond f64 whose mean is not, distances beyond f64, infinities, and one value of a chunk. */
static void figures_beyond(void **state) {
  enum { COUNT = 5000, CASES = 6 };
  double *x = allocate(COUNT * sizeof *x);
  (void)state;
  if (!gpu_device()) skip();
  for (size_t turn = 0; turn < CASES * 4; turn++) {
    struct figure_job job = {
        turn & 1 ? HEDDLE_FIGURES_MEAN : HEDDLE_FIGURES_VARIANCE, HEDDLE_F64, HEDDLE_F64,
        turn & 2 ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE,        DATA_WIDE,  0};
    const heddle_options options = options_of(&job);
    double expected, found;
    for (size_t i = 0; i < COUNT; i++)
      x[i] = turn / 4 == 0   ? 1e308 + (double)i * 1e290
             : turn / 4 == 1 ? (i < 2048 ? 1.7e308 : -1.7e308)
             : turn / 4 == 2 ? (i == 4999 ? INFINITY : (double)i)
             : turn / 4 == 3 ? (i == 1100 ? -INFINITY : 1e300 * (double)(i % 7))
             : turn / 4 == 4 ? (i % 1024 == 77 ? (double)i : NAN)
                             : (i >= 1024 && i < 2048 ? NAN
                                : i == 3000           ? INFINITY
                                                      : (double)i);
    gpu_up(x_there, x, COUNT * sizeof *x);
    same_status(HEDDLE_OK, heddle_figure(gpu_cpu, HEDDLE_F64, x, COUNT, &expected, &options),
                "the CPU's");
    same_status(HEDDLE_OK, heddle_figure(gpu_ctx, HEDDLE_F64, x_there, COUNT, &found, &options),
                "the device's");
    same_bytes(&expected, &found, sizeof found, "case %zu: %g, and %g", turn, expected, found);
  }
  free(x);
}

/* Of an array that comes in pieces, and of one of the host. */
static void pieces(void **state) {
  enum { COUNT = 300000, CUT = 123457 };
  const struct job *job = &jobs[0];
  heddle_options options = make_options(job->nan, job->acc, job->out, NULL);
  heddle_state *fold_state;
  double sum;
  float found[2] = {0, 0}, mean;
  (void)state;
  if (!gpu_device()) skip();
  char *x = data_new(job->data, job->type, 33, COUNT);
  same_status(HEDDLE_OK, fold(gpu_cpu, job, 0, x, COUNT, NULL, &sum), "the CPU's sum");
  mean = (float)(sum / COUNT);
  options.divisor = COUNT;
  same_status(HEDDLE_OK, heddle_reduce_begin(gpu_ctx, job->op, job->type, &options, &fold_state),
              "begun");
  same_status(HEDDLE_OK, heddle_reduce_update(fold_state, x, CUT), "the first piece");
  same_status(HEDDLE_OK, heddle_reduce_update(fold_state, x + CUT * 4, COUNT - CUT), "the second");
  same_status(HEDDLE_OK, heddle_reduce_finish(fold_state, &found[0]), "finished");
  heddle_state_free(fold_state);
  same_status(HEDDLE_OK, heddle_reduce(gpu_ctx, job->op, job->type, x, COUNT, &found[1], &options),
              "at once");
  for (size_t i = 0; i < 2; i++)
    same_bytes(&mean, &found[i], sizeof mean, i ? "of the host" : "in pieces");
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays),
      cmocka_unit_test(axes),
      cmocka_unit_test(segments),
      cmocka_unit_test(pieces),
      cmocka_unit_test(figures_of_arrays),
      cmocka_unit_test(figures_of_axes),
      cmocka_unit_test(figures_of_segments),
      cmocka_unit_test(figures_beyond),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
