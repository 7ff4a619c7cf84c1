/* test_cuda_rank.c - order statistics on a device: arrays and rows, and every turn of a search (white-box)
 *
 * longer than 400 lines because arrays and rows are asked of one set of data
 *
 * Method   Elements by rank against a sorted array, first elements against sorted positions, quantiles against the
 *          CPU's, to the bit; data from which the sample's intervals are right, and wrong. The linker puts the
 *          recorder below in the place of the library's launches (--wrap): it keeps where a search has its state,
 *          which tells whether passes over the array followed its first read.
 * Limits   What a search does with its sample is asked where the device is software: there the sample is small */
#include <stdbool.h>

#include "cuda/core/cuda.h"
#include "gpu.h"
#define SORT_STEPS SORT_STEPS_MOST /* a kind of data has that name, too */
#include "kernels/rank/args.h"
#undef SORT_STEPS
#include "sort_reference.h"

enum { BESIDE = 64, RANKS = 11 };

/* ---- the recorder ---------------------------------------------------------------------------- */

static cu_pointer state_at; /* of the last search */

heddle_status __wrap_hd_cuda_launch(struct hd_cuda_call *, const struct hd_cuda_kernel *, u64,
                                    const void *, size_t);
heddle_status __real_hd_cuda_launch(struct hd_cuda_call *, const struct hd_cuda_kernel *, u64,
                                    const void *, size_t);
heddle_status __wrap_hd_cuda_launch(struct hd_cuda_call *call, const struct hd_cuda_kernel *kernel,
                                    u64 blocks, const void *args, size_t bytes) {
  if (bytes == sizeof(struct rank_args)) state_at = ((const struct rank_args *)args)->state;
  return __real_hd_cuda_launch(call, kernel, blocks, args, bytes);
}

static struct rank_state last_state(void) {
  struct rank_state state;
  assert_int_not_equal(state_at, 0);
  gpu_down(&state, (void *)(uintptr_t)state_at, sizeof state);
  return state;
}

/* ---- data ------------------------------------------------------------------------------------ */

static size_t most;
static char *in_there, *out_there, *in, *sorted, *wanted, *got;
static uint64_t *index_there, *order, *got_index;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  most = gpu_is_software() ? 20000 : ((size_t)1 << 22) + 12345;
  in_there = gpu_memory(most * 8 + BESIDE);
  out_there = gpu_memory(most * 8 + BESIDE);
  index_there = gpu_memory(most * 8);
  char **here[] = {&in, &sorted, &wanted, &got, (char **)&order, (char **)&got_index};
  for (size_t i = 0; i < COUNT(here); i++) *here[i] = allocate(most * 8 + BESIDE);
  return 0;
}

static int teardown(void **state) {
  if (gpu_device()) {
    gpu_forget(in_there);
    gpu_forget(out_there);
    gpu_forget(index_there);
  }
  char *here[] = {in, sorted, wanted, got, (char *)order, (char *)got_index};
  for (size_t i = 0; i < COUNT(here); i++) free(here[i]);
  return gpu_teardown(state);
}

