/* test_environment.c - what surrounds a call: versions, names, conversions, variables, messages
 * of each thread, and the caller's floating-point mode */
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <unistd.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include "support.h"

static void versions_and_names(void **state) {
  (void)state;
  char text[32];
  (void)snprintf(text, sizeof text, "%d.%d.%d", HEDDLE_VERSION_MAJOR, HEDDLE_VERSION_MINOR,
                 HEDDLE_VERSION_PATCH);
  assert_string_equal(heddle_version_string(), text);
  assert_int_equal(heddle_version(), HEDDLE_VERSION);
  assert_int_equal(HEDDLE_VERSION, HEDDLE_VERSION_MAJOR * 10000 + HEDDLE_VERSION_MINOR * 100 +
                                       HEDDLE_VERSION_PATCH);
  assert_int_equal(heddle_abi(), HEDDLE_ABI);
  static const char *const names[] = {"u8",  "u16", "u32", "u64",  "i8",  "i16",
                                      "i32", "i64", "f16", "bf16", "f32", "f64"};
  assert_int_equal(type_count, sizeof names / sizeof *names);
  for (size_t t = 0; t < type_count; t++) {
    assert_string_equal(heddle_type_name(all_types[t]), names[t]);
    assert_int_equal(heddle_type_parse(names[t]), all_types[t]);
    assert_int_equal(heddle_type_size(all_types[t]), data_size(all_types[t]));
  }
  static const char *const none[] = {"", "f", "f3", "f322", "F32", " f32", "f32 ", "custom"};
  for (size_t i = 0; i < 8; i++) assert_int_equal(heddle_type_parse(none[i]), HEDDLE_TYPE_DEFAULT);
  const int numbers[] = {-1, 0, HEDDLE_CUSTOM, beyond_types(), 1 << 30, INT32_MIN};
  for (size_t i = 0; i < 6; i++) {
    assert_int_equal(heddle_type_size((heddle_type)numbers[i]), 0);
    assert_string_equal(heddle_type_name((heddle_type)numbers[i]), "unknown type");
  }
  assert_string_equal(heddle_status_name(HEDDLE_OK), "HEDDLE_OK");
  assert_string_equal(heddle_status_name(HEDDLE_CALLBACK), "HEDDLE_CALLBACK");
  assert_string_equal(heddle_status_name((heddle_status)10), "unknown status");
  assert_string_equal(heddle_status_name((heddle_status)-1), "unknown status");
}

/* ---- conversions ---------------------------------------------------------------------------- */

static void check_convert(heddle_type from, const void *in, heddle_type to, size_t n) {
  unsigned char *got = allocate(n * 8), *expected = allocate(n * 8);
  for (size_t i = 0; i < n; i++) ref_store(from, ref_load(from, in, i), to, expected, i);
  if (from == to) memcpy(expected, in, n * data_size(from)); /* bits as they are, NaN too */
  same_status(HEDDLE_OK, heddle_convert(from, in, to, got, n), "convert");
  same_array(to, expected, got, n, "%s to %s", heddle_type_name(from), heddle_type_name(to));
  free(got);
  free(expected);
}

static void conversions(void **state) {
  (void)state;
  enum { ALL = 1 << 16, RANDOM = 20000 };
  uint16_t *halves = allocate(ALL * 2);
  for (size_t i = 0; i < ALL; i++) halves[i] = (uint16_t)i;
  for (size_t t = 0; t < type_count; t++) {
    check_convert(HEDDLE_F16, halves, all_types[t], ALL);
    check_convert(HEDDLE_BF16, halves, all_types[t], ALL);
    check_convert(HEDDLE_I16, halves, all_types[t], ALL);
    for (size_t from = 0; from < type_count; from++)
      for (int kind = 0; kind < DATA_KINDS; kind++) {
        void *x = data_new((enum data_kind)kind, all_types[from], 3, RANDOM / lightness());
        check_convert(all_types[from], x, all_types[t], RANDOM / lightness());
        free(x);
      }
  }
  free(halves);
}

