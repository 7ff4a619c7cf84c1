/* arg_all.h - every argmin, argmax and describe kernel of one ISA */
#include "describe_tail.h"

#define ARG_TYPE u8
#define ARG_KEY_TYPE i8
#define ARG_KEY i8
#define ARG_BIAS INT8_MIN
#include "arg_type_tmpl.h"
#define ARG_TYPE u16
#define ARG_KEY_TYPE i16
#define ARG_KEY i16
#define ARG_BIAS INT16_MIN
#include "arg_type_tmpl.h"
#define ARG_TYPE u32
#define ARG_KEY_TYPE i32
#define ARG_KEY i32
#define ARG_BIAS INT32_MIN
#include "arg_type_tmpl.h"
#define ARG_TYPE u64
#define ARG_KEY_TYPE i64
#define ARG_KEY i64
#define ARG_BIAS INT64_MIN
#include "arg_type_tmpl.h"
#define ARG_TYPE i8
#define ARG_KEY_TYPE i8
#define ARG_KEY i8
#define ARG_BIAS 0
#include "arg_type_tmpl.h"
#define ARG_TYPE i16
#define ARG_KEY_TYPE i16
#define ARG_KEY i16
#define ARG_BIAS 0
#include "arg_type_tmpl.h"
#define ARG_TYPE i32
#define ARG_KEY_TYPE i32
#define ARG_KEY i32
#define ARG_BIAS 0
#include "arg_type_tmpl.h"
#define ARG_TYPE i64
#define ARG_KEY_TYPE i64
#define ARG_KEY i64
#define ARG_BIAS 0
#include "arg_type_tmpl.h"
#define ARG_TYPE f16
#define ARG_KEY_TYPE i32
#define ARG_KEY i32
#define ARG_FLOAT f32
#define ARG_MOST INT32_MAX
#include "arg_type_tmpl.h"
#define ARG_TYPE bf16
#define ARG_KEY_TYPE i32
#define ARG_KEY i32
#define ARG_FLOAT f32
#define ARG_MOST INT32_MAX
#include "arg_type_tmpl.h"
#define ARG_TYPE f32
#define ARG_KEY_TYPE i32
#define ARG_KEY i32
#define ARG_FLOAT f32
#define ARG_MOST INT32_MAX
#include "arg_type_tmpl.h"
#define ARG_TYPE f64
#define ARG_KEY_TYPE i64
#define ARG_KEY i64
#define ARG_FLOAT f64
#define ARG_MOST INT64_MAX
#include "arg_type_tmpl.h"

#define DESC_NAME describe_u8
#define DESC_IN u8
#define DESC_LANES load_u8_f64
#define DESC_ONE one_u8_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_u16
#define DESC_IN u16
#define DESC_LANES load_u16_f64
#define DESC_ONE one_u16_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_u32
#define DESC_IN u32
#define DESC_LANES load_u32_f64
#define DESC_ONE one_u32_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_u64
#define DESC_IN u64
#define DESC_LANES load_u64_f64
#define DESC_ONE one_u64_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_i8
#define DESC_IN i8
#define DESC_LANES load_i8_f64
#define DESC_ONE one_i8_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_i16
#define DESC_IN i16
#define DESC_LANES load_i16_f64
#define DESC_ONE one_i16_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_i32
#define DESC_IN i32
#define DESC_LANES load_i32_f64
#define DESC_ONE one_i32_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_i64
#define DESC_IN i64
#define DESC_LANES load_i64_f64
#define DESC_ONE one_i64_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_f16
#define DESC_IN f16
#define DESC_LANES load_f16_f64
#define DESC_ONE one_f16_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_bf16
#define DESC_IN bf16
#define DESC_LANES load_bf16_f64
#define DESC_ONE one_bf16_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_f32
#define DESC_IN f32
#define DESC_LANES load_f32_f64
#define DESC_ONE one_f32_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_f64
#define DESC_IN f64
#define DESC_LANES load_f64_f64
#define DESC_ONE one_f64_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_f16_skip
#define DESC_IN f16
#define DESC_SKIP
#define DESC_LANES load_f16_f64
#define DESC_ONE one_f16_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_bf16_skip
#define DESC_IN bf16
#define DESC_SKIP
#define DESC_LANES load_bf16_f64
#define DESC_ONE one_bf16_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_f32_skip
#define DESC_IN f32
#define DESC_SKIP
#define DESC_LANES load_f32_f64
#define DESC_ONE one_f32_f64
#include "describe_tmpl.h"
#define DESC_NAME describe_f64_skip
#define DESC_IN f64
#define DESC_SKIP
#define DESC_LANES load_f64_f64
#define DESC_ONE one_f64_f64
#include "describe_tmpl.h"
