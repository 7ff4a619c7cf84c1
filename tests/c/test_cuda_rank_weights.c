/* test_cuda_rank_weights.c - quantiles by weights on a device, against the CPU's, to the bit
 *
 * Method   Weights of one size and of sizes so far apart that only exact sums tell them apart, sums that are a share of
 *          the whole to the last bit, zeros of more than one block; elements with ties, zeros of both signs and NaN;
 *          lengths around those of a block of sums and of a level of them. What is wrong with the arrays of the
 *          device is found by it and told by heddle_sync, of the host's by the call. */
#include <math.h>
#include <stdbool.h>

#include "gpu.h"
#include "sort_reference.h"

enum { BLOCK = 2048, LEVEL = 64 * BLOCK, SHARES = 12, MANY = 260 };

static size_t most;
static char *in_there, *weights_there, *in;
static double *out_there, *weights;
static float *narrow;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  most = gpu_is_software() ? LEVEL + BLOCK + 5 : (size_t)LEVEL * 64 + 12345;
  in_there = gpu_memory(most * 8);
  weights_there = gpu_memory(most * 8);
  out_there = gpu_memory(MANY * sizeof *out_there);
  in = allocate(most * 8);
  weights = allocate(most * sizeof *weights);
  narrow = allocate(most * sizeof *narrow);
  return 0;
}

static int teardown(void **state) {
  if (gpu_device()) {
    gpu_forget(in_there);
    gpu_forget(weights_there);
    gpu_forget(out_there);
  }
  free(in);
  free(weights);
  free(narrow);
  return gpu_teardown(state);
}

static uint64_t random_of(uint64_t seed, size_t i, uint64_t below) {
  return (data_word(seed, i) >> 20) % below;
}

/* ---- weights --------------------------------------------------------------------------------- */

enum weight_kind { WHOLE, LIKE, WIDE, TINY, HEAVY_LAST, MOST_ZERO, WEIGHT_KINDS };

static double weight_of(enum weight_kind kind, heddle_type type, size_t i, size_t n) {
  const bool is_f32 = type == HEDDLE_F32;
  const double x = 1 + ldexp((double)(data_word(5, i) >> 12), -52);
  switch (kind) {
  case LIKE: return x;
  case WIDE:
    return ldexp(x, is_f32 ? (int)random_of(6, i, 250) - 125 : (int)random_of(6, i, 2000) - 1000);
  case TINY: return ldexp((double)random_of(7, i, 5), is_f32 ? -149 : -1074);
  case HEAVY_LAST: return i + 1 == n ? ldexp(1, 60) : i % 3 ? x : 0;
  case MOST_ZERO: return i % 1000 == 999 || i + 1 == n ? x : 0;
  default: return (double)random_of(8, i, 9) + (i == n / 2);
  }
}

static void fill(enum weight_kind kind, heddle_type type, size_t n) {
  for (size_t i = 0; i < n; i++) {
    weights[i] = weight_of(kind, type, i, n);
    narrow[i] = (float)weights[i];
  }
}

static const void *of_type(heddle_type type) {
  return type == HEDDLE_F32 ? (const void *)narrow : (const void *)weights;
}

/* ---- a call on both -------------------------------------------------------------------------- */

struct call {
  heddle_type type, weights_type;
  heddle_nan nan;
  size_t n, shares;
  bool from_host, weights_from_host, to_host;
  const double *q; /* NULL: those of check */
  const char *what;
};

