/* convert.h - every conversion between elements and the lanes of a scan, for one ISA
 *
 * Integers widen by their own sign and are cut off again, so lanes serve every type that is no
 * wider. min and max of floats run on keys (cpu/vec/vec.h), in i32 and i64 lanes. NaN has one form in
 * lanes of floats, which narrowing keeps. */
#define v_of_(t) v##t
#define v_of(t) v_of_(t)

/* ---- elements to lanes ----------------------------------------------------------------------- */

#define LOAD_NAME scan_load_u8_32
#define LOAD_IN u8
#define LOAD_A u32
#define LOAD_V(p) load_u8_u32(p)
#define LOAD_1(p) one_u8_u32(p)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_u16_32
#define LOAD_IN u16
#define LOAD_A u32
#define LOAD_V(p) load_u16_u32(p)
#define LOAD_1(p) one_u16_u32(p)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_u32_32
#define LOAD_IN u32
#define LOAD_A u32
#define LOAD_V(p) load_u32_u32(p)
#define LOAD_1(p) one_u32_u32(p)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_i8_32
#define LOAD_IN i8
#define LOAD_A i32
#define LOAD_V(p) load_i8_i32(p)
#define LOAD_1(p) one_i8_i32(p)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_i16_32
#define LOAD_IN i16
#define LOAD_A i32
#define LOAD_V(p) load_i16_i32(p)
#define LOAD_1(p) one_i16_i32(p)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_i32_32
#define LOAD_IN i32
#define LOAD_A i32
#define LOAD_V(p) load_i32_i32(p)
#define LOAD_1(p) one_i32_i32(p)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_u8_64
#define LOAD_IN u8
#define LOAD_A u64
#define LOAD_V(p) load_u8_u64(p)
#define LOAD_1(p) one_u8_u64(p)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_u16_64
#define LOAD_IN u16
#define LOAD_A u64
#define LOAD_V(p) load_u16_u64(p)
#define LOAD_1(p) one_u16_u64(p)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_u32_64
#define LOAD_IN u32
#define LOAD_A u64
#define LOAD_V(p) load_u32_u64(p)
#define LOAD_1(p) one_u32_u64(p)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_u64_64
#define LOAD_IN u64
#define LOAD_A u64
#define LOAD_V(p) load_u64_u64(p)
#define LOAD_1(p) one_u64_u64(p)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_i8_64
#define LOAD_IN i8
#define LOAD_A i64
#define LOAD_V(p) load_i8_i64(p)
#define LOAD_1(p) one_i8_i64(p)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_i16_64
#define LOAD_IN i16
#define LOAD_A i64
#define LOAD_V(p) load_i16_i64(p)
#define LOAD_1(p) one_i16_i64(p)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_i32_64
#define LOAD_IN i32
#define LOAD_A i64
#define LOAD_V(p) load_i32_i64(p)
#define LOAD_1(p) one_i32_i64(p)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_i64_64
#define LOAD_IN i64
#define LOAD_A i64
#define LOAD_V(p) load_i64_i64(p)
#define LOAD_1(p) one_i64_i64(p)
#include "load_tmpl.h"
static inline f32 scan_keep1_f32(f32 x, u64 nan) { return x == x ? x : hd_f32_of_bits((u32)nan); }
static inline f64 scan_keep1_f64(f64 x, u64 nan) { return x == x ? x : hd_f64_of_bits(nan); }

