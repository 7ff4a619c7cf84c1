/* plan.c - what a scan needs besides its order: lanes, kernel, conversions
 *
 * Method   Sums and products of integers run in lanes of 32 bits where the result has no more,
 *          else of 64; so do min, max and the bit operators of integers, where no type involved
 *          has more. min and max of floats run on keys that order as the floats do. Where input
 *          and output are lanes already, nothing is copied. */
#include <string.h>

#include "order/convert.h"
#include "order/float_bits.h"
#include "scan.h"

static const unsigned char type_bytes[HD_TYPE_COUNT] = {
#define BYTES(NAME, name, ...) [HEDDLE_##NAME] = sizeof(name),
    HD_TYPES(BYTES)
#undef BYTES
};

static bool is_extreme(const struct hd_fold *fold) {
  return fold->op == HEDDLE_MIN || fold->op == HEDDLE_MAX;
}

static enum hd_cpu_scan_lane lane_of(const struct hd_fold *fold) {
  bool extreme = is_extreme(fold);
  if (hd_is_float(fold->type)) {
    if (extreme) return fold->type == HEDDLE_F64 ? HD_SCAN_I64 : HD_SCAN_I32;
    return fold->acc_type == HEDDLE_F64 ? HD_SCAN_F64 : HD_SCAN_F32;
  }
  bool wide =
      type_bytes[fold->type] == 8 || type_bytes[fold->out_type] == 8 || hd_is_float(fold->out_type);
  if (extreme && hd_is_signed(fold->type)) return wide ? HD_SCAN_I64 : HD_SCAN_I32;
  return wide ? HD_SCAN_U64 : HD_SCAN_U32;
}

/* The type whose elements are lanes. */
static heddle_type lane_type(enum hd_cpu_scan_lane lane) {
  static const heddle_type types[HD_SCAN_LANES] = {HEDDLE_U32, HEDDLE_U64, HEDDLE_I32,
                                                   HEDDLE_I64, HEDDLE_F32, HEDDLE_F64};
  return types[lane];
}

/* Integers of one width have the same bits. */
static bool same_bits(heddle_type a, heddle_type b) {
  return hd_is_float(a) == hd_is_float(b) && type_bytes[a] == type_bytes[b] &&
         (a == b || !hd_is_float(a));
}

/* Tells whether NaN elements are passed over. With a NaN as init it makes no difference to min and
 * max: all outputs are NaN. */
static bool skips_nan(const struct hd_fold *fold) {
  if (!hd_is_float(fold->type) || fold->nan != HEDDLE_NAN_SKIP) return false;
  if (!fold->init || !is_extreme(fold)) return true;
  f64 init;
  hd_convert_one(fold->out_type, fold->init, HEDDLE_F64, &init);
  return init == init;
}

/* What NaN becomes on the way in and out, and what the scan starts with. */
static void plan_nan(struct hd_cpu_scan_plan *plan, enum hd_cpu_scan_lane lane) {
  const struct hd_fold *fold = &plan->scan->fold;
  const bool skip = skips_nan(fold), least = fold->op == HEDDLE_MIN;
  const bool wide = plan->kernel->lane_bytes == 8;
  plan->start = plan->kernel->identity;
  if (lane == HD_SCAN_F32 || lane == HD_SCAN_F64) {
    plan->load_nan = skip ? plan->start : wide ? HD_NAN_F64 : HD_NAN_F32;
    return;
  }
  if (!is_extreme(fold) || !hd_is_float(fold->type)) return;
  u64 infinity = least ? (wide ? UINT64_C(0x7ff) << 52 : 0x7f800000u)
                       : (wide ? UINT64_C(0xfff) << 52 : 0xff800000u);
  /* A skipped NaN is the identity: a key that beats no number's, and infinity in the output. */
  plan->load_nan = plan->start;
  plan->store_nan = infinity;
  if (skip) return;
  /* Else its key beats every number's, and a scan of nothing starts with infinity's own. */
  plan->load_nan =
      wide ? (u64)(least ? INT64_MIN : INT64_MAX) : (u32)(least ? INT32_MIN : INT32_MAX);
  plan->store_nan = wide ? HD_NAN_F64 : HD_NAN_F32;
  plan->start = wide ? (u64)hd_key_of_f64(hd_f64_of_bits(infinity))
                     : (u32)hd_key_of_f32(hd_f32_of_bits((u32)infinity));
}