static void check(const struct call *c) {
  static const double few[SHARES] = {0.5, 0,   1,       0.25,  0.75, 1e-300,
                                     0.1, 0.3, 0x1p-40, 0.999, 0.5,  0.6180339887498949};
  double expected[MANY], results[MANY];
  const double *q = c->q ? c->q : few;
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  const size_t size = heddle_type_size(c->type), wide = heddle_type_size(c->weights_type);
  options.method = HEDDLE_QUANTILE_INVERTED_CDF, options.nan = c->nan;
  options.weights_type = c->weights_type;
  options.weights = of_type(c->weights_type);
  const heddle_status status =
      heddle_quantiles(gpu_cpu, c->type, in, c->n, q, c->shares, expected, &options);
  gpu_up(in_there, in, c->n * size);
  gpu_up(weights_there, options.weights, c->n * wide);
  if (!c->weights_from_host) options.weights = weights_there;
  heddle_status mine = heddle_quantiles(gpu_ctx, c->type, c->from_host ? in : in_there, c->n, q,
                                        c->shares, c->to_host ? results : out_there, &options);
  if (!mine) mine = heddle_sync(gpu_ctx);
  same_status(status, mine, "%zu %s, %s by %s", c->n, heddle_type_name(c->type), c->what,
              heddle_type_name(c->weights_type));
  if (status) return;
  if (!c->to_host) gpu_down(results, out_there, c->shares * sizeof *results);
  for (size_t i = 0; i < c->shares; i++)
    if (memcmp(&expected[i], &results[i], sizeof *results))
      fail_msg("share %g of %zu %s, %s by %s: %.17g, not %.17g", q[i], c->n,
               heddle_type_name(c->type), c->what, heddle_type_name(c->weights_type), results[i],
               expected[i]);
}

static struct call call_of(size_t turn, size_t n) {
  return (struct call){.type = all_types[turn % type_count],
                       .weights_type = turn % 2 ? HEDDLE_F32 : HEDDLE_F64,
                       .nan = turn % 3 ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE,
                       .n = n,
                       .shares = turn % 5 == 4 ? 1 : SHARES,
                       .from_host = turn % 4 == 1,
                       .weights_from_host = turn % 4 == 2,
                       .to_host = turn % 3 == 1,
                       .what = "whole"};
}

/* ---- tests ----------------------------------------------------------------------------------- */

static const char *const kinds[] = {"whole", "of like sizes",     "wide",
                                    "tiny",  "the last heaviest", "most of them 0"};

static void arrays(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const size_t lengths[] = {1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3001, 5 * BLOCK + 77};
  size_t turn = 0;
  for (size_t l = 0; l < COUNT(lengths); l++)
    for (int kind = 0; kind < WEIGHT_KINDS; kind++, turn++) {
      if (lightness() > 1 && ((size_t)kind + l) % 3) continue;
      struct call c = call_of(turn, lengths[l]);
      c.what = kinds[kind];
      fill((enum weight_kind)kind, c.weights_type, c.n);
      sort_fill((enum sort_kind)(turn % SORT_KINDS), c.type, turn, c.n, in);
      check(&c);
    }
}

/* Several levels of sums, more shares than a launch takes, and shares that end with a sum of the lowest level to the
 * last bit, or just behind it. Behind them is nothing that weighs. */
static void levels(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  double q[MANY];
  struct call c = call_of(2, most);
  c.type = HEDDLE_U32, c.weights_type = HEDDLE_F64, c.shares = MANY, c.q = q;
  c.what = "shares of sums";
  uint32_t *x = (uint32_t *)(void *)in;
  const size_t weighed = most / LEVEL * LEVEL, blocks = weighed / BLOCK;
  for (size_t i = 0; i < c.n; i++) {
    x[i] = (uint32_t)i;
    weights[i] = i < weighed ? 1 + 3.0 / (2 * BLOCK) : 0; /* a block has a half beside */
  }
  for (size_t i = 0; i < MANY; i++) {
    q[i] = (double)(i / 2 % blocks) / (double)blocks;
    if (i % 2) q[i] = nextafter(q[i], 1);
  }
  check(&c);
  if (gpu_is_software()) return;
  fill(WIDE, c.weights_type, c.n);
  sort_fill(SORT_ANY, c.type, 1, c.n, in);
  check(&c);
}

/* Elements of no weight come first, more than a block of them: the first share is not theirs. */
static void zeros_first(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  struct call c = {.type = HEDDLE_U16, .weights_type = HEDDLE_F64, .n = 3 * BLOCK, .shares = 2};
  uint16_t *x = (uint16_t *)(void *)in;
  c.what = "zeros first";
  for (size_t i = 0; i < c.n; i++) {
    x[i] = (uint16_t)i;
    weights[i] = i > 2 * BLOCK + 7 ? 1 : 0;
  }
  check(&c);
  double first;
  gpu_down(&first, out_there + 1, sizeof first); /* share 0 */
  assert_true(first == 2 * BLOCK + 8);
}

