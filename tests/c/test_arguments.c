/* test_arguments.c - every bad argument of every entry: the status, the argument's name in the
 * message, and not one byte written; longer than 400 lines because it is one list of refusals */
#include <ctype.h>

#include "support.h"

enum { CANARY = 0xC3, BYTES = 512 };
static unsigned char out[BYTES]; /* every output of every call here lies in it */
static float x[64], y[64];
static heddle_context *ctx;

/* As a whole word: "in" is not in "init". */
static int is_named(const char *message, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = message; (at = strstr(at, name)); at++) {
    const int starts = at == message || !isalnum((unsigned char)at[-1]);
    if (starts && !isalnum((unsigned char)at[length])) return 1;
  }
  return 0;
}

static void expect(heddle_status expected, heddle_status got, const char *name, const char *call) {
  if (got != expected)
    fail_msg("%s gave %s, not %s", call, heddle_status_name(got), heddle_status_name(expected));
  if (!is_named(heddle_message(), name))
    fail_msg("%s: the message does not name %s: %s", call, name, heddle_message());
  for (size_t i = 0; i < BYTES; i++)
    if (out[i] != CANARY) fail_msg("%s wrote byte %zu of its output", call, i);
}

/* The name must stand in the message as `name` or as `options->name`; an array that is too long
 * for any memory is named itself. */
#define BAD(name, call) expect(HEDDLE_BAD_ARGUMENT, (call), name, #call)
#define TOO_LONG(name, call) expect(HEDDLE_BAD_ARGUMENT, (call), "`" name "` has", #call)
#define UNSUPPORTED(name, call) expect(HEDDLE_UNSUPPORTED, (call), name, #call)

static const heddle_op SUM = HEDDLE_SUM;
static const heddle_type F32 = HEDDLE_F32;
static const size_t HUGE_COUNT = SIZE_MAX / 2;

static heddle_op no_op(int number) { return (heddle_op)number; }
static heddle_type no_type(int number) { return (heddle_type)number; }

static int clean(void **state) {
  (void)state;
  memset(out, CANARY, sizeof out);
  return 0;
}
static int setup(void **state) {
  (void)state;
  ctx = open_one();
  return 0;
}
static int teardown(void **state) {
  (void)state;
  heddle_close(ctx);
  return 0;
}

static void contexts(void **state) {
  (void)state;
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  heddle_device_info *none = NULL;
  BAD("out", heddle_open("cpu", NULL));
  static const char *const devices[] = {"gpu",
                                        "cpu:0",
                                        "cpu:1025",
                                        "cpu:",
                                        "cpu:x",
                                        "cpu:4x",
                                        "cpu:-1",
                                        "cpu: 4",
                                        "cpux",
                                        "CPU",
                                        "cpu:1:2",
                                        " cpu",
                                        "cpu:99999999999999999999"};
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
    heddle_context *opened = (heddle_context *)(void *)out;
    const heddle_status status = heddle_open(devices[i], &opened);
    if (status != HEDDLE_NO_DEVICE && status != HEDDLE_BAD_ARGUMENT)
      fail_msg("heddle_open(\"%s\") gave %s", devices[i], heddle_status_name(status));
    assert_null(opened);
    assert_non_null(strstr(heddle_message(), devices[i]));
  }
  BAD("ctx", heddle_info(NULL, &info));
  BAD("out", heddle_info(ctx, none));
  info.size = 3;
  BAD("out", heddle_info(ctx, &info));
  BAD("ctx", heddle_set_executor(NULL, NULL, NULL));
  BAD("ctx", heddle_set_allocator(NULL, NULL, NULL, NULL));
  BAD("ctx", heddle_set_poll(NULL, NULL, NULL));
  BAD("ctx", heddle_set_stream(NULL, NULL));
  if (one_is_cpu()) BAD("stream", heddle_set_stream(ctx, out)); /* a driver would follow it */
  BAD("ctx", heddle_sync(NULL));
  assert_int_equal(heddle_set_stream(ctx, NULL), HEDDLE_OK);
  assert_int_equal(heddle_sync(ctx), HEDDLE_OK);
  heddle_close(NULL);
}

