/* shared.h - what the fold templates of one ISA object share */
#include "cpu/isa/kernels.h"
#include "order/moments.h"

/* What a total of an accumulator of that type is. */
#define HD_TOTAL_OF_u64 HD_TOTAL_U64
#define HD_TOTAL_OF_f32 HD_TOTAL_F32
#define HD_TOTAL_OF_f64 HD_TOTAL_F64
#define HD_TOTAL_OF_i32 HD_TOTAL_KEY32
#define HD_TOTAL_OF_i64 HD_TOTAL_KEY64

/* The halves of a row of f64 columns folded on each other, rule 2; column is overwritten. */
static inline f64 fold_columns_f64(vf64 *column) {
  enum { VECTORS = HD_LANE_BYTES / VEC_BYTES };
  for (int h = VECTORS / 2; h; h /= 2)
    for (int j = 0; j < h; j++) column[j] += column[j + h];
  f64 lane[LANES64];
  memcpy(lane, &column[0], sizeof lane);
  for (int h = LANES64 / 2; h; h /= 2)
    for (int j = 0; j < h; j++) lane[j] += lane[j + h];
  return lane[0];
}

static heddle_status arg_combine(void *acc, const void *right, const heddle_custom *custom) {
  struct hd_cpu_arg_total a, b;
  (void)custom;
  memcpy(&a, acc, sizeof a);
  memcpy(&b, right, sizeof b);
  if (b.index != UINT64_MAX && (a.index == UINT64_MAX || b.key < a.key)) memcpy(acc, &b, sizeof b);
  return HEDDLE_OK;
}

static void arg_identity(void *out, const heddle_custom *custom) {
  const struct hd_cpu_arg_total none = {0, UINT64_MAX, 0};
  (void)custom;
  memcpy(out, &none, sizeof none);
}

static heddle_status moments_combine(void *acc, const void *right, const heddle_custom *custom) {
  struct hd_moments a, b;
  (void)custom;
  memcpy(&a, acc, sizeof a);
  memcpy(&b, right, sizeof b);
  hd_moments_merge(&a, &b);
  memcpy(acc, &a, sizeof a);
  return HEDDLE_OK;
}

static void moments_identity(void *out, const heddle_custom *custom) {
  struct hd_moments none;
  (void)custom;
  hd_moments_empty(&none);
  memcpy(out, &none, sizeof none);
}
