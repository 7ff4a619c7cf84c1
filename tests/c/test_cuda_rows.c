/* test_cuda_rows.c - folds along an axis whose rows are few, short, or neighbours in memory, on a
 * device
 *
 * Method   Arrays lie on the device, at an aligned address and one element behind it. Shapes are
 *          those at which src/cuda/rows/choose.c has another kernel, or a kernel another way: rows
 *          around every width of a group, lengths around runs, chunks and parts. Each result has the
 *          bits of the CPU's; what lies beside results is left alone. Every second call repeats the
 *          one before, on counters that it left.
 * Limits   numbers; 3-D at most */
#include <stdbool.h>

#include "gpu.h"

enum { MOST = 1 << 22, BESIDE = 64 };

static char *x, *y, *wanted, *got, *x_there, *y_there, *out_there;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  x_there = gpu_memory(MOST * 8 + 16);
  y_there = gpu_memory(MOST * 8 + 16);
  out_there = gpu_memory(MOST + 2 * BESIDE);
  wanted = allocate(MOST + 2 * BESIDE);
  got = allocate(MOST + 2 * BESIDE);
  return 0;
}

static int teardown(void **state) {
  if (gpu_device()) {
    gpu_forget(x_there);
    gpu_forget(y_there);
    gpu_forget(out_there);
  }
  free(wanted);
  free(got);
  return gpu_teardown(state);
}

struct job {
  bool dot;
  heddle_op op;
  heddle_type type;
};

static heddle_status fold(heddle_context *ctx, const struct job *job, const void *a, const void *b,
                          const heddle_rows *rows, void *out) {
  if (job->dot) return heddle_dot_rows(ctx, job->type, a, b, rows, out, NULL);
  return heddle_reduce_rows(ctx, job->op, job->type, a, rows, out, NULL);
}

/* One array and its fold along an axis. */
static void check(const struct job *job, size_t dims, const size_t *shape, size_t axis) {
  const size_t size = data_size(job->type);
  size_t n = 1;
  for (size_t d = 0; d < dims; d++) n *= shape[d];
  const size_t count = n / shape[axis], bytes = count * 8 + 2 * BESIDE;
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.dims = dims;
  rows.shape = shape;
  rows.axis = axis;
  assert_true(n <= MOST && bytes <= MOST);
  x = data_new(DATA_WIDE, job->type, 21, n);
  y = data_new(DATA_WIDE, job->type, 22, n);
  memset(wanted, 0xA5, bytes);
  same_status(HEDDLE_OK, fold(gpu_cpu, job, x, y, &rows, wanted + BESIDE), "the CPU's");
  for (size_t turn = 0; turn < 2; turn++) {
    gpu_up(x_there + turn * size, x, n * size);
    if (job->dot) gpu_up(y_there + turn * size, y, n * size);
    gpu_fill(out_there, 0xA5, bytes);
    same_status(
        HEDDLE_OK,
        fold(gpu_ctx, job, x_there + turn * size, y_there + turn * size, &rows, out_there + BESIDE),
        "on the device");
    gpu_down(got, out_there, bytes);
    same_array(HEDDLE_U8, wanted, got, bytes, "%s %s, %zu x %zu x %zu, axis %zu, %zu behind",
               job->dot ? "dot" : "fold", heddle_type_name(job->type), shape[0],
               dims > 1 ? shape[1] : 1, dims > 2 ? shape[2] : 1, axis, turn);
  }
  free(x);
  free(y);
}

/* Jobs of every kind of total; on the software device one in so many calls of all but the first. */
static const struct job jobs[] = {
    {false, HEDDLE_SUM, HEDDLE_F32}, {false, HEDDLE_SUM, HEDDLE_F64},
    {false, HEDDLE_MIN, HEDDLE_F32}, {false, HEDDLE_PROD, HEDDLE_F16},
    {false, HEDDLE_SUM, HEDDLE_I32}, {true, HEDDLE_SUM, HEDDLE_F32},
    {false, HEDDLE_MAX, HEDDLE_I64}, {false, HEDDLE_ANY, HEDDLE_U8},
};
enum { JOBS = sizeof jobs / sizeof *jobs, SOME = 13 };

static void check_jobs(size_t number, size_t dims, const size_t *shape, size_t axis) {
  for (size_t j = 0; j < JOBS; j++)
    if (!j || !gpu_is_software() || (number + j) % SOME == 0) check(&jobs[j], dims, shape, axis);
}

/* Few neighbours, of lengths around runs, a chunk, and several. */
static void columns(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const size_t widths[] = {2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 45, 64};
  static const size_t lengths[] = {5,    15,   16,   17,   64,   127,  129,  255,  1000, 1023,
                                   1025, 1999, 2047, 2048, 2049, 2300, 4096, 8191, 20555};
  size_t number = 0;
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
      const size_t shape[] = {lengths[l], widths[w]};
      if (gpu_is_software() && (l + w) % (lengths[l] > 300 ? 5 : 2)) continue;
      check_jobs(number++, 2, shape, 0);
    }
}

/* Parts of several chunks; groups in runs of a middle axis. */
static void parts(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const size_t shapes[][3] = {{1, 69 * 2048 + 77, 2}, {1, 140 * 1024, 3}, {5, 2100, 3},
                                     {3, 4100, 9},           {16, 1030, 2},      {2, 300, 31}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) check_jobs(s, 3, shapes[s], 1);
}

/* Rows of neighbours, shorter than what a warp takes at once. */
static void short_rows(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const size_t counts[] = {1, 31, 33, 255, 257, 1000};
  for (size_t length = 1; length <= 40; length++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
      const size_t shape[] = {counts[c], length};
      if (gpu_is_software() && (length + c) % 3) continue;
      check_jobs(length + c, 2, shape, 1);
    }
}

/* As many rows as have a thread each. */
static void many_columns(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const size_t shapes[][2] = {{100, 97}, {2049, 130}, {6000, 600}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    if (!gpu_is_software() || s < 2) check_jobs(s, 2, shapes[s], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns),
      cmocka_unit_test(parts),
      cmocka_unit_test(short_rows),
      cmocka_unit_test(many_columns),
  };
  return cmocka_run_group_tests_name("cuda_rows", tests, setup, teardown);
}
