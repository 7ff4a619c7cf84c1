/* test_histogram_nd.c - histograms of several dimensions against bins that are searched axis by axis
 *
 * A point's slot is found by comparisons with the edges that heddle_histogram_edges gives. Counts and sums of
 * slots are then those of reference_histogram.c in bins of integers; exact sums those of heddle_histogram. Devices
 * take host memory here; test_cuda_histogram_nd.c has theirs. */
#include <math.h>

#include "compare.h"
#include "reference_histogram.h"

enum { DIMS = 8, GUARD = 0xCAFE };

typedef struct axis_data {
  void *dense;        /* the coordinates, one after the other */
  char *memory;       /* the same as the call sees them */
  const char *column; /* in it */
  ptrdiff_t stride;
  heddle_bins bins, resolved;
  double *edges;
} axis_data;

typedef struct grid {
  heddle_type type;
  size_t dims, count, slots;
  int flow, interleaved;
  axis_data axis[DIMS];
  char *matrix;
  uint32_t *slot; /* of each point; `slots`: none */
  heddle_histogram_result results[DIMS];
  heddle_type weights_type; /* HEDDLE_TYPE_DEFAULT: none */
  void *weights;
  double *squared;
} grid;

static uint64_t pick(uint64_t *seed, uint64_t below) { return data_word((*seed)++, 7) % below; }

/* ---- bins ---------------------------------------------------------------------------------- */

static double *some_edges(const grid *g, const axis_data *a, size_t bins, uint64_t *seed) {
  double *edges = malloc((bins + 1) * sizeof *edges);
  for (size_t i = 0; i <= bins; i++) { /* many of them are coordinates */
    const double x = g->count ? ref_double(g->type, a->dense, pick(seed, g->count)) : (double)i;
    edges[i] = isfinite(x) ? x : (double)i;
    size_t at = i;
    for (const double e = edges[i]; at > 0 && edges[at - 1] > e; at--) {
      edges[at] = edges[at - 1];
      edges[at - 1] = e;
    }
  }
  if (pick(seed, 3) == 0) edges[bins] = (double)INFINITY;
  return edges;
}

static void choose_bins(const grid *g, axis_data *a, size_t bins, uint64_t *seed) {
  const uint64_t kind = pick(seed, 6);
  a->bins = (heddle_bins)HEDDLE_BINS_INIT;
  a->bins.count = bins;
  a->bins.lo = -3;
  a->bins.hi = 5;
  if (kind == 0) a->bins.auto_range = 1;
  if (kind == 1) {
    a->bins.kind = HEDDLE_BINS_LOG;
    a->bins.lo = 0.25, a->bins.hi = 300;
    a->bins.auto_range = (int)pick(seed, 2);
  }
  if (kind == 2) {
    a->bins.kind = HEDDLE_BINS_EDGES;
    a->bins.edges = some_edges(g, a, bins, seed);
  }
  if (kind == 3 && !ref_is_float(g->type)) {
    a->bins.kind = HEDDLE_BINS_INTEGER;
    a->bins.first = (int64_t)pick(seed, 5) - 2;
  }
  a->resolved = a->bins;
  if (a->bins.auto_range) ref_find_range(g->type, a->dense, g->count, &a->resolved);
  a->edges = malloc((bins + 1) * sizeof *a->edges);
  same_status(HEDDLE_OK, heddle_histogram_edges(g->type, &a->resolved, a->edges), "edges");
}

/* ---- the reference --------------------------------------------------------------------------- */

enum { UNDER = -1, OVER = -2, NAN_BIN = -3 };

static ptrdiff_t integer_bin_of(const grid *g, const axis_data *a, size_t i) {
  const ref_value v = ref_load(g->type, a->dense, i);
  const int64_t first = a->bins.first, last = first + (int64_t)a->bins.count - 1;
  if (!ref_is_signed(g->type) && v.u > INT64_MAX) return OVER;
  const int64_t x = (int64_t)v.u;
  return x < first ? UNDER : x > last ? OVER : (ptrdiff_t)(x - first);
}

static ptrdiff_t bin_of(const grid *g, const axis_data *a, size_t i) {
  const size_t bins = a->bins.count;
  if (a->bins.kind == HEDDLE_BINS_INTEGER) return integer_bin_of(g, a, i);
  const double x = ref_double(g->type, a->dense, i);
  if (isnan(x)) return NAN_BIN;
  if (x < a->edges[0]) return UNDER;
  if (x > a->edges[bins]) return OVER;
  size_t bin = bins - 1;
  while (bin > 0 && x < a->edges[bin]) bin--;
  return (ptrdiff_t)bin;
}

