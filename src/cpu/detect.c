/* detect.c - instruction sets, from cpuid and the registers that the system saves */
#include "detect.h"

#ifdef HEDDLE_X86_KERNELS
#include <cpuid.h>

/* clang 14 has no name for F16C: leaf 1, ecx bit 29. */
static bool has_f16c(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c >> 29 & 1);
}

bool hd_has_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c() &&
         __builtin_cpu_supports("bmi2");
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
