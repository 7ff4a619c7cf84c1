/* test_memory.c - the allocator hook: alignment, balance, and failure of every single allocation
 *
 * Each job runs with the first, second, third ... allocation failing, until it succeeds: every
 * failure is HEDDLE_OUT_OF_MEMORY, returns all memory and leaves the context fit for use. */
#include <stdatomic.h>

#include "support.h"

typedef struct heap {
  atomic_long left; /* allocations until one fails; negative: none fails */
  atomic_long blocks, bytes, total;
} heap;

static void *take(void *user, size_t bytes) {
  heap *h = user;
  if (atomic_fetch_sub(&h->left, 1) == 0) return NULL;
  h->blocks++;
  h->total++;
  h->bytes += (long)bytes;
  unsigned char *memory = allocate(bytes);
  memset(memory, 0xDD, bytes); /* nobody may rely on zeros */
  return memory;
}

static void give(void *user, void *memory, size_t bytes) {
  heap *h = user;
  assert_non_null(memory);
  h->blocks--;
  h->bytes -= (long)bytes;
  free(memory);
}

enum { LENGTH = 1 << 19 };
static float *x, *out;
static uint64_t *counts;

typedef heddle_status job(heddle_context *ctx);

static heddle_status job_reduce(heddle_context *ctx) {
  return heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, LENGTH, out, NULL);
}
static heddle_status job_describe(heddle_context *ctx) {
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  return heddle_describe(ctx, HEDDLE_F32, x, LENGTH, &d, NULL);
}
static heddle_status job_argreduce(heddle_context *ctx) {
  uint64_t index;
  return heddle_argreduce(ctx, HEDDLE_ARGMAX, HEDDLE_F32, x, LENGTH, out, &index, NULL);
}
static heddle_status job_scan(heddle_context *ctx) {
  return heddle_scan(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, x, LENGTH, out, NULL);
}
static heddle_status job_rows(heddle_context *ctx) {
  const size_t shape[] = {4, LENGTH / 4};
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.dims = 2;
  rows.shape = shape;
  return heddle_dot_rows(ctx, HEDDLE_F32, x, x, &rows, out, NULL);
}
static heddle_status job_scan_rows(heddle_context *ctx) {
  const size_t shape[] = {4, LENGTH / 4};
  const ptrdiff_t strides[] = {1, 4};
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.dims = 2;
  rows.axis = 1;
  rows.shape = shape;
  rows.strides = strides;
  return heddle_scan_rows(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, x, &rows, out, NULL);
}
static heddle_status job_histogram(heddle_context *ctx) {
  heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 5000, 0, 0, 1, NULL, 0};
  return heddle_histogram(ctx, HEDDLE_F32, x, LENGTH, &bins, counts, NULL, NULL);
}
static heddle_status job_weights(heddle_context *ctx) {
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 100, -1, 1, 0, NULL, 0};
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  double sums[200];
  options.weights = x;
  options.weights_type = HEDDLE_F32;
  options.sums = sums;
  options.channels = 2;
  return heddle_histogram(ctx, HEDDLE_F32, x, LENGTH, &bins, counts, NULL, &options);
}

/* Pairs of f32 are f64 that lie far apart. */
static heddle_status job_exact_weights(heddle_context *ctx) {
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 100, -1, 1, 0, NULL, 0};
  heddle_histogram_options options = HEDDLE_HISTOGRAM_OPTIONS_INIT;
  double sums[100];
  options.weights = x;
  options.weights_type = HEDDLE_F64;
  options.sums = sums;
  options.exact = 1;
  return heddle_histogram(ctx, HEDDLE_F32, x, LENGTH / 2, &bins, counts, NULL, &options);
}

static heddle_status combine(void *acc, const void *v, size_t n, void *user) {
  (void)user;
  for (size_t i = 0; i < n * 300; i++) ((unsigned char *)acc)[i] ^= ((const unsigned char *)v)[i];
  return HEDDLE_OK;
}
static heddle_status pairs(void *to, const void *v, size_t n, void *user) {
  (void)user;
  const unsigned char *p = v;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < 300; k++)
      ((unsigned char *)to)[i * 300 + k] = p[600 * i + k] ^ p[600 * i + 300 + k];
  return HEDDLE_OK;
}
static const unsigned char zeros[300];
static const heddle_custom custom = {sizeof custom, 300, zeros, 1, combine, pairs, NULL, NULL};

static heddle_status job_custom(heddle_context *ctx) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.custom = &custom;
  const heddle_status status =
      heddle_reduce(ctx, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, x, 6000, out, &options);
  if (status != HEDDLE_OK) return status;
  return heddle_scan(ctx, HEDDLE_OP_CUSTOM, HEDDLE_EXCLUSIVE, HEDDLE_CUSTOM, x, 6000, out,
                     &options);
}

/* begin, one update and finish of each kind of state */
static heddle_status job_states(heddle_context *ctx) {
  heddle_state *s = NULL;
  heddle_status status = heddle_reduce_begin(ctx, HEDDLE_SUM, HEDDLE_F32, NULL, &s);
  if (status == HEDDLE_OK) status = heddle_reduce_update(s, x, LENGTH - 3);
  if (status == HEDDLE_OK) status = heddle_reduce_finish(s, out);
  heddle_state_free(s);
  if (status != HEDDLE_OK) return status;
  s = NULL;
  status = heddle_scan_begin(ctx, HEDDLE_SUM, HEDDLE_EXCLUSIVE, HEDDLE_F32, NULL, &s);
  if (status == HEDDLE_OK) status = heddle_scan_update(s, x, LENGTH - 3, out);
  if (status == HEDDLE_OK) status = heddle_scan_finish(s, out);
  heddle_state_free(s);
  if (status != HEDDLE_OK) return status;
  s = NULL;
  const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 100, -1, 1, 0, NULL, 0};
  status = heddle_histogram_begin(ctx, HEDDLE_F32, &bins, NULL, &s);
  if (status == HEDDLE_OK) status = heddle_histogram_update(s, x, NULL, LENGTH - 3);
  if (status == HEDDLE_OK) status = heddle_histogram_finish(s, counts, NULL, NULL);
  heddle_state_free(s);
  return status;
}

