/* test_cuda_histogram_nd.c - histograms of several dimensions on a device, against those of a CPU
 *
 * Method   Each case is one way through the back end: bins found alike or axis by axis, counters in shared
 *          memory, two a word, in global memory, or slots that are written and weighed; columns dense and
 *          aligned alike or not, apart, backwards, or in rows. Arrays lie on the device, then on the host.
 *          Counts, sums, squares and what lies outside of each axis must have the CPU's bits.
 * Limits   up to MOST_POINTS points and MOST_SLOTS slots */
#include <math.h>
#include <stdbool.h>

#include "gpu.h"

enum { DIMS = 8, MOST_POINTS = 122600, MOST_SLOTS = 122500, APART = 3 };
enum layout { DENSE, SHIFTED, SPREAD, ROWS };

/* kinds: of each axis' bins: e even, a even with auto_range, l log, x edges, i integers. */
struct example {
  const char *what, *kinds;
  heddle_type type;
  size_t count, bins[DIMS];
  enum layout layout;
  int flow;
  heddle_type weights;
  int exact;
  bool counts, sums, squares;
};

static const struct example examples[] = {
    {"few bins", "ee", HEDDLE_F32, 5000, {12, 11}, DENSE, 0, 0, 0, true, false, false},
    {"flow", "aae", HEDDLE_F32, 3000, {5, 6, 7}, SHIFTED, 1, 0, 0, true, false, false},
    {"mixed", "exl", HEDDLE_F64, 2999, {9, 40, 6}, DENSE, 0, 0, 0, true, false, false},
    {"mixed integers", "iex", HEDDLE_I16, 3001, {9, 8, 7}, DENSE, 1, 0, 0, true, false, false},
    {"integers", "ii", HEDDLE_I64, 1000, {11, 5}, SPREAD, 1, 0, 0, true, false, false},
    {"bytes", "exi", HEDDLE_U8, 4000, {5, 6, 9}, DENSE, 0, 0, 0, true, false, false},
    {"rows", "aeal", HEDDLE_F32, 4000, {3, 4, 5, 3}, ROWS, 0, 0, 0, true, false, false},
    {"eight axes",
     "xeixexee",
     HEDDLE_I16,
     700,
     {2, 3, 2, 1, 2, 3, 2, 2},
     ROWS,
     1,
     0,
     0,
     true,
     0,
     0},
    {"two a word", "ee", HEDDLE_F32, 90100, {300, 300}, DENSE, 0, 0, 0, true, false, false},
    {"global", "ee", HEDDLE_F32, 2500, {300, 300}, DENSE, 0, 0, 0, true, false, false},
    {"beyond the cache", "ee", HEDDLE_F32, MOST_POINTS, {350, 350}, DENSE, 0, 0, 0, true, 0, 0},
    {"edges", "xx", HEDDLE_F32, 3000, {40, 9}, DENSE, 0, 0, 0, true, false, false},
    {"logarithmic", "lll", HEDDLE_F64, 2000, {9, 4, 6}, SHIFTED, 1, 0, 0, true, false, false},
    {"a guess", "ee", HEDDLE_F32, 2500, {12, 11}, DENSE, 0, HEDDLE_F32, 0, false, true, false},
    {"squares, too", "ex", HEDDLE_F64, 5000, {7, 6}, DENSE, 1, HEDDLE_F64, 0, true, true, true},
    {"squares alone", "ee", HEDDLE_F32, 900, {7, 6}, SPREAD, 0, HEDDLE_F16, 0, true, false, true},
    {"exact", "ee", HEDDLE_F32, 5000, {5, 6}, DENSE, 1, HEDDLE_F32, 1, true, true, true},
    {"whole", "ei", HEDDLE_I16, 2200, {5, 6}, ROWS, 0, HEDDLE_I32, 1, false, true, true},
    {"nothing", "ae", HEDDLE_F32, 0, {5, 6}, DENSE, 0, HEDDLE_F64, 0, true, true, true},
    {"one point", "aae", HEDDLE_F64, 1, {5, 6, 2}, DENSE, 0, 0, 0, true, false, false},
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

struct output {
  uint64_t counts[MOST_SLOTS];
  double sums[MOST_SLOTS], squares[MOST_SLOTS];
  heddle_histogram_result results[DIMS];
};
static struct output wanted, got;

static double edges[64];
static char *columns, *weights; /* on the host */
static void *columns_there, *weights_there, *output_there;
enum { COLUMNS_BYTES = MOST_POINTS * DIMS * 8 };

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  columns = allocate(COLUMNS_BYTES);
  weights = allocate(MOST_POINTS * 8);
  for (size_t i = 0; i < 64; i++) edges[i] = (double)(i * i) / 16 - 2;
  if (!gpu_device()) return 0;
  columns_there = gpu_memory(COLUMNS_BYTES);
  weights_there = gpu_memory(MOST_POINTS * 8);
  output_there = gpu_memory(sizeof wanted);
  return 0;
}

