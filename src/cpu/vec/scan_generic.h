/* scan_generic.h - the scan's words without intrinsics; their meaning is in scan_avx512.h
 *
 * There is no portable way past the caches: VEC_STREAMS is not defined. */
static inline vf32 canonical_f32(vf32 v) { return keep_f32(v, hd_f32_of_bits(HD_NAN_F32)); }
static inline vf64 canonical_f64(vf64 v) { return keep_f64(v, hd_f64_of_bits(HD_NAN_F64)); }
