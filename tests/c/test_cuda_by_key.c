/* test_cuda_by_key.c - folds and scans by key on a device, against those of each run alone
 *
 * Method   Runs of one to many thousand elements; every type of keys, some of values and operators; exact sums;
 *          arrays of the device, of the host and of both; keys in place; a captured graph. Each run's result has
 *          the bits of the CPU's call on its values.
 * Limits   numbers of elements that the device's memory holds */
#include <stdbool.h>

#include "gpu.h"
#include "reference.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum lie { ON_DEVICE, IN_PLACE, ON_HOST, KEYS_ON_HOST, VALUES_ON_HOST, OUT_ON_HOST, LIES };
static const char *const lies[] = {"device",           "keys in place",      "host",
                                   "keys on the host", "values on the host", "output on the host"};
enum { BESIDE = 64 };

static size_t most;
static char *keys_there, *values_there, *keys_out_there, *out_there;
static char *keys, *values, *keys_wanted, *wanted, *keys_got, *got;
static uint64_t *count_there, *offsets;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  most = gpu_is_software() ? 60000 : 3000000;
  char **there[] = {&keys_there, &values_there, &keys_out_there, &out_there};
  char **here[] = {&keys, &values, &keys_wanted, &wanted, &keys_got, &got};
  for (size_t i = 0; i < COUNT(there); i++) *there[i] = gpu_memory(most * 8 + 4 * BESIDE);
  for (size_t i = 0; i < COUNT(here); i++) *here[i] = allocate(most * 8 + 4 * BESIDE);
  offsets = allocate((most + 1) * sizeof *offsets);
  count_there = gpu_memory(64);
  return 0;
}

static int teardown(void **state) {
  char *there[] = {keys_there, values_there, keys_out_there, out_there, (char *)count_there};
  char *here[] = {keys, values, keys_wanted, wanted, keys_got, got, (char *)offsets};
  for (size_t i = 0; i < COUNT(there) && gpu_device(); i++) gpu_forget(there[i]);
  for (size_t i = 0; i < COUNT(here); i++) free(here[i]);
  return gpu_teardown(state);
}

struct job {
  heddle_op op;
  heddle_type key_type, type;
  size_t n, length, shift;
  enum lie lie;
  bool exact, scan, no_keys, count_on_device;
  heddle_scan_kind kind;
};

#define WHERE "%s %s of %zu %s by %s, runs of %zu, %s, shift %zu, exact %d"
#define IT(j)                                                                           \
  (j)->scan ? "scan" : "reduce", op_name((j)->op), (j)->n, heddle_type_name((j)->type), \
      heddle_type_name((j)->key_type), (j)->length, lies[(j)->lie], (j)->shift, (j)->exact

/* Runs whose lengths vary, some of them long; returns how many, with their offsets. */
static size_t fill_keys(const struct job *j) {
  const size_t size = data_size(j->key_type);
  size_t runs = 0;
  uint64_t bits = 0;
  for (size_t i = 0, left = 0; i < j->n; i++) {
    const uint64_t word = data_word(j->n + j->length, i);
    if (!left) {
      const uint64_t before = bits;
      left = 1 + word % (2 * j->length);
      if (j->length < 2) left = 1;
      if (word % 1009 == 3) left = 20000;
      bits = (bits + 1 + (word >> 20) % 50) & 63; /* as good as any, and never the one before */
      if (runs && bits == before) bits ^= 1;
      offsets[runs++] = i;
    }
    left--;
    data_put(j->key_type, keys + j->shift * size, i, bits);
  }
  offsets[runs] = j->n;
  return runs;
}

static heddle_status call(heddle_context *ctx, const struct job *j, const char *k, const char *v,
                          char *k_out, char *out, uint64_t *runs) {
  heddle_options o = HEDDLE_OPTIONS_INIT;
  o.exact = j->exact;
  if (j->scan)
    return heddle_scan_by_key(ctx, j->kind, j->op, j->key_type, k, j->type, v, j->n, out, &o);
  return heddle_reduce_by_key(ctx, j->op, j->key_type, k, j->type, v, j->n,
                              j->no_keys ? NULL : k_out, out, runs, &o);
}