/* Halfway between neighbours of the narrow type, and one step to each side of halfway: a few, and a block of many. */
static void conversions_at_ties(void **state) {
  (void)state;
  enum { FEW = 6, MANY = 66 };
  double many[MANY];
  for (size_t to = 8; to < 11; to++)
    for (uint32_t bits = 0; bits<0x7C00; bits += lightness()> 1 ? 37 : 3) {
      const heddle_type type = all_types[to];
      uint32_t here = type == HEDDLE_F32 ? bits << 16 | 0x1234 : bits, next = here + 1;
      const double a = ref_load(type, &here, 0).f, b = ref_load(type, &next, 0).f;
      const double tie = a + (b - a) / 2;
      const double x[FEW] = {tie, nextafter(tie, 0), nextafter(tie, 1e300), -tie, a, -b};
      check_convert(HEDDLE_F64, x, type, FEW);
      for (size_t i = 0; i < MANY; i++) many[i] = x[i % FEW];
      if (bits % 9 == 0) check_convert(HEDDLE_F64, many, type, MANY);
    }
  const uint64_t wide[] = {UINT64_MAX,
                           (UINT64_C(1) << 53) + 1,
                           UINT64_C(0x8000004000000001),
                           UINT64_C(0x8000004000000000),
                           UINT64_C(0x8080000000000001),
                           65519,
                           65520};
  for (size_t t = 0; t < float_type_count; t++) {
    check_convert(HEDDLE_U64, wide, float_types[t], 7);
    check_convert(HEDDLE_I64, wide, float_types[t], 7);
  }
}

/* ---- nothing to do -------------------------------------------------------------------------- */

static void nothing_at_all(void **state) {
  (void)state;
  heddle_context *ctx = NULL;
  double value = 5;
  float init = 3;
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  const heddle_options with_init = make_options(0, 0, 0, &init);
  assert_int_equal(heddle_open(NULL, &ctx), HEDDLE_OK);
  assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F64, NULL, 0, &value, NULL), HEDDLE_OK);
  assert_true(value == 0 && !signbit(value));
  assert_int_equal(heddle_reduce(ctx, HEDDLE_PROD, HEDDLE_F64, NULL, 0, &value, NULL), HEDDLE_OK);
  assert_true(value == 1);
  value = 5;
  assert_int_equal(heddle_dot(ctx, HEDDLE_F64, NULL, NULL, 0, &value, NULL), HEDDLE_OK);
  assert_true(value == 0 && !signbit(value));
  assert_int_equal(heddle_reduce(ctx, HEDDLE_MIN, HEDDLE_F32, NULL, 0, &init, &with_init), 0);
  assert_true(init == 3);
  assert_int_equal(heddle_describe(ctx, HEDDLE_U8, NULL, 0, &d, NULL), HEDDLE_OK);
  assert_true(d.count == 0 && d.sum == 0 && !signbit(d.sum) && isnan(d.mean) && isnan(d.min));
  assert_true(isnan(d.max) && isnan(d.variance) && isnan(d.skewness));
  assert_int_equal(heddle_scan(ctx, HEDDLE_SUM, HEDDLE_EXCLUSIVE, HEDDLE_F32, NULL, 0, NULL, NULL),
                   HEDDLE_OK);
  assert_int_equal(heddle_convert(HEDDLE_F32, NULL, HEDDLE_F64, NULL, 0), HEDDLE_OK);
  heddle_rows rows = HEDDLE_ROWS_INIT;
  const uint64_t offsets[] = {0, 0};
  rows.offsets = offsets;
  assert_int_equal(heddle_reduce_rows(ctx, HEDDLE_SUM, HEDDLE_F32, NULL, &rows, NULL, NULL), 0);
  rows.segments = 1;
  assert_int_equal(heddle_reduce_rows(ctx, HEDDLE_SUM, HEDDLE_F64, NULL, &rows, &value, NULL), 0);
  uint64_t counts[3] = {7, 7, 7};
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 3, 0, 1, 0, NULL, 0};
  assert_int_equal(heddle_histogram(ctx, HEDDLE_F32, NULL, 0, &bins, counts, NULL, NULL), 0);
  assert_true(counts[0] == 0 && counts[1] == 0 && counts[2] == 0);
  heddle_close(ctx);
}

/* ---- messages ------------------------------------------------------------------------------- */

static void *other_thread(void *argument) {
  heddle_context *ctx = NULL;
  assert_string_equal(heddle_message(), "");
  assert_int_not_equal(heddle_open("cpu:many", &ctx), HEDDLE_OK);
  *(int *)argument = strstr(heddle_message(), "cpu:many") != NULL;
  return NULL;
}

