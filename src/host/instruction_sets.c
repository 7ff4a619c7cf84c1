/* instruction_sets.c - instruction sets, from cpuid and the registers that the system saves */
#include "instruction_sets.h"

#ifdef HEDDLE_X86_KERNELS
#include <cpuid.h>

/* Names that clang 14 does not know. The compiler may use any of what cpu/isa/avx2.c is compiled for, and
 * LZCNT on a processor without it is another instruction that gives another number. */
static bool has_bits(void) {
  unsigned a, b, c, d;
  bool f16c_popcnt = __get_cpuid(1, &a, &b, &c, &d) && (c >> 29 & 1) && (c >> 23 & 1);
  bool lzcnt = __get_cpuid(0x80000001u, &a, &b, &c, &d) && (c >> 5 & 1);
  return f16c_popcnt && lzcnt;
}

bool hd_has_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && has_bits();
}

bool hd_has_avx512(void) {
  return hd_has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512cd");
}

#else

bool hd_has_avx2(void) { return false; }
bool hd_has_avx512(void) { return false; }

#endif

#ifdef HEDDLE_ARM_KERNELS
bool hd_has_neon(void) { return true; }
#else
bool hd_has_neon(void) { return false; }
#endif