/* Every run by a call of its own. */
static void expect(const struct job *j, size_t runs, size_t out_size) {
  const size_t size = data_size(j->type), key_size = data_size(j->key_type);
  heddle_options o = HEDDLE_OPTIONS_INIT;
  o.exact = j->exact;
  for (size_t r = 0; r < runs; r++) {
    const size_t at = (size_t)offsets[r], n = (size_t)offsets[r + 1] - at;
    const char *from = values + (j->shift + at) * size;
    memcpy(keys_wanted + BESIDE + r * key_size, keys + (j->shift + at) * key_size, key_size);
    same_status(HEDDLE_OK,
                j->scan ? heddle_scan(gpu_cpu, j->op, j->kind, j->type, from, n,
                                      wanted + BESIDE + at * out_size, &o)
                        : heddle_reduce(gpu_cpu, j->op, j->type, from, n,
                                        wanted + BESIDE + r * out_size, &o),
                WHERE, IT(j));
  }
}

static void check(const struct job *j) {
  const size_t size = data_size(j->type), key_size = data_size(j->key_type), n = j->n;
  heddle_type out_type = HEDDLE_U8, acc_type;
  assert_int_equal(heddle_result_type(j->scan ? HEDDLE_SCAN : HEDDLE_REDUCE, j->op, j->type, NULL,
                                      &out_type, &acc_type),
                   HEDDLE_OK);
  const size_t out_size = data_size(out_type);
  const bool keys_here = j->lie == ON_HOST || j->lie == KEYS_ON_HOST;
  const bool values_here = j->lie == ON_HOST || j->lie == VALUES_ON_HOST;
  const bool out_here = j->lie == ON_HOST || j->lie == OUT_ON_HOST;
  const bool in_place = j->lie == IN_PLACE && !j->scan;
  const size_t runs = fill_keys(j);
  data_fill(DATA_WIDE, j->type, n + 3, n + j->shift, values);
  memset(keys_wanted, 0x5a, n * key_size + 2 * BESIDE);
  memset(wanted, 0x5a, n * out_size + 2 * BESIDE);
  memset(keys_got, 0x5a, n * key_size + 2 * BESIDE);
  memset(got, 0x5a, n * out_size + 2 * BESIDE);
  expect(j, runs, out_size);
  gpu_up(keys_there, keys, (j->shift + n) * key_size);
  gpu_up(values_there, values, (j->shift + n) * size);
  gpu_up(keys_out_there, keys_got, n * key_size + 2 * BESIDE);
  gpu_up(out_there, got, n * out_size + 2 * BESIDE);
  char *k = (keys_here ? keys : keys_there) + j->shift * key_size;
  char *k_out = in_place ? k : (out_here ? keys_got : keys_out_there) + BESIDE;
  uint64_t here = 1234, *count = j->count_on_device ? count_there : &here;
  same_status(HEDDLE_OK,
              call(gpu_ctx, j, k, (values_here ? values : values_there) + j->shift * size, k_out,
                   (out_here ? got : out_there) + BESIDE, count),
              WHERE, IT(j));
  assert_int_equal(heddle_sync(gpu_ctx), HEDDLE_OK);
  if (!out_here) gpu_down(got, out_there, n * out_size + 2 * BESIDE);
  same_bytes(wanted, got, n * out_size + 2 * BESIDE, WHERE, IT(j));
  if (j->scan) return;
  if (j->count_on_device) gpu_down(&here, count_there, sizeof here);
  if (here != runs) fail_msg(WHERE ": %zu runs, not %zu", IT(j), (size_t)here, runs);
  if (j->no_keys) return;
  if (in_place)
    gpu_down(keys_got + BESIDE, k, runs * key_size);
  else if (!out_here)
    gpu_down(keys_got, keys_out_there, n * key_size + 2 * BESIDE);
  same_bytes(keys_wanted, keys_got, in_place ? BESIDE + runs * key_size : n * key_size + 2 * BESIDE,
             WHERE " (keys)", IT(j));
}

/* Values, operators and lengths of runs, in turn. */
static void check_turn(struct job *j, size_t turn) {
  static const heddle_op ops[] = {HEDDLE_SUM, HEDDLE_MAX, HEDDLE_SUM, HEDDLE_PROD};
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_I32, HEDDLE_U8, HEDDLE_BF16};
  static const size_t lengths[] = {8, 1, 64, 3, 1024, 100000};
  j->op = ops[turn % COUNT(ops)];
  j->type = types[turn % COUNT(types)];
  j->length = lengths[turn / 2 % COUNT(lengths)];
  j->shift = turn % 3 ? turn % 13 : 0;
  j->lie = (enum lie)(turn * 5 % LIES);
  j->scan = turn % 3 == 1;
  j->kind = scan_kinds[turn / 3 % 2];
  j->exact = !j->scan && j->op == HEDDLE_SUM && ref_is_float(j->type) && turn % 2;
  j->no_keys = turn % 7 == 6;
  j->count_on_device = turn / 2 % 2;
  check(j);
}

