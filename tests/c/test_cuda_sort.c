/* test_cuda_sort.c - sorts of arrays in a device's memory, against those of the CPU
 *
 * Method   Lengths around the tiles and blocks of src/cuda/sort/choose.c; every type, distribution and
 *          size of values; in place, with the input as memory, into scratch of the caller's alone; rows
 *          of every length, segments from empty to many tiles; a captured graph. Results have the CPU's
 *          bits, what lies beside them is left alone, and inputs are as they were.
 * Limits   numbers of elements that the device's memory holds */
#include <stdbool.h>

#include "gpu.h"
#include "reference.h"
#include "sort_reference.h"

enum { BESIDE = 64 };

static size_t most; /* elements */
static char *keys_there, *values_there, *keys_out_there, *values_out_there;
static char *keys, *values, *wanted, *got, *wanted_values, *got_values;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  most = gpu_is_software() ? 20000 : 5000000;
  char **there[] = {&keys_there, &values_there, &keys_out_there, &values_out_there};
  char **here[] = {&keys, &values, &wanted, &got, &wanted_values, &got_values};
  for (size_t i = 0; i < COUNT(there); i++) *there[i] = gpu_memory(most * 16 + 2 * BESIDE);
  for (size_t i = 0; i < COUNT(here); i++) *here[i] = allocate(most * 16 + 2 * BESIDE);
  for (size_t i = 0; i < most * 2; i++) ((uint64_t *)(void *)values)[i] = data_word(77, i);
  return 0;
}

static int teardown(void **state) {
  if (gpu_device()) {
    gpu_forget(keys_there);
    gpu_forget(values_there);
    gpu_forget(keys_out_there);
    gpu_forget(values_out_there);
  }
  char *here[] = {keys, values, wanted, got, wanted_values, got_values};
  for (size_t i = 0; i < COUNT(here); i++) free(here[i]);
  return gpu_teardown(state);
}

/* A sort: of keys, pairs or positions, and how. */
struct job {
  heddle_sort_verb verb;
  heddle_type type;
  enum sort_kind kind;
  size_t n, value_bytes;
  heddle_sort_options options;
  bool in_place, no_keys;
  const heddle_rows *rows; /* NULL: one array */
  size_t end;              /* elements of the arrays; n if there are no rows */
};

static heddle_status call(heddle_context *ctx, const struct job *j, const void *k, const void *v,
                          void *k_out, void *v_out, const heddle_sort_options *o) {
  const struct sort_call c = {j->verb, j->type, j->n, j->value_bytes, j->rows, *o};
  return sort_call(ctx, &c, k, v, k_out, v_out);
}

#define WHERE \
  "verb %d of %zu %s %s, values of %zu bytes, %s%s, descending %d, nan first %d, bits %u-%u"
#define LIE(j) (j)->in_place ? "in place" : (j)->options.overwrite ? "overwrite" : "apart"
#define WHAT(j) (int)(j)->verb, (j)->n, sort_name((j)->kind), heddle_type_name((j)->type)
#define HOW(j) (j)->value_bytes, LIE(j), (j)->no_keys ? ", no keys" : ""
#define BY(o) (o).descending, (o).nan_first, (o).bit_begin, (o).bit_end
#define IT(j) WHAT(j), HOW(j), BY((j)->options)

static void check(const struct job *j) {
  const size_t size = data_size(j->type), end = j->rows ? j->end : j->n, v = j->value_bytes;
  const bool pairs = j->verb == HEDDLE_SORT_PAIRS, sorts = j->verb == HEDDLE_SORT_KEYS;
  const bool has_keys = sorts || (pairs && !j->no_keys);
  assert_true(end <= most);
  if (!(j->rows && j->rows->strides)) sort_fill(j->kind, j->type, end + 3, end, keys);
  memset(wanted, 0x5a, end * size + 2 * BESIDE);
  memset(wanted_values, 0x5a, end * 16 + 2 * BESIDE);
  const size_t first = BESIDE + j->n % 3 * size; /* results begin between vectors */
  char *k_out = wanted + first, *v_out = wanted_values + BESIDE;
  char *k_there = keys_there, *v_there = values_there;
  char *k_to = keys_out_there + first, *v_to = values_out_there + BESIDE;
  gpu_up(k_there, keys, end * size);
  if (pairs) gpu_up(v_there, values, end * v);
  gpu_up(keys_out_there, wanted, end * size + 2 * BESIDE);
  gpu_up(values_out_there, wanted_values, end * 16 + 2 * BESIDE);
  if (j->in_place) {
    k_to = has_keys ? k_there : NULL, v_to = pairs ? v_there : v_to;
    memcpy(k_out, keys, end * size);
    memcpy(v_out, values, pairs ? end * v : 0);
  }
  same_status(HEDDLE_OK,
              call(gpu_cpu, j, keys, values, has_keys ? k_out : NULL, v_out, &j->options), WHERE,
              IT(j));
  same_status(HEDDLE_OK,
              call(gpu_ctx, j, k_there, v_there, has_keys ? k_to : NULL, v_to, &j->options), WHERE,
              IT(j));
  assert_int_equal(heddle_sync(gpu_ctx), HEDDLE_OK);
  if (has_keys) {
    gpu_down(got, j->in_place ? k_to : keys_out_there, end * size + (j->in_place ? 0 : 2 * BESIDE));
    same_bytes(j->in_place ? k_out : wanted, got, end * size + (j->in_place ? 0 : 2 * BESIDE),
               WHERE, IT(j));
  }
  if (!sorts) {
    const bool back = j->in_place && pairs;
    gpu_down(got_values, back ? v_to : values_out_there, end * v + (back ? 0 : 2 * BESIDE));
    same_bytes(back ? v_out : wanted_values, got_values, end * v + (back ? 0 : 2 * BESIDE), WHERE,
               IT(j));
  }
  if (j->in_place || j->options.overwrite) return;
  gpu_down(got, k_there, end * size);
  same_bytes(keys, got, end * size, WHERE " (the input)", IT(j));
}

