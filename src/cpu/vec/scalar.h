/* scalar.h - what every CPU has: 16-byte vectors by the compiler's own means
 *
 * Of scans, what each word means:
 * canonical_T    NaN made the one that leaves the library
 * Two more exist where the instruction set has stores past the caches, and VEC_NONTEMPORAL says so:
 * nontemporal_lines  whole lines of 64 bytes, aligned, from anywhere; the lines are not cached
 * nontemporal_fence  orders them before what this thread stores later */
#define VEC_BYTES 16
#define VEC_ISA "scalar"
#include "vec.h"

#include "histogram_generic.h"
#include "rank_generic.h"

static inline vf32 canonical_f32(vf32 v) { return keep_f32(v, hd_f32_of_bits(HD_NAN_F32)); }
static inline vf64 canonical_f64(vf64 v) { return keep_f64(v, hd_f64_of_bits(HD_NAN_F64)); }