static void every_key(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const size_t counts[] = {1, 2, 100, 2048, 5000, 30001};
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < COUNT(counts); k++) {
      struct job j = {.key_type = all_types[t], .n = counts[k]};
      if (gpu_is_software() && (t + k) % 2) continue;
      for (size_t r = 0; r < (gpu_is_software() ? 1 : 6); r++) check_turn(&j, turn++ * 7 + r);
    }
}

static void every_length(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  for (size_t turn = 0; turn < (gpu_is_software() ? 8 : 60); turn++) {
    struct job j = {.key_type = turn % 2 ? HEDDLE_U32 : HEDDLE_F32, .n = most - 40 - turn};
    check_turn(&j, turn * 11 + 5);
  }
}

static void exact_sums(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const size_t lengths[] = {5, 90000};
  for (size_t t = 0; t < float_type_count; t++) {
    if (float_types[t] == HEDDLE_F16 && gpu_is_software()) continue;
    for (size_t k = 0; k < COUNT(lengths); k++) {
      struct job j = {.op = HEDDLE_SUM,
                      .key_type = HEDDLE_I64,
                      .type = float_types[t],
                      .n = gpu_is_software() && k == 0 ? 3000 : most - 40,
                      .length = lengths[k],
                      .exact = true,
                      .lie = k ? ON_DEVICE : VALUES_ON_HOST};
      check(&j);
    }
  }
}

static void nothing(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  uint64_t runs = 7;
  same_status(HEDDLE_OK,
              heddle_reduce_by_key(gpu_ctx, HEDDLE_SUM, HEDDLE_U32, keys_there, HEDDLE_F32,
                                   values_there, 0, NULL, out_there, &runs, NULL),
              "nothing");
  assert_int_equal(runs, 0);
}

static void captured(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t n = gpu_is_software() ? 20000 : 300000;
  gpu_handle stream, graph, ready;
  heddle_context *ctx = NULL;
  size_t scratch = 0;
  struct job j = {.op = HEDDLE_SUM, .key_type = HEDDLE_U32, .type = HEDDLE_F32, .n = n};
  assert_int_equal(heddle_open(gpu_device(), &ctx), HEDDLE_OK);
  gpu_must(gpu.stream_create(&stream, GPU_NON_BLOCKING), "stream");
  assert_int_equal(heddle_set_stream(ctx, stream), HEDDLE_OK);
  assert_int_equal(heddle_prepare_begin(ctx), HEDDLE_OK);
  same_status(HEDDLE_OK,
              call(ctx, &j, keys_there, values_there, keys_out_there, out_there, count_there),
              "prepared");
  assert_int_equal(heddle_prepare_end(ctx, &scratch), HEDDLE_OK);
  gpu_must(gpu.capture_begin(stream, GPU_CAPTURE_RELAXED), "capture");
  same_status(HEDDLE_OK,
              call(ctx, &j, keys_there, values_there, keys_out_there, out_there, count_there),
              "captured");
  gpu_must(gpu.capture_end(stream, &graph), "capture");
  gpu_must(gpu.graph_ready(&ready, graph, 0), "graph");
  for (size_t k = 0; k < 3; k++) {
    j.length = k == 0 ? 3 : k == 1 ? 5000 : 40;
    const size_t runs = fill_keys(&j);
    uint64_t found;
    data_fill(DATA_WIDE, HEDDLE_F32, k, n, values);
    expect(&j, runs, 4);
    gpu_up(keys_there, keys, n * 4);
    gpu_up(values_there, values, n * 4);
    gpu_must(gpu.sync(), "uploaded"); /* the stream waits for no other */
    gpu_must(gpu.graph_launch(ready, stream), "launch");
    gpu_must(gpu.stream_sync(stream), "wait");
    gpu_down(&found, count_there, sizeof found);
    assert_int_equal(found, runs);
    gpu_down(got, out_there, runs * 4);
    same_bytes(wanted + BESIDE, got, runs * 4, "replay %zu", k);
  }
  gpu_must(gpu.graph_forget(ready), "graph");
  gpu_must(gpu.graph_destroy(graph), "graph");
  heddle_close(ctx);
  gpu_must(gpu.stream_destroy(stream), "stream");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_key), cmocka_unit_test(every_length),
                                     cmocka_unit_test(exact_sums), cmocka_unit_test(nothing),
                                     cmocka_unit_test(captured)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
