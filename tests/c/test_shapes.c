/* test_shapes.c - sizes of rows that overflow, or that memory cannot hold: refused by name by every
 * verb before anything is walked or written
 *
 * Method   The output has room for one result; it must stay as it was. */
#include "support.h"

enum { CANARY = 0xC3 };
static unsigned char out[256];
static const float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8] = {8, 7, 6, 5, 4, 3, 2, 1};
static heddle_context *ctx;

static void expect(heddle_status got, const char *words, const char *call) {
  if (got != HEDDLE_BAD_ARGUMENT) fail_msg("%s gave %s", call, heddle_status_name(got));
  if (!strstr(heddle_message(), words))
    fail_msg("%s: the message does not say %s: %s", call, words, heddle_message());
  for (size_t i = 0; i < sizeof out; i++)
    if (out[i] != CANARY) fail_msg("%s wrote byte %zu of its output", call, i);
}
#define BAD(name, call) expect((call), "`rows->" name, #call)
#define TOO_LONG(name, call) expect((call), "`" name "` has", #call)

static const heddle_op SUM = HEDDLE_SUM;
static const heddle_type F32 = HEDDLE_F32;

static heddle_status combine(void *acc, const void *v, size_t n, void *user) {
  (void)acc, (void)v, (void)n, (void)user;
  return HEDDLE_OK;
}

static heddle_status rows_of(const heddle_rows *rows) {
  return heddle_reduce_rows(ctx, SUM, F32, x, rows, out, NULL);
}

/* An axis without elements hides no product that overflows, and no result that no memory holds. */
static void shapes_of_nothing(void **state) {
  (void)state;
  enum { MOST = sizeof(size_t) == 8 ? 60 : 28 };
  const size_t wraps[][3] = {{SIZE_MAX, SIZE_MAX, 0}, {(size_t)1 << MOST, 32, 0}, {0, SIZE_MAX, 3}};
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  heddle_rows r = HEDDLE_ROWS_INIT;
  r.dims = 3;
  for (size_t i = 0; i < 3; i++)
    for (r.axis = 0; r.axis < 3; r.axis++) {
      r.shape = wraps[i];
      BAD("shape", rows_of(&r));
      BAD("shape", heddle_dot_rows(ctx, F32, x, y, &r, out, NULL));
      BAD("shape", heddle_describe_rows(ctx, F32, x, &r, &d, NULL));
      BAD("shape", heddle_argreduce_rows(ctx, HEDDLE_ARGMIN, F32, x, &r, NULL,
                                         (uint64_t *)(void *)out, NULL));
      BAD("shape", heddle_scan_rows(ctx, SUM, HEDDLE_INCLUSIVE, F32, x, &r, out, NULL));
    }
}

static void sizes_beyond_memory(void **state) {
  (void)state;
  const ptrdiff_t far[] = {PTRDIFF_MAX / 2, PTRDIFF_MAX / 2, 1};
  const size_t few[] = {3, 3, 0}, wide[] = {SIZE_MAX / 32, 0};
  const unsigned char zero[256] = {0};
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  heddle_rows r = HEDDLE_ROWS_INIT;
  r.dims = 3;
  r.shape = few;
  r.strides = far; /* rows of nothing are walked, too */
  r.axis = 2;
  BAD("strides", rows_of(&r));
  r.dims = 2;
  r.axis = 1;
  r.shape = wide; /* so many results are more than memory */
  r.strides = NULL;
  TOO_LONG("out", heddle_describe_rows(ctx, F32, x, &r, &d, NULL));
  const heddle_custom pair = {sizeof pair, 256, zero, 1, combine, combine, NULL, "float: a"};
  heddle_options o = HEDDLE_OPTIONS_INIT;
  o.custom = &pair;
  TOO_LONG("out", heddle_reduce_rows(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, &r, out, &o));
  const size_t two[] = {2, 1}; /* in reach of elements of 8 bytes, not of 256 */
  const ptrdiff_t long_stride[] = {PTRDIFF_MAX / 20, 1};
  r.shape = two;
  r.strides = long_stride;
  BAD("strides", heddle_reduce_rows(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, &r, out, &o));
  r = (heddle_rows)HEDDLE_ROWS_INIT;
  r.offsets = (const uint64_t[]){0, 3};
  r.segments = SIZE_MAX;
  BAD("segments", rows_of(&r));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_of_nothing),
                                     cmocka_unit_test(sizes_beyond_memory)};
  memset(out, CANARY, sizeof out);
  ctx = open_one();
  const int failed = cmocka_run_group_tests_name("shapes", tests, NULL, NULL);
  heddle_close(ctx);
  return failed;
}
