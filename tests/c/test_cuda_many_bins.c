/* test_cuda_many_bins.c - counts of more bins than a block has words for, and of edges between a packed
 * table and none, on a device
 *
 * Method   Arrays lie on the device and are long enough for the kernels that count in shared memory.
 *          Data crowd in one counter beyond what 16 bits hold, in two that share a word, in runs, in
 *          none, and in all; some lie outside or are NaN. Counts must be those of a CPU.
 * Limits   up to MOST_BINS bins */
#include <math.h>
#include <stdbool.h>

#include "gpu.h"

enum { MOST_COUNT = 1100003, SOFTWARE_COUNT = 300003, MOST_BINS = 300000 };

static size_t elements; /* more than 2^16 a block */
static float *x;
static void *x_there, *counts_there;
static uint64_t wanted[MOST_BINS], got[MOST_BINS];
static double edges[MOST_BINS + 1];

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  elements = gpu_is_software() ? SOFTWARE_COUNT : MOST_COUNT;
  x = allocate(elements * 8);
  x_there = gpu_memory(elements * 8);
  counts_there = gpu_memory(sizeof wanted);
  return 0;
}

static int teardown(void **state) {
  if (gpu_device()) {
    gpu_forget(x_there);
    gpu_forget(counts_there);
  }
  free(x);
  return gpu_teardown(state);
}

static void compare(heddle_type type, size_t from, size_t count, const heddle_bins *bins,
                    const char *what) {
  heddle_histogram_result expected = HEDDLE_HISTOGRAM_RESULT_INIT,
                          result = HEDDLE_HISTOGRAM_RESULT_INIT;
  const size_t size = data_size(type);
  same_status(HEDDLE_OK,
              heddle_histogram(gpu_cpu, type, (char *)x + from * size, count, bins, wanted,
                               &expected, NULL),
              "the CPU's");
  gpu_up(x_there, x, elements * size);
  for (int turn = 0; turn < 2; turn++) { /* tables are left zero */
    gpu_fill(counts_there, 0xA5, bins->count * 8);
    same_status(HEDDLE_OK,
                heddle_histogram(gpu_ctx, type, (char *)x_there + from * size, count, bins,
                                 counts_there, &result, NULL),
                "%s", what);
    gpu_down(got, counts_there, bins->count * 8);
    same_array(HEDDLE_U64, wanted, got, bins->count, "%s, %zu bins of %s, turn %d", what,
               bins->count, heddle_type_name(type), turn);
    same_bytes(&expected, &result, sizeof result, "%s: result", what);
  }
}

/* ---- data: the bin of element i of so many ------------------------------------------------------- */

static size_t constant(size_t i, size_t bins) { return (void)i, bins / 3; }
static size_t one_word(size_t i, size_t bins) { return bins / 3 / 2 * 2 + data_word(2, i) % 2; }
static size_t sorted(size_t i, size_t bins) { return i * bins / elements; }
static size_t in_turn(size_t i, size_t bins) { return i % 7 * (bins / 8) + i / 4096 % 3; }
static size_t spread(size_t i, size_t bins) { return data_word(3, i) % bins; }
static size_t one_range(size_t i, size_t bins) {
  return data_word(3, i) % 3 ? bins - 1 - data_word(4, i) % 40 : data_word(5, i) % bins;
}

static const struct {
  const char *name;
  size_t (*bin)(size_t i, size_t bins);
} shapes[] = {{"constant", constant}, {"one word", one_word}, {"sorted", sorted},
              {"in turn", in_turn},   {"spread", spread},     {"one range", one_range}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Every 50th element of a float type is outside or none; all of them if `outside`. */
static double value_of(size_t s, size_t i, size_t bins, bool outside) {
  static const double others[] = {NAN, -1, 1e9};
  if (outside || i % 50 == 7) return others[i / 50 % 3];
  return (double)shapes[s].bin(i, bins);
}

static void even_bins(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const size_t counts[] = {59001, 100000, 131000, 250001};
  for (size_t c = 0; c < 4; c++)
    for (size_t s = 0; s < SHAPES; s++) {
      if (gpu_is_software() && (c + s) % 2) continue;
      const size_t bins = counts[c], from = s % 4;
      const heddle_bins even = {sizeof even, HEDDLE_BINS_EVEN, bins, 0, (double)bins, 0, NULL, 0};
      for (size_t i = 0; i < elements; i++) x[i] = (float)value_of(s, i, bins, false);
      compare(HEDDLE_F32, from, elements - from, &even, shapes[s].name);
    }
}

static void integer_bins(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  enum { BINS = 100001 };
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_INTEGER, BINS, 0, 0, 0, NULL, 0};
  for (size_t s = 0; s < SHAPES; s += gpu_is_software() ? 3 : 1) {
    for (size_t i = 0; i < elements; i++)
      ((int32_t *)(void *)x)[i] = (int32_t)shapes[s].bin(i, BINS) - (i % 50 == 7);
    compare(HEDDLE_I32, 1, elements - 1, &bins, shapes[s].name);
    for (size_t i = 0; i < elements; i++)
      ((uint16_t *)(void *)x)[i] = (uint16_t)shapes[s].bin(i, 65536);
    const heddle_bins all = {sizeof all, HEDDLE_BINS_INTEGER, 65536, 0, 0, 0, NULL, 0};
    compare(HEDDLE_U16, 3, elements - 3, &all, shapes[s].name);
  }
}