#define LOAD_NAME scan_load_f16_f32
#define LOAD_IN f16
#define LOAD_A f32
#define LOAD_V(p) keep_f32(load_f16_f32(p), hd_f32_of_bits((u32)nan))
#define LOAD_1(p) scan_keep1_f32(one_f16_f32(p), nan)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_bf16_f32
#define LOAD_IN bf16
#define LOAD_A f32
#define LOAD_V(p) keep_f32(load_bf16_f32(p), hd_f32_of_bits((u32)nan))
#define LOAD_1(p) scan_keep1_f32(one_bf16_f32(p), nan)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_f32_f32
#define LOAD_IN f32
#define LOAD_A f32
#define LOAD_V(p) keep_f32(load_f32_f32(p), hd_f32_of_bits((u32)nan))
#define LOAD_1(p) scan_keep1_f32(one_f32_f32(p), nan)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_f16_f64
#define LOAD_IN f16
#define LOAD_A f64
#define LOAD_V(p) keep_f64(load_f16_f64(p), hd_f64_of_bits(nan))
#define LOAD_1(p) scan_keep1_f64(one_f16_f64(p), nan)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_bf16_f64
#define LOAD_IN bf16
#define LOAD_A f64
#define LOAD_V(p) keep_f64(load_bf16_f64(p), hd_f64_of_bits(nan))
#define LOAD_1(p) scan_keep1_f64(one_bf16_f64(p), nan)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_f32_f64
#define LOAD_IN f32
#define LOAD_A f64
#define LOAD_V(p) keep_f64(load_f32_f64(p), hd_f64_of_bits(nan))
#define LOAD_1(p) scan_keep1_f64(one_f32_f64(p), nan)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_f64_f64
#define LOAD_IN f64
#define LOAD_A f64
#define LOAD_V(p) keep_f64(load_f64_f64(p), hd_f64_of_bits(nan))
#define LOAD_1(p) scan_keep1_f64(one_f64_f64(p), nan)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_f16_key
#define LOAD_IN f16
#define LOAD_A i32
#define LOAD_V(p) key_f32(load_f16_f32(p), (i32)nan)
#define LOAD_1(p) key1_f32(one_f16_f32(p), (i32)nan)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_bf16_key
#define LOAD_IN bf16
#define LOAD_A i32
#define LOAD_V(p) key_f32(load_bf16_f32(p), (i32)nan)
#define LOAD_1(p) key1_f32(one_bf16_f32(p), (i32)nan)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_f32_key
#define LOAD_IN f32
#define LOAD_A i32
#define LOAD_V(p) key_f32(load_f32_f32(p), (i32)nan)
#define LOAD_1(p) key1_f32(one_f32_f32(p), (i32)nan)
#include "load_tmpl.h"
#define LOAD_NAME scan_load_f64_key
#define LOAD_IN f64
#define LOAD_A i64
#define LOAD_V(p) key_f64(load_f64_f64(p), (i64)nan)
#define LOAD_1(p) key1_f64(one_f64_f64(p), (i64)nan)
#include "load_tmpl.h"

/* ---- lanes to elements ----------------------------------------------------------------------- */

#define STORE_A u32
#define STORE_OUT u8
#include "store_tmpl.h"
#define STORE_A u32
#define STORE_OUT u16
#include "store_tmpl.h"
#define STORE_A u32
#define STORE_OUT u32
#include "store_tmpl.h"
#define STORE_A u64
#define STORE_OUT u8
#include "store_tmpl.h"
#define STORE_A u64
#define STORE_OUT u16
#include "store_tmpl.h"
#define STORE_A u64
#define STORE_OUT u32
#include "store_tmpl.h"
#define STORE_A u64
#define STORE_OUT u64
#include "store_tmpl.h"
#define STORE_A f32
#define STORE_OUT f32
#include "store_tmpl.h"
#define STORE_A f64
#define STORE_OUT f32
#include "store_tmpl.h"
#define STORE_A f64
#define STORE_OUT f64
#include "store_tmpl.h"

/* A canonical NaN goes through these as any number does. */
static inline u32 scan_bf16_of_f32(u32 bits) { return (bits + 0x7fff + (bits >> 16 & 1)) >> 16; }

static void scan_store_f32_bf16(void *lanes, void *out, size_t n, u64 nan) {
  const u32 *bits = lanes;
  char *y = out;
  (void)nan;
  for (size_t i = 0; i < n; i++) {
    bf16 narrow = (bf16)scan_bf16_of_f32(bits[i]);
    memcpy(y + i * sizeof narrow, &narrow, sizeof narrow);
  }
}

static void scan_store_f32_f64(void *lanes, void *out, size_t n, u64 nan) {
  const f32 *x = lanes;
  char *y = out;
  (void)nan;
  for (size_t i = 0; i < n; i++) {
    f64 wide = x[i];
    memcpy(y + i * sizeof wide, &wide, sizeof wide);
  }
}