static void find_slots(grid *g) {
  g->slots = 1;
  for (size_t d = 0; d < g->dims; d++) {
    const axis_data *a = &g->axis[d];
    g->slots *= a->bins.count + 2 * (size_t)g->flow;
    g->results[d] = (heddle_histogram_result){
        sizeof g->results[d], g->count, 0, 0, 0, a->edges[0], a->edges[a->bins.count]};
  }
  for (size_t i = 0; i < g->count; i++) {
    size_t slot = 0;
    int lost = 0;
    for (size_t d = 0; d < g->dims; d++) {
      const size_t bins = g->axis[d].bins.count;
      const ptrdiff_t bin = bin_of(g, &g->axis[d], i);
      g->results[d].under += bin == UNDER;
      g->results[d].over += bin == OVER;
      g->results[d].nan += bin == NAN_BIN;
      lost |= bin < 0;
      slot = slot * (bins + 2 * (size_t)g->flow);
      slot += g->flow ? bin >= 0 ? (size_t)bin + 1 : bin == UNDER ? 0 : bins + 1 : (size_t)bin;
    }
    g->slot[i] = (uint32_t)(lost && !g->flow ? g->slots : slot);
  }
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Dense and misaligned by an element, reversed, apart, or all one element. */
static void lay(const grid *g, axis_data *a, uint64_t style) {
  const size_t bytes = data_size(g->type);
  const ptrdiff_t strides[] = {1, -1, 3, 0, -5};
  a->stride = strides[style];
  const size_t apart = (size_t)(a->stride < 0 ? -a->stride : a->stride);
  a->memory = malloc((g->count * (apart ? apart : 1) + 2) * bytes);
  memset(a->memory, 0x3f, (g->count * (apart ? apart : 1) + 2) * bytes);
  a->column = a->memory + bytes;
  if (a->stride < 0 && g->count) a->column += (g->count - 1) * apart * bytes;
  char *at = a->memory + (a->column - a->memory);
  for (size_t i = 0; i < g->count; i++) {
    if (a->stride == 0) memcpy((char *)a->dense + i * bytes, a->dense, bytes);
    memcpy(at + (ptrdiff_t)(i * bytes) * a->stride, (char *)a->dense + i * bytes, bytes);
  }
}

static void lay_matrix(grid *g) {
  const size_t bytes = data_size(g->type), row = g->dims * bytes;
  g->matrix = malloc(g->count * row + row);
  for (size_t d = 0; d < g->dims; d++) {
    axis_data *a = &g->axis[d];
    a->stride = (ptrdiff_t)g->dims;
    a->column = g->matrix + d * bytes;
    for (size_t i = 0; i < g->count; i++)
      memcpy(g->matrix + i * row + d * bytes, (char *)a->dense + i * bytes, bytes);
  }
}

static void make_weights(grid *g, uint64_t seed) {
  g->weights = data_new(DATA_WIDE, g->weights_type, seed, g->count);
  g->squared = malloc(g->count * sizeof *g->squared + 8);
  for (size_t i = 0; i < g->count; i++) {
    const double w = ref_double(g->weights_type, g->weights, i);
    g->squared[i] = w * w;
  }
}

static void grid_make(grid *g, heddle_type type, size_t dims, size_t count, const size_t *bins,
                      uint64_t seed) {
  static const enum data_kind kinds[] = {DATA_SMALL, DATA_SPECIAL, DATA_HOLES, DATA_NEAR1,
                                         DATA_WIDE};
  memset(g, 0, sizeof *g);
  g->type = type;
  g->dims = dims;
  g->count = count;
  g->flow = (int)pick(&seed, 2);
  g->interleaved = pick(&seed, 3) == 0;
  for (size_t d = 0; d < dims; d++) {
    g->axis[d].dense = data_new(kinds[pick(&seed, 5)], type, seed + 100 * d, count);
    if (!g->interleaved) {
      const uint64_t style = pick(&seed, 12);
      lay(g, &g->axis[d], style < 5 ? style : 0);
    }
    choose_bins(g, &g->axis[d], bins[d], &seed);
  }
  if (g->interleaved) lay_matrix(g);
  g->slot = malloc(count * sizeof *g->slot + 8);
  find_slots(g);
  if (pick(&seed, 2)) {
    g->weights_type = all_types[pick(&seed, 12)];
    make_weights(g, seed);
  }
}

static void grid_free(grid *g) {
  for (size_t d = 0; d < g->dims; d++) {
    free(g->axis[d].dense);
    free(g->axis[d].memory);
    free(g->axis[d].edges);
    free((void *)(uintptr_t)g->axis[d].bins.edges);
  }
  free(g->matrix);
  free(g->slot);
  free(g->weights);
  free(g->squared);
}

/* ---- the comparison -------------------------------------------------------------------------- */

typedef struct outputs {
  uint64_t *counts;
  double *sums, *squares;
} outputs;

static outputs outputs_make(const grid *g) {
  const size_t n = g->slots + 1;
  outputs o = {malloc(n * 8), malloc(n * 8), malloc(n * 8)};
  memset(o.counts, 0xEE, n * 8);
  memset(o.sums, 0xEE, n * 8);
  memset(o.squares, 0xEE, n * 8);
  o.counts[g->slots] = GUARD;
  return o;
}
static void outputs_free(outputs *o) {
  free(o->counts);
  free(o->sums);
  free(o->squares);
}

static void expect(const grid *g, outputs *want, int exact) {
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_INTEGER, g->slots, 0, 0, 0, NULL, 0};
  heddle_histogram_result ignored = HEDDLE_HISTOGRAM_RESULT_INIT;
  ref_weights w = {g->weights, g->weights_type, HEDDLE_FIND_EXPONENT};
  ref_weights s = {g->squared, HEDDLE_F64, HEDDLE_FIND_EXPONENT};
  if (!g->weights) {
    ref_histogram(HEDDLE_U32, g->slot, g->count, &bins, 1, NULL, want->counts, NULL, &ignored);
    return;
  }
  ref_histogram(HEDDLE_U32, g->slot, g->count, &bins, 1, &s, want->counts, want->squares, &ignored);
  ref_histogram(HEDDLE_U32, g->slot, g->count, &bins, 1, &w, want->counts, want->sums, &ignored);
  if (!exact) return;
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  heddle_context *ctx = open_cpu("scalar", 1);
  options.exact = 1;
  options.weights = g->weights, options.weights_type = g->weights_type, options.sums = want->sums;
  same_status(HEDDLE_OK,
              heddle_histogram(ctx, HEDDLE_U32, g->slot, g->count, &bins, NULL, NULL, &options),
              "exact sums");
  options.weights = g->squared, options.weights_type = HEDDLE_F64, options.sums = want->squares;
  same_status(HEDDLE_OK,
              heddle_histogram(ctx, HEDDLE_U32, g->slot, g->count, &bins, NULL, NULL, &options),
              "exact squares");
  heddle_close(ctx);
}

