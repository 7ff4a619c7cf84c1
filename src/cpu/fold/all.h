/* all.h - every fold kernel of one ISA: the list of types that the templates are made for */
#include "shared.h"

/* ---- sum, prod, dot -------------------------------------------------------------------- */

#define FOLD_IN u8
#define FOLD_A u32
#define FOLD_MUL_A u64
#define FOLD_W u64
#define FOLD_TOTAL HD_TOTAL_U64
#include "arith_tmpl.h"
#define FOLD_IN u16
#define FOLD_A u32
#define FOLD_MUL_A u64
#define FOLD_W u64
#define FOLD_TOTAL HD_TOTAL_U64
#include "arith_tmpl.h"
#define FOLD_IN u32
#define FOLD_A u64
#define FOLD_MUL_A u64
#define FOLD_W u64
#define FOLD_TOTAL HD_TOTAL_U64
#include "arith_tmpl.h"
#define FOLD_IN u64
#define FOLD_A u64
#define FOLD_MUL_A u64
#define FOLD_W u64
#define FOLD_TOTAL HD_TOTAL_U64
#include "arith_tmpl.h"
#define FOLD_IN i8
#define FOLD_A i32
#define FOLD_MUL_A u64
#define FOLD_W u64
#define FOLD_TOTAL HD_TOTAL_U64
#include "arith_tmpl.h"
#define FOLD_IN i16
#define FOLD_A i32
#define FOLD_MUL_A u64
#define FOLD_W u64
#define FOLD_TOTAL HD_TOTAL_U64
#include "arith_tmpl.h"
#define FOLD_IN i32
#define FOLD_A u64
#define FOLD_MUL_A u64
#define FOLD_W u64
#define FOLD_TOTAL HD_TOTAL_U64
#include "arith_tmpl.h"
#define FOLD_IN i64
#define FOLD_A u64
#define FOLD_MUL_A u64
#define FOLD_W u64
#define FOLD_TOTAL HD_TOTAL_U64
#include "arith_tmpl.h"

#define FOLD_FLOAT
#define FOLD_IN f16
#define FOLD_A f32
#define FOLD_MUL_A f32
#define FOLD_W f32
#define FOLD_TOTAL HD_TOTAL_F32
#include "arith_tmpl.h"
#define FOLD_FLOAT
#define FOLD_IN bf16
#define FOLD_A f32
#define FOLD_MUL_A f32
#define FOLD_W f32
#define FOLD_TOTAL HD_TOTAL_F32
#include "arith_tmpl.h"
#define FOLD_FLOAT
#define FOLD_IN f32
#define FOLD_A f32
#define FOLD_MUL_A f32
#define FOLD_W f32
#define FOLD_TOTAL HD_TOTAL_F32
#include "arith_tmpl.h"
#define FOLD_FLOAT
#define FOLD_IN f16
#define FOLD_A f64
#define FOLD_MUL_A f64
#define FOLD_W f64
#define FOLD_TOTAL HD_TOTAL_F64
#include "arith_tmpl.h"
#define FOLD_FLOAT
#define FOLD_IN bf16
#define FOLD_A f64
#define FOLD_MUL_A f64
#define FOLD_W f64
#define FOLD_TOTAL HD_TOTAL_F64
#include "arith_tmpl.h"
#define FOLD_FLOAT
#define FOLD_IN f32
#define FOLD_A f64
#define FOLD_MUL_A f64
#define FOLD_W f64
#define FOLD_TOTAL HD_TOTAL_F64
#include "arith_tmpl.h"
#define FOLD_FLOAT
#define FOLD_IN f64
#define FOLD_A f64
#define FOLD_MUL_A f64
#define FOLD_W f64
#define FOLD_TOTAL HD_TOTAL_F64
#include "arith_tmpl.h"

/* ---- min, max, and, or, xor -------------------------------------------------------------- */

