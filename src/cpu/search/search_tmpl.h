/* search_tmpl.h - every search kernel of one instruction set, by whose flags the file is compiled
 *
 * Parameter SEARCH_KERNELS, the name of the table, which kernels.h declares. */
#include <string.h>

#include "kernels.h"
#include "order/float_bits.h"

/* What an element is compared as: itself, or what its few bits convert to exactly. */
#define SEARCH_V_UNSIGNED_8 i32
#define SEARCH_V_UNSIGNED_16 i32
#define SEARCH_V_UNSIGNED_32 u32
#define SEARCH_V_UNSIGNED_64 u64
#define SEARCH_V_SIGNED_8 i32
#define SEARCH_V_SIGNED_16 i32
#define SEARCH_V_SIGNED_32 i32
#define SEARCH_V_SIGNED_64 i64
#define SEARCH_V_FLOAT_16 f32
#define SEARCH_V_FLOAT_32 f32
#define SEARCH_V_FLOAT_64 f64
#define SEARCH_V_(family, bits) SEARCH_V_##family##_##bits
#define SEARCH_V(family, bits) SEARCH_V_(family, bits)

static inline f32 search_of_f16(f16 x) { return hd_f32_from_f16(x); }
static inline f32 search_of_bf16(bf16 x) { return hd_f32_from_bf16(x); }
#define search_of_u8(x) ((i32)(x))
#define search_of_u16(x) ((i32)(x))
#define search_of_u32(x) (x)
#define search_of_u64(x) (x)
#define search_of_i8(x) ((i32)(x))
#define search_of_i16(x) ((i32)(x))
#define search_of_i32(x) (x)
#define search_of_i64(x) (x)
#define search_of_f32(x) (x)
#define search_of_f64(x) (x)

#define SEARCH_T EACH(NAME)
#define SEARCH_VALUE SEARCH_V(EACH(FAMILY), EACH(BITS))
#define SEARCH_BITS EACH(BITS)
#define SEARCH_FLOAT EACH_IS(FLOAT)
#define EACH_WHERE 1
#define EACH_TEMPLATE "cpu/search/type_tmpl.h"
#include "order/each_type.h"
#undef SEARCH_T
#undef SEARCH_VALUE
#undef SEARCH_BITS
#undef SEARCH_FLOAT

#define SEARCH_ENTRY(T, in, ...) [HEDDLE_##T] = {numbers_##in, search_##in, thin_##in},
const struct hd_cpu_search_kernels SEARCH_KERNELS = {{HD_TYPES(SEARCH_ENTRY)}};
#undef SEARCH_ENTRY