static const heddle_sort_verb verbs[] = {HEDDLE_SORT_KEYS, HEDDLE_SORT_PAIRS, HEDDLE_ARGSORT};

/* Every verb, and every way for outputs to lie, in turn. */
static void check_turn(struct job *j, size_t turn) {
  static const size_t bytes[] = {1, 2, 4, 8, 16};
  j->verb = verbs[turn % 3];
  j->value_bytes = j->verb == HEDDLE_ARGSORT ? bytes[2 + turn / 3 % 2] : bytes[turn / 3 % 5];
  j->in_place = turn / 3 % 4 == 1 && j->verb != HEDDLE_ARGSORT;
  j->options.overwrite = turn / 3 % 4 == 2;
  j->no_keys = turn / 3 % 7 == 3;
  j->options.descending = turn / 2 % 2;
  j->options.nan_first = turn / 5 % 2;
  check(j);
}

/* ---- arrays -------------------------------------------------------------------------------- */

static void lengths_around_tiles(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t tile = gpu_is_software() ? 1024 : 8192, half = tile / 2;
  const size_t counts[] = {1,
                           2,
                           31,
                           33,
                           255,
                           257,
                           half - 1,
                           half,
                           half + 1,
                           tile - 1,
                           tile,
                           tile + 1,
                           tile + half,
                           2 * tile,
                           2 * tile + 1,
                           3 * tile,
                           5 * tile + 77,
                           9 * tile - 1,
                           18 * tile + 3};
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < COUNT(counts); k++) {
      struct job j = {.type = all_types[t],
                      .kind = (enum sort_kind)((k + 5 * t) % SORT_KINDS),
                      .n = counts[k],
                      .options = HEDDLE_SORT_OPTIONS_INIT};
      const size_t step = gpu_is_software() ? 6 : 1;
      for (size_t r = 0; r < 6; r += step) check_turn(&j, turn++ * 7 + 3 * r + r / 2);
    }
}

static void every_distribution(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const heddle_type types[] = {HEDDLE_U32, HEDDLE_F32, HEDDLE_F64, HEDDLE_I16};
  size_t turn = 0;
  for (size_t t = 0; t < COUNT(types); t++)
    for (int kind = 0; kind < SORT_KINDS; kind++) {
      struct job j = {
          .type = types[t], .kind = (enum sort_kind)kind, .options = HEDDLE_SORT_OPTIONS_INIT};
      j.n = gpu_is_software() ? 3001 + 100 * t : 300001 + 1000 * t;
      if (gpu_is_software() && (turn + (size_t)kind) % 2) continue;
      for (size_t r = 0; r < (gpu_is_software() ? 1 : 3); r++) check_turn(&j, turn++);
    }
}

static void large_arrays(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  if (gpu_is_software()) return;
  static const heddle_type types[] = {HEDDLE_U32, HEDDLE_F64, HEDDLE_U8, HEDDLE_F16};
  for (size_t t = 0; t < COUNT(types); t++)
    for (size_t r = 0; r < 12; r++) {
      struct job j = {.type = types[t],
                      .kind = r % 2 ? SORT_BITS : SORT_UNEVEN,
                      .n = most - r,
                      .options = HEDDLE_SORT_OPTIONS_INIT};
      check_turn(&j, r);
    }
}