static void scan_store_f32_f16(void *lanes, void *out, size_t n, u64 nan) {
  const char *x = lanes;
  char *y = out;
  size_t i = 0;
  (void)nan;
#ifdef VEC_HAS_F16
  for (; i + LANES32 <= n; i += LANES32) store_f32_f16(y + 2 * i, load_f32_f32(x + 4 * i));
#endif
  for (; i < n; i++) {
    f16 narrow = hd_f16_from_f64(one_f32_f32(x + 4 * i));
    memcpy(y + 2 * i, &narrow, sizeof narrow);
  }
}

static void scan_store_f64_f16(void *lanes, void *out, size_t n, u64 nan) {
  const f64 *x = lanes;
  (void)nan;
  for (size_t i = 0; i < n; i++) {
    f16 narrow = hd_f16_from_f64(x[i]);
    memcpy((char *)out + 2 * i, &narrow, sizeof narrow);
  }
}

static void scan_store_f64_bf16(void *lanes, void *out, size_t n, u64 nan) {
  const f64 *x = lanes;
  (void)nan;
  for (size_t i = 0; i < n; i++) {
    bf16 narrow = hd_bf16_from_f64(x[i]);
    memcpy((char *)out + 2 * i, &narrow, sizeof narrow);
  }
}

/* The float of a key. Infinity's key is the last that a number has. */
static inline u32 scan_number_f32(i32 key, u64 nan) {
  i32 bits = key ^ ((key >> 31) & INT32_MAX);
  return (bits & INT32_MAX) > 0x7f800000 ? (u32)nan : (u32)bits;
}
static inline u64 scan_number_f64(i64 key, u64 nan) {
  i64 bits = key ^ ((key >> 63) & INT64_MAX);
  return (bits & INT64_MAX) > INT64_C(0x7ff0000000000000) ? nan : (u64)bits;
}

/* Those as wide as their keys are made at once, others first where they lie. */
static void scan_store_key32_f32(void *lanes, void *out, size_t n, u64 nan) {
  const i32 *key = lanes;
  char *y = out;
  for (size_t i = 0; i < n; i++) {
    u32 bits = scan_number_f32(key[i], nan);
    memcpy(y + i * sizeof bits, &bits, sizeof bits);
  }
}
static void scan_store_key64_f64(void *lanes, void *out, size_t n, u64 nan) {
  const i64 *key = lanes;
  char *y = out;
  for (size_t i = 0; i < n; i++) {
    u64 bits = scan_number_f64(key[i], nan);
    memcpy(y + i * sizeof bits, &bits, sizeof bits);
  }
}

static void scan_store_key32_f16(void *lanes, void *out, size_t n, u64 nan) {
  scan_store_key32_f32(lanes, lanes, n, nan);
  scan_store_f32_f16(lanes, out, n, 0);
}
static void scan_store_key32_bf16(void *lanes, void *out, size_t n, u64 nan) {
  scan_store_key32_f32(lanes, lanes, n, nan);
  scan_store_f32_bf16(lanes, out, n, 0);
}
static void scan_store_key32_f64(void *lanes, void *out, size_t n, u64 nan) {
  scan_store_key32_f32(lanes, lanes, n, nan);
  scan_store_f32_f64(lanes, out, n, 0);
}
static void scan_store_key64_f16(void *lanes, void *out, size_t n, u64 nan) {
  scan_store_key64_f64(lanes, lanes, n, nan);
  scan_store_f64_f16(lanes, out, n, 0);
}
static void scan_store_key64_bf16(void *lanes, void *out, size_t n, u64 nan) {
  scan_store_key64_f64(lanes, lanes, n, nan);
  scan_store_f64_bf16(lanes, out, n, 0);
}
static void scan_store_key64_f32(void *lanes, void *out, size_t n, u64 nan) {
  scan_store_key64_f64(lanes, lanes, n, nan);
  scan_store_f64_f32(lanes, out, n, 0);
}

/* ---- the tables ------------------------------------------------------------------------------ */

