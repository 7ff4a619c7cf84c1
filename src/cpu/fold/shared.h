/* shared.h - what the fold templates of one ISA object share */
#include "cpu/fold/columns/values.h"
#include "cpu/isa/kernels.h"
#include "order/moments.h"

/* What a total of an accumulator of that type is. */
#define HD_TOTAL_OF_u64 HD_TOTAL_U64
#define HD_TOTAL_OF_f32 HD_TOTAL_F32
#define HD_TOTAL_OF_f64 HD_TOTAL_F64
#define HD_TOTAL_OF_i32 HD_TOTAL_KEY32
#define HD_TOTAL_OF_i64 HD_TOTAL_KEY64

/* least_f32 and least_f64 of vec/vec.h, of one number each. */
static inline f32 least1_f32(f32 a, f32 b) {
  return hd_f32_of_bits(hd_bits_f32(a < b ? a : b) | hd_bits_f32(b < a ? b : a));
}
static inline f64 least1_f64(f64 a, f64 b) {
  return hd_f64_of_bits(hd_bits_f64(a < b ? a : b) | hd_bits_f64(b < a ? b : a));
}
/* What a key stands for; of no value the infinity that every number replaces. */
static inline f32 value1_i32(i32 key, bool is_min) {
  bool none;
  return hd_key32_value(key, is_min, &none);
}
static inline f64 value1_i64(i64 key, bool is_min) {
  bool none;
  return hd_key64_value(key, is_min, &none);
}

/* The halves of a row of f64 columns folded on each other, rule 2; column is overwritten. */
static inline f64 fold_columns_f64(vf64 *column) {
  enum { VECTORS = HD_ROW_BYTES / VEC_BYTES };
  for (int h = VECTORS / 2; h; h /= 2)
    for (int j = 0; j < h; j++) column[j] += column[j + h];
  f64 lane[LANES64];
  memcpy(lane, &column[0], sizeof lane);
  for (int h = LANES64 / 2; h; h /= 2)
    for (int j = 0; j < h; j++) lane[j] += lane[j + h];
  return lane[0];
}

/* Totals of integers' extremes and bit operators: HD_TOTAL_INPUT. */
typedef u32 total_u8, total_u16, total_u32;
typedef i32 total_i8, total_i16, total_i32;
typedef u64 total_u64;
typedef i64 total_i64;

static heddle_status arg_combine(void *acc, const void *right, const heddle_custom *custom) {
  struct hd_arg_total a, b;
  (void)custom;
  memcpy(&a, acc, sizeof a);
  memcpy(&b, right, sizeof b);
  hd_arg_merge(&a, &b);
  memcpy(acc, &a, sizeof a);
  return HEDDLE_OK;
}

static heddle_status arg_pairs(void *totals, size_t n, const heddle_custom *custom) {
  struct hd_arg_total *t = totals;
  (void)custom;
  for (size_t i = 0; i < n; i++) {
    struct hd_arg_total a = t[2 * i];
    hd_arg_merge(&a, &t[2 * i + 1]);
    t[i] = a;
  }
  return HEDDLE_OK;
}

static void arg_identity(void *out, const heddle_custom *custom) {
  struct hd_arg_total none;
  (void)custom;
  hd_arg_empty(&none);
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

static heddle_status moments_pairs(void *totals, size_t n, const heddle_custom *custom) {
  struct hd_moments *t = totals;
  (void)custom;
  for (size_t i = 0; i < n; i++) {
    if (i) t[i] = t[2 * i];
    hd_moments_merge(&t[i], &t[2 * i + 1]);
  }
  return HEDDLE_OK;
}

static void moments_identity(void *out, const heddle_custom *custom) {
  struct hd_moments none;
  (void)custom;
  hd_moments_empty(&none);
  memcpy(out, &none, sizeof none);
}

/* Elements of a short chunk that are folded one by one. */
struct moments_stack {
  struct hd_moments slot[10];
};
static inline struct hd_moments moments_of_both(struct hd_moments a, struct hd_moments b) {
  hd_moments_merge(&a, &b);
  return a;
}
#define BLOCKS_NAME moments
#define BLOCKS_COUNTER struct moments_stack
#define BLOCKS_T struct hd_moments
#define BLOCKS_OP(k, a, b) moments_of_both(a, b)
#define BLOCKS_SLOT(k, i) (k)->slot[i]
#define BLOCKS_KEEP(k, i, t) ((k)->slot[i] = (t))
#include "order/blocks_tmpl.h"