/* NaN: skipped with what they weigh, or the result. */
static void nans(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  struct call c = {.type = HEDDLE_F32, .weights_type = HEDDLE_F64, .n = 2500, .shares = SHARES};
  float *x = (float *)(void *)in;
  c.what = "with NaN";
  for (int part = 0; part < 3; part++) { /* some, the only weights of any, all */
    sort_fill(SORT_ANY, c.type, 3, c.n, in);
    for (size_t i = 0; i < c.n; i++) {
      const bool is = part == 2 || i % 2;
      if (is) x[i] = i % 3 ? NAN : -NAN;
      weights[i] = part == 1 ? is : (double)(i % 7);
    }
    c.nan = HEDDLE_NAN_SKIP;
    check(&c);
    c.nan = HEDDLE_NAN_PROPAGATE;
    check(&c);
  }
}

/* Rows of an axis and segments, some of them longer than a warp takes alone. */
static void rows_by_weights(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  enum { ROWS = 37, LONG = (1 << 16) + 300, EACH = SHARES };
  const double q[EACH] = {0.5, 0, 1, 0.25, 0.75, 1e-300, 0.1, 0.3, 0x1p-40, 0.999, 0.5, 0.6};
  const size_t turned[] = {83, ROWS};
  double expected[(ROWS + 1) * EACH], results[(ROWS + 1) * EACH];
  uint64_t offsets[ROWS + 2] = {2};
  for (size_t r = 0; r <= ROWS; r++) offsets[r + 1] = offsets[r] + (r == ROWS ? LONG : r * r);
  for (size_t turn = 0; turn < 4; turn++) {
    const struct call c = call_of(turn + 3, offsets[ROWS + 1]);
    const size_t size = heddle_type_size(c.type), wide = heddle_type_size(c.weights_type);
    heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT, own;
    heddle_rows rows = HEDDLE_ROWS_INIT;
    rows.offsets = offsets, rows.segments = ROWS + 1;
    if (turn % 2) { /* columns: an axis that is not the last */
      rows.offsets = NULL, rows.segments = 0;
      rows.dims = 2, rows.axis = 0, rows.shape = turned;
    }
    const size_t count = turn % 2 ? ROWS : ROWS + 1;
    options.method = HEDDLE_QUANTILE_INVERTED_CDF, options.nan = c.nan;
    options.weights_type = c.weights_type;
    fill(turn % 2 ? WIDE : MOST_ZERO, c.weights_type, c.n);
    for (size_t i = offsets[ROWS]; turn == 2 && i < c.n; i++) weights[i] = narrow[i] = 0;
    sort_fill(turn == 2 ? SORT_BITS : SORT_ANY, c.type, turn, c.n, in);
    gpu_up(in_there, in, c.n * size);
    gpu_up(weights_there, of_type(c.weights_type), c.n * wide);
    own = options;
    own.weights = of_type(c.weights_type), options.weights = weights_there;
    same_status(HEDDLE_OK,
                heddle_quantiles_rows(gpu_cpu, c.type, in, &rows, q, EACH, expected, &own), "CPU");
    same_status(HEDDLE_OK,
                heddle_quantiles_rows(gpu_ctx, c.type, in_there, &rows, q, EACH, results, &options),
                "rows: %s", heddle_message());
    same_status(HEDDLE_OK, heddle_sync(gpu_ctx), "rows: %s", heddle_message());
    same_array(HEDDLE_F64, expected, results, count * EACH, "rows of %s, turn %zu",
               heddle_type_name(c.type), turn);
  }
}

