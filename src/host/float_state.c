/* float_state.c - the processor's floating-point mode: saved, set to nearest and denormals, given back */
#include "context.h"

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
enum { MXCSR_DEFAULT = 0x1f80, MXCSR_FLAGS = 0x3f };
unsigned long hd_float_enter(void) {
  unsigned saved = _mm_getcsr();
  if ((saved & ~(unsigned)MXCSR_FLAGS) != MXCSR_DEFAULT) _mm_setcsr(MXCSR_DEFAULT);
  return saved;
}
void hd_float_leave(unsigned long saved) {
  if ((saved & ~(unsigned long)MXCSR_FLAGS) != MXCSR_DEFAULT) _mm_setcsr((unsigned)saved);
}
#elif defined(__aarch64__)
unsigned long hd_float_enter(void) {
  unsigned long saved;
  __asm__ volatile("mrs %0, fpcr" : "=r"(saved));
  if (saved) __asm__ volatile("msr fpcr, %0" : : "r"(0ul));
  return saved;
}
void hd_float_leave(unsigned long saved) {
  if (saved) __asm__ volatile("msr fpcr, %0" : : "r"(saved));
}
#else
#include <fenv.h>
unsigned long hd_float_enter(void) {
  int saved = fegetround();
  fesetround(FE_TONEAREST);
  return (unsigned long)saved;
}
void hd_float_leave(unsigned long saved) { fesetround((int)saved); }
#endif
