// CUDA's math API on the CPU.
//
// Result   every function and intrinsic of the CUDA Math API that works on float, double and
//          integers, callable from host and device code; names as CUDA has them, in the global
//          namespace, where they are overloads beside those of <cmath>
// Method   what <cmath> has is <cmath>'s; the rest is below, rare functions as calls into
//          libsimt (math/). Functions are noexcept and inline, because glibc declares some of
//          the names too
// Limits   at least as exact as CUDA documents, hence not equal to a GPU in the last bits
// Source   CUDA Math API Reference Manual, release 13.0
#ifndef SIMT_MATH_HPP
#define SIMT_MATH_HPP

#define SIMT_LEAN_CMATH
#include <math.h>
#undef SIMT_LEAN_CMATH
#include <stdlib.h>

#include "../../vector_types.h"

#include "../../device_types.h"
#include "int_bits.hpp"
#include "int_dot.hpp"
#include "int_dpx.hpp"
#include "int_simd.hpp"
#include "math_convert.hpp"
#include "math_minmax.hpp"
#include "math_rounding.hpp"
#include "math_special.hpp"
#include "simt/memory_hints.hpp"

#endif
