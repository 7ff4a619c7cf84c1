/* ask_select.c - selects, runs and folds by key */
#include <stdint.h>

#include "ask.h"
#include "lists.h"

static void selects_of(heddle_type type, size_t n) {
  static const size_t bytes[] = {1, 2, 4, 8, 16};
  uint64_t *count = (uint64_t *)(void *)array[2];
  uint64_t *offsets = (uint64_t *)(void *)(array[2] + HALF);
  const uint64_t value = 1;
  heddle_where where = HEDDLE_WHERE_INIT;
  where.comparison = HEDDLE_GREATER, where.type = type, where.value = &value;
  where.of = array[0];
  for (size_t v = 0; v < 5; v++) {
    char *in = array[0] + HALF;
    if (reduced && (v + (size_t)type) % 3 == 1) continue;
    allow(heddle_select(ctx, &where, bytes[v], in, n, array[1], count), "select");
    allow(heddle_select(ctx, &where, bytes[v], in, n, in, count), "select in place");
    allow(heddle_partition(ctx, &where, bytes[v], in, n, array[1], count), "partition");
  }
  const size_t size = heddle_type_size(type);
  allow(heddle_select(ctx, &where, size, array[0], n, array[1], count), "select");
  allow(heddle_select(ctx, &where, size, array[0], n, array[0], count), "select in place");
  allow(heddle_partition(ctx, &where, size, array[0], n, array[1], count), "partition");
  const heddle_predicate predicate = {sizeof predicate, NULL, NULL, "x > 3 && x < 90"};
  where.predicate = &predicate, where.comparison = HEDDLE_PREDICATE;
  allow(heddle_select(ctx, &where, size, array[0], n, array[1], count), "select by a test");
  where.comparison = HEDDLE_GREATER;
  allow(heddle_positions(ctx, &where, n, HEDDLE_U32, array[1], count), "positions");
  allow(heddle_positions(ctx, &where, n, HEDDLE_U64, array[1], count), "positions");
  allow(heddle_positions(ctx, &where, n, HEDDLE_U64, NULL, count), "positions, counted");
  allow(heddle_runs(ctx, type, array[0], n, array[1], offsets, count), "runs");
  allow(heddle_runs(ctx, type, array[0], n, array[0], NULL, count), "runs in place");
  allow(heddle_runs(ctx, type, array[0], n, NULL, offsets, count), "runs");
  allow(heddle_runs(ctx, type, array[0], n, NULL, NULL, count), "runs, counted");
}

static void by_key(heddle_op op, heddle_type type) {
  uint64_t *count = (uint64_t *)(void *)array[2];
  const size_t n = (size_t)1 << 28;
  heddle_options exact = HEDDLE_OPTIONS_INIT;
  allow(heddle_reduce_by_key(ctx, op, HEDDLE_U32, array[0], type, array[0] + HALF, n, array[1],
                             array[1] + HALF, count, NULL),
        "reduce_by_key");
  for (size_t kind = 0; kind < 2; kind++)
    allow(heddle_scan_by_key(ctx, scan_kinds[kind], op, HEDDLE_U32, array[0], type, array[0] + HALF,
                             n, array[1] + HALF, NULL),
          "scan_by_key");
  exact.exact = 1;
  if (op == HEDDLE_SUM && is_float(type) && type != HEDDLE_F16)
    allow(heddle_reduce_by_key(ctx, op, HEDDLE_U32, array[0], type, array[0] + HALF, n, array[1],
                               array[1] + HALF, count, &exact),
          "reduce_by_key, exact");
}

void selects_and_runs(void) {
  static const size_t lengths[] = {1000, (size_t)1 << 32};
  for (size_t t = 0; t < type_count; t++)
    for (size_t n = 0; n < 2; n++) selects_of(all_types[t], lengths[n]);
  for (size_t t = 0; t < type_count; t++)
    for (size_t o = 0; o < op_count; o++)
      if (wanted(all_ops[o], all_types[t])) by_key(all_ops[o], all_types[t]);
}
