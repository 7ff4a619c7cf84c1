/* select_tmpl.h - every kernel of selects and runs of one ISA; included once, after the vocabulary
 *
 * Parameter  HD_SELECT_KERNELS, the name of the table that kernels.h declares */
#include "kernels.h"

#include <string.h>

#define SELECT_T u8
#define SELECT_I i8
#define SELECT_FLOAT 0
#include "masks_tmpl.h"
#define SELECT_T u16
#define SELECT_I i16
#define SELECT_FLOAT 0
#include "masks_tmpl.h"
#define SELECT_T u32
#define SELECT_I i32
#define SELECT_FLOAT 0
#include "masks_tmpl.h"
#define SELECT_T u64
#define SELECT_I i64
#define SELECT_FLOAT 0
#include "masks_tmpl.h"
#define SELECT_T u16
#define SELECT_I i16
#define SELECT_FLOAT 1
#include "masks_tmpl.h"
#define SELECT_T u32
#define SELECT_I i32
#define SELECT_FLOAT 1
#include "masks_tmpl.h"
#define SELECT_T u64
#define SELECT_I i64
#define SELECT_FLOAT 1
#include "masks_tmpl.h"

#define HEADS_NAME heads_u8
#define HEADS_T u8
#define HEADS_INF 0
#include "heads_tmpl.h"
#define HEADS_NAME heads_u16
#define HEADS_T u16
#define HEADS_INF 0
#include "heads_tmpl.h"
#define HEADS_NAME heads_u32
#define HEADS_T u32
#define HEADS_INF 0
#include "heads_tmpl.h"
#define HEADS_NAME heads_u64
#define HEADS_T u64
#define HEADS_INF 0
#include "heads_tmpl.h"
#define HEADS_NAME heads_f16
#define HEADS_T u16
#define HEADS_INF 0x7c00
#include "heads_tmpl.h"
#define HEADS_NAME heads_bf16
#define HEADS_T u16
#define HEADS_INF 0x7f80
#include "heads_tmpl.h"
#define HEADS_NAME heads_f32
#define HEADS_T u32
#define HEADS_INF 0x7f800000
#include "heads_tmpl.h"
#define HEADS_NAME heads_f64
#define HEADS_T u64
#define HEADS_INF 0x7ff0000000000000
#include "heads_tmpl.h"

#define PACK_NAME select_pack_1
#define PACK_BYTES 1
#define PACK_INDEX 0
#define PACK_STEP pack_step_1
#define PACK_SOME pack_1
#include "pack_tmpl.h"
#define PACK_NAME select_pack_2
#define PACK_BYTES 2
#define PACK_INDEX 0
#define PACK_STEP pack_step_2
#define PACK_SOME pack_2
#include "pack_tmpl.h"
#define PACK_NAME select_pack_4
#define PACK_BYTES 4
#define PACK_INDEX 0
#define PACK_STEP pack_step_4
#define PACK_SOME pack_4
#include "pack_tmpl.h"
#define PACK_NAME select_pack_8
#define PACK_BYTES 8
#define PACK_INDEX 0
#define PACK_STEP pack_step_8
#define PACK_SOME pack_8
#include "pack_tmpl.h"
#define PACK_NAME select_pack_16
#define PACK_BYTES 16
#define PACK_INDEX 0
#define PACK_STEP pack_step_16
#define PACK_SOME pack_16
#include "pack_tmpl.h"
#define PACK_NAME select_index_4
#define PACK_BYTES 4
#define PACK_INDEX 1
#define PACK_STEP index_step_4
#define PACK_SOME index_4
#include "pack_tmpl.h"
#define PACK_NAME select_index_8
#define PACK_BYTES 8
#define PACK_INDEX 1
#define PACK_STEP index_step_8
#define PACK_SOME index_8
#include "pack_tmpl.h"

/* Each takes a row of types.def. Integers of one width share kernels. */
#define SELECT_INTEGER(T, in, f, b, s, a, l, k, v, least, most, raw, inf) \
  [HEDDLE_##T] = select_masks_##raw,
#define SELECT_FLOATS(T, in, f, b, s, a, l, k, v, least, most, raw, inf) \
  [HEDDLE_##T] = select_masks_float_##raw,
#define HEADS_INTEGER(T, in, f, b, s, a, l, k, v, least, most, raw, inf) [HEDDLE_##T] = heads_##raw,
#define HEADS_FLOAT(T, in, ...) [HEDDLE_##T] = heads_##in,

const struct hd_cpu_select_kernels HD_SELECT_KERNELS = {
    .masks = {HD_INTEGER_TYPES(SELECT_INTEGER) HD_FLOAT_TYPES(SELECT_FLOATS)},
    .heads = {HD_INTEGER_TYPES(HEADS_INTEGER) HD_FLOAT_TYPES(HEADS_FLOAT)},
    .pack = {select_pack_1, select_pack_2, select_pack_4, select_pack_8, select_pack_16},
    .index = {select_index_4, select_index_8},
};
#undef SELECT_INTEGER
#undef SELECT_FLOATS
#undef HEADS_INTEGER
#undef HEADS_FLOAT
