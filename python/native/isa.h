/* isa.h - whether this processor, and HEDDLE_ISA, have vectors of AVX2 and of AVX-512; how its floats are */
#ifndef HEDDLE_PYTHON_ISA_H
#define HEDDLE_PYTHON_ISA_H

#include <fenv.h>
#include <float.h>
#include <stdbool.h>

/* Whether this thread keeps denormals and rounds to the nearest, as the library does whatever it finds. */
static inline bool isa_has_usual_mode(void) {
  volatile double least = DBL_MIN, half = 0.5;
  const double denormal = least * half;
  return denormal * 2 == least && fegetround() == FE_TONEAREST;
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <stdlib.h>
#include <string.h>

/* Whether HEDDLE_ISA keeps the library from an instruction set, of which `names` has those that do. */
static inline bool isa_is_kept_from(const char *const *names) {
  const char *isa = getenv("HEDDLE_ISA");
  for (; isa && *names; names++)
    if (!strcmp(isa, *names)) return true;
  return false;
}

static inline bool isa_has_avx2(void) {
  static const char *const below[] = {"scalar", NULL};
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
         !isa_is_kept_from(below);
}

/* What the processors have that the library has AVX-512 code for. */
static inline bool isa_has_avx512(void) {
  static const char *const below[] = {"scalar", "avx2", NULL};
  return isa_has_avx2() && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         !isa_is_kept_from(below);
}
#endif

#endif