static int teardown(void **state) {
  if (gpu_device()) {
    gpu_forget(columns_there);
    gpu_forget(weights_there);
    gpu_forget(output_there);
  }
  free(columns);
  free(weights);
  return gpu_teardown(state);
}

/* ---- data ------------------------------------------------------------------------------------ */

/* Element i of axis d: mostly within the bins, some of them on an edge. */
static void put(heddle_type type, char *to, size_t d, size_t i, uint64_t seed) {
  const uint64_t word = data_word(seed + d, i);
  double x = (double)(word >> 40 & 4095) / 256 - 4;
  if (word % 8 == 1) x = floor(x);
  if (word % 61 == 2) x = (double)NAN;
  if (word % 61 == 3) x = word >> 32 & 1 ? (double)INFINITY : -(double)INFINITY;
  if (type == HEDDLE_F64) memcpy(to, &x, 8);
  const float f = (float)x;
  if (type == HEDDLE_F32) memcpy(to, &f, 4);
  if (type == HEDDLE_F32 || type == HEDDLE_F64) return;
  const int64_t whole = (int64_t)(word >> 40 & 15) - 4;
  memcpy(to, word % 61 == 2 ? (const void *)&word : &whole, data_size(type)); /* low bytes first */
}

/* Where axis d begins in memory, in elements, and how far its points are apart. */
static size_t start_of(const struct example *e, size_t d, ptrdiff_t *stride) {
  const size_t each = MOST_POINTS;
  *stride = 1;
  switch (e->layout) {
  case DENSE: return d * (each & ~(size_t)15) + 3;
  case SHIFTED: return d * each + d;
  case ROWS: *stride = (ptrdiff_t)strlen(e->kinds) + 1; return d + 1;
  case SPREAD: *stride = d == 0 ? -1 : APART; return d == 0 ? e->count : e->count + 2;
  }
  return 0;
}

static void fill(const struct example *e, uint64_t seed) {
  const size_t size = data_size(e->type);
  for (size_t d = 0; d < strlen(e->kinds); d++) {
    ptrdiff_t stride;
    const size_t start = start_of(e, d, &stride);
    for (size_t i = 0; i < e->count; i++)
      put(e->type, columns + (ptrdiff_t)size * ((ptrdiff_t)start + (ptrdiff_t)i * stride), d, i,
          seed);
  }
  if (e->weights) data_fill(DATA_WIDE, e->weights, seed, e->count, weights);
}

static heddle_bins bins_of(const struct example *e, size_t d) {
  heddle_bins bins = HEDDLE_BINS_INIT;
  bins.count = e->bins[d];
  bins.lo = e->kinds[d] == 'l' ? 0.25 : -3;
  bins.hi = 10;
  if (e->kinds[d] == 'a') bins.auto_range = 1;
  if (e->kinds[d] == 'l') bins.kind = HEDDLE_BINS_LOG;
  if (e->kinds[d] == 'x') bins.kind = HEDDLE_BINS_EDGES, bins.edges = edges;
  if (e->kinds[d] == 'i') bins.kind = HEDDLE_BINS_INTEGER, bins.first = -2;
  return bins;
}

static size_t slots_of(const struct example *e) {
  size_t slots = 1;
  for (size_t d = 0; d < strlen(e->kinds); d++) slots *= e->bins[d] + (e->flow ? 2 : 0);
  return slots;
}

/* ---- one call -------------------------------------------------------------------------------- */

/* out: memory in the manner of struct output, of the host or the device; its results stay unused. */
static heddle_status call(heddle_context *ctx, const struct example *e, const char *x,
                          const void *w, char *out, heddle_histogram_result *results) {
  heddle_histogram_nd_options o = HEDDLE_HISTOGRAM_ND_OPTIONS_INIT;
  const void *column[DIMS];
  heddle_bins bins[DIMS];
  ptrdiff_t strides[DIMS];
  const size_t dims = strlen(e->kinds);
  for (size_t d = 0; d < dims; d++) {
    column[d] = x + start_of(e, d, &strides[d]) * data_size(e->type);
    bins[d] = bins_of(e, d);
    if (results) results[d] = (heddle_histogram_result)HEDDLE_HISTOGRAM_RESULT_INIT;
  }
  o.strides = strides;
  o.flow = e->flow;
  o.exact = e->exact;
  if (e->weights) o.weights = w, o.weights_type = e->weights;
  if (e->sums) o.sums = (double *)(void *)(out + offsetof(struct output, sums));
  if (e->squares) o.squares = (double *)(void *)(out + offsetof(struct output, squares));
  return heddle_histogram_nd(ctx, e->type, dims, column, e->count, bins,
                             e->counts ? (uint64_t *)(void *)out : NULL, results, &o);
}