static void messages_belong_to_threads(void **state) {
  (void)state;
  heddle_context *ctx = NULL;
  pthread_t thread;
  int named = 0;
  assert_int_not_equal(heddle_open("cpu:none", &ctx), HEDDLE_OK);
  assert_int_equal(pthread_create(&thread, NULL, other_thread, &named), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_int_equal(named, 1);
  assert_non_null(strstr(heddle_message(), "cpu:none"));
  assert_int_equal(heddle_open("cpu", &ctx), HEDDLE_OK);
  assert_non_null(strstr(heddle_message(), "cpu:none")); /* success leaves it */
  heddle_close(ctx);
}

static void hostile_names_are_cut(void **state) {
  (void)state;
  heddle_context *ctx = NULL;
  char *device = malloc(1 << 20);
  memset(device, '%', (1 << 20) - 1);
  device[(1 << 20) - 1] = 0;
  assert_int_not_equal(heddle_open(device, &ctx), HEDDLE_OK);
  assert_true(strlen(heddle_message()) < 4096);
  free(device);
}

/* ---- variables ------------------------------------------------------------------------------ */

static unsigned threads_of(const char *device) {
  heddle_context *ctx = NULL;
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  if (heddle_open(device, &ctx) != HEDDLE_OK) return 0;
  assert_int_equal(heddle_info(ctx, &info), HEDDLE_OK);
  assert_string_not_equal(info.name, "");
  heddle_close(ctx);
  return info.threads;
}

static void variables(void **state) {
  (void)state;
  heddle_context *ctx = NULL;
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  assert_int_equal(threads_of("cpu:7"), 7);
  assert_int_equal(threads_of("cpu:1024"), 1024);
  setenv("HEDDLE_DEVICE", "cpu:5", 1);
  assert_int_equal(threads_of(NULL), 5);
  assert_int_equal(threads_of("cpu:2"), 2);
  setenv("HEDDLE_DEVICE", "", 1);
  assert_true(threads_of(NULL) >= 1);
  setenv("HEDDLE_DEVICE", "nonsense", 1);
  assert_int_equal(heddle_open(NULL, &ctx), HEDDLE_NO_DEVICE);
  assert_non_null(strstr(heddle_message(), "nonsense"));
  unsetenv("HEDDLE_DEVICE");
  setenv("HEDDLE_NUM_THREADS", "3", 1);
  assert_int_equal(threads_of("cpu"), 3);
  static const char *const bad[] = {"0", "-1", "1025", "many", "2x", "99999999999999999999"};
  for (size_t i = 0; i < 6; i++) {
    setenv("HEDDLE_NUM_THREADS", bad[i], 1);
    assert_int_equal(heddle_open("cpu", &ctx), HEDDLE_BAD_ARGUMENT);
    assert_null(ctx);
    assert_non_null(strstr(heddle_message(), "HEDDLE_NUM_THREADS"));
  }
  unsetenv("HEDDLE_NUM_THREADS");
  setenv("HEDDLE_ISA", "sse9", 1);
  assert_int_equal(heddle_open("cpu", &ctx), HEDDLE_OK);
  assert_int_equal(heddle_info(ctx, &info), HEDDLE_OK);
  assert_non_null(strstr(info.note, "sse9"));
  heddle_close(ctx);
  unsetenv("HEDDLE_ISA");
}

/* ---- the caller's floating-point mode ------------------------------------------------------- */

enum { LENGTH = 1 << 19, PLAIN = 8, EXACT = 7, ANSWERS = PLAIN + EXACT };

/* Exact sums add by floats, too, and f64 have to be those that are between: long, short, in rows, in pieces,
 * products that split, weights. */
static void exact_answers(heddle_context *ctx, const float *x, uint64_t *result) {
  enum { N = 9000 };
  const size_t shape[2] = {90, N / 90};
  double *w = data_new(DATA_WIDE, HEDDLE_F64, 3, N), got[90], of_rows[90], sums[7];
  heddle_options options = make_options(0, HEDDLE_TYPE_DEFAULT, HEDDLE_F64, NULL);
  heddle_rows rows = HEDDLE_ROWS_INIT;
  heddle_state *s = NULL;
  options.exact = 1;
  rows.dims = 2, rows.axis = 1, rows.shape = shape;
  assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, LENGTH, &got[0], &options), 0);
  assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F64, w, 700, &got[1], &options), 0);
  assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM_SQUARES, HEDDLE_F64, w, N, &got[2], &options), 0);
  assert_int_equal(heddle_dot(ctx, HEDDLE_F64, w, w + 1, N - 1, &got[3], &options), 0);
  assert_int_equal(heddle_reduce_begin(ctx, HEDDLE_SUM, HEDDLE_F64, &options, &s), 0);
  assert_int_equal(heddle_reduce_update(s, w, N), 0);
  assert_int_equal(heddle_reduce_finish(s, &got[4]), 0);
  heddle_state_free(s);
  for (size_t k = 0; k < 5; k++) result[k] = data_bits(HEDDLE_F64, got, k);
  assert_int_equal(heddle_reduce_rows(ctx, HEDDLE_SUM, HEDDLE_F64, w, &rows, of_rows, &options), 0);
  result[5] = data_checksum(HEDDLE_F64, of_rows, 90);
  heddle_histogram_options weighted = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 7, -1, 1, 0, NULL, 0};
  weighted.weights = w, weighted.weights_type = HEDDLE_F64, weighted.sums = sums;
  weighted.exact = 1;
  assert_int_equal(heddle_histogram(ctx, HEDDLE_F32, x, N, &bins, NULL, NULL, &weighted), 0);
  result[6] = data_checksum(HEDDLE_F64, sums, 7);
  free(w);
}

