/* convert.h - every conversion between elements and the lanes of a scan, for one ISA
 *
 * Integers widen by their own sign and are cut off again, so lanes serve every type that is no
 * wider. min and max of floats run on keys (cpu/vec/vec.h), in i32 and i64 lanes. NaN has one form in
 * lanes of floats, which narrowing keeps. */
#define v_of_(t) v##t
#define v_of(t) v_of_(t)

/* ---- elements to lanes ----------------------------------------------------------------------- */

#define LOAD_CAT_(a, b, c, d) a##b##c##d
#define LOAD_CAT(a, b, c, d) LOAD_CAT_(a, b, c, d)
#define scan_int_UNSIGNED_32 u32
#define scan_int_UNSIGNED_64 u64
#define scan_int_SIGNED_32 i32
#define scan_int_SIGNED_64 i64

static inline f32 scan_keep1_f32(f32 x, u64 nan) { return x == x ? x : hd_f32_of_bits((u32)nan); }
static inline f64 scan_keep1_f64(f64 x, u64 nan) { return x == x ? x : hd_f64_of_bits(nan); }
static inline f32 scan_nan_f32(u64 nan) { return hd_f32_of_bits((u32)nan); }
static inline f64 scan_nan_f64(u64 nan) { return hd_f64_of_bits(nan); }

#define LOAD_IN EACH(NAME)
#define LOAD_A EACH(KEY)
#define LOAD_VALUES(name, p) LOAD_CAT(name, LOAD_IN, _, EACH(VALUE))(p)
#define LOAD_V(p) LOAD_CAT(key_, EACH(VALUE), , )(LOAD_VALUES(load_, p), (LOAD_A)nan)
#define LOAD_1(p) LOAD_CAT(key1_, EACH(VALUE), , )(LOAD_VALUES(one_, p), (LOAD_A)nan)
#define LOAD_NAME LOAD_CAT(scan_load_key_, LOAD_IN, , )
#define EACH_WHERE EACH_IS(FLOAT)
#define EACH_TEMPLATE "cpu/scan/load_tmpl.h"
#include "order/each_type.h"
#undef LOAD_A
#undef LOAD_VALUES
#undef LOAD_V
#undef LOAD_1
#undef LOAD_NAME
#undef LOAD_IN

#define LOAD_KEY(T, t, ...) [HEDDLE_##T] = scan_load_key_##t,
#define LOAD_KEY32(T, t, f, bits, ...) HD_BELOW_64(bits, LOAD_KEY(T, t, ))
#define LOAD_TABLE scan_load_value
#define LOAD_MAPPED(T, v) (v)
#define LOAD_KEYS32 HD_FLOAT_TYPES(LOAD_KEY32)
#define LOAD_KEYS64 [HEDDLE_F64] = scan_load_key_f64
#include "load_lanes.h"

#define LOAD_TABLE scan_load_square
#define LOAD_MAPPED(T, v) ((T)(v) * (T)(v))
#define LOAD_KEYS32
#define LOAD_KEYS64
#include "load_lanes.h"

/* ---- lanes to elements ----------------------------------------------------------------------- */

#define STORE_OUT EACH(NAME)
#define STORE_A u32
#define EACH_WHERE EACH_IS(UNSIGNED) && EACH(BITS) <= 32
#define EACH_TEMPLATE "cpu/scan/store_tmpl.h"
#include "order/each_type.h"
#undef STORE_A

#define STORE_A u64
#define EACH_WHERE EACH_IS(UNSIGNED)
#define EACH_TEMPLATE "cpu/scan/store_tmpl.h"
#include "order/each_type.h"
#undef STORE_A

#define STORE_A f32
#define EACH_WHERE EACH_IS(FLOAT) && EACH(BITS) == 32
#define EACH_TEMPLATE "cpu/scan/store_tmpl.h"
#include "order/each_type.h"
#undef STORE_A

#define STORE_A f64
#define EACH_WHERE EACH_IS(FLOAT) && EACH(BITS) >= 32
#define EACH_TEMPLATE "cpu/scan/store_tmpl.h"
#include "order/each_type.h"
#undef STORE_A
#undef STORE_OUT

/* A canonical NaN goes through these as any number does. */
static inline u32 scan_bf16_of_f32(u32 bits) { return (bits + 0x7fff + (bits >> 16 & 1)) >> 16; }

static void scan_store_f32_bf16(void *lanes, void *out, size_t n, u64 nan) {
  typedef bf16 narrow __attribute__((vector_size(LANES32 * sizeof(bf16))));
  const char *x = lanes;
  char *y = out;
  size_t i = 0;
  (void)nan;
  for (; i + LANES32 <= n; i += LANES32) {
    const vu32 bits = load_u32_u32(x + 4 * i);
    const narrow e = __builtin_convertvector((bits + 0x7fff + (bits >> 16 & 1)) >> 16, narrow);
    memcpy(y + i * sizeof(bf16), &e, sizeof e);
  }
  for (; i < n; i++) {
    bf16 e = (bf16)scan_bf16_of_f32(one_u32_u32(x + 4 * i));
    memcpy(y + i * sizeof e, &e, sizeof e);
  }
}

