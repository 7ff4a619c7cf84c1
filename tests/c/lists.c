/* lists.c - white-box: the lists of lists.h, from src/order/types.def and src/order/ops.def
 *
 * Options, which no table has, stand here by name; tests/structure/test_enums.py holds that none of
 * heddle.h's is missing. */
#include "lists.h"

#include "order/ops.def"
#include "order/types.def"

#define LISTED(name, ...) HEDDLE_##name,
const heddle_type all_types[] = {HD_TYPES(LISTED)};
const heddle_type float_types[] = {HD_FLOAT_TYPES(LISTED)};
const heddle_op all_ops[] = {HD_OPS(LISTED)};
#undef LISTED

const size_t type_count = sizeof all_types / sizeof *all_types;
const size_t float_type_count = sizeof float_types / sizeof *float_types;
const size_t op_count = sizeof all_ops / sizeof *all_ops;

const heddle_nan nan_policies[2] = {HEDDLE_NAN_PROPAGATE, HEDDLE_NAN_SKIP};
const heddle_scan_kind scan_kinds[2] = {HEDDLE_INCLUSIVE, HEDDLE_EXCLUSIVE};
const heddle_figures every_figures[3] = {HEDDLE_FIGURES_ALL, HEDDLE_FIGURES_MEAN,
                                         HEDDLE_FIGURES_VARIANCE};
const heddle_extreme extremes[2] = {HEDDLE_ARGMIN, HEDDLE_ARGMAX};
const heddle_binning binnings[4] = {HEDDLE_BINS_INTEGER, HEDDLE_BINS_EVEN, HEDDLE_BINS_LOG,
                                    HEDDLE_BINS_EDGES};

int beyond_ops(void) {
  int most = HEDDLE_OP_CUSTOM;
  for (size_t i = 0; i < op_count; i++)
    if ((int)all_ops[i] > most) most = (int)all_ops[i];
  return most + 1;
}

int beyond_types(void) {
  int most = HEDDLE_CUSTOM;
  for (size_t i = 0; i < type_count; i++)
    if ((int)all_types[i] > most) most = (int)all_types[i];
  return most + 1;
}

const char *op_name(heddle_op op) {
  switch (op) {
#define NAMED(op, name, ...) \
  case HEDDLE_##op: return #name;
    HD_OPS(NAMED)
#undef NAMED
  case HEDDLE_OP_CUSTOM: return "custom";
  default: return "unknown operator";
  }
}