static void reduce(void **state) {
  (void)state;
  BAD("ctx", heddle_reduce(NULL, SUM, F32, x, 4, out, NULL));
  BAD("op", heddle_reduce(ctx, no_op(0), F32, x, 4, out, NULL));
  BAD("op", heddle_reduce(ctx, no_op(beyond_ops()), F32, x, 4, out, NULL));
  BAD("op", heddle_reduce(ctx, no_op(-1), F32, x, 4, out, NULL));
  BAD("type", heddle_reduce(ctx, SUM, no_type(0), x, 4, out, NULL));
  BAD("type", heddle_reduce(ctx, SUM, no_type(beyond_types()), x, 4, out, NULL));
  BAD("type", heddle_reduce(ctx, SUM, no_type(-5), x, 4, out, NULL));
  BAD("type", heddle_reduce(ctx, SUM, HEDDLE_CUSTOM, x, 4, out, NULL));
  BAD("in", heddle_reduce(ctx, SUM, F32, NULL, 4, out, NULL));
  TOO_LONG("in", heddle_reduce(ctx, SUM, F32, x, HUGE_COUNT, out, NULL));
  BAD("out", heddle_reduce(ctx, SUM, F32, x, 4, NULL, NULL));
  UNSUPPORTED("and", heddle_reduce(ctx, HEDDLE_AND, F32, x, 4, out, NULL));
  UNSUPPORTED("or", heddle_reduce(ctx, HEDDLE_OR, F32, x, 4, out, NULL));
  UNSUPPORTED("xor", heddle_reduce(ctx, HEDDLE_XOR, HEDDLE_BF16, x, 4, out, NULL));
  expect(HEDDLE_EMPTY, heddle_reduce(ctx, HEDDLE_MIN, F32, x, 0, out, NULL), "min", "min of none");
  expect(HEDDLE_EMPTY, heddle_reduce(ctx, HEDDLE_MAX, HEDDLE_U8, NULL, 0, out, NULL), "max",
         "max of none");
}

static void dot_argreduce_describe(void **state) {
  (void)state;
  uint64_t *index = (uint64_t *)(void *)out;
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  BAD("ctx", heddle_dot(NULL, F32, x, y, 4, out, NULL));
  BAD("type", heddle_dot(ctx, no_type(20), x, y, 4, out, NULL));
  BAD("type", heddle_dot(ctx, HEDDLE_CUSTOM, x, y, 4, out, NULL));
  BAD("x", heddle_dot(ctx, F32, NULL, y, 4, out, NULL));
  BAD("y", heddle_dot(ctx, F32, x, NULL, 4, out, NULL));
  BAD("out", heddle_dot(ctx, F32, x, y, 4, NULL, NULL));
  TOO_LONG("x", heddle_dot(ctx, F32, x, y, HUGE_COUNT, out, NULL));
  BAD("ctx", heddle_argreduce(NULL, HEDDLE_ARGMIN, F32, x, 4, out, index, NULL));
  BAD("which", heddle_argreduce(ctx, (heddle_extreme)0, F32, x, 4, out, index, NULL));
  BAD("which", heddle_argreduce(ctx, (heddle_extreme)3, F32, x, 4, out, index, NULL));
  BAD("type", heddle_argreduce(ctx, HEDDLE_ARGMIN, no_type(0), x, 4, out, index, NULL));
  BAD("in", heddle_argreduce(ctx, HEDDLE_ARGMIN, F32, NULL, 4, out, index, NULL));
  BAD("index", heddle_argreduce(ctx, HEDDLE_ARGMIN, F32, x, 4, out, NULL, NULL));
  TOO_LONG("in", heddle_argreduce(ctx, HEDDLE_ARGMIN, F32, x, HUGE_COUNT, out, index, NULL));
  expect(HEDDLE_EMPTY, heddle_argreduce(ctx, HEDDLE_ARGMAX, F32, NULL, 0, out + 8, index, NULL),
         "heddle_argreduce", "argmax of none");
  BAD("ctx", heddle_describe(NULL, F32, x, 4, &d, NULL));
  BAD("type", heddle_describe(ctx, no_type(99), x, 4, &d, NULL));
  BAD("in", heddle_describe(ctx, F32, NULL, 4, &d, NULL));
  TOO_LONG("in", heddle_describe(ctx, F32, x, HUGE_COUNT, &d, NULL));
  BAD("out", heddle_describe(ctx, F32, x, 4, NULL, NULL));
  d.size = 0;
  BAD("out", heddle_describe(ctx, F32, x, 4, &d, NULL));
  d.size = 7;
  BAD("out", heddle_describe(ctx, F32, x, 4, &d, NULL));
  assert_true(d.count == 0 && d.sum == 0);
}

