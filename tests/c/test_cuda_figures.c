/* test_cuda_figures.c - figures that a device finishes in the launch that folds: means
 *
 * Method   Each is found from the CPU's sum in f64, or in the accumulator, by a division and heddle_convert
 *          here. Arrays lie on the device, of lengths and shapes at which src/cuda/fold/choose.c and
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

static void segments(void **state) {
  enum { ROWS = 200 };
  uint64_t offsets[ROWS + 1] = {3};
  heddle_rows rows = HEDDLE_ROWS_INIT;
  (void)state;
  if (!gpu_device()) skip();
  for (size_t r = 0; r < ROWS; r++)
    offsets[r + 1] =
        offsets[r] + (r % 50 == 49 ? 100000 + r : data_word(5, r) % (r % 3 ? 40 : 4000));
  rows.offsets = offsets, rows.segments = ROWS;
  check_jobs(0, 12.5, offsets[ROWS], &rows, ROWS, "segments");
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
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
