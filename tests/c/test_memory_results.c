/* test_memory_results.c - what outputs hold where an allocation fails: what they held before, or the result
 *
 * Each job runs with its first, second, third ... allocation failing, until it needs no more. Where that is
 * HEDDLE_OUT_OF_MEMORY nothing is written; where a call does without the memory its results are as ever. */
#include <stdatomic.h>

#include "support.h"

enum { LENGTH = 300000, AREA = 4 << 20, CANARY = 0x5A };

typedef struct heap {
  atomic_long left; /* allocations until one fails; negative: none fails */
} heap;

static void *take(void *user, size_t bytes) {
  heap *h = user;
  return atomic_fetch_sub(&h->left, 1) == 0 ? NULL : allocate(bytes);
}

static void give(void *user, void *memory, size_t bytes) {
  (void)user;
  (void)bytes;
  free(memory);
}

/* Inputs, and the outputs of every job: keys in runs of three, bytes, floats. */
static uint32_t *keys;
static unsigned char *bytes;
static float *values;
static unsigned char *area, *expected;

typedef heddle_status job(heddle_context *ctx);

static heddle_status by_key(heddle_context *ctx, int exact) {
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.exact = exact;
  return heddle_reduce_by_key(ctx, HEDDLE_SUM, HEDDLE_U32, keys, HEDDLE_F32, values, LENGTH,
                              area + 8, area + AREA / 2, (uint64_t *)(void *)area, &options);
}
static heddle_status job_by_key(heddle_context *ctx) { return by_key(ctx, 0); }
static heddle_status job_exact_by_key(heddle_context *ctx) { return by_key(ctx, 1); }

static heddle_status job_runs(heddle_context *ctx) {
  return heddle_runs(ctx, HEDDLE_U32, keys, LENGTH, NULL, (uint64_t *)(void *)(area + 8),
                     (uint64_t *)(void *)area);
}
static heddle_status job_partition(heddle_context *ctx) {
  heddle_where where = HEDDLE_WHERE_INIT;
  where.of = bytes;
  return heddle_partition(ctx, &where, 4, values, LENGTH, area + 8, (uint64_t *)(void *)area);
}
static heddle_status job_partial_sort(heddle_context *ctx) {
  return heddle_partial_sort(ctx, HEDDLE_U8, bytes, LENGTH, 100, area, HEDDLE_U32, area + 1024,
                             NULL);
}

/* One row that fits a cache, which a thread takes alone however many there are. */
static heddle_status job_partial_sort_row(heddle_context *ctx) {
  static const uint64_t offsets[] = {5, 220000};
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = offsets;
  rows.segments = 1;
  return heddle_partial_sort_rows(ctx, HEDDLE_U8, bytes, &rows, 9, area, HEDDLE_U32, area + 1024,
                                  NULL);
}
static heddle_status job_nth(heddle_context *ctx) {
  static const uint64_t ranks[] = {17, LENGTH / 2, 0, LENGTH - 1};
  return heddle_nth(ctx, HEDDLE_F32, values, LENGTH, ranks, 4, area, NULL);
}
static heddle_status job_quantiles(heddle_context *ctx) {
  static const double q[] = {0.5, 0.001, 0.999};
  return heddle_quantiles(ctx, HEDDLE_F32, values, LENGTH, q, 3, (double *)(void *)area, NULL);
}
static heddle_status job_sort(heddle_context *ctx) {
  return heddle_sort(ctx, HEDDLE_F32, values, LENGTH, area, NULL);
}
static heddle_status job_search(heddle_context *ctx) {
  return heddle_search_sorted(ctx, HEDDLE_U32, keys, LENGTH, values, LENGTH, HEDDLE_LEFT,
                              HEDDLE_U32, area);
}
static heddle_status job_scatter(heddle_context *ctx) {
  return heddle_scatter_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, values, 1, HEDDLE_U32, keys, LENGTH,
                               area, LENGTH, NULL);
}

static const struct {
  const char *name;
  job *run;
} jobs[] = {{"reduce by key", job_by_key},
            {"exact sums by key", job_exact_by_key},
            {"runs", job_runs},
            {"partition", job_partition},
            {"partial sort", job_partial_sort},
            {"partial sort of a row", job_partial_sort_row},
            {"nth", job_nth},
            {"quantiles", job_quantiles},
            {"sort", job_sort},
            {"search", job_search},
            {"scatter", job_scatter}};
enum { JOBS = sizeof jobs / sizeof *jobs };

static int setup(void **state) {
  (void)state;
  keys = allocate(LENGTH * sizeof *keys);
  bytes = allocate(LENGTH);
  values = data_new(DATA_WIDE, HEDDLE_F32, 1, LENGTH);
  area = allocate(AREA);
  expected = allocate(AREA);
  for (uint32_t i = 0; i < LENGTH; i++) {
    keys[i] = i / 3;
    bytes[i] = (unsigned char)(data_word(2, i) >> 40);
  }
  return 0;
}
static int teardown(void **state) {
  (void)state;
  free(keys);
  free(bytes);
  free(values);
  free(area);
  free(expected);
  return 0;
}

static void fail_each_allocation(const char *isa, unsigned threads) {
  heap h = {-1};
  heddle_context *ctx = open_cpu(isa, threads);
  if (!ctx) return;
  assert_int_equal(heddle_set_allocator(ctx, take, give, &h), HEDDLE_OK);
  for (size_t j = 0; j < JOBS; j++) {
    memset(area, CANARY, AREA);
    h.left = -1;
    same_status(HEDDLE_OK, jobs[j].run(ctx), "%s", jobs[j].name);
    memcpy(expected, area, AREA);
    for (long failing = 0;; failing++) {
      assert_true(failing < 200);
      memset(area, CANARY, AREA);
      h.left = failing;
      const heddle_status status = jobs[j].run(ctx);
      const int enough = h.left >= 0;
      if (status == HEDDLE_OK) {
        same_bytes(expected, area, AREA, "%s on %s, %u threads, without allocation %ld",
                   jobs[j].name, isa, threads, failing);
      } else {
        same_status(HEDDLE_OUT_OF_MEMORY, status, "%s on %s, allocation %ld fails", jobs[j].name,
                    isa, failing);
        for (size_t i = 0; i < AREA; i++)
          if (area[i] != CANARY)
            fail_msg("%s on %s: byte %zu is written where allocation %ld fails", jobs[j].name, isa,
                     i, failing);
      }
      if (enough) break;
    }
  }
  heddle_close(ctx);
}

static void failures_write_nothing(void **state) {
  (void)state;
  for (size_t i = 0; i < ISAS; i++) {
    fail_each_allocation(isa_names[i], 1);
    fail_each_allocation(isa_names[i], 3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(failures_write_nothing)};
  return cmocka_run_group_tests_name("memory_results", tests, setup, teardown);
}