static void scan(void **state) {
  (void)state;
  const heddle_scan_kind in = HEDDLE_INCLUSIVE;
  BAD("ctx", heddle_scan(NULL, SUM, in, F32, x, 4, out, NULL));
  BAD("op", heddle_scan(ctx, no_op(77), in, F32, x, 4, out, NULL));
  BAD("kind", heddle_scan(ctx, SUM, (heddle_scan_kind)2, F32, x, 4, out, NULL));
  BAD("type", heddle_scan(ctx, SUM, in, no_type(0), x, 4, out, NULL));
  BAD("in", heddle_scan(ctx, SUM, in, F32, NULL, 4, out, NULL));
  BAD("out", heddle_scan(ctx, SUM, in, F32, x, 4, NULL, NULL));
  TOO_LONG("in", heddle_scan(ctx, SUM, in, F32, x, HUGE_COUNT, out, NULL));
  UNSUPPORTED("any", heddle_scan(ctx, HEDDLE_ANY, in, HEDDLE_U8, x, 4, out, NULL));
  UNSUPPORTED("all", heddle_scan(ctx, HEDDLE_ALL, in, F32, x, 4, out, NULL));
  UNSUPPORTED("xor", heddle_scan(ctx, HEDDLE_XOR, in, F32, x, 4, out, NULL));
}

/* Each of these makes the options wrong in one way. */
static void option_fields(void **state) {
  (void)state;
  heddle_options o = HEDDLE_OPTIONS_INIT;
  o.size = 0;
  BAD("options", heddle_reduce(ctx, SUM, F32, x, 4, out, &o));
  o.size = sizeof(size_t) - 1;
  BAD("options", heddle_scan(ctx, SUM, HEDDLE_INCLUSIVE, F32, x, 4, out, &o));
  o = make_options((heddle_nan)2, 0, 0, NULL);
  BAD("nan", heddle_reduce(ctx, SUM, F32, x, 4, out, &o));
  BAD("nan", heddle_argreduce(ctx, HEDDLE_ARGMIN, F32, x, 4, out, (uint64_t *)(void *)out, &o));
  BAD("nan", heddle_dot(ctx, F32, x, y, 4, out, &o));
  o = make_options(0, no_type(40), 0, NULL);
  BAD("acc_type", heddle_reduce(ctx, SUM, F32, x, 4, out, &o));
  o = make_options(0, HEDDLE_I32, 0, NULL);
  BAD("acc_type", heddle_reduce(ctx, SUM, F32, x, 4, out, &o));
  o = make_options(0, HEDDLE_F32, 0, NULL);
  BAD("acc_type", heddle_reduce(ctx, SUM, HEDDLE_F64, x, 4, out, &o));
  o = make_options(0, HEDDLE_F16, 0, NULL);
  BAD("acc_type", heddle_dot(ctx, HEDDLE_F16, x, y, 4, out, &o));
  o = make_options(0, 0, no_type(-3), NULL);
  BAD("out_type", heddle_reduce(ctx, SUM, F32, x, 4, out, &o));
  o = make_options(0, 0, HEDDLE_CUSTOM, NULL);
  BAD("out_type", heddle_reduce(ctx, SUM, F32, x, 4, out, &o));
  o = make_options(0, 0, HEDDLE_I64, NULL);
  BAD("out_type", heddle_reduce(ctx, SUM, F32, x, 4, out, &o));
  BAD("out_type", heddle_scan(ctx, SUM, HEDDLE_EXCLUSIVE, HEDDLE_F64, x, 4, out, &o));
  BAD("out_type", heddle_dot(ctx, F32, x, y, 4, out, &o));
}

static heddle_status combine(void *acc, const void *v, size_t n, void *user) {
  (void)acc, (void)v, (void)n, (void)user;
  return HEDDLE_OK;
}

