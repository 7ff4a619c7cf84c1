/* test_cuda_faults.c - every call of the driver and of the compiler fails once
 *
 * Result   whichever of them fails, out of memory or for another reason, the call of the library
 *          that made it says so or does without; nothing crashes or hangs, and the same calls on
 *          the same context are right when the trouble is over. A device that is lost stays lost
 *          until its context is closed, and a new one computes
 * Method   SIMT_FAIL of the software device: "*:N" is the Nth call of any entry, for N from 1 until
 *          everything passes. The results are the CPU's.
 * Limits   on the software device only; costly, so N goes in strides where the device is checked */
#include <unistd.h>

#include "support.h"

enum { COUNT = 5000, ROWS = 70, BINS = 50 };

static heddle_context *cpu;
static float *x;

struct results {
  float sum, dot;
  float least;
  uint64_t index;
  float scanned[COUNT], rows[ROWS], state_scan[COUNT];
  uint64_t counts[BINS];
  heddle_description description;
};

/* ---- the calls --------------------------------------------------------------------------------- */

/* The first failure ends it. */
#define NEXT(call) \
  if (!status) status = (call)

static heddle_status states(heddle_context *ctx, struct results *r) {
  heddle_state *state = NULL;
  float total;
  heddle_status status =
      heddle_scan_begin(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, NULL, &state);
  NEXT(heddle_scan_update(state, x, 1234, r->state_scan));
  NEXT(heddle_scan_update(state, x + 1234, COUNT - 1234, r->state_scan + 1234));
  NEXT(heddle_scan_finish(state, &total));
  heddle_state_free(state);
  return status;
}

static heddle_status compute(heddle_context *ctx, struct results *r) {
  heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, BINS, -1, 1, 0, NULL, 0};
  const size_t shape[2] = {ROWS, COUNT / ROWS};
  heddle_rows rows = {sizeof rows, NULL, 0, 2, 1, shape, NULL};
  void *memory = NULL;
  heddle_status status = heddle_device_alloc(ctx, sizeof(float) * COUNT * 2, &memory);
  float *in = memory, *out = in ? in + COUNT : NULL;
  r->description.size = sizeof r->description;
  NEXT(heddle_copy(ctx, in, x, COUNT * sizeof *x));
  NEXT(heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, in, COUNT, &r->sum, NULL));
  NEXT(heddle_dot(ctx, HEDDLE_F32, x, x, COUNT, &r->dot, NULL));
  NEXT(heddle_argreduce(ctx, HEDDLE_ARGMIN, HEDDLE_F32, in, COUNT, &r->least, &r->index, NULL));
  NEXT(heddle_describe(ctx, HEDDLE_F32, in, COUNT, &r->description, NULL));
  NEXT(heddle_scan(ctx, HEDDLE_SUM, HEDDLE_EXCLUSIVE, HEDDLE_F32, in, COUNT, out, NULL));
  NEXT(heddle_copy(ctx, r->scanned, out, COUNT * sizeof *x));
  NEXT(heddle_reduce_rows(ctx, HEDDLE_MAX, HEDDLE_F32, x, &rows, r->rows, NULL));
  NEXT(heddle_histogram(ctx, HEDDLE_F32, in, COUNT, &bins, r->counts, NULL, NULL));
  NEXT(states(ctx, r));
  NEXT(heddle_sync(ctx));
  if (memory && heddle_device_free(ctx, memory) && !status) status = HEDDLE_DEVICE_ERROR;
  return status;
}

static void same_results(const struct results *a, const struct results *b, const char *when) {
  same_bytes(&a->sum, &b->sum, 4, "sum %s", when);
  same_bytes(&a->dot, &b->dot, 4, "dot %s", when);
  same_bytes(&a->least, &b->least, 4, "least %s", when);
  same_bytes(&a->index, &b->index, 8, "index %s", when);
  same_bytes(a->scanned, b->scanned, sizeof a->scanned, "scan %s", when);
  same_bytes(a->rows, b->rows, sizeof a->rows, "rows %s", when);
  same_bytes(a->state_scan, b->state_scan, sizeof a->state_scan, "scan in pieces %s", when);
  same_bytes(a->counts, b->counts, sizeof a->counts, "histogram %s", when);
  same_description(&a->description, &b->description, "%s", when);
}

static struct results expected, got;

static int setup(void **state) {
  (void)state;
  x = data_new(DATA_WIDE, HEDDLE_F32, 1, COUNT);
  return heddle_open("cpu:1", &cpu) || compute(cpu, &expected);
}

static int teardown(void **state) {
  (void)state;
  heddle_close(cpu);
  free(x);
  return 0;
}

static void is_told(heddle_status status, const char *what) {
  if (status != HEDDLE_OUT_OF_MEMORY && status != HEDDLE_DEVICE_ERROR &&
      status != HEDDLE_NO_DEVICE && status != HEDDLE_BAD_ARGUMENT)
    fail_msg("%s: %s", what, heddle_status_name(status));
  assert_true(strlen(heddle_message()) > 20);
}

/* ---- one failure at a time --------------------------------------------------------------------------- */

/* Returns whether the trouble came. */
static int once(const char *trouble, int lost) {
  heddle_context *ctx = NULL;
  memset(&got, 0, sizeof got);
  setenv("SIMT_FAIL", trouble, 1);
  heddle_status status = heddle_open("simt", &ctx);
  if (!status) status = compute(ctx, &got);
  int came = getenv("SIMT_FAIL") == NULL; /* the device takes used ones away */
  unsetenv("SIMT_FAIL");
  if (status)
    is_told(status, trouble);
  else
    same_results(&expected, &got, trouble);
  if (lost && status) {
    if (ctx && !compute(ctx, &got)) fail_msg("%s: a lost device computes", trouble);
    heddle_close(ctx);
    ctx = NULL;
  }
  if (!ctx) same_status(HEDDLE_OK, heddle_open("simt", &ctx), "after %s", trouble);
  memset(&got, 0, sizeof got);
  same_status(HEDDLE_OK, compute(ctx, &got), "after %s", trouble);
  same_results(&expected, &got, trouble);
  heddle_close(ctx);
  return came;
}

static void all_of(const char *entry, const char *code, int lost, unsigned stride) {
  char trouble[100];
  for (unsigned n = 1;; n += stride) {
    snprintf(trouble, sizeof trouble, "%s:%u%s", entry, n, code);
    if (!once(trouble, lost)) break;
    assert_true(n < 5000);
  }
}

static void any_call_fails(void **state) {
  (void)state;
  all_of("*", "", 0, lightness() > 1 ? 7 : 1);
  all_of("*", ":801", 0, 5);
}

static void allocations_fail(void **state) {
  (void)state;
  all_of("cuMemAlloc_v2", "", 0, 1);
  all_of("cuMemHostAlloc", "", 0, 1);
  all_of("cuModuleLoadData", ":200", 0, 1);
}

static void the_device_is_lost(void **state) {
  (void)state;
  all_of("cuLaunchKernel", ":719", 1, 3);
  all_of("cuStreamSynchronize", ":700", 1, 3);
  all_of("*", ":999", 1, 11);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_call_fails),
      cmocka_unit_test(allocations_fail),
      cmocka_unit_test(the_device_is_lost),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