static void answers(heddle_context *ctx, const float *x, uint64_t *result) {
  float sum = 0, product = 0, tiny = 0;
  double wide = 0;
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  float *totals = allocate(LENGTH * 4);
  const heddle_options in_f64 = make_options(0, HEDDLE_F64, HEDDLE_F64, NULL);
  float denormals[100];
  data_fill(DATA_TINY, HEDDLE_F32, 1, 100, denormals);
  assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, LENGTH, &sum, NULL), HEDDLE_OK);
  assert_int_equal(heddle_dot(ctx, HEDDLE_F32, x, x, LENGTH, &product, NULL), HEDDLE_OK);
  assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, denormals, 100, &tiny, NULL), 0);
  assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, 999, &wide, &in_f64), HEDDLE_OK);
  assert_int_equal(heddle_describe(ctx, HEDDLE_F32, x, LENGTH, &d, NULL), HEDDLE_OK);
  assert_int_equal(
      heddle_scan(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, x, LENGTH, totals, NULL), 0);
  result[0] = data_bits(HEDDLE_F32, &sum, 0);
  result[1] = data_bits(HEDDLE_F32, &product, 0);
  result[2] = data_bits(HEDDLE_F32, &tiny, 0);
  result[3] = data_bits(HEDDLE_F64, &wide, 0);
  result[4] = data_bits(HEDDLE_F64, &d.variance, 0);
  result[5] = data_checksum(HEDDLE_F32, totals, LENGTH);
  uint16_t half;
  const double tie = 1.0 + 0x1p-11;
  assert_int_equal(heddle_convert(HEDDLE_F64, &tie, HEDDLE_F16, &half, 1), HEDDLE_OK);
  result[6] = half;
  heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 7, 0.1, 0.7, 0, NULL, 0};
  double edges[8];
  assert_int_equal(heddle_histogram_edges(HEDDLE_F64, &bins, edges), HEDDLE_OK);
  result[7] = data_checksum(HEDDLE_F64, edges, 8);
  exact_answers(ctx, x, result + PLAIN);
  free(totals);
}

static void rounding_modes(void **state) {
  (void)state;
  static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 1, LENGTH);
  for (size_t i = 0; i < ISAS; i++) {
    heddle_context *ctx = open_cpu(isa_names[i], 3);
    if (!ctx) continue;
    uint64_t expected[ANSWERS], got[ANSWERS];
    answers(ctx, x, expected);
    for (size_t m = 0; m < 3; m++) {
      assert_int_equal(fesetround(modes[m]), 0);
      answers(ctx, x, got);
      const int mode = fegetround();
      (void)fesetround(FE_TONEAREST);
      assert_int_equal(mode, modes[m]);
      for (size_t k = 0; k < ANSWERS; k++)
        same_bytes(&expected[k], &got[k], 8, "answer %zu in mode %zu on %s", k, m, isa_names[i]);
    }
    heddle_close(ctx);
  }
  free(x);
}

static void flush_to_zero(void **state) {
  (void)state;
#if defined(__SSE__)
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 2, LENGTH);
  for (size_t i = 0; i < ISAS; i++) {
    heddle_context *ctx = open_cpu(isa_names[i], 3);
    if (!ctx) continue;
    uint64_t expected[ANSWERS], got[ANSWERS];
    answers(ctx, x, expected);
    const unsigned before = _mm_getcsr(), strange = 0x8040 | 0x1F80 | 0x2000;
    _mm_setcsr(strange);
    answers(ctx, x, got);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    assert_int_equal(after & ~0x3FU, strange & ~0x3FU);
    for (size_t k = 0; k < ANSWERS; k++)
      same_bytes(&expected[k], &got[k], 8, "answer %zu, flushing to zero, on %s", k, isa_names[i]);
    heddle_close(ctx);
  }
  free(x);
#else
  skip();
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_belong_to_threads), /* first: this thread has no message yet */
      cmocka_unit_test(versions_and_names),
      cmocka_unit_test(conversions),
      cmocka_unit_test(conversions_at_ties),
      cmocka_unit_test(nothing_at_all),
      cmocka_unit_test(hostile_names_are_cut),
      cmocka_unit_test(variables),
      cmocka_unit_test(rounding_modes),
      cmocka_unit_test(flush_to_zero),
  };
  return cmocka_run_group_tests_name("environment", tests, NULL, NULL);
}