static void scan_store_f32_f64(void *lanes, void *out, size_t n, u64 nan) {
  const char *x = lanes;
  char *y = out;
  size_t i = 0;
  (void)nan;
  for (; i + LANES64 <= n; i += LANES64) {
    const vf64 wide = load_f32_f64(x + 4 * i);
    memcpy(y + i * sizeof(f64), &wide, sizeof wide);
  }
  for (; i < n; i++) {
    f64 wide = one_f32_f64(x + 4 * i);
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
  if (i < n) {
    char wide[LANES32 * sizeof(f32)] = {0}, narrow[LANES32 * sizeof(f16)];
    memcpy(wide, x + 4 * i, 4 * (n - i));
    store_f32_f16(narrow, load_f32_f32(wide));
    memcpy(y + 2 * i, narrow, 2 * (n - i));
  }
#else
  for (; i < n; i++) {
    f16 narrow = hd_f16_from_f64(one_f32_f32(x + 4 * i));
    memcpy(y + 2 * i, &narrow, sizeof narrow);
  }
#endif
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
  const char *key = lanes;
  char *y = out;
  size_t i = 0;
  for (; i + LANES32 <= n; i += LANES32) {
    const vi32 k = load_i32_i32(key + 4 * i), bits = k ^ ((k >> 31) & INT32_MAX);
    const vi32 is_nan = (bits & INT32_MAX) > 0x7f800000;
    const vi32 number = (bits & ~is_nan) | (is_nan & (i32)nan);
    memcpy(y + 4 * i, &number, sizeof number);
  }
  for (; i < n; i++) {
    u32 bits = scan_number_f32(one_i32_i32(key + 4 * i), nan);
    memcpy(y + i * sizeof bits, &bits, sizeof bits);
  }
}
static void scan_store_key64_f64(void *lanes, void *out, size_t n, u64 nan) {
  const char *key = lanes;
  char *y = out;
  size_t i = 0;
  for (; i + LANES64 <= n; i += LANES64) {
    const vi64 k = load_i64_i64(key + 8 * i), bits = k ^ ((k >> 63) & INT64_MAX);
    const vi64 is_nan = (bits & INT64_MAX) > INT64_C(0x7ff0000000000000);
    const vi64 number = (bits & ~is_nan) | (is_nan & (i64)nan);
    memcpy(y + 8 * i, &number, sizeof number);
  }
  for (; i < n; i++) {
    u64 bits = scan_number_f64(one_i64_i64(key + 8 * i), nan);
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

/* ---- the table: rows of types.def ------------------------------------------------------------ */

#define SCAN_STORE_32(T, t, f, bits, s, a, l, k, v, least, most, raw, inf) \
  HD_BELOW_64(bits, [HEDDLE_##T] = scan_store_u32_##raw, )
#define SCAN_STORE_64(T, t, f, b, s, a, l, k, v, least, most, raw, inf) \
  [HEDDLE_##T] = scan_store_u64_##raw,
#define SCAN_STORE_F32(T, t, ...) [HEDDLE_##T] = scan_store_f32_##t,
#define SCAN_STORE_F64(T, t, ...) [HEDDLE_##T] = scan_store_f64_##t,
#define SCAN_STORE_KEY32(T, t, ...) [HEDDLE_##T] = scan_store_key32_##t,
#define SCAN_STORE_KEY64(T, t, ...) [HEDDLE_##T] = scan_store_key64_##t,
#define SCAN_STORES                                                                     \
  {                                                                                     \
    [HD_SCAN_U32] = {HD_INTEGER_TYPES(SCAN_STORE_32)},                                  \
    [HD_SCAN_U64] = {HD_INTEGER_TYPES(SCAN_STORE_64)},                                  \
    [HD_SCAN_I32] = {HD_INTEGER_TYPES(SCAN_STORE_32) HD_FLOAT_TYPES(SCAN_STORE_KEY32)}, \
    [HD_SCAN_I64] = {HD_INTEGER_TYPES(SCAN_STORE_64) HD_FLOAT_TYPES(SCAN_STORE_KEY64)}, \
    [HD_SCAN_F32] = {HD_FLOAT_TYPES(SCAN_STORE_F32)}, [HD_SCAN_F64] = {                 \
      HD_FLOAT_TYPES(SCAN_STORE_F64)                                                    \
    }                                                                                   \
  }

#define SCAN_LOADS \
  { [HD_MAP_VALUE] = scan_load_value, [HD_MAP_SQUARE] = scan_load_square }