static void compare_one(const machine *m, const grid *g, const outputs *want, int exact,
                        unsigned wanted) {
  heddle_histogram_nd_options options = HEDDLE_HISTOGRAM_ND_OPTIONS_INIT;
  heddle_histogram_result results[DIMS];
  const void *columns[DIMS];
  heddle_bins bins[DIMS];
  ptrdiff_t strides[DIMS];
  outputs got = outputs_make(g);
  for (size_t d = 0; d < g->dims; d++) {
    columns[d] = g->axis[d].column;
    bins[d] = g->axis[d].bins;
    strides[d] = g->axis[d].stride;
    results[d] = (heddle_histogram_result)HEDDLE_HISTOGRAM_RESULT_INIT;
  }
  options.strides = strides;
  options.flow = g->flow;
  options.exact = exact;
  options.weights = g->weights;
  options.weights_type = g->weights_type;
  if (g->weights && wanted != 2) options.sums = got.sums;
  if (g->weights && wanted != 1) options.squares = got.squares;
  same_status(HEDDLE_OK,
              heddle_histogram_nd(m->ctx, g->type, g->dims, columns, g->count, bins, got.counts,
                                  results, &options),
              "%zu axes of %s on %s", g->dims, heddle_type_name(g->type), m->label);
  same_array(HEDDLE_U64, want->counts, got.counts, g->slots,
             "%zu points, %zu axes of %s, flow %d, on %s", g->count, g->dims,
             heddle_type_name(g->type), g->flow, m->label);
  assert_int_equal(got.counts[g->slots], GUARD);
  same_bytes(g->results, results, g->dims * sizeof *results, "results of %zu axes of %s on %s",
             g->dims, heddle_type_name(g->type), m->label);
  if (options.sums)
    same_array(HEDDLE_F64, want->sums, got.sums, g->slots, "sums of %s, exact %d, on %s",
               heddle_type_name(g->weights_type), exact, m->label);
  if (options.squares)
    same_array(HEDDLE_F64, want->squares, got.squares, g->slots, "squares of %s, exact %d, on %s",
               heddle_type_name(g->weights_type), exact, m->label);
  outputs_free(&got);
}

