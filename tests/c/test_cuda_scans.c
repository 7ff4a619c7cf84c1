/* test_cuda_scans.c - scans of whole arrays on a device, on both sides of every number of tiles at which
 * another kernel, or another shape of one, takes over
 *
 * Result   the bits of a CPU, for no rest, one element, a rest in the middle and all but one element
 *          of a tile behind the tiles; aligned and not
 * Method   shapes change with the number of processors: the software device has one after the other
 * Limits   the software device takes fewer lengths of a type, and changes over at smaller numbers; half of
 *          the operators, for each of which it compiles kernels, and all with HEDDLE_TEST_FULL */
#include "gpu.h"

enum { MOST_TILES = 531, MOST_BYTES = (MOST_TILES + 1) * 8192 + 64 };

/* Of single_block, and of one_wave with spans of 1, 2 and 4 tiles: with 132, 40, 16 and 4 processors one more
 * span than there are, than 32, 64 and 128; and what is left to the others. */
static const size_t tile_counts[] = {0,   1,   2,   3,   4,   5,   7,   8,   9,   12,  13,
                                     15,  16,  17,  20,  31,  32,  33,  40,  41,  63,  64,
                                     65,  66,  96,  97,  127, 128, 129, 130, 132, 133, 140,
                                     141, 147, 264, 265, 511, 512, 513, 528, 529, 530};

static void *wanted, *got, *x_there, *out;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  x_there = gpu_memory(MOST_BYTES);
  out = gpu_memory(MOST_BYTES);
  wanted = malloc(MOST_BYTES);
  got = malloc(MOST_BYTES);
  return !wanted || !got;
}

static int teardown(void **state) {
  if (gpu_device()) {
    gpu_forget(x_there);
    gpu_forget(out);
  }
  free(wanted);
  free(got);
  return gpu_teardown(state);
}

struct job {
  heddle_op op;
  heddle_type type;
  size_t tile;  /* elements */
  size_t shift; /* of input and output, in elements */
};

/* Other data for each length: where one number shows an order, it may have the same bits by chance. */
static void compare_one(heddle_context *ctx, const struct job *job, heddle_scan_kind kind, size_t n,
                        const heddle_options *options) {
  const size_t bytes = data_size(job->type), at = job->shift * bytes;
  void *x = data_new(job->op == HEDDLE_PROD ? DATA_NEAR1 : DATA_WIDE, job->type, n, n + 1);
  gpu_up((char *)x_there + at, x, n * bytes);
  gpu_fill(out, 0xA5, at + (n + 1) * bytes);
  same_status(HEDDLE_OK, heddle_scan(gpu_cpu, job->op, kind, job->type, x, n, wanted, options),
              "the CPU's scan");
  same_status(HEDDLE_OK,
              heddle_scan(ctx, job->op, kind, job->type, (char *)x_there + at, n, (char *)out + at,
                          options),
              "a scan of %zu elements", n);
  gpu_down(got, (char *)out + at, (n + 1) * bytes);
  memset((char *)wanted + n * bytes, 0xA5, bytes);
  same_bytes(wanted, got, (n + 1) * bytes, "a scan of %zu elements of %s, kind %d, shift %zu", n,
             heddle_type_name(job->type), (int)kind, job->shift);
  free(x);
}

static void every_number_of_tiles(heddle_context *ctx, const struct job *job, size_t most) {
  const size_t tile = job->tile, rests[] = {0, 1, 2 * tile / 5, tile - 1};
  const double start[2] = {3.25, 0};
  const float narrow = 3.25f;
  const uint32_t whole = 77;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.init = job->type == HEDDLE_F64   ? (const void *)start
                 : job->type == HEDDLE_F32 ? (const void *)&narrow
                                           : (const void *)&whole;
  for (size_t c = 0; c < sizeof tile_counts / sizeof *tile_counts; c++) {
    if (tile_counts[c] > most) break;
    for (size_t r = 0; r < 4; r++) {
      if (gpu_is_software() && tile_counts[c] > 20 && r != tile_counts[c] % 4) continue;
      compare_one(ctx, job, r == 1 + c % 3 ? HEDDLE_EXCLUSIVE : HEDDLE_INCLUSIVE,
                  tile_counts[c] * tile + rests[r], r == 2 ? &options : NULL);
    }
  }
}

/* The software device has as many processors as it is told. */
static void with_processors(const char *processors, const struct job *job, size_t most) {
  heddle_context *ctx = gpu_ctx;
  if (gpu_is_software()) {
    assert_int_equal(setenv("SIMT_MULTIPROCESSORS", processors, 1), 0);
    same_status(HEDDLE_OK, heddle_open(gpu_device(), &ctx), "a context");
  }
  every_number_of_tiles(ctx, job, gpu_is_software() ? most : MOST_TILES - 1);
  if (ctx == gpu_ctx) return;
  heddle_close(ctx);
  assert_int_equal(unsetenv("SIMT_MULTIPROCESSORS"), 0);
}

static int takes_all(void) { return !gpu_is_software() || getenv("HEDDLE_TEST_FULL"); }

static void of_f64(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  if (takes_all()) with_processors("132", &(struct job){HEDDLE_SUM, HEDDLE_F64, 1024, 0}, 147);
  with_processors("40", &(struct job){HEDDLE_PROD, HEDDLE_F64, 1024, 1}, 147);
}

static void of_f32(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  with_processors("4", &(struct job){HEDDLE_SUM, HEDDLE_F32, 2048, 0}, 41);
  with_processors("16", &(struct job){HEDDLE_SUM, HEDDLE_F32, 2048, 3}, 41);
  if (takes_all()) with_processors("16", &(struct job){HEDDLE_PROD, HEDDLE_F32, 2048, 0}, 15);
}

static void of_u32(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  if (takes_all()) with_processors("132", &(struct job){HEDDLE_SUM, HEDDLE_U32, 2048, 0}, 41);
  with_processors("4", &(struct job){HEDDLE_MAX, HEDDLE_U32, 2048, 2}, 41);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_f32), cmocka_unit_test(of_f64),
                                     cmocka_unit_test(of_u32)};
  return cmocka_run_group_tests_name("numbers of tiles", tests, setup, teardown);
}