static void custom_operators(void **state) {
  (void)state;
  const float zero = 0;
  const heddle_custom good = {sizeof good, 4, &zero, 1, combine, combine, NULL, "float: a + b"};
  heddle_custom bad = good;
  heddle_options o = HEDDLE_OPTIONS_INIT;
  BAD("custom", heddle_reduce(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, 4, out, NULL));
  BAD("custom", heddle_reduce(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, 4, out, &o));
  o.custom = &bad;
  BAD("type", heddle_reduce(ctx, HEDDLE_OP_CUSTOM, F32, x, 4, out, &o));
  BAD("custom", heddle_reduce(ctx, SUM, F32, x, 4, out, &o));
  bad.size = 2;
  BAD("custom", heddle_reduce(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, 4, out, &o));
  bad = good;
  bad.element_bytes = 0;
  BAD("element_bytes", heddle_reduce(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, 4, out, &o));
  bad.element_bytes = 4097;
  BAD("element_bytes", heddle_reduce(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, 0, out, &o));
  bad = good;
  bad.identity = NULL;
  BAD("identity",
      heddle_scan(ctx, HEDDLE_OP_CUSTOM, HEDDLE_INCLUSIVE, HEDDLE_CUSTOM, x, 4, out, &o));
  bad = good;
  bad.combine = NULL;
  if (!one_is_cpu()) bad.cuda_source = NULL;
  BAD(one_is_cpu() ? "combine" : "cuda_source",
      heddle_reduce(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, 4, out, &o));
  bad = good;
  bad.pairs = NULL;
  bad.cuda_source = NULL;
  BAD(one_is_cpu() ? "pairs" : "cuda_source",
      heddle_reduce(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, 4, out, &o));
  bad = good;
  TOO_LONG("in", heddle_reduce(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, HUGE_COUNT, out, &o));
  o.out_type = F32;
  BAD("out_type", heddle_reduce(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, 4, out, &o));
}

static void figures(void **state) {
  (void)state;
  heddle_options o = HEDDLE_OPTIONS_INIT;
  BAD("figures", heddle_figure(ctx, F32, x, 4, out, NULL));
  BAD("figures", heddle_figure(ctx, F32, x, 4, out, &o));
  o.figures = HEDDLE_FIGURES_DEVIATION;
  BAD("figures", heddle_describe(ctx, F32, x, 4, (heddle_description *)(void *)out, &o));
  BAD("ctx", heddle_figure(NULL, F32, x, 4, out, &o));
  BAD("type", heddle_figure(ctx, no_type(0), x, 4, out, &o));
  BAD("in", heddle_figure(ctx, F32, NULL, 4, out, &o));
  BAD("out", heddle_figure(ctx, F32, x, 4, NULL, &o));
  TOO_LONG("in", heddle_figure(ctx, F32, x, HUGE_COUNT, out, &o));
  o.out_type = HEDDLE_I32;
  BAD("out_type", heddle_figure(ctx, F32, x, 4, out, &o));
  o.out_type = HEDDLE_TYPE_DEFAULT, o.divisor = 2;
  BAD("divisor", heddle_figure(ctx, F32, x, 4, out, &o));
}

static void divisors(void **state) {
  (void)state;
  heddle_options o = HEDDLE_OPTIONS_INIT;
  double apart;
  o.divisor = 3;
  BAD("divisor", heddle_reduce(ctx, HEDDLE_MAX, F32, x, 4, out, &o));
  BAD("divisor", heddle_dot(ctx, F32, x, y, 4, out, &o));
  BAD("divisor", heddle_scan(ctx, SUM, HEDDLE_INCLUSIVE, F32, x, 4, out, &o));
  BAD("divisor", heddle_describe(ctx, F32, x, 4, (heddle_description *)(void *)out, &o));
  o.init = x;
  BAD("init", heddle_reduce(ctx, SUM, F32, x, 4, out, &o));
  o.init = NULL, o.out_type = HEDDLE_I32;
  BAD("out_type", heddle_reduce(ctx, SUM, HEDDLE_I32, x, 4, out, &o));
  o.out_type = HEDDLE_TYPE_DEFAULT;
  assert_int_equal(heddle_reduce(ctx, SUM, HEDDLE_I32, x, 4, &apart, &o),
                   one_is_cpu() ? HEDDLE_UNSUPPORTED : HEDDLE_OK);
  heddle_type made;
  assert_int_equal(heddle_result_type(HEDDLE_REDUCE, SUM, HEDDLE_I32, &o, &made, NULL), HEDDLE_OK);
  assert_int_equal(made, HEDDLE_F64);
}