static const struct {
  const char *name;
  job *run;
} jobs[] = {
    {"reduce", job_reduce},       {"describe", job_describe}, {"argreduce", job_argreduce},
    {"scan", job_scan},           {"rows", job_rows},         {"scan rows", job_scan_rows},
    {"histogram", job_histogram}, {"weights", job_weights},   {"exact weights", job_exact_weights},
    {"custom", job_custom},       {"states", job_states}};
enum { JOBS = sizeof jobs / sizeof *jobs };

static int setup(void **state) {
  (void)state;
  x = data_new(DATA_WIDE, HEDDLE_F32, 1, LENGTH);
  out = allocate(LENGTH * 4);
  counts = allocate(20000 * 8);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  free(x);
  free(out);
  free(counts);
  return 0;
}

static void fail_each_allocation(const char *isa, unsigned threads) {
  heddle_context *ctx = open_cpu(isa, threads);
  if (!ctx) return;
  for (size_t j = 0; j < JOBS; j++) {
    heap h = {-1, 0, 0, 0};
    float expected, again;
    assert_int_equal(heddle_set_allocator(ctx, NULL, NULL, NULL), HEDDLE_OK);
    same_status(HEDDLE_OK, jobs[j].run(ctx), "%s", jobs[j].name);
    memcpy(&expected, out, sizeof expected);
    assert_int_equal(heddle_set_allocator(ctx, take, give, &h), HEDDLE_OK);
    long failing = 0;
    for (;; failing++) {
      assert_true(failing < 200);
      h.left = failing;
      const heddle_status status = jobs[j].run(ctx);
      if (h.left >= 0 && status == HEDDLE_OK) break; /* it needs no more than that */
      same_status(HEDDLE_OUT_OF_MEMORY, status, "%s on %s, allocation %ld fails", jobs[j].name, isa,
                  failing);
      assert_int_equal(h.blocks, 0);
      assert_int_equal(h.bytes, 0);
      assert_non_null(strstr(heddle_message(), "memory"));
      h.left = -1;
      same_status(HEDDLE_OK, jobs[j].run(ctx), "%s after a failure", jobs[j].name);
      memcpy(&again, out, sizeof again);
      same_bytes(&expected, &again, sizeof again, "%s after a failure", jobs[j].name);
    }
    assert_int_equal(h.blocks, 0);
    assert_int_equal(h.bytes, 0);
    assert_int_equal(heddle_set_allocator(ctx, NULL, NULL, NULL), HEDDLE_OK);
  }
  heddle_close(ctx);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  for (size_t i = 0; i < ISAS; i++) {
    fail_each_allocation(isa_names[i], 1);
    fail_each_allocation(isa_names[i], 3);
  }
}

/* The hook is used at all: states come from it, and hold it while they live. */
static void states_hold_the_allocator(void **state) {
  (void)state;
  heddle_context *ctx = open_cpu("scalar", 1);
  heddle_state *s = NULL;
  heap h = {-1, 0, 0, 0};
  assert_int_equal(heddle_set_allocator(ctx, take, give, &h), HEDDLE_OK);
  assert_int_equal(heddle_set_allocator(ctx, take, NULL, &h), HEDDLE_BAD_ARGUMENT);
  assert_non_null(strstr(heddle_message(), "release"));
  assert_int_equal(heddle_set_allocator(ctx, NULL, give, &h), HEDDLE_BAD_ARGUMENT);
  assert_non_null(strstr(heddle_message(), "allocate"));
  assert_int_equal(heddle_reduce_begin(ctx, HEDDLE_SUM, HEDDLE_F32, NULL, &s), HEDDLE_OK);
  assert_true(h.blocks > 0);
  assert_int_equal(heddle_set_allocator(ctx, NULL, NULL, NULL), HEDDLE_BAD_ARGUMENT);
  assert_int_equal(heddle_reduce_update(s, x, 12345), HEDDLE_OK);
  heddle_state_free(s);
  assert_int_equal(h.blocks, 0);
  assert_int_equal(heddle_set_allocator(ctx, NULL, NULL, NULL), HEDDLE_OK);
  heddle_close(ctx);
}

/* Memory does not grow with the input. */
static void memory_is_bounded(void **state) {
  (void)state;
  heddle_context *ctx = open_cpu("scalar", 2);
  long held[2];
  for (int i = 0; i < 2; i++) {
    heap h = {-1, 0, 0, 0};
    heddle_state *s = NULL;
    assert_int_equal(heddle_set_allocator(ctx, take, give, &h), HEDDLE_OK);
    assert_int_equal(heddle_scan_begin(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, NULL, &s), 0);
    for (int update = 0; update < (i ? 20 : 1); update++)
      assert_int_equal(heddle_scan_update(s, x, LENGTH - 100, out), HEDDLE_OK);
    held[i] = h.bytes;
    heddle_state_free(s);
    assert_int_equal(heddle_set_allocator(ctx, NULL, NULL, NULL), HEDDLE_OK);
  }
  assert_int_equal(held[0], held[1]);
  assert_true(held[0] < 200000);
  heddle_close(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(states_hold_the_allocator),
      cmocka_unit_test(memory_is_bounded),
  };
  return cmocka_run_group_tests_name("memory", tests, setup, teardown);
}
