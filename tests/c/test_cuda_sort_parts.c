/* test_cuda_sort_parts.c - sorts of arrays of the host that a device has no room for
 *
 * Method   The context's memory comes from an allocator that gives out less than the arrays take. Results have
 *          the CPU's bits: of every verb, of keys that are alike in different runs, in place, with the inputs as
 *          memory, of rows and segments of which some or one alone are too long.
 * Limits   how much later calls leave of the memory depends on those before */
#include <stdbool.h>

#include "gpu.h"
#include "sort_reference.h"

enum { LIMIT = 1 << 20, MOST = 130000 };

static heddle_context *ctx;
static size_t held, refusals;

static void *give(void *user, size_t bytes, void *stream) {
  (void)user, (void)stream;
  if (held + bytes > LIMIT) {
    refusals++;
    return NULL;
  }
  held += bytes;
  return gpu_memory(bytes);
}

static void take_back(void *user, void *memory, size_t bytes, void *stream) {
  (void)user, (void)stream;
  held -= bytes;
  gpu_forget(memory);
}

static char *keys, *values, *wanted, *got, *wanted_values, *got_values;

static int setup(void **state) {
  if (gpu_setup(state)) return 1;
  if (!gpu_device()) return 0;
  if (heddle_open(gpu_device(), &ctx)) return 1;
  if (heddle_set_device_allocator(ctx, give, take_back, NULL)) return 1;
  char **arrays[] = {&keys, &values, &wanted, &got, &wanted_values, &got_values};
  for (size_t i = 0; i < COUNT(arrays); i++) *arrays[i] = allocate(MOST * 16);
  for (size_t i = 0; i < (size_t)MOST * 2; i++) ((uint64_t *)(void *)values)[i] = data_word(78, i);
  return 0;
}

static int teardown(void **state) {
  char *arrays[] = {keys, values, wanted, got, wanted_values, got_values};
  for (size_t i = 0; i < COUNT(arrays); i++) free(arrays[i]);
  heddle_close(ctx);
  return gpu_teardown(state);
}

struct job {
  heddle_sort_verb verb;
  heddle_type type;
  enum sort_kind kind;
  size_t n, value_bytes;
  heddle_sort_options options;
  bool in_place, no_keys;
  const heddle_rows *rows;
};

static heddle_status call(heddle_context *on, const struct job *j, const void *k, const void *v,
                          void *k_out, void *v_out) {
  const struct sort_call c = {j->verb, j->type, j->n, j->value_bytes, j->rows, j->options};
  return sort_call(on, &c, k, v, k_out, v_out);
}

/* The results of one context; in place, copies of the inputs become them. */
static void sort_on_one(heddle_context *on, const struct job *j, char *k_out, char *v_out) {
  const size_t size = data_size(j->type);
  const bool has_keys =
      j->verb == HEDDLE_SORT_KEYS || (j->verb == HEDDLE_SORT_PAIRS && !j->no_keys);
  const bool pairs = j->verb == HEDDLE_SORT_PAIRS;
  char *k = allocate(j->n * size), *v = allocate(j->n * 16);
  memcpy(k, keys, j->n * size);
  memcpy(v, values, j->n * 16);
  memset(k_out, 0x5a, j->n * size);
  memset(v_out, 0x5a, j->n * 16);
  const bool same = j->in_place && j->verb != HEDDLE_ARGSORT;
  same_status(
      HEDDLE_OK, call(on, j, k, v, has_keys ? same ? k : k_out : NULL, same && pairs ? v : v_out),
      "verb %d of %zu %s, %s", (int)j->verb, j->n, heddle_type_name(j->type), sort_name(j->kind));
  if (same && has_keys) memcpy(k_out, k, j->n * size);
  if (same && pairs) memcpy(v_out, v, j->n * j->value_bytes);
  if (!same && !j->options.overwrite) same_bytes(keys, k, j->n * size, "the input");
  free(k);
  free(v);
}