static void figures_of_rows(void **state) {
  (void)state;
  static const uint64_t rising[] = {0, 3, 5};
  heddle_rows r = HEDDLE_ROWS_INIT;
  r.offsets = rising, r.segments = 2;
  heddle_options figure = HEDDLE_OPTIONS_INIT;
  double apart[2];
  BAD("figures", heddle_figure_rows(ctx, F32, x, &r, out, NULL));
  BAD("figures", heddle_figure_rows(ctx, F32, x, &r, out, &figure));
  figure.figures = HEDDLE_FIGURES_MEAN;
  BAD("out", heddle_figure_rows(ctx, F32, x, &r, NULL, &figure));
  const heddle_status finished = one_is_cpu() ? HEDDLE_UNSUPPORTED : HEDDLE_OK;
  assert_int_equal(heddle_figure_rows(ctx, F32, x, &r, apart, &figure), HEDDLE_OK);
  figure.out_type = F32;
  assert_int_equal(heddle_figure_rows(ctx, F32, x, &r, apart, &figure), finished);
  figure.out_type = HEDDLE_TYPE_DEFAULT, figure.ddof = 1;
  assert_int_equal(heddle_figure_rows(ctx, F32, x, &r, apart, &figure), finished);
  figure.ddof = 0, figure.figures = HEDDLE_FIGURES_DEVIATION;
  assert_int_equal(heddle_figure_rows(ctx, F32, x, &r, apart, &figure), finished);
}

static heddle_status rows_of(const heddle_rows *rows) {
  return heddle_reduce_rows(ctx, SUM, F32, x, rows, out, NULL);
}

static void rows(void **state) {
  (void)state;
  const uint64_t rising[] = {0, 3, 5}, falling[] = {0, 5, 9, 8, 7};
  const uint64_t far[] = {0, UINT64_MAX / 2};
  const size_t shape[] = {2, 3}, huge[] = {SIZE_MAX / 2, 3};
  heddle_rows r = HEDDLE_ROWS_INIT;
  r.offsets = rising;
  r.segments = 2;
  const heddle_rows good = r;
  BAD("rows", heddle_reduce_rows(ctx, SUM, F32, x, NULL, out, NULL));
  BAD("ctx", heddle_reduce_rows(NULL, SUM, F32, x, &r, out, NULL));
  BAD("op", heddle_reduce_rows(ctx, no_op(0), F32, x, &r, out, NULL));
  BAD("type", heddle_reduce_rows(ctx, SUM, no_type(0), x, &r, out, NULL));
  BAD("in", heddle_reduce_rows(ctx, SUM, F32, NULL, &r, out, NULL));
  BAD("out", heddle_reduce_rows(ctx, SUM, F32, x, &r, NULL, NULL));
  BAD("index", heddle_argreduce_rows(ctx, HEDDLE_ARGMIN, F32, x, &r, out, NULL, NULL));
  BAD("which", heddle_argreduce_rows(ctx, (heddle_extreme)9, F32, x, &r, out,
                                     (uint64_t *)(void *)out, NULL));
  BAD("x", heddle_dot_rows(ctx, F32, NULL, y, &r, out, NULL));
  BAD("y", heddle_dot_rows(ctx, F32, x, NULL, &r, out, NULL));
  BAD("out", heddle_describe_rows(ctx, F32, x, &r, NULL, NULL));
  BAD("out", heddle_scan_rows(ctx, SUM, HEDDLE_INCLUSIVE, F32, x, &r, NULL, NULL));
  BAD("kind", heddle_scan_rows(ctx, SUM, (heddle_scan_kind)5, F32, x, &r, out, NULL));
  r.size = 1;
  BAD("rows", rows_of(&r));
  r = good;
  r.offsets = falling;
  r.segments = 4;
  BAD("offsets", rows_of(&r));
  assert_non_null(strstr(heddle_message(), "3")); /* offsets[3] is the first that falls */
  r.offsets = far;
  r.segments = 1;
  BAD("offsets", rows_of(&r));
  r = (heddle_rows)HEDDLE_ROWS_INIT;
  r.shape = shape;
  BAD("dims", rows_of(&r));
  r.dims = 33;
  BAD("dims", rows_of(&r));
  r.dims = 2;
  r.axis = 2;
  BAD("axis", rows_of(&r));
  r.axis = 1;
  r.shape = NULL;
  BAD("shape", rows_of(&r));
  r.shape = huge;
  BAD("shape", rows_of(&r));
  BAD("shape", heddle_scan_rows(ctx, SUM, HEDDLE_INCLUSIVE, F32, x, &r, out, NULL));
}