/* init as a lane, by way of the type that heddle_reduce would take it in. */
static u64 init_lane(const struct hd_cpu_scan_plan *plan, enum hd_cpu_scan_lane lane) {
  const struct hd_fold *fold = &plan->scan->fold;
  const bool wide = plan->kernel->lane_bytes == 8;
  u64 value = 0, result = 0;
  heddle_type type = fold->type;
  if (hd_is_float(type))
    type = wide ? HEDDLE_F64 : HEDDLE_F32;
  else if (hd_is_arithmetic(fold->op))
    type = hd_is_signed(type) ? HEDDLE_I64 : HEDDLE_U64;
  hd_convert_one(fold->out_type, fold->init, type, &value);
  if (is_extreme(fold) && hd_is_float(type))
    plan->table->load[HD_MAP_VALUE][lane][type](&value, &result, 1, plan->load_nan);
  else
    hd_convert_one(type, &value, lane_type(lane), &result);
  return result;
}

/* An exclusive scan of integers shows the identity of the input's type, which may be narrower than
 * a lane. */
static u64 start_lane(const struct hd_cpu_scan_plan *plan, const struct hd_cpu_kernels *kernels,
                      enum hd_cpu_scan_lane lane) {
  const struct hd_fold *fold = &plan->scan->fold;
  struct hd_cpu_fold_kernel storage;
  u64 identity = 0, start = 0;
  hd_cpu_fold_kernel(kernels, fold, &storage)->merge.identity(&identity, NULL);
  hd_convert_one(fold->type, &identity, lane_type(lane), &start);
  return start;
}

/* Sums and products of narrow floats, of all elements as they are, need no lanes in memory. */
static void plan_narrow(struct hd_cpu_scan_plan *plan, const struct hd_cpu_kernels *kernels,
                        enum hd_cpu_scan_lane lane) {
  const struct hd_fold *fold = &plan->scan->fold;
  plan->format = plan->kernel->lanes;
  plan->narrow = false;
  if (lane != HD_SCAN_F32 || fold->type != fold->out_type || fold->init || skips_nan(fold)) return;
  const struct hd_cpu_scan_format *narrow = plan->table->narrow[fold->op][fold->type];
  if (!narrow) return;
  plan->narrow = true;
  plan->format = narrow;
  plan->total = hd_cpu_fold_kernel(kernels, fold, NULL);
}

void hd_cpu_scan_make_plan(struct hd_cpu_scan_plan *plan, const struct hd_cpu_kernels *kernels,
                           const struct hd_scan *scan) {
  const struct hd_fold *fold = &scan->fold;
  plan->scan = scan;
  plan->table = kernels->scan;
  plan->kernel = NULL;
  plan->exclusive = scan->kind == HEDDLE_EXCLUSIVE;
  if (fold->op == HEDDLE_OP_CUSTOM) {
    hd_cpu_custom_kernel(fold->custom, &plan->fold);
    plan->chunk = plan->fold.chunk;
    plan->in_bytes = plan->out_bytes = plan->fold.merge.bytes;
    return;
  }
  enum hd_cpu_scan_lane lane = lane_of(fold);
  heddle_type of_lane = lane_type(lane);
  plan->kernel = plan->table->op[lane][hd_op_combine(fold->op)];
  plan->chunk = plan->kernel->chunk;
  plan->in_bytes = type_bytes[fold->type];
  plan->out_bytes = type_bytes[fold->out_type];
  plan->load = NULL;
  plan->store = NULL;
  plan->convert = HEDDLE_TYPE_DEFAULT;
  plan->load_nan = plan->store_nan = plan->init = 0;
  plan_nan(plan, lane);
  const bool arithmetic = hd_is_arithmetic(fold->op), mapped = hd_op_map(fold->op) != HD_MAP_VALUE;
  if (plan->exclusive && hd_is_integer(fold->type) && !arithmetic)
    plan->start = start_lane(plan, kernels, lane);
  if (mapped || !same_bits(fold->type, of_lane) || skips_nan(fold))
    plan->load = plan->table->load[hd_op_map(fold->op)][lane][fold->type];
  if (hd_is_integer(fold->type) && hd_is_float(fold->out_type))
    plan->convert = hd_is_signed(fold->type) ? HEDDLE_I64 : HEDDLE_U64;
  else if (!same_bits(fold->out_type, of_lane))
    plan->store = plan->table->store[lane][fold->out_type];
  if (fold->init) plan->init = init_lane(plan, lane);
  plan_narrow(plan, kernels, lane);
}