static void check(const struct job *j) {
  const size_t size = data_size(j->type), before = refusals;
  assert_true(j->n <= MOST);
  sort_fill(j->kind, j->type, j->n + 5, j->n, keys);
  sort_on_one(gpu_cpu, j, wanted, wanted_values);
  sort_on_one(ctx, j, got, got_values);
  assert_true(refusals > before); /* there was no room */
  same_bytes(wanted, got, j->n * size, "keys, verb %d, %s %s", (int)j->verb,
             heddle_type_name(j->type), sort_name(j->kind));
  same_bytes(wanted_values, got_values, j->n * j->value_bytes, "values, verb %d, %s %s",
             (int)j->verb, heddle_type_name(j->type), sort_name(j->kind));
}

static void arrays(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  static const struct {
    heddle_sort_verb verb;
    heddle_type type;
    enum sort_kind kind;
    size_t value_bytes;
    bool in_place, no_keys, overwrite;
    unsigned bit_begin, bit_end;
  } cases[] = {{HEDDLE_SORT_KEYS, HEDDLE_F64, SORT_BITS, 0, true, 0, 0, 0, 0},
               {HEDDLE_SORT_KEYS, HEDDLE_I64, SORT_RISING, 0, 0, 0, true, 0, 0},
               {HEDDLE_SORT_KEYS, HEDDLE_F64, SORT_ZEROS, 0, 0, 0, 0, 0, 0},
               {HEDDLE_SORT_KEYS, HEDDLE_U64, SORT_BITS, 0, 0, 0, true, 3, 60},
               {HEDDLE_ARGSORT, HEDDLE_F64, SORT_ZEROS, 8, 0, 0, 0, 0, 0},
               {HEDDLE_ARGSORT, HEDDLE_F16, SORT_BITS, 4, 0, 0, true, 0, 0},
               {HEDDLE_ARGSORT, HEDDLE_U16, SORT_FEW, 8, 0, 0, 0, 0, 0},
               {HEDDLE_SORT_PAIRS, HEDDLE_F32, SORT_NAN, 8, 0, 0, true, 0, 0},
               {HEDDLE_SORT_PAIRS, HEDDLE_I64, SORT_UNEVEN, 16, true, 0, 0, 5, 14},
               {HEDDLE_SORT_PAIRS, HEDDLE_F64, SORT_CONSTANT, 4, true, 0, true, 0, 0},
               {HEDDLE_SORT_PAIRS, HEDDLE_F32, SORT_ZEROS, 16, 0, true, 0, 0, 0},
               {HEDDLE_SORT_PAIRS, HEDDLE_U8, SORT_BITS, 8, 0, 0, 0, 0, 0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct job j = {.verb = cases[i].verb,
                    .type = cases[i].type,
                    .kind = cases[i].kind,
                    .n = MOST - 17 * i,
                    .value_bytes = cases[i].value_bytes,
                    .options = sort_options(i % 2, i % 3 == 0),
                    .in_place = cases[i].in_place,
                    .no_keys = cases[i].no_keys};
    j.options.overwrite = cases[i].overwrite;
    j.options.bit_begin = cases[i].bit_begin, j.options.bit_end = cases[i].bit_end;
    check(&j);
  }
}

static void rows(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  const size_t shape[2] = {13, MOST / 13};
  heddle_rows axis = HEDDLE_ROWS_INIT, segments = HEDDLE_ROWS_INIT;
  axis.dims = 2, axis.shape = shape, axis.axis = 1;
  const uint64_t offsets[] = {0, 3, 3, 9000, 9001, 95000, 95000, 100000, 129990};
  segments.offsets = offsets, segments.segments = COUNT(offsets) - 1;
  struct job j = {.verb = HEDDLE_SORT_KEYS,
                  .type = HEDDLE_F64,
                  .kind = SORT_BITS,
                  .options = HEDDLE_SORT_OPTIONS_INIT};
  j.rows = &axis, j.n = shape[0] * shape[1];
  check(&j);
  j.verb = HEDDLE_ARGSORT, j.value_bytes = 8, j.kind = SORT_FEW;
  check(&j);
  j.rows = &segments, j.n = 129990;
  check(&j);
  j.verb = HEDDLE_SORT_PAIRS, j.value_bytes = 16, j.in_place = true;
  check(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arrays), cmocka_unit_test(rows)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
