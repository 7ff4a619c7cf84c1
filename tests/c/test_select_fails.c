/* test_select_fails.c - selects by a test of the caller's own that fails, or has two answers for one element
 *
 * Method   On every instruction set and on several threads: the status and its message, and nothing written
 *          behind the output's end. */
#include <stdatomic.h>
#include <stdbool.h>

#include "support.h"

static machines on;

static int setup(void **state) {
  (void)state;
  machines_open(&on, 3);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  machines_close(&on);
  return 0;
}

/* Of the elements but the first few thousand. */
static heddle_status fail_late(unsigned char *holds, const void *x, size_t n, void *user) {
  memset(holds, 1, n);
  return (const char *)x - (const char *)user > 40000 ? HEDDLE_BAD_DATA : HEDDLE_OK;
}

static void predicate_fails(void **state) {
  (void)state;
  enum { N = 300001 };
  unsigned char *x = allocate(N), *out = allocate(N * 8);
  heddle_where w = HEDDLE_WHERE_INIT;
  heddle_predicate p = HEDDLE_PREDICATE_INIT;
  w.comparison = HEDDLE_PREDICATE, w.of = x, w.predicate = &p;
  p.test = fail_late, p.user = x;
  for (size_t i = 0; i < on.count; i++) {
    heddle_context *ctx = on.of[i].ctx;
    uint64_t found;
    for (int what = 0; what < 3; what++) {
      same_status(HEDDLE_CALLBACK,
                  what == 0   ? heddle_select(ctx, &w, 1, x, N, out, &found)
                  : what == 1 ? heddle_partition(ctx, &w, 1, x, N, out, &found)
                              : heddle_positions(ctx, &w, N, HEDDLE_U64, out, &found),
                  "call %d on %s", what, on.of[i].label);
      assert_non_null(strstr(heddle_message(), "`where->predicate->test` returned"));
    }
  }
  free(x);
  free(out);
}

enum { CHANGED = 300001 };

/* Everything when it is counted; when it is moved, every second element. */
static heddle_status change_of_mind(unsigned char *holds, const void *x, size_t n, void *user) {
  const bool again = atomic_fetch_add((atomic_size_t *)user, n) >= CHANGED;
  for (size_t i = 0; i < n; i++) holds[i] = (unsigned char)(again ? i % 2 : 1);
  (void)x;
  return HEDDLE_OK;
}

/* Nothing is written behind the output's end. */
static void predicate_changes(void **state) {
  (void)state;
  unsigned char *x = allocate(CHANGED), *out = allocate(CHANGED + 4096);
  heddle_where w = HEDDLE_WHERE_INIT;
  heddle_predicate p = HEDDLE_PREDICATE_INIT;
  memset(x, 7, CHANGED);
  w.comparison = HEDDLE_PREDICATE, w.of = x, w.predicate = &p;
  p.test = change_of_mind;
  for (size_t i = 0; i < on.count; i++) {
    atomic_size_t tested;
    uint64_t found;
    atomic_init(&tested, 0);
    p.user = &tested;
    memset(out, 9, CHANGED + 4096);
    same_status(HEDDLE_CALLBACK, heddle_partition(on.of[i].ctx, &w, 1, x, CHANGED, out, &found),
                "on %s", on.of[i].label);
    assert_non_null(strstr(heddle_message(), "two answers"));
    for (size_t k = 0; k < 4096; k++) assert_int_equal(9, out[CHANGED + k]);
  }
  free(x);
  free(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(predicate_fails),
                                     cmocka_unit_test(predicate_changes)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