static void same_output(const struct example *e, const char *how) {
  const size_t slots = slots_of(e), dims = strlen(e->kinds);
  if (e->counts) same_array(HEDDLE_U64, wanted.counts, got.counts, slots, "%s, %s", e->what, how);
  if (e->sums) same_array(HEDDLE_F64, wanted.sums, got.sums, slots, "sums, %s, %s", e->what, how);
  if (e->squares)
    same_array(HEDDLE_F64, wanted.squares, got.squares, slots, "squares, %s, %s", e->what, how);
  same_bytes(wanted.results, got.results, dims * sizeof *got.results, "%s, %s", e->what, how);
}

static void compare(const struct example *e) {
  fill(e, 17 + (uint64_t)(e - examples));
  same_status(HEDDLE_OK, call(gpu_cpu, e, columns, weights, (char *)&wanted, wanted.results),
              "%s on a CPU", e->what);
  memset(&got, 0xA5, sizeof got);
  same_status(HEDDLE_OK, call(gpu_ctx, e, columns, weights, (char *)&got, got.results),
              "%s, of the host", e->what);
  same_output(e, "of the host");
  gpu_up(columns_there, columns, COLUMNS_BYTES);
  gpu_up(weights_there, weights, MOST_POINTS * 8);
  for (int turn = 0; turn < 2; turn++) { /* tables are left zero */
    gpu_fill(output_there, 0xA5, sizeof got);
    same_status(
        HEDDLE_OK,
        call(gpu_ctx, e, columns_there, weights_there, output_there, turn ? got.results : NULL),
        "%s", e->what);
    gpu_down(&got, output_there, offsetof(struct output, results));
    if (!turn) memcpy(got.results, wanted.results, sizeof got.results);
    same_output(e, turn ? "again" : "on the device");
  }
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void every_way(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  for (size_t i = 0; i < EXAMPLES; i++) compare(&examples[i]);
}

static const struct example captured[] = {
    {"counts", "ee", HEDDLE_F32, 2500, {12, 11}, DENSE, 0, 0, 0, true, false, false},
    {"sums", "ex", HEDDLE_F64, 2500, {7, 6}, DENSE, 1, HEDDLE_F64, 0, true, true, true},
};

/* A graph of a call that was prepared, replayed on other points. */
static void replayed(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  gpu_handle stream = NULL, graph = NULL, ready;
  size_t scratch;
  gpu_must(gpu.stream_create(&stream, GPU_NON_BLOCKING), "cuStreamCreate");
  same_status(HEDDLE_OK, heddle_set_stream(gpu_ctx, stream), "set_stream");
  for (size_t k = 0; k < 2; k++) {
    const struct example *e = &captured[k];
    same_status(HEDDLE_OK, heddle_prepare_begin(gpu_ctx), "prepare_begin");
    same_status(HEDDLE_OK, call(gpu_ctx, e, columns_there, weights_there, output_there, NULL),
                "while preparing");
    same_status(HEDDLE_OK, heddle_prepare_end(gpu_ctx, &scratch), "prepare_end");
    gpu_must(gpu.capture_begin(stream, GPU_CAPTURE_RELAXED), "cuStreamBeginCapture");
    const heddle_status status = call(gpu_ctx, e, columns_there, weights_there, output_there, NULL);
    gpu_must(gpu.capture_end(stream, &graph), "cuStreamEndCapture");
    same_status(HEDDLE_OK, status, "while captured");
    gpu_must(gpu.graph_ready(&ready, graph, 0), "cuGraphInstantiate");
    gpu_must(gpu.graph_destroy(graph), "cuGraphDestroy");
    for (uint64_t replay = 0; replay < 2; replay++) {
      fill(e, 100 + replay);
      gpu_up(columns_there, columns, COLUMNS_BYTES);
      gpu_up(weights_there, weights, MOST_POINTS * 8);
      gpu_fill(output_there, 0xA5, sizeof got);
      same_status(HEDDLE_OK, call(gpu_cpu, e, columns, weights, (char *)&wanted, wanted.results),
                  "the CPU's");
      gpu_must(gpu.graph_launch(ready, stream), "cuGraphLaunch");
      gpu_must(gpu.stream_sync(stream), "cuStreamSynchronize");
      gpu_down(&got, output_there, offsetof(struct output, results));
      memcpy(got.results, wanted.results, sizeof got.results);
      same_output(e, "replayed");
    }
    gpu_must(gpu.graph_forget(ready), "cuGraphExecDestroy");
  }
  same_status(HEDDLE_OK, heddle_set_stream(gpu_ctx, NULL), "set_stream");
  gpu_must(gpu.stream_destroy(stream), "cuStreamDestroy");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_way), cmocka_unit_test(replayed)};
  return cmocka_run_group_tests_name("cuda_histogram_nd", tests, setup, teardown);
}
