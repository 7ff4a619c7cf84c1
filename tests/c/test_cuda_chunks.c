/* test_cuda_chunks.c - folds of whole arrays on a device, on both sides of every number of chunks at
 * which another kernel, or another shape of one, takes over
 *
 * Result   the bits of a CPU, for no rest, one element, a rest in the middle and all but one element
 *          of a chunk behind the chunks
 * Limits   the software device takes the fewer chunks, and changes over at smaller numbers */
#include "gpu.h"

enum { MOST_CHUNKS = 2113, MOST_BYTES = (MOST_CHUNKS + 1) * 8192 };

static const size_t chunk_counts[] = {0,    1,    2,    4,    5,    8,    9,    16,   31,   32,
                                      33,   63,   64,   65,   100,  255,  256,  257,  512,  513,
                                      1023, 1024, 1025, 1056, 1057, 2047, 2048, 2049, 2112, 2113};

static void *x, *y, *x_there, *y_there, *out;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  x_there = gpu_memory(MOST_BYTES);
  y_there = gpu_memory(MOST_BYTES);
  out = gpu_memory(8);
  return 0;
}

static int teardown(void **state) {
  if (gpu_device()) {
    gpu_forget(x_there);
    gpu_forget(y_there);
    gpu_forget(out);
  }
  return gpu_teardown(state);
}

static void compare_one(heddle_type type, size_t n, const heddle_options *options) {
  const size_t bytes = data_size(type);
  uint64_t wanted[2] = {0, 0}, got[2] = {0, 0};
  same_status(HEDDLE_OK, heddle_reduce(gpu_cpu, HEDDLE_SUM, type, x, n, &wanted[0], options),
              "the CPU's sum");
  same_status(HEDDLE_OK, heddle_dot(gpu_cpu, type, x, y, n, &wanted[1], options), "the CPU's dot");
  for (int dot = 0; dot < 2; dot++) {
    gpu_fill(out, 0xA5, 8);
    same_status(HEDDLE_OK,
                dot ? heddle_dot(gpu_ctx, type, x_there, y_there, n, out, options)
                    : heddle_reduce(gpu_ctx, HEDDLE_SUM, type, x_there, n, out, options),
                "a fold of %zu elements", n);
    gpu_down(&got[dot], out, bytes);
    same_bytes(&wanted[dot], &got[dot], bytes, "%s of %zu elements of %zu bytes",
               dot ? "a dot" : "a sum", n, bytes);
  }
}

static void every_number_of_chunks(heddle_type type, size_t chunk) {
  const size_t most = gpu_is_software() ? 257 : MOST_CHUNKS;
  const size_t rests[] = {0, 1, 2 * chunk / 5, chunk - 1}, bytes = data_size(type);
  const double start[2] = {3.25, 0};
  const float narrow = 3.25f;
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.init = bytes == 8 ? (const void *)start : (const void *)&narrow;
  const size_t elements = (most + 1) * chunk;
  x = data_new(DATA_WIDE, type, 3, elements);
  y = data_new(DATA_NEAR1, type, 4, elements);
  gpu_up(x_there, x, elements * bytes);
  gpu_up(y_there, y, elements * bytes);
  for (size_t c = 0; c < sizeof chunk_counts / sizeof *chunk_counts; c++) {
    if (chunk_counts[c] > most) break;
    for (size_t r = 0; r < 4; r++)
      if (chunk_counts[c] < 100 || !gpu_is_software() || r % 2 == 0)
        compare_one(type, chunk_counts[c] * chunk + rests[r], r == 2 ? &options : NULL);
  }
  free(x);
  free(y);
}

static void of_f32(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  every_number_of_chunks(HEDDLE_F32, 2048);
}

static void of_f64(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  every_number_of_chunks(HEDDLE_F64, 1024);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_f32), cmocka_unit_test(of_f64)};
  return cmocka_run_group_tests_name("numbers of chunks", tests, setup, teardown);
}