static void converting(void **state) {
  (void)state;
  BAD("from", heddle_convert(no_type(0), x, F32, out, 4));
  BAD("to", heddle_convert(F32, x, HEDDLE_CUSTOM, out, 4));
  BAD("in", heddle_convert(F32, NULL, HEDDLE_F64, out, 4));
  BAD("out", heddle_convert(F32, x, HEDDLE_F64, NULL, 4));
  TOO_LONG("in", heddle_convert(F32, x, HEDDLE_F64, out, HUGE_COUNT));
}

/* ---- states ------------------------------------------------------------------------------ */

static void states(void **unused) {
  (void)unused;
  heddle_state *s = NULL, *scan_state = NULL;
  uint64_t *index = (uint64_t *)(void *)out;
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  BAD("out", heddle_reduce_begin(ctx, SUM, F32, NULL, NULL));
  BAD("ctx", heddle_reduce_begin(NULL, SUM, F32, NULL, &s));
  BAD("op", heddle_reduce_begin(ctx, no_op(0), F32, NULL, &s));
  BAD("type", heddle_dot_begin(ctx, no_type(0), NULL, &s));
  BAD("which", heddle_argreduce_begin(ctx, (heddle_extreme)7, F32, NULL, &s));
  BAD("type", heddle_describe_begin(ctx, HEDDLE_CUSTOM, NULL, &s));
  BAD("kind", heddle_scan_begin(ctx, SUM, (heddle_scan_kind)2, F32, NULL, &s));
  UNSUPPORTED("any", heddle_scan_begin(ctx, HEDDLE_ANY, HEDDLE_INCLUSIVE, F32, NULL, &s));
  UNSUPPORTED("and", heddle_reduce_begin(ctx, HEDDLE_AND, F32, NULL, &s));
  assert_null(s);
  BAD("state", heddle_reduce_update(NULL, x, 4));
  BAD("state", heddle_reduce_finish(NULL, out));
  BAD("state", heddle_argreduce_update(NULL, x, 4));
  BAD("state", heddle_argreduce_finish(NULL, out, index));
  BAD("state", heddle_dot_update(NULL, x, y, 4));
  BAD("state", heddle_dot_finish(NULL, out));
  BAD("state", heddle_describe_update(NULL, x, 4));
  BAD("state", heddle_describe_finish(NULL, &d));
  BAD("state", heddle_scan_update(NULL, x, 4, out));
  BAD("state", heddle_scan_finish(NULL, out));
  BAD("state", heddle_histogram_update(NULL, x, NULL, 4));
  BAD("state", heddle_histogram_finish(NULL, (uint64_t *)(void *)out, NULL, NULL));

  assert_int_equal(heddle_reduce_begin(ctx, SUM, F32, NULL, &s), HEDDLE_OK);
  assert_int_equal(heddle_scan_begin(ctx, SUM, HEDDLE_INCLUSIVE, F32, NULL, &scan_state), 0);
  BAD("in", heddle_reduce_update(s, NULL, 4));
  TOO_LONG("in", heddle_reduce_update(s, x, HUGE_COUNT));
  BAD("out", heddle_reduce_finish(s, NULL));
  BAD("state", heddle_scan_update(s, x, 4, out));
  BAD("state", heddle_dot_update(s, x, y, 4));
  BAD("state", heddle_histogram_update(s, x, NULL, 4));
  BAD("state", heddle_argreduce_finish(s, out, index));
  BAD("state", heddle_reduce_update(scan_state, x, 4));
  BAD("in", heddle_scan_update(scan_state, NULL, 4, out));
  BAD("out", heddle_scan_update(scan_state, x, 4, NULL));
  BAD("total", heddle_scan_finish(scan_state, NULL));
  heddle_state_free(s);
  heddle_state_free(scan_state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(contexts, clean),
      cmocka_unit_test_setup(reduce, clean),
      cmocka_unit_test_setup(dot_argreduce_describe, clean),
      cmocka_unit_test_setup(scan, clean),
      cmocka_unit_test_setup(option_fields, clean),
      cmocka_unit_test_setup(custom_operators, clean),
      cmocka_unit_test_setup(figures, clean),
      cmocka_unit_test_setup(figures_of_rows, clean),
      cmocka_unit_test_setup(divisors, clean),
      cmocka_unit_test_setup(rows, clean),
      cmocka_unit_test_setup(converting, clean),
      cmocka_unit_test_setup(states, clean),
  };
  return cmocka_run_group_tests_name("arguments", tests, setup, teardown);
}