/* Elements whose samples say nothing of the others: those are at fixed positions (kernels/rank/sample.cu). */
static void mislead(heddle_type type, size_t n) {
  const size_t samples = 256, each = n / samples, size = heddle_type_size(type);
  char *low = allocate(n * size);
  sort_fill(SORT_ANY, type, 5, n, low);
  assert_int_equal(heddle_sort(gpu_cpu, type, low, n, low, NULL), HEDDLE_OK);
  memcpy(in, low + 2 * samples * size, (n - 2 * samples) * size);
  memcpy(in + (n - 2 * samples) * size, low + 2 * samples * size, 2 * samples * size);
  for (size_t i = 0; i < samples; i++) {
    const uint64_t x = (i + 1) * 0x9e3779b97f4a7c15ull;
    const size_t at = i * each + (uint32_t)(x >> 32 ^ x >> 48) % each;
    memcpy(in + at * size, low + i * size, size);
  }
  free(low);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

struct call {
  heddle_type type;
  size_t n;
  heddle_sort_options options;
  bool from_host, to_host;
  const char *what;
};

static const void *input(const struct call *c, size_t shift) {
  const size_t size = heddle_type_size(c->type);
  if (c->from_host) return in;
  gpu_up(in_there + shift, in, c->n * size);
  return in_there + shift;
}

static void output(const struct call *c, void *to, const void *there, size_t bytes) {
  assert_int_equal(heddle_sync(gpu_ctx), HEDDLE_OK);
  if (!c->to_host) gpu_down(to, there, bytes);
}

static void check_nth(const struct call *c, size_t count, size_t shift) {
  const size_t size = heddle_type_size(c->type), n = c->n;
  uint64_t ranks[200] = {0, n - 1, n / 2, n / 4, n / 4 + 1, n - n / 3, n / 100, n - n / 50};
  for (size_t i = 8; i < count; i++) ranks[i] = (i * 7919) % n;
  same_status(HEDDLE_OK, heddle_sort(gpu_cpu, c->type, in, n, sorted, &c->options), "on the CPU");
  for (size_t i = 0; i < count; i++) memcpy(wanted + i * size, sorted + ranks[i] * size, size);
  memset(got, 0x5a, count * size);
  same_status(HEDDLE_OK,
              heddle_nth(gpu_ctx, c->type, input(c, shift), n, ranks, count,
                         c->to_host ? got : out_there, &c->options),
              "nth of %zu %s %s", n, heddle_type_name(c->type), c->what);
  output(c, got, out_there, count * size);
  same_array(c->type, wanted, got, count, "%zu nth of %zu %s %s", count, n,
             heddle_type_name(c->type), c->what);
}

static void check_firsts(const struct call *c, size_t k, size_t shift, bool out,
                         heddle_type index_type) {
  const size_t size = heddle_type_size(c->type), n = c->n;
  const bool index = index_type != HEDDLE_TYPE_DEFAULT;
  const size_t bytes = index ? heddle_type_size(index_type) : 8;
  same_status(HEDDLE_OK, heddle_argsort(gpu_cpu, c->type, in, n, HEDDLE_U64, order, &c->options),
              "on the CPU");
  for (size_t i = 0; i < k; i++) memcpy(wanted + i * size, in + order[i] * size, size);
  memset(got, 0x5a, k * size);
  same_status(HEDDLE_OK,
              heddle_partial_sort(gpu_ctx, c->type, input(c, shift), n, k,
                                  !out         ? NULL
                                  : c->to_host ? got
                                               : out_there,
                                  index_type,
                                  !index       ? NULL
                                  : c->to_host ? got_index
                                               : index_there,
                                  &c->options),
              "%zu first of %zu %s %s", k, n, heddle_type_name(c->type), c->what);
  if (out) output(c, got, out_there, k * size);
  if (index) output(c, got_index, index_there, k * bytes);
  if (out)
    same_bytes(wanted, got, k * size, "%zu first of %zu %s %s", k, n, heddle_type_name(c->type),
               c->what);
  for (size_t i = 0; i < k && index; i++) {
    const uint64_t at = bytes == 8 ? got_index[i] : ((const uint32_t *)(const void *)got_index)[i];
    if (at != order[i])
      fail_msg("index %zu of %zu first of %zu %s %s is %llu, not %llu", i, k, n,
               heddle_type_name(c->type), c->what, (unsigned long long)at,
               (unsigned long long)order[i]);
  }
}

static void check_quantiles(const struct call *c, size_t count, heddle_quantile_method method,
                            heddle_nan nan) {
  double q[RANKS] = {0.5, 1, 0.25, 0, 0.75, 0.001, 0.999, 1 / 3.0, 0.1, 0.9, 0.61};
  double expected[RANKS], results[RANKS];
  heddle_quantile_options options = HEDDLE_QUANTILE_OPTIONS_INIT;
  options.method = method, options.nan = nan;
  const heddle_status status =
      heddle_quantiles(gpu_cpu, c->type, in, c->n, q, count, expected, &options);
  double *out = c->to_host ? results : (double *)(void *)out_there;
  heddle_status mine =
      heddle_quantiles(gpu_ctx, c->type, input(c, 0), c->n, q, count, out, &options);
  if (!c->to_host && !mine) mine = heddle_sync(gpu_ctx);
  same_status(status, mine, "quantiles of %zu %s %s", c->n, heddle_type_name(c->type), c->what);
  if (status) return;
  output(c, results, out_there, count * sizeof *results);
  for (size_t i = 0; i < count; i++)
    if (memcmp(&expected[i], &results[i], sizeof *results) &&
        !(expected[i] != expected[i] && results[i] != results[i]))
      fail_msg("quantile %g of %zu %s %s, method %d: %.17g, not %.17g", q[i], c->n,
               heddle_type_name(c->type), c->what, (int)method, results[i], expected[i]);
}

static struct call call_of(size_t t, enum sort_kind kind, size_t n) {
  struct call c = {.type = all_types[t % type_count],
                   .n = n,
                   .options = sort_options((int)(t + kind) % 2, (int)(t / 2 + kind) % 3 == 0),
                   .from_host = (t + kind) % 4 == 1,
                   .to_host = (t + kind) % 3 == 1,
                   .what = sort_name(kind)};
  sort_fill(kind, c.type, n + 7 * t, n, in);
  return c;
}

static void arrays(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const heddle_quantile_method methods[] = {
      HEDDLE_QUANTILE_LINEAR,          HEDDLE_QUANTILE_NEAREST, HEDDLE_QUANTILE_MIDPOINT,
      HEDDLE_QUANTILE_MEDIAN_UNBIASED, HEDDLE_QUANTILE_LOWER,   HEDDLE_QUANTILE_WEIBULL};
  const size_t counts[] = {most, most - most / 3, 1000, 1, 3001, 2, most - 1};
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t i = 0; i < 2; i++, turn++) {
      const enum sort_kind kind = (enum sort_kind)((turn * 5 + i) % SORT_KINDS);
      const size_t n = counts[turn % 7];
      const struct call c = call_of(t, kind, n);
      const size_t few = n < 8 ? 1 : 1 + turn % 8;
      if (turn % 3 == 0) check_nth(&c, few, heddle_type_size(c.type) * (turn % 5));
      if (turn % 3 == 1)
        check_quantiles(&c, 1 + turn % 4, methods[turn % 6],
                        turn % 2 ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE);
      if (turn % 3 == 2)
        check_firsts(&c, n < 20 ? n : n / 9 + turn % 3, heddle_type_size(c.type) * (turn % 5),
                     turn % 4 != 1,
                     turn % 4 == 0   ? HEDDLE_TYPE_DEFAULT
                     : turn % 4 == 2 ? HEDDLE_U32
                                     : HEDDLE_U64);
    }
}

