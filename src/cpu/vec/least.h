/* least.h - least_f32 and least_f64: the lesser of two numbers, -0.0 before +0.0; a NaN of any bits, if one is
 *
 * Parameter  VEC_REGISTER  how the compiler's asm names a vector that it may change; undefined without asm
 * Method     Of equal numbers, and with a NaN, lesser_f32 gives its second operand: the two together
 *            have the sign of either, and the exponent and the fraction of a NaN. gcc would load b, if it
 *            is in memory, for each of its uses. */
static inline vf32 least_f32(vf32 a, vf32 b) {
#ifdef VEC_REGISTER
  __asm__("" : VEC_REGISTER(b));
#endif
  return (vf32)((vi32)lesser_f32(a, b) | (vi32)lesser_f32(b, a));
}
static inline vf64 least_f64(vf64 a, vf64 b) {
#ifdef VEC_REGISTER
  __asm__("" : VEC_REGISTER(b));
#endif
  return (vf64)((vi64)lesser_f64(a, b) | (vi64)lesser_f64(b, a));
}
#undef VEC_REGISTER