#define SCAN_LOADS_32                                                                              \
  [HEDDLE_U8] = scan_load_u8_32, [HEDDLE_U16] = scan_load_u16_32, [HEDDLE_U32] = scan_load_u32_32, \
  [HEDDLE_I8] = scan_load_i8_32, [HEDDLE_I16] = scan_load_i16_32, [HEDDLE_I32] = scan_load_i32_32
#define SCAN_LOADS_64                                                                              \
  [HEDDLE_U8] = scan_load_u8_64, [HEDDLE_U16] = scan_load_u16_64, [HEDDLE_U32] = scan_load_u32_64, \
  [HEDDLE_U64] = scan_load_u64_64, [HEDDLE_I8] = scan_load_i8_64, [HEDDLE_I16] = scan_load_i16_64, \
  [HEDDLE_I32] = scan_load_i32_64, [HEDDLE_I64] = scan_load_i64_64
#define SCAN_LOADS                                                                          \
  {                                                                                         \
    [HD_SCAN_U32] = {SCAN_LOADS_32}, [HD_SCAN_U64] = {SCAN_LOADS_64},                       \
    [HD_SCAN_I32] = {SCAN_LOADS_32, [HEDDLE_F16] = scan_load_f16_key,                       \
                     [HEDDLE_BF16] = scan_load_bf16_key, [HEDDLE_F32] = scan_load_f32_key}, \
    [HD_SCAN_I64] = {SCAN_LOADS_64, [HEDDLE_F64] = scan_load_f64_key},                      \
    [HD_SCAN_F32] = {[HEDDLE_F16] = scan_load_f16_f32,                                      \
                     [HEDDLE_BF16] = scan_load_bf16_f32,                                    \
                     [HEDDLE_F32] = scan_load_f32_f32},                                     \
    [HD_SCAN_F64] = {                                                                       \
      [HEDDLE_F16] = scan_load_f16_f64,                                                     \
      [HEDDLE_BF16] = scan_load_bf16_f64,                                                   \
      [HEDDLE_F32] = scan_load_f32_f64,                                                     \
      [HEDDLE_F64] = scan_load_f64_f64                                                      \
    }                                                                                       \
  }

#define SCAN_STORES_32                                                \
  [HEDDLE_U8] = scan_store_u32_u8, [HEDDLE_U16] = scan_store_u32_u16, \
  [HEDDLE_U32] = scan_store_u32_u32, [HEDDLE_I8] = scan_store_u32_u8, \
  [HEDDLE_I16] = scan_store_u32_u16, [HEDDLE_I32] = scan_store_u32_u32
#define SCAN_STORES_64                                                  \
  [HEDDLE_U8] = scan_store_u64_u8, [HEDDLE_U16] = scan_store_u64_u16,   \
  [HEDDLE_U32] = scan_store_u64_u32, [HEDDLE_U64] = scan_store_u64_u64, \
  [HEDDLE_I8] = scan_store_u64_u8, [HEDDLE_I16] = scan_store_u64_u16,   \
  [HEDDLE_I32] = scan_store_u64_u32, [HEDDLE_I64] = scan_store_u64_u64
#define SCAN_STORES_FLOAT(prefix)                                                          \
  [HEDDLE_F16] = prefix##_f16, [HEDDLE_BF16] = prefix##_bf16, [HEDDLE_F32] = prefix##_f32, \
  [HEDDLE_F64] = prefix##_f64
#define SCAN_STORES                                                        \
  {                                                                        \
    [HD_SCAN_U32] = {SCAN_STORES_32}, [HD_SCAN_U64] = {SCAN_STORES_64},    \
    [HD_SCAN_I32] = {SCAN_STORES_32, SCAN_STORES_FLOAT(scan_store_key32)}, \
    [HD_SCAN_I64] = {SCAN_STORES_64, SCAN_STORES_FLOAT(scan_store_key64)}, \
    [HD_SCAN_F32] = {SCAN_STORES_FLOAT(scan_store_f32)}, [HD_SCAN_F64] = { \
      SCAN_STORES_FLOAT(scan_store_f64)                                    \
    }                                                                      \
  }