/* All elements in order, and where they were: one sort. */
static void all_of_them(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t counts[] = {1000, 1, most - most / 3, 33, 3001, 2};
  for (size_t t = 0; t < type_count; t++) {
    const struct call c = call_of(t, (enum sort_kind)(t % SORT_KINDS), counts[t % COUNT(counts)]);
    check_firsts(&c, c.n, heddle_type_size(c.type) * (t % 5), true,
                 t % 2 ? HEDDLE_U64 : HEDDLE_U32);
  }
}

/* ---- turns of a search ----------------------------------------------------------------------- */

static void turns(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_U64, HEDDLE_F64, HEDDLE_I32};
  for (size_t t = 0; t < 4; t++) {
    struct call c = {.type = types[t], .n = most, .what = "whatever"};
    c.options = sort_options((int)t % 2, 0);
    sort_fill(SORT_ANY, c.type, t, most, in);
    check_nth(&c, 3, 0);
    assert_int_equal(last_state().passes, 0); /* the sample was right */
    check_firsts(&c, 16, heddle_type_size(c.type), true, HEDDLE_U64);
    assert_int_equal(last_state().passes, 0);
    sort_fill(SORT_FEW, c.type, t, most, in);
    c.what = "few values";
    check_nth(&c, 4, 0);
    check_firsts(&c, 7, 3 * heddle_type_size(c.type), t % 2 == 0, HEDDLE_U32);
    if (!gpu_is_software()) continue;
    mislead(c.type, most);
    c.what = "misled";
    check_nth(&c, 8, 0);
    assert_int_not_equal(last_state().passes, 0); /* it was wrong */
    check_firsts(&c, most / 10, 0, true, HEDDLE_U32);
    check_firsts(&c, 16, 0, true, HEDDLE_U32);
    if (t % 2 == 0) check_quantiles(&c, 3, HEDDLE_QUANTILE_LINEAR, HEDDLE_NAN_SKIP);
  }
  /* Many elements in narrow bunches: what is kept has no room, or a bin of it no end. */
  struct call c = {.type = HEDDLE_U64, .n = most, .to_host = true, .what = "in bunches"};
  uint64_t *x = (uint64_t *)(void *)in;
  c.options = sort_options(0, 0);
  for (size_t i = 0; i < most; i++)
    x[i] = (i % 3 ? (uint64_t)1 << 40 : (uint64_t)7 << 60) + i * 7919 % most;
  check_nth(&c, 8, 0);
  check_firsts(&c, most / 9, 0, true, HEDDLE_U64);
  check_nth(&c, 70, 0); /* more than are searched for */
}

