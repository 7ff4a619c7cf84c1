/* The PTX instructions that programs write by hand, as C++ (ptx.h).
 *
 * Method  an entry matches an instruction that begins with its words and, where it has some,
 *         contains them as modifiers; the first match counts
 * Source  PTX ISA 9.0
 */
#include <string.h>

#include "ptx.h"

struct instruction {
  const char *base;     /* up to the first point */
  const char *modifier; /* ".lo": must be there; "" for none */
  size_t sources;
  const char *expression; /* "" has no effect here */
};

static const struct instruction instructions[] = {
    {"mov", "", 1, "$1"},
    {"cvta", "", 1, "$1"},
    {"add", ".cc", 2, "simt::ptx::plus_carry<@>($1, $2, false, true)"},
    {"addc", ".cc", 2, "simt::ptx::plus_carry<@>($1, $2, true, true)"},
    {"addc", "", 2, "simt::ptx::plus_carry<@>($1, $2, true, false)"},
    {"sub", ".cc", 2, "simt::ptx::minus_carry<@>($1, $2, false, true)"},
    {"subc", ".cc", 2, "simt::ptx::minus_carry<@>($1, $2, true, true)"},
    {"subc", "", 2, "simt::ptx::minus_carry<@>($1, $2, true, false)"},
    {"add", ".sat", 2, "simt::ptx::saturated<@>($1 + $2)"},
    {"add", "", 2, "(@)($1 + $2)"},
    {"sub", "", 2, "(@)($1 - $2)"},
    {"mul", ".wide", 2, "simt::ptx::wide<@>($1, $2)"},
    {"mul", ".hi", 2, "simt::ptx::high<@>($1, $2)"},
    {"mul", "", 2, "(@)($1 * $2)"},
    {"mul24", "", 2, "(@)(($1 << 8 >> 8) * ($2 << 8 >> 8))"},
    {"madc", ".hi.cc", 3, "simt::ptx::plus_carry<@>(simt::ptx::high<@>($1, $2), $3, true, true)"},
    {"madc", ".hi", 3, "simt::ptx::plus_carry<@>(simt::ptx::high<@>($1, $2), $3, true, false)"},
    {"madc", ".lo.cc", 3, "simt::ptx::plus_carry<@>((@)($1 * $2), $3, true, true)"},
    {"madc", ".lo", 3, "simt::ptx::plus_carry<@>((@)($1 * $2), $3, true, false)"},
    {"mad", ".hi.cc", 3, "simt::ptx::plus_carry<@>(simt::ptx::high<@>($1, $2), $3, false, true)"},
    {"mad", ".lo.cc", 3, "simt::ptx::plus_carry<@>((@)($1 * $2), $3, false, true)"},
    {"mad", ".wide", 3, "simt::ptx::wide<@>($1, $2) + ^3"},
    {"mad", ".hi", 3, "(@)(simt::ptx::high<@>($1, $2) + $3)"},
    {"mad", ".lo", 3, "(@)($1 * $2 + $3)"},
    {"mad", "", 3, "(@)__builtin_fma($1, $2, $3)"},
    {"fma", "", 3, "(@)fma($1, $2, $3)"},
    {"div", "", 2, "(@)($1 / $2)"},
    {"rem", "", 2, "(@)($1 % $2)"},
    {"min", "", 2, "simt::ptx::minimum<@>($1, $2)"},
    {"max", "", 2, "simt::ptx::maximum<@>($1, $2)"},
    {"abs", "", 1, "simt::ptx::absolute<@>($1)"},
    {"neg", "", 1, "(@)-$1"},
    {"vabsdiff4", ".u32.u32.u32.add", 3, "simt::ptx::differences4<uint8_t>(~1, ~2, ~3, true)"},
    {"vabsdiff4", ".s32.s32.add", 3, "simt::ptx::differences4<int8_t>(~1, ~2, ~3, true)"},
    {"vabsdiff4", ".u32.u32.u32", 3, "simt::ptx::differences4<uint8_t>(~1, ~2, ~3, false)"},
    {"vabsdiff4", ".s32.s32", 3, "simt::ptx::differences4<int8_t>(~1, ~2, ~3, false)"},
    {"sad", "", 3, "(@)(($1 < $2 ? $2 - $1 : $1 - $2) + $3)"},
    {"and", "", 2, "(@)($1 & $2)"},
    {"or", "", 2, "(@)($1 | $2)"},
    {"xor", "", 2, "(@)($1 ^ $2)"},
    {"not", ".pred", 1, "!$1"},
    {"not", "", 1, "(@)~$1"},
    {"cnot", "", 1, "(@)!$1"},
    {"shl", "", 2, "simt::ptx::left<@>($1, ~2)"},
    {"shr", "", 2, "simt::ptx::right<@>($1, ~2)"},
    {"shf", ".l.clamp", 3, "__funnelshift_lc(~1, ~2, ~3)"},
    {"shf", ".r.clamp", 3, "__funnelshift_rc(~1, ~2, ~3)"},
    {"shf", ".l", 3, "__funnelshift_l(~1, ~2, ~3)"},
    {"shf", ".r", 3, "__funnelshift_r(~1, ~2, ~3)"},
    {"popc", "", 1, "(unsigned)__builtin_popcountll((uint64_t)$1)"},
    {"clz", "", 1, "simt::ptx::leading<@>($1)"},
    {"brev", ".b64", 1, "__brevll($1)"},
    {"brev", "", 1, "__brev($1)"},
    {"bfind", "", 1, "simt::ptx::find<@>($1)"},
    {"bfe", "", 3, "simt::ptx::extract<@>($1, ~2, ~3)"},
    {"bfi", "", 4, "simt::ptx::insert<@>($1, $2, ~3, ~4)"},
    {"prmt", "", 3, "__byte_perm(~1, ~2, ~3)"},
    {"lop3", "", 4, "simt::ptx::logic<@>($1, $2, $3, ~4)"},
    {"dp4a", ".u32.u32", 3, "__dp4a(~1, ~2, ~3)"},
    {"dp4a", ".s32.s32", 3, "__dp4a((int)~1, (int)~2, (int)~3)"},
    {"isspacep", ".shared", 1, "(simt_is_shared((const void *)^1) != 0)"},
    {"isspacep", ".global", 1, "(simt_is_global((const void *)^1) != 0)"},
    {"selp", "", 3, "(?3 ? $1 : $2)"},
    {"setp", ".eq", 2, "($1 == $2)"},
    {"setp", ".ne", 2, "($1 != $2)"},
    {"setp", ".lt", 2, "($1 < $2)"},
    {"setp", ".le", 2, "($1 <= $2)"},
    {"setp", ".gt", 2, "($1 > $2)"},
    {"setp", ".ge", 2, "($1 >= $2)"},
    {"setp", ".lo", 2, "($1 < $2)"},
    {"setp", ".ls", 2, "($1 <= $2)"},
    {"setp", ".hi", 2, "($1 > $2)"},
    {"setp", ".hs", 2, "($1 >= $2)"},
    {"rcp", "", 1, "(@)(1 / $1)"},
    {"sqrt", "", 1, "(@)sqrt($1)"},
    {"rsqrt", "", 1, "(@)(1 / sqrt($1))"},
    {"ex2", "", 1, "(@)exp2($1)"},
    {"lg2", "", 1, "(@)log2($1)"},
    {"sin", "", 1, "(@)sin($1)"},
    {"cos", "", 1, "(@)cos($1)"},
    {"tanh", "", 1, "(@)tanh($1)"},
    {"activemask", "", 0, "__activemask()"},
    {"shfl", ".sync.down", 4, "__shfl_down_sync(~4, ~1, ~2, 32 - (~3 >> 8))"},
    {"shfl", ".sync.up", 4, "__shfl_up_sync(~4, ~1, ~2, 32 - (~3 >> 8))"},
    {"shfl", ".sync.bfly", 4, "__shfl_xor_sync(~4, ~1, (int)~2, 32 - (~3 >> 8))"},
    {"shfl", ".sync.idx", 4, "__shfl_sync(~4, ~1, (int)~2, 32 - (~3 >> 8))"},
    {"vote", ".sync.ballot", 2, "__ballot_sync(~2, ?1)"},
    {"vote", ".sync.all", 2, "__all_sync(~2, ?1)"},
    {"vote", ".sync.any", 2, "__any_sync(~2, ?1)"},
    {"match", ".any.sync", 2, "__match_any_sync(~2, $1)"},
    {"redux", ".sync.add", 2, "__reduce_add_sync(~2, $1)"},
    {"redux", ".sync.min", 2, "__reduce_min_sync(~2, $1)"},
    {"redux", ".sync.max", 2, "__reduce_max_sync(~2, $1)"},
    {"redux", ".sync.and", 2, "__reduce_and_sync(~2, $1)"},
    {"redux", ".sync.or", 2, "__reduce_or_sync(~2, $1)"},
    {"redux", ".sync.xor", 2, "__reduce_xor_sync(~2, $1)"},
};