static void bits_of_integers(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const heddle_type types[] = {HEDDLE_U8, HEDDLE_I16, HEDDLE_U32, HEDDLE_I64};
  size_t turn = 0;
  for (size_t t = 0; t < COUNT(types); t++) {
    const unsigned width = 8 * (unsigned)data_size(types[t]);
    for (unsigned begin = 0; begin < width; begin += 5)
      for (unsigned end = begin + 1; end <= width; end += gpu_is_software() ? 23 : 7) {
        struct job j = {.type = types[t], .kind = SORT_BITS, .options = HEDDLE_SORT_OPTIONS_INIT};
        j.n = turn % 3 ? 700 : gpu_is_software() ? 2500 : 40000;
        j.options.bit_begin = begin;
        j.options.bit_end = end;
        check_turn(&j, turn++);
      }
  }
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void rows_of_one_length(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const size_t lengths[] = {1,   2,   3,   7,    16,   17,   31,   32,   33,
                                   100, 511, 513, 1000, 1024, 1025, 2049, 5000, 8193};
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t += 2)
    for (size_t k = 0; k < COUNT(lengths); k++) {
      const size_t rows_most = most / 2 / lengths[k];
      const size_t shape[2] = {rows_most < 300 ? rows_most ? rows_most : 1 : 300, lengths[k]};
      if (gpu_is_software() && (k + t / 2) % 3) continue;
      heddle_rows rows = HEDDLE_ROWS_INIT;
      rows.dims = 2;
      rows.shape = shape;
      for (rows.axis = 0; rows.axis < 2; rows.axis++) {
        struct job j = {.type = all_types[t],
                        .kind = turn % 3 ? SORT_BITS : SORT_FEW,
                        .n = shape[0] * shape[1],
                        .end = shape[0] * shape[1],
                        .rows = &rows,
                        .options = HEDDLE_SORT_OPTIONS_INIT};
        if (turn % 5 == 4 && !ref_is_float(all_types[t]))
          j.options.bit_begin = 3, j.options.bit_end = 8;
        check_turn(&j, turn++);
      }
    }
}

/* As many as keep a device busy with a few threads for each, up to the longest that networks sort. */
static void many_rows(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const size_t lengths[] = {34,  49,  64,   65,   97,   128,   190,  257,
                                   500, 769, 1025, 3000, 6145, 12000, 16384};
  size_t turn = 0;
  for (size_t t = 0; t < type_count; t++)
    for (size_t k = 0; k < COUNT(lengths); k++) {
      const size_t shape[2] = {most / 2 / lengths[k], lengths[k]};
      if (gpu_is_software() && (lengths[k] > 1025 || (k + t) % 5)) continue;
      heddle_rows rows = HEDDLE_ROWS_INIT;
      rows.dims = 2, rows.axis = 1, rows.shape = shape;
      struct job j = {.type = all_types[t],
                      .kind = turn % 4 ? SORT_BITS : SORT_FEW,
                      .n = shape[0] * shape[1],
                      .end = shape[0] * shape[1],
                      .rows = &rows,
                      .options = HEDDLE_SORT_OPTIONS_INIT};
      check_turn(&j, turn++);
    }
}

static void segments(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  enum { SEGMENTS = 400 };
  uint64_t offsets[SEGMENTS + 1];
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = offsets;
  rows.segments = SEGMENTS;
  for (size_t turn = 0; turn < (gpu_is_software() ? 6 : 24); turn++) {
    const size_t tile = gpu_is_software() ? 1024 : 8192;
    offsets[0] = turn % 3 ? 5 : 0;
    for (size_t s = 0; s < SEGMENTS; s++) {
      const uint64_t word = data_word(turn, s);
      size_t length = word % 7 ? word >> 8 & 15 : 0;
      if (s % 97 == turn) length = tile / 2 + turn % 3 - 1;
      if (s % 131 == turn) length = tile + (word >> 20) % (3 * tile);
      offsets[s + 1] = offsets[s] + length;
    }
    struct job j = {.type = all_types[turn % type_count],
                    .kind = SORT_BITS,
                    .n = SEGMENTS,
                    .end = offsets[SEGMENTS],
                    .rows = &rows,
                    .options = HEDDLE_SORT_OPTIONS_INIT};
    check_turn(&j, turn + turn / 3);
  }
}

/* ---- memory, graphs ------------------------------------------------------------------------ */

static long refused;
static void *give_nothing(void *user, size_t bytes, void *stream) {
  (void)user, (void)bytes, (void)stream;
  refused++;
  return NULL;
}
static void take_nothing(void *user, void *memory, size_t bytes, void *stream) {
  (void)user, (void)memory, (void)bytes, (void)stream;
}