static void judge(const grid *g, int exact, unsigned wanted) {
  outputs want = outputs_make(g);
  expect(g, &want, exact);
  const machine *m;
  for (size_t at = 0;
       (m = compare_next(&at, g->count * g->dims * data_size(g->type), (uint64_t)g->type)) != NULL;)
    if (!m->slow) compare_one(m, g, &want, exact, wanted); /* for that: test_cuda_histogram_nd.c */
  outputs_free(&want);
}

/* ---- tests --------------------------------------------------------------------------------- */

static void every_type_and_kind_of_bins(void **state) {
  (void)state;
  static const size_t lengths[] = {0,   1,   2,   7,    8,    15,   16,   17,   31,
                                   255, 256, 257, 1535, 1536, 1537, 3071, 3073, 5000};
  uint64_t seed = 1;
  for (size_t c = 0; c < 432 / lightness(); c++) {
    grid g;
    size_t bins[DIMS], room = 3000;
    const size_t dims = c % 16 == 15 ? 8 : 1 + pick(&seed, 4);
    for (size_t d = 0; d < dims; d++) {
      bins[d] = dims == 8 ? 1 + pick(&seed, 2) : 1 + pick(&seed, room < 60 ? room : 60);
      room = room / bins[d] + 1;
    }
    grid_make(&g, all_types[c % 12], dims, lengths[pick(&seed, 18)], bins, 1000 * c);
    judge(&g, (int)pick(&seed, 2), (unsigned)pick(&seed, 3));
    grid_free(&g);
  }
}

/* Lengths at which tables have copies, are of 16 bits, or are one a total; and threads. */
static void every_table(void **state) {
  (void)state;
  static const size_t shapes[][2] = {{12, 11}, {100, 100}, {90, 20}, {300, 150}, {1, 7000}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (uint64_t k = 0; k < 4; k++) {
      grid g;
      const heddle_type type = all_types[(5 * s + 3 * k) % 12];
      grid_make(&g, k % 2 ? HEDDLE_F64 : type, 2, 200003 / lightness(), shapes[s], 77 * s + k);
      judge(&g, (int)(k / 2), 0);
      grid_free(&g);
    }
}

/* More bins than a thread's own tables hold. */
static void many_bins(void **state) {
  (void)state;
  static const size_t shape[] = {2100, 2050};
  if (lightness() > 1) skip();
  const size_t count = 1200000;
  grid g = {.type = HEDDLE_F32, .dims = 2, .count = count};
  for (size_t d = 0; d < 2; d++) {
    g.axis[d].dense = data_new(DATA_NEAR1, HEDDLE_F32, d, count);
    lay(&g, &g.axis[d], d); /* the second one backwards, in pieces of its pass for the range */
    g.axis[d].bins =
        (heddle_bins){sizeof(heddle_bins), HEDDLE_BINS_EVEN, shape[d], 0, 0, 1, NULL, 0};
    g.axis[d].resolved = g.axis[d].bins;
    ref_find_range(HEDDLE_F32, g.axis[d].dense, count, &g.axis[d].resolved);
    g.axis[d].edges = malloc((shape[d] + 1) * sizeof(double));
    same_status(HEDDLE_OK, heddle_histogram_edges(HEDDLE_F32, &g.axis[d].resolved, g.axis[d].edges),
                "edges");
  }
  g.slot = malloc(count * sizeof *g.slot);
  find_slots(&g);
  judge(&g, 0, 0);
  grid_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_type_and_kind_of_bins),
                                     cmocka_unit_test(every_table), cmocka_unit_test(many_bins)};
  return cmocka_run_group_tests(tests, compare_setup, compare_teardown);
}