static void is_told(heddle_status wanted, const struct call *c, const char *text) {
  double out;
  const double half = 0.5;
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  options.method = HEDDLE_QUANTILE_INVERTED_CDF;
  options.weights = c->from_host ? (const void *)weights : weights_there;
  gpu_up(in_there, in, c->n * 4);
  gpu_up(weights_there, weights, c->n * sizeof *weights);
  heddle_status status = heddle_quantiles(gpu_ctx, HEDDLE_I32, c->from_host ? in : in_there, c->n,
                                          &half, 1, c->from_host ? &out : out_there, &options);
  if (!c->from_host) {
    same_status(HEDDLE_OK, status, "queued");
    status = heddle_sync(gpu_ctx);
  }
  same_status(wanted, status, "%s", text);
  if (!strstr(heddle_message(), text)) fail_msg("\"%s\" without \"%s\"", heddle_message(), text);
  assert_int_equal(heddle_sync(gpu_ctx), HEDDLE_OK); /* it is told once */
}

static void faults(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const double bad[] = {-1, NAN, INFINITY, -0x1p-1074};
  for (int host = 0; host < 2; host++) {
    const struct call c = {.n = 5000, .from_host = host};
    sort_fill(SORT_ANY, HEDDLE_I32, 1, c.n, in);
    for (size_t b = 0; b < COUNT(bad); b++) {
      fill(WHOLE, HEDDLE_F64, c.n);
      weights[4321] = weights[4999] = bad[b]; /* the first one is told */
      is_told(HEDDLE_BAD_DATA, &c, "weight 4321 is");
    }
    for (size_t i = 0; i < c.n; i++) weights[i] = i % 2 ? 0 : -0.0;
    is_told(HEDDLE_EMPTY, &c, "the sum of weights is 0");
  }
}

/* A graph finds what is there when it runs. */
static void captured(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t n = 3 * BLOCK;
  const double q[] = {0.5, 0.01};
  double expected[2], results[2];
  gpu_handle stream, graph, ready;
  heddle_context *ctx = NULL;
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT, own;
  options.method = HEDDLE_QUANTILE_INVERTED_CDF;
  own = options;
  options.weights = weights_there, own.weights = weights;
  fill(WHOLE, HEDDLE_F64, n);
  gpu_up(weights_there, weights, n * sizeof *weights);
  assert_int_equal(heddle_open(gpu_device(), &ctx), HEDDLE_OK);
  gpu_must(gpu.stream_create(&stream, GPU_NON_BLOCKING), "stream");
  assert_int_equal(heddle_set_stream(ctx, stream), HEDDLE_OK);
  for (int turn = 0; turn < 2; turn++) { /* as it is, then captured */
    if (turn) gpu_must(gpu.capture_begin(stream, GPU_CAPTURE_RELAXED), "capture");
    same_status(HEDDLE_OK,
                heddle_quantiles(ctx, HEDDLE_F32, in_there, n, q, 2, out_there, &options), "q");
    if (!turn) assert_int_equal(heddle_sync(ctx), HEDDLE_OK);
  }
  gpu_must(gpu.capture_end(stream, &graph), "capture");
  gpu_must(gpu.graph_ready(&ready, graph, 0), "graph");
  for (int i = 0; i < 2; i++) {
    sort_fill(SORT_FEW, HEDDLE_F32, (uint64_t)i, n, in);
    fill(i ? WIDE : WHOLE, HEDDLE_F64, n);
    gpu_up(in_there, in, n * 4);
    gpu_up(weights_there, weights, n * sizeof *weights);
    gpu_must(gpu.sync(), "uploaded"); /* the stream waits for no other */
    gpu_must(gpu.graph_launch(ready, stream), "launch");
    gpu_must(gpu.stream_sync(stream), "wait");
    gpu_down(results, out_there, sizeof results);
    same_status(HEDDLE_OK, heddle_quantiles(gpu_cpu, HEDDLE_F32, in, n, q, 2, expected, &own),
                "CPU");
    same_bytes(expected, results, sizeof results, "replay %d", i);
  }
  gpu_must(gpu.graph_forget(ready), "graph");
  gpu_must(gpu.graph_destroy(graph), "graph");
  heddle_close(ctx);
  gpu_must(gpu.stream_destroy(stream), "stream");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arrays),         cmocka_unit_test(levels),
                                     cmocka_unit_test(zeros_first),    cmocka_unit_test(nans),
                                     cmocka_unit_test(faults),         cmocka_unit_test(captured),
                                     cmocka_unit_test(rows_by_weights)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
