/* test_growth.c - structs of another size: older callers' shorter ones, newer callers' longer ones
 *
 * A struct may be shorter than ours: what it lacks has its default. It may be longer, if what we
 * do not know is zero. Results are written as far as the caller's struct reaches, no further. */
#include "support.h"

static heddle_context *ctx;
static const float x[4] = {1, 2, 4, 8};

static int setup(void **state) {
  (void)state;
  return heddle_open("cpu:1", &ctx) != HEDDLE_OK;
}
static int teardown(void **state) {
  (void)state;
  heddle_close(ctx);
  return 0;
}

static void longer_options(void **state) {
  (void)state;
  struct {
    heddle_options known;
    uint64_t unknown[3];
  } o = {HEDDLE_OPTIONS_INIT, {0, 0, 0}};
  float total = 0;
  o.known.size = sizeof o;
  assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, 4, &total, &o.known), HEDDLE_OK);
  assert_true(total == 15);
  for (size_t i = 0; i < sizeof o.unknown; i++) {
    ((unsigned char *)o.unknown)[i] = 1;
    total = -1;
    assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, 4, &total, &o.known),
                     HEDDLE_BAD_ARGUMENT);
    assert_non_null(strstr(heddle_message(), "options"));
    assert_true(total == -1);
    ((unsigned char *)o.unknown)[i] = 0;
  }
}

static void shorter_options(void **state) {
  (void)state;
  heddle_options o = HEDDLE_OPTIONS_INIT;
  double total = 0;
  o.size = offsetof(heddle_options, out_type); /* nothing from out_type on */
  o.acc_type = HEDDLE_F64;
  o.out_type = (heddle_type)77;
  o.init = x;
  assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, 4, &total, &o), HEDDLE_OK);
  assert_true(total == 15);
  float narrow = 0;
  o.size = sizeof(size_t);
  o.nan = (heddle_nan)55;
  assert_int_equal(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, 4, &narrow, &o), HEDDLE_OK);
  assert_true(narrow == 15);
}

static void shorter_results(void **state) {
  (void)state;
  heddle_description d;
  memset(&d, 0x77, sizeof d);
  d.size = offsetof(heddle_description, mean);
  assert_int_equal(heddle_describe(ctx, HEDDLE_F32, x, 4, &d, NULL), HEDDLE_OK);
  assert_true(d.sum == 15 && d.count == 4 && d.min == 1 && d.max == 8);
  assert_int_equal(d.size, offsetof(heddle_description, mean));
  const unsigned char *beyond = (const unsigned char *)&d.mean;
  for (size_t i = 0; i < sizeof d - offsetof(heddle_description, mean); i++)
    assert_int_equal(beyond[i], 0x77);

  heddle_device_info info;
  memset(&info, 0x77, sizeof info);
  info.size = offsetof(heddle_device_info, note);
  assert_int_equal(heddle_info(ctx, &info), HEDDLE_OK);
  assert_string_equal(info.device, "cpu:1");
  assert_int_equal((unsigned char)info.note[0], 0x77);

  heddle_histogram_result r;
  memset(&r, 0x77, sizeof r);
  r.size = offsetof(heddle_histogram_result, nan);
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 2, 0, 4, 0, NULL, 0};
  uint64_t counts[2];
  assert_int_equal(heddle_histogram(ctx, HEDDLE_F32, x, 4, &bins, counts, &r, NULL), HEDDLE_OK);
  assert_true(r.count == 4 && r.over == 1 && counts[0] == 1 && counts[1] == 2);
  assert_int_equal(((unsigned char *)&r.nan)[0], 0x77);
}

static void longer_results(void **state) {
  (void)state;
  struct {
    heddle_description known;
    uint64_t unknown;
  } d = {HEDDLE_DESCRIPTION_INIT, 0};
  d.known.size = sizeof d;
  assert_int_equal(heddle_describe(ctx, HEDDLE_F32, x, 4, &d.known, NULL), HEDDLE_OK);
  assert_true(d.known.mean == 3.75 && d.known.size == sizeof d && d.unknown == 0);
}

static void shorter_custom_and_bins(void **state) {
  (void)state;
  heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 2, 0, 4, 7, NULL, 0};
  uint64_t counts[2];
  bins.size = offsetof(heddle_bins, auto_range);
  assert_int_equal(heddle_histogram(ctx, HEDDLE_F32, x, 4, &bins, counts, NULL, NULL), HEDDLE_OK);
  assert_true(counts[0] == 1 && counts[1] == 2);
  struct {
    heddle_rows known;
    uint64_t unknown;
  } rows = {HEDDLE_ROWS_INIT, 9};
  const uint64_t offsets[] = {0, 4};
  rows.known.size = sizeof rows;
  rows.known.offsets = offsets;
  rows.known.segments = 1;
  float total = -1;
  assert_int_equal(heddle_reduce_rows(ctx, HEDDLE_SUM, HEDDLE_F32, x, &rows.known, &total, NULL),
                   HEDDLE_BAD_ARGUMENT);
  assert_true(total == -1);
  rows.unknown = 0;
  assert_int_equal(heddle_reduce_rows(ctx, HEDDLE_SUM, HEDDLE_F32, x, &rows.known, &total, NULL),
                   HEDDLE_OK);
  assert_true(total == 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(longer_options),          cmocka_unit_test(shorter_options),
      cmocka_unit_test(shorter_results),         cmocka_unit_test(longer_results),
      cmocka_unit_test(shorter_custom_and_bins),
  };
  return cmocka_run_group_tests_name("growth", tests, setup, teardown);
}