#define FOLD_IN u8
#define FOLD_LEAST 0
#define FOLD_GREATEST UINT8_MAX
#include "minmax_bits_tmpl.h"
#define FOLD_IN u16
#define FOLD_LEAST 0
#define FOLD_GREATEST UINT16_MAX
#include "minmax_bits_tmpl.h"
#define FOLD_IN u32
#define FOLD_LEAST 0
#define FOLD_GREATEST UINT32_MAX
#include "minmax_bits_tmpl.h"
#define FOLD_IN u64
#define FOLD_LEAST 0
#define FOLD_GREATEST UINT64_MAX
#include "minmax_bits_tmpl.h"
#define FOLD_IN i8
#define FOLD_LEAST INT8_MIN
#define FOLD_GREATEST INT8_MAX
#include "minmax_bits_tmpl.h"
#define FOLD_IN i16
#define FOLD_LEAST INT16_MIN
#define FOLD_GREATEST INT16_MAX
#include "minmax_bits_tmpl.h"
#define FOLD_IN i32
#define FOLD_LEAST INT32_MIN
#define FOLD_GREATEST INT32_MAX
#include "minmax_bits_tmpl.h"
#define FOLD_IN i64
#define FOLD_LEAST INT64_MIN
#define FOLD_GREATEST INT64_MAX
#include "minmax_bits_tmpl.h"

#define FOLD_IN f16
#define FOLD_FLOAT f32
#define FOLD_A i32
#define FOLD_TOTAL HD_TOTAL_KEY32
#define FOLD_LEAST INT32_MIN
#define FOLD_GREATEST INT32_MAX
#include "minmax_float_tmpl.h"
#define FOLD_IN bf16
#define FOLD_FLOAT f32
#define FOLD_A i32
#define FOLD_TOTAL HD_TOTAL_KEY32
#define FOLD_LEAST INT32_MIN
#define FOLD_GREATEST INT32_MAX
#include "minmax_float_tmpl.h"
#define FOLD_IN f32
#define FOLD_FLOAT f32
#define FOLD_A i32
#define FOLD_TOTAL HD_TOTAL_KEY32
#define FOLD_LEAST INT32_MIN
#define FOLD_GREATEST INT32_MAX
#include "minmax_float_tmpl.h"
#define FOLD_IN f64
#define FOLD_FLOAT f64
#define FOLD_A i64
#define FOLD_TOTAL HD_TOTAL_KEY64
#define FOLD_LEAST INT64_MIN
#define FOLD_GREATEST INT64_MAX
#include "minmax_float_tmpl.h"

/* ---- any, all ---------------------------------------------------------------------------- */

#define FOLD_BITS u8
#define FOLD_SIGN 0
#define FOLD_LABEL bits8
#include "logical_tmpl.h"
#define FOLD_BITS u16
#define FOLD_SIGN 0
#define FOLD_LABEL bits16
#include "logical_tmpl.h"
#define FOLD_BITS u32
#define FOLD_SIGN 0
#define FOLD_LABEL bits32
#include "logical_tmpl.h"
#define FOLD_BITS u64
#define FOLD_SIGN 0
#define FOLD_LABEL bits64
#include "logical_tmpl.h"
#define FOLD_BITS u16
#define FOLD_SIGN 1
#define FOLD_INF 0xf800
#define FOLD_LABEL f16
#include "logical_tmpl.h"
#define FOLD_BITS u16
#define FOLD_SIGN 1
#define FOLD_INF 0xff00
#define FOLD_LABEL bf16
#include "logical_tmpl.h"
#define FOLD_BITS u32
#define FOLD_SIGN 1
#define FOLD_INF 0xff000000u
#define FOLD_LABEL f32
#include "logical_tmpl.h"
#define FOLD_BITS u64
#define FOLD_SIGN 1
#define FOLD_INF UINT64_C(0xffe0000000000000)
#define FOLD_LABEL f64
#include "logical_tmpl.h"