/* All of more than 2^15 elements a block in the counter that is nobody's of a range. */
static void all_outside(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const heddle_bins even = {sizeof even, HEDDLE_BINS_EVEN, 131000, 0, 131000, 0, NULL, 0};
  for (size_t i = 0; i < elements; i++) x[i] = (float)value_of(0, i, 131000, true);
  compare(HEDDLE_F32, 0, elements, &even, "all outside");
}

/* Edges whose table fits in shared memory, and they too, or not; many in a bucket. */
static void uneven_bins(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const size_t counts[] = {16381, 20000, 24000, 32766, 33000};
  for (size_t c = 0; c < 5; c++)
    for (size_t crowd = 0; crowd < 2; crowd++) {
      const size_t bins = counts[c];
      const heddle_bins uneven = {sizeof uneven, HEDDLE_BINS_EDGES, bins, 0, 0, 0, edges, 0};
      for (size_t i = 0; i <= bins; i++) {
        const double u = (double)i / (double)bins;
        edges[i] = crowd ? floor(u * 8) + (u * 8 - floor(u * 8)) * 1e-3 : (double)(float)u * u;
      }
      for (size_t s = 0; s < SHAPES; s++) {
        if (gpu_is_software() && (c + s + crowd) % 3) continue;
        for (size_t i = 0; i < elements; i++) {
          const size_t bin = shapes[s].bin(i, bins);
          const double inside = (double)(data_word(9, i) % 4) / 4;
          x[i] = (float)(edges[bin] + (edges[bin + 1] - edges[bin]) * inside);
          if (i % 50 == 7) x[i] = (float)value_of(s, i, bins, true);
        }
        compare(HEDDLE_F32, 0, elements, &uneven, shapes[s].name);
        if (s != 4) continue;
        for (size_t i = elements; i--;) ((double *)(void *)x)[i] = x[i];
        compare(HEDDLE_F64, 1, elements - 1, &uneven, shapes[s].name);
      }
    }
}

/* Grouped elements, and sums in one word a bin of which weights are the elements. */
static heddle_status queue(heddle_context *ctx, bool sums, const void *from, void *to) {
  const size_t count = sums ? 40000 : 250001;
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, count, 0, (double)count, 0, NULL, 0};
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  options.weights = from;
  options.weights_type = HEDDLE_F32;
  options.weight_exponent = HEDDLE_FIND_EXPONENT;
  options.sums = to;
  return heddle_histogram(ctx, HEDDLE_F32, from, elements, &bins, sums ? NULL : to, NULL,
                          sums ? &options : NULL);
}

static void replayed(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  gpu_handle stream = NULL, graph = NULL, ready[2];
  size_t scratch;
  gpu_must(gpu.stream_create(&stream, GPU_NON_BLOCKING), "cuStreamCreate");
  same_status(HEDDLE_OK, heddle_set_stream(gpu_ctx, stream), "set_stream");
  for (int sums = 0; sums < 2; sums++) {
    same_status(HEDDLE_OK, heddle_prepare_begin(gpu_ctx), "prepare_begin");
    same_status(HEDDLE_OK, queue(gpu_ctx, sums, x_there, counts_there), "while preparing");
    same_status(HEDDLE_OK, heddle_prepare_end(gpu_ctx, &scratch), "prepare_end");
    gpu_must(gpu.capture_begin(stream, GPU_CAPTURE_RELAXED), "cuStreamBeginCapture");
    const heddle_status status = queue(gpu_ctx, sums, x_there, counts_there);
    gpu_must(gpu.capture_end(stream, &graph), "cuStreamEndCapture");
    same_status(HEDDLE_OK, status, "while captured");
    gpu_must(gpu.graph_ready(&ready[sums], graph, 0), "cuGraphInstantiate");
    gpu_must(gpu.graph_destroy(graph), "cuGraphDestroy");
  }
  for (size_t replay = 0; replay < 4; replay++) {
    const bool sums = replay % 2;
    for (size_t i = 0; i < elements; i++) x[i] = (float)value_of(4 - replay / 2, i, 30000, false);
    gpu_up(x_there, x, elements * sizeof *x);
    gpu_fill(counts_there, 0xA5, sizeof wanted);
    same_status(HEDDLE_OK, queue(gpu_cpu, sums, x, wanted), "the CPU's");
    gpu_must(gpu.graph_launch(ready[sums], stream), "cuGraphLaunch");
    gpu_must(gpu.stream_sync(stream), "cuStreamSynchronize");
    gpu_down(got, counts_there, sizeof got);
    same_array(HEDDLE_U64, wanted, got, sums ? 40000 : 250001, "replay %zu", replay);
  }
  for (int sums = 0; sums < 2; sums++)
    gpu_must(gpu.graph_forget(ready[sums]), "cuGraphExecDestroy");
  same_status(HEDDLE_OK, heddle_set_stream(gpu_ctx, NULL), "set_stream");
  gpu_must(gpu.stream_destroy(stream), "cuStreamDestroy");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(even_bins),   cmocka_unit_test(integer_bins), cmocka_unit_test(all_outside),
      cmocka_unit_test(uneven_bins), cmocka_unit_test(replayed),
  };
  return cmocka_run_group_tests_name("cuda_many_bins", tests, setup, teardown);
}