/* NaN among numbers: skipped, or not. */
static void nans(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  struct call c = {.type = HEDDLE_F32, .n = most - 5, .what = "with NaN"};
  float *x = (float *)(void *)in;
  for (int part = 0; part < 3; part++) {
    sort_fill(SORT_ANY, c.type, 3, c.n, in);
    for (size_t i = part == 0 ? 17 : 0; i < c.n; i += part == 0 ? c.n : part == 1 ? 2 : 1)
      memset(x + i, i % 3 ? 0x7f : 0xff, sizeof *x);
    check_quantiles(&c, 3, HEDDLE_QUANTILE_LINEAR, HEDDLE_NAN_SKIP);
    check_quantiles(&c, 1, HEDDLE_QUANTILE_HAZEN, HEDDLE_NAN_PROPAGATE);
  }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void check_rows(heddle_type type, const heddle_rows *rows, size_t count, size_t least,
                       size_t turn) {
  const size_t size = heddle_type_size(type), n = most;
  const uint64_t ranks[] = {least - 1, 0, least / 2};
  const double q[] = {0.5, 0.9};
  const heddle_sort_options options = sort_options((int)turn % 2, 0);
  heddle_quantile_options o = HEDDLE_QUANTILE_OPTIONS_INIT;
  o.nan = turn % 3 ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  const size_t several = turn % 3 == 0   ? 5
                         : turn % 3 == 1 ? 32
                                         : 40,
               k = least < several ? least : several;
  sort_fill(turn % 2 ? SORT_BITS : SORT_FEW, type, turn, n, in);
  gpu_up(in_there, in, n * size);
  const void *from = turn % 3 == 1 ? in : in_there;
  if (least) {
    same_status(HEDDLE_OK, heddle_nth_rows(gpu_cpu, type, in, rows, ranks, 3, wanted, &options),
                "CPU");
    same_status(HEDDLE_OK, heddle_nth_rows(gpu_ctx, type, from, rows, ranks, 3, got, &options),
                "nth_rows");
    same_array(type, wanted, got, 3 * count, "nth_rows %s", heddle_type_name(type));
    same_status(
        HEDDLE_OK,
        heddle_partial_sort_rows(gpu_cpu, type, in, rows, k, wanted, HEDDLE_U32, order, &options),
        "CPU");
    same_status(HEDDLE_OK,
                heddle_partial_sort_rows(gpu_ctx, type, from, rows, k, got, HEDDLE_U32, got_index,
                                         &options),
                "partial_sort_rows");
    same_bytes(order, got_index, k * count * 4, "positions of partial_sort_rows");
    same_bytes(wanted, got, k * count * size, "partial_sort_rows");
  }
  same_status(HEDDLE_OK,
              heddle_quantiles_rows(gpu_cpu, type, in, rows, q, 2, (double *)(void *)wanted, &o),
              "CPU");
  same_status(
      HEDDLE_OK,
      heddle_quantiles_rows(gpu_ctx, type, from, rows, q, 2, (double *)(void *)out_there, &o),
      "quantiles_rows");
  assert_int_equal(heddle_sync(gpu_ctx), HEDDLE_OK);
  gpu_down(got, out_there, 2 * count * sizeof(double));
  const double *a = (const double *)(void *)wanted, *b = (const double *)(void *)got;
  for (size_t i = 0; i < 2 * count; i++)
    if (memcmp(a + i, b + i, sizeof *a) && !(a[i] != a[i] && b[i] != b[i]))
      fail_msg("quantiles_rows %s, %zu: %.17g, not %.17g", heddle_type_name(type), i, b[i], a[i]);
}

static void rows(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_I64, HEDDLE_F16, HEDDLE_U8, HEDDLE_F64};
  static const size_t lengths[] = {9, 300, 4000, 1};
  size_t turn = 0;
  for (size_t l = 0; l < 4; l++, turn++) {
    heddle_rows rows = HEDDLE_ROWS_INIT;
    const size_t shape[] = {l == 2 ? 4 : 50, lengths[l]}, across[] = {lengths[l], l == 2 ? 4 : 50};
    rows.dims = 2, rows.axis = 1, rows.shape = shape;
    check_rows(types[turn % 5], &rows, shape[0], lengths[l], turn);
    rows.axis = 0, rows.shape = across;
    check_rows(types[(turn + 1) % 5], &rows, shape[0], lengths[l], turn + 1);
  }
  heddle_rows segments = HEDDLE_ROWS_INIT, empty = HEDDLE_ROWS_INIT;
  const size_t none[] = {5, 0};
  empty.dims = 2, empty.axis = 1, empty.shape = none;
  check_rows(HEDDLE_F64, &empty, 5, 0, 2);
  const uint64_t offsets[] = {3, 8, 8, 50, 51, 4000, 4005}, full[] = {0, 7, 40, 1500, 1506};
  segments.segments = 6, segments.offsets = offsets;
  check_rows(HEDDLE_F32, &segments, 6, 0, 1);
  segments.segments = 4, segments.offsets = full;
  check_rows(HEDDLE_I16, &segments, 4, 6, 2);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* Replays find what is there: data whose sample is right, wrong, and all alike. */
static void captured(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t n = most, k = n / 20;
  const double q[] = {0.5, 0.99};
  double expected[2], results[2];
  gpu_handle stream, graph, ready;
  heddle_context *ctx = NULL;
  double *out = (double *)(void *)out_there;
  char *first = out_there + 64;
  assert_int_equal(heddle_open(gpu_device(), &ctx), HEDDLE_OK);
  gpu_must(gpu.stream_create(&stream, GPU_NON_BLOCKING), "stream");
  assert_int_equal(heddle_set_stream(ctx, stream), HEDDLE_OK);
  for (int turn = 0; turn < 2; turn++) { /* as it is, then captured */
    if (turn) gpu_must(gpu.capture_begin(stream, GPU_CAPTURE_RELAXED), "capture");
    same_status(HEDDLE_OK, heddle_quantiles(ctx, HEDDLE_F32, in_there, n, q, 2, out, NULL),
                "quantiles");
    same_status(
        HEDDLE_OK,
        heddle_partial_sort(ctx, HEDDLE_F32, in_there, n, k, first, HEDDLE_U32, index_there, NULL),
        "partial_sort");
    if (!turn) assert_int_equal(heddle_sync(ctx), HEDDLE_OK);
  }
  gpu_must(gpu.capture_end(stream, &graph), "capture");
  gpu_must(gpu.graph_ready(&ready, graph, 0), "graph");
  for (uint64_t i = 0; i < 3; i++) {
    sort_fill(i == 2 ? SORT_CONSTANT : SORT_ANY, HEDDLE_F32, i, n, in);
    if (i == 1) mislead(HEDDLE_F32, n);
    gpu_up(in_there, in, n * 4);
    gpu_must(gpu.sync(), "uploaded"); /* the stream waits for no other */
    gpu_must(gpu.graph_launch(ready, stream), "launch");
    gpu_must(gpu.stream_sync(stream), "wait");
    gpu_down(results, out, sizeof results);
    gpu_down(got, first, k * 4);
    assert_int_equal(heddle_quantiles(gpu_cpu, HEDDLE_F32, in, n, q, 2, expected, NULL), HEDDLE_OK);
    assert_int_equal(heddle_sort(gpu_cpu, HEDDLE_F32, in, n, sorted, NULL), HEDDLE_OK);
    same_bytes(expected, results, sizeof results, "quantiles, replay %d", (int)i);
    same_array(HEDDLE_F32, sorted, got, k, "partial_sort, replay %d", (int)i);
  }
  gpu_must(gpu.graph_forget(ready), "graph");
  gpu_must(gpu.graph_destroy(graph), "graph");
  heddle_close(ctx);
  gpu_must(gpu.stream_destroy(stream), "stream");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arrays), cmocka_unit_test(all_of_them),
                                     cmocka_unit_test(turns),  cmocka_unit_test(nans),
                                     cmocka_unit_test(rows),   cmocka_unit_test(captured)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