static void scratch_of_the_caller(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t n = gpu_is_software() ? 5000 : 100000;
  for (size_t turn = 0; turn < 9; turn++) {
    struct job j = {.type = all_types[turn + 3],
                    .kind = SORT_BITS,
                    .n = n,
                    .options = HEDDLE_SORT_OPTIONS_INIT};
    heddle_context *ctx = NULL, *usual = gpu_ctx;
    size_t bytes = 0;
    j.verb = verbs[turn % 3];
    j.value_bytes = 8;
    assert_int_equal(heddle_open(gpu_device(), &ctx), HEDDLE_OK);
    assert_int_equal(heddle_sort_scratch(ctx, j.verb, j.type, 8, n, NULL, &bytes), HEDDLE_OK);
    assert_true(bytes > 0);
    char *scratch = gpu_memory(bytes + 8);
    assert_int_equal(heddle_set_device_allocator(ctx, give_nothing, take_nothing, NULL), HEDDLE_OK);
    j.options.scratch = scratch + 8;
    j.options.scratch_bytes = bytes;
    gpu_ctx = ctx;
    sort_fill(j.kind, j.type, n + 3, n, keys);
    gpu_up(keys_there, keys, n * data_size(j.type));
    gpu_up(values_there, values, n * 8);
    same_status(
        HEDDLE_OK,
        call(ctx, &j, keys_there, values_there, keys_out_there, values_out_there, &j.options),
        WHERE, IT(&j));
    assert_int_equal(heddle_sync(ctx), HEDDLE_OK);
    assert_int_equal(refused, 0);
    gpu_ctx = usual;
    j.options.scratch = NULL;
    j.options.scratch_bytes = 0;
    same_status(HEDDLE_OK, call(gpu_cpu, &j, keys, values, wanted, wanted_values, &j.options),
                "the CPU");
    gpu_down(got, j.verb == HEDDLE_SORT_KEYS ? keys_out_there : values_out_there, n * 8);
    same_bytes(j.verb == HEDDLE_SORT_KEYS ? wanted : wanted_values, got,
               j.verb == HEDDLE_SORT_KEYS ? n * data_size(j.type) : n * 8, WHERE, IT(&j));
    heddle_close(ctx);
    gpu_forget(scratch);
  }
  uint32_t few[4] = {4, 3, 2, 1};
  heddle_sort_options o = HEDDLE_SORT_OPTIONS_INIT;
  o.scratch = few, o.scratch_bytes = sizeof few;
  same_status(HEDDLE_BAD_ARGUMENT,
              heddle_sort(gpu_ctx, HEDDLE_U32, keys_there, 4, keys_out_there, &o),
              "scratch of the host");
  assert_non_null(strstr(heddle_message(), "`options->scratch` is host memory"));
}

static void captured(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t n = gpu_is_software() ? 3000 : 50000;
  gpu_handle stream, graph, ready;
  heddle_context *ctx = NULL;
  assert_int_equal(heddle_open(gpu_device(), &ctx), HEDDLE_OK);
  gpu_must(gpu.stream_create(&stream, GPU_NON_BLOCKING), "stream");
  assert_int_equal(heddle_set_stream(ctx, stream), HEDDLE_OK);
  assert_int_equal(heddle_sort(ctx, HEDDLE_F32, keys_there, n, keys_out_there, NULL), HEDDLE_OK);
  assert_int_equal(heddle_sync(ctx), HEDDLE_OK);
  gpu_must(gpu.capture_begin(stream, GPU_CAPTURE_RELAXED), "capture");
  same_status(HEDDLE_OK, heddle_sort(ctx, HEDDLE_F32, keys_there, n, keys_out_there, NULL),
              "captured");
  gpu_must(gpu.capture_end(stream, &graph), "capture");
  gpu_must(gpu.graph_ready(&ready, graph, 0), "graph");
  for (size_t k = 0; k < 3; k++) { /* other digits are alike each time */
    sort_fill(k == 1 ? SORT_CONSTANT : k ? SORT_FEW : SORT_BITS, HEDDLE_F32, k, n, keys);
    gpu_up(keys_there, keys, n * 4);
    gpu_must(gpu.sync(), "uploaded"); /* the stream waits for no other */
    gpu_must(gpu.graph_launch(ready, stream), "launch");
    gpu_must(gpu.stream_sync(stream), "wait");
    gpu_down(got, keys_out_there, n * 4);
    assert_int_equal(heddle_sort(gpu_cpu, HEDDLE_F32, keys, n, wanted, NULL), HEDDLE_OK);
    same_array(HEDDLE_F32, wanted, got, n, "replay %zu", k);
  }
  gpu_must(gpu.graph_forget(ready), "graph");
  gpu_must(gpu.graph_destroy(graph), "graph");
  heddle_close(ctx);
  gpu_must(gpu.stream_destroy(stream), "stream");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lengths_around_tiles),
                                     cmocka_unit_test(every_distribution),
                                     cmocka_unit_test(large_arrays),
                                     cmocka_unit_test(bits_of_integers),
                                     cmocka_unit_test(rows_of_one_length),
                                     cmocka_unit_test(many_rows),
                                     cmocka_unit_test(segments),
                                     cmocka_unit_test(scratch_of_the_caller),
                                     cmocka_unit_test(captured)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