const char *ptx_expression(const char *opcode, size_t *sources) {
  const size_t base = strcspn(opcode, ".");
  for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
    const struct instruction *k = &instructions[i];
    if (strlen(k->base) != base || strncmp(k->base, opcode, base)) continue;
    if (!strstr(opcode + base, k->modifier)) continue;
    *sources = k->sources;
    return k->expression;
  }
  return NULL;
}

static const struct {
  const char *suffix, *type;
} types[] = {{"u8", "uint8_t"},   {"s8", "int8_t"},    {"b8", "uint8_t"},   {"u16", "uint16_t"},
             {"s16", "int16_t"},  {"b16", "uint16_t"}, {"u32", "uint32_t"}, {"s32", "int32_t"},
             {"b32", "uint32_t"}, {"u64", "uint64_t"}, {"s64", "int64_t"},  {"b64", "uint64_t"},
             {"f32", "float"},    {"f64", "double"},   {"pred", "bool"}};

const char *ptx_type(const char *suffix, size_t length) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (strlen(types[i].suffix) == length && !strncmp(types[i].suffix, suffix, length)) {
      return types[i].type;
    }
  }
  return NULL;
}

static const struct {
  const char *name, *expression;
} specials[] = {{"laneid", "simt_lane()"},
                {"warpid", "simt_warp()"},
                {"nwarpid", "64u"},
                {"smid", "simt_multiprocessor()"},
                {"nsmid", "132u"},
                {"tid.x", "threadIdx.x"},
                {"tid.y", "threadIdx.y"},
                {"tid.z", "threadIdx.z"},
                {"ntid.x", "blockDim.x"},
                {"ntid.y", "blockDim.y"},
                {"ntid.z", "blockDim.z"},
                {"ctaid.x", "blockIdx.x"},
                {"ctaid.y", "blockIdx.y"},
                {"ctaid.z", "blockIdx.z"},
                {"nctaid.x", "gridDim.x"},
                {"nctaid.y", "gridDim.y"},
                {"nctaid.z", "gridDim.z"},
                {"gridid", "1ull"},
                {"clock", "(uint32_t)simt_clock64()"},
                {"clock64", "simt_clock64()"},
                {"clock_hi", "(uint32_t)(simt_clock64() >> 32)"},
                {"globaltimer", "simt_globaltimer()"},
                {"globaltimer_lo", "(uint32_t)simt_globaltimer()"},
                {"globaltimer_hi", "(uint32_t)(simt_globaltimer() >> 32)"},
                {"lanemask_eq", "(1u << simt_lane())"},
                {"lanemask_lt", "((1u << simt_lane()) - 1)"},
                {"lanemask_le", "(~0u >> (31 - simt_lane()))"},
                {"lanemask_gt", "(~0u << simt_lane() << 1)"},
                {"lanemask_ge", "(~0u << simt_lane())"},
                {"dynamic_smem_size", "(uint32_t)simt_dynamic_shared_bytes()"}};

const char *ptx_special(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
    if (strlen(specials[i].name) == length && !strncmp(specials[i].name, name, length)) {
      return specials[i].expression;
    }
  }
  return NULL;
}
