// cuRAND's device functions: engines and distributions.
//
// Result   curand_init, curand, curand4, skipahead; uniform (0, 1], normal, log-normal and
//          Poisson numbers, for XORWOW, Philox4x32-10 and MRG32k3a
// Method   normals in pairs (Box and Muller 1958), the second kept for the next call; Poisson
//          by multiplication for means below 30, else by transformed rejection (Hörmann 1993)
// Limits   Philox: integers and uniforms as cuRAND has them, normals up to rounding. Poisson
//          numbers follow the same distribution by another method
#ifndef SIMT_RANDOM_DEVICE_HPP
#define SIMT_RANDOM_DEVICE_HPP

#include "random_engines.h"
#include "simt/math/math.hpp"

typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

// A state is memory of the program's: what is done to one is made known as a whole.
namespace simt_random {
template <class S> SIMT_SEEN S *made(S *state) {
  simt::notify_write(state, sizeof *state);
  return state;
}
template <class S> SIMT_SEEN S *used(S *state) {
  simt::notify_read(state, sizeof *state);
  return made(state);
}
} // namespace simt_random

// ---- Engines -------------------------------------------------------------------------------

SIMT_SEEN void curand_init(unsigned long long seed, unsigned long long sequence,
                           unsigned long long offset, curandStateXORWOW *state) {
  simt_xorwow_init(seed, sequence, offset, simt_random::made(state));
}
SIMT_SEEN void curand_init(unsigned long long seed, unsigned long long sequence,
                           unsigned long long offset, curandStatePhilox4_32_10 *state) {
  simt_philox_init(seed, sequence, offset, simt_random::made(state));
}
SIMT_SEEN void curand_init(unsigned long long seed, unsigned long long sequence,
                           unsigned long long offset, curandStateMRG32k3a *state) {
  simt_mrg_init(seed, sequence, offset, simt_random::made(state));
}

SIMT_SEEN void skipahead(unsigned long long n, curandStateXORWOW *state) {
  simt_xorwow_skip(simt_random::used(state), n, 0);
}
SIMT_SEEN void skipahead(unsigned long long n, curandStatePhilox4_32_10 *state) {
  simt_philox_skip(simt_random::used(state), n);
}
SIMT_SEEN void skipahead(unsigned long long n, curandStateMRG32k3a *state) {
  simt_mrg_skip(simt_random::used(state), n, 0);
}
SIMT_SEEN void skipahead_sequence(unsigned long long n, curandStateXORWOW *state) {
  simt_xorwow_skip(simt_random::used(state), n, 67);
}
SIMT_SEEN void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10 *state) {
  simt_philox_next_sequence(simt_random::used(state), n);
}
SIMT_SEEN void skipahead_sequence(unsigned long long n, curandStateMRG32k3a *state) {
  simt_mrg_skip(simt_random::used(state), n, 127);
}
SIMT_SEEN void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a *state) {
  simt_mrg_skip(simt_random::used(state), n, 76);
}

SIMT_SEEN unsigned int curand(curandStateXORWOW *state) {
  return simt_xorwow(simt_random::used(state));
}
SIMT_SEEN unsigned int curand(curandStatePhilox4_32_10 *state) {
  return simt_philox_number(simt_random::used(state));
}
SIMT_SEEN unsigned int curand(curandStateMRG32k3a *state) {
  // 1 .. m1 spread over 32 bits.
  return static_cast<unsigned int>((simt_mrg(simt_random::used(state)) - 1) * 1.0000000488943631);
}

inline SIMT_QUIET uint4 curand4(curandStatePhilox4_32_10 *state) {
  const uint4 a = simt_random::used(state)->output;
  simt_philox_next(state);
  const uint4 b = state->output;
  switch (state->STATE) {
  case 0: return a;
  case 1: return uint4{a.y, a.z, a.w, b.x};
  case 2: return uint4{a.z, a.w, b.x, b.y};
  default: return uint4{a.w, b.x, b.y, b.z};
  }
}

// ---- Uniform ----------------------------------------------------------------------------------

namespace simt_random {

inline SIMT_QUIET float uniform(unsigned int x) noexcept {
  return static_cast<float>(x) * 2.3283064365386963e-10f + 1.1641532182693481e-10f;
}
// 53 bits of two numbers
inline SIMT_QUIET double uniform(unsigned int x, unsigned int y) noexcept {
  const unsigned long long z = x ^ static_cast<unsigned long long>(y) << 21;
  return static_cast<double>(z) * 1.1102230246251565e-16 + 5.551115123125783e-17;
}

// A template for the three states and nothing else.
template <class State, class Result> struct only {};
template <class Result> struct only<curandStateXORWOW, Result> { typedef Result type; };
template <class Result> struct only<curandStatePhilox4_32_10, Result> { typedef Result type; };
template <class Result> struct only<curandStateMRG32k3a, Result> { typedef Result type; };

template <class S> inline SIMT_QUIET double fine_uniform(S *state) noexcept {
  const unsigned int x = curand(state);
  return uniform(x, curand(state));
}
inline SIMT_QUIET double fine_uniform(curandStateMRG32k3a *state) noexcept {
  return simt_mrg(used(state)) * 2.328306549295727688e-10;
}

} // namespace simt_random

template <class S>
inline SIMT_QUIET typename simt_random::only<S, float>::type curand_uniform(S *state) noexcept {
  return simt_random::uniform(curand(state));
}
template <class S>
inline SIMT_QUIET typename simt_random::only<S, double>::type
curand_uniform_double(S *state) noexcept {
  return simt_random::fine_uniform(state);
}
// As cuRAND has it: 32 bits.
inline SIMT_QUIET double curand_uniform_double(curandStatePhilox4_32_10 *state) noexcept {
  return curand(state) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
inline SIMT_QUIET float curand_uniform(curandStateMRG32k3a *state) noexcept {
  return static_cast<float>(simt_mrg(simt_random::used(state)) * 2.328306549295727688e-10);
}
inline SIMT_QUIET float4 curand_uniform4(curandStatePhilox4_32_10 *state) noexcept {
  const uint4 x = curand4(state);
  return float4{simt_random::uniform(x.x), simt_random::uniform(x.y), simt_random::uniform(x.z),
                simt_random::uniform(x.w)};
}
inline SIMT_QUIET double2 curand_uniform2_double(curandStatePhilox4_32_10 *state) noexcept {
  const uint4 x = curand4(state);
  return double2{simt_random::uniform(x.x, x.y), simt_random::uniform(x.z, x.w)};
}
inline SIMT_QUIET double4 curand_uniform4_double(curandStatePhilox4_32_10 *state) noexcept {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}

// ---- Normal -----------------------------------------------------------------------------------

namespace simt_random {

inline SIMT_QUIET float2 box_muller(unsigned int x, unsigned int y) noexcept {
  const float angle = static_cast<float>(y) * (2.3283064365386963e-10f * 6.2831853071795865f) +
                      1.1641532182693481e-10f * 6.2831853071795865f;
  const float radius = std::sqrt(-2.0f * std::log(uniform(x)));
  float2 r;
  ::sincosf(angle, &r.x, &r.y);
  r.x *= radius;
  r.y *= radius;
  return r;
}
inline SIMT_QUIET double2 box_muller(double u, double v) noexcept {
  const double radius = std::sqrt(-2.0 * std::log(u));
  double2 r;
  ::sincos(6.283185307179586477 * v, &r.x, &r.y);
  r.x *= radius;
  r.y *= radius;
  return r;
}

} // namespace simt_random

template <class S>
inline SIMT_QUIET typename simt_random::only<S, float2>::type curand_normal2(S *state) noexcept {
  const unsigned int x = curand(state);
  return simt_random::box_muller(x, curand(state));
}
template <class S>
inline SIMT_QUIET typename simt_random::only<S, double2>::type
curand_normal2_double(S *state) noexcept {
  const double u = simt_random::fine_uniform(state);
  return simt_random::box_muller(u, simt_random::fine_uniform(state));
}
template <class S>
inline SIMT_QUIET typename simt_random::only<S, float>::type curand_normal(S *state) noexcept {
  if (simt_random::used(state)->waiting == SIMT_NORMAL_WAITS) {
    state->waiting = SIMT_NOTHING_WAITS;
    return state->next;
  }
  const float2 pair = curand_normal2(state);
  state->next = pair.y;
  state->waiting = SIMT_NORMAL_WAITS;
  return pair.x;
}
template <class S>
inline SIMT_QUIET typename simt_random::only<S, double>::type
curand_normal_double(S *state) noexcept {
  if (simt_random::used(state)->waiting_double == SIMT_NORMAL_WAITS) {
    state->waiting_double = SIMT_NOTHING_WAITS;
    return state->next_double;
  }
  const double2 pair = curand_normal2_double(state);
  state->next_double = pair.y;
  state->waiting_double = SIMT_NORMAL_WAITS;
  return pair.x;
}
inline SIMT_QUIET float4 curand_normal4(curandStatePhilox4_32_10 *state) noexcept {
  const uint4 x = curand4(state);
  const float2 a = simt_random::box_muller(x.x, x.y), b = simt_random::box_muller(x.z, x.w);
  return float4{a.x, a.y, b.x, b.y};
}
inline SIMT_QUIET double4 curand_normal4_double(curandStatePhilox4_32_10 *state) noexcept {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}

// ---- Log-normal -------------------------------------------------------------------------------

// As with cuRAND, the number that waits has the mean and deviation of the call that drew it.
template <class S>
inline SIMT_QUIET typename simt_random::only<S, float>::type
curand_log_normal(S *state, float mean, float deviation) noexcept {
  if (simt_random::used(state)->waiting == SIMT_LOG_NORMAL_WAITS) {
    state->waiting = SIMT_NOTHING_WAITS;
    return state->next;
  }
  const float2 pair = curand_normal2(state);
  state->next = std::exp(mean + deviation * pair.y);
  state->waiting = SIMT_LOG_NORMAL_WAITS;
  return std::exp(mean + deviation * pair.x);
}
template <class S>
inline SIMT_QUIET typename simt_random::only<S, double>::type
curand_log_normal_double(S *state, double mean, double deviation) noexcept {
  if (simt_random::used(state)->waiting_double == SIMT_LOG_NORMAL_WAITS) {
    state->waiting_double = SIMT_NOTHING_WAITS;
    return state->next_double;
  }
  const double2 pair = curand_normal2_double(state);
  state->next_double = std::exp(mean + deviation * pair.y);
  state->waiting_double = SIMT_LOG_NORMAL_WAITS;
  return std::exp(mean + deviation * pair.x);
}
template <class S>
inline SIMT_QUIET typename simt_random::only<S, float2>::type
curand_log_normal2(S *state, float mean, float deviation) noexcept {
  const float2 n = curand_normal2(state);
  return float2{std::exp(mean + deviation * n.x), std::exp(mean + deviation * n.y)};
}
template <class S>
inline SIMT_QUIET typename simt_random::only<S, double2>::type
curand_log_normal2_double(S *state, double mean, double deviation) noexcept {
  const double2 n = curand_normal2_double(state);
  return double2{std::exp(mean + deviation * n.x), std::exp(mean + deviation * n.y)};
}
inline SIMT_QUIET float4 curand_log_normal4(curandStatePhilox4_32_10 *state, float mean,
                                            float deviation) noexcept {
  const float4 n = curand_normal4(state);
  return float4{std::exp(mean + deviation * n.x), std::exp(mean + deviation * n.y),
                std::exp(mean + deviation * n.z), std::exp(mean + deviation * n.w)};
}
inline SIMT_QUIET double4 curand_log_normal4_double(curandStatePhilox4_32_10 *state, double mean,
                                                    double deviation) noexcept {
  const double4 n = curand_normal4_double(state);
  return double4{std::exp(mean + deviation * n.x), std::exp(mean + deviation * n.y),
                 std::exp(mean + deviation * n.z), std::exp(mean + deviation * n.w)};
}

// ---- Poisson ----------------------------------------------------------------------------------

namespace simt_random {

// The count of uniforms whose product stays above exp(-mean).
template <class S> inline SIMT_QUIET unsigned int poisson_small(S *state, double mean) noexcept {
  const double end = std::exp(-mean);
  unsigned int count = 0;
  for (double product = curand_uniform_double(state); product > end; count++)
    product *= curand_uniform_double(state);
  return count;
}

// Hörmann's PTRS.
template <class S> inline SIMT_QUIET unsigned int poisson_large(S *state, double mean) noexcept {
  const double log_mean = std::log(mean), b = 0.931 + 2.53 * std::sqrt(mean);
  const double a = -0.059 + 0.02483 * b, inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double v_r = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
    const double us = 0.5 - std::fabs(u);
    if (us <= 0) continue;
    const double k = std::floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= v_r) return static_cast<unsigned int>(k);
    if (k < 0 || (us < 0.013 && v > us)) continue;
    int sign;
    if (std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b) <=
        -mean + k * log_mean - ::lgamma_r(k + 1, &sign))
      return static_cast<unsigned int>(k);
  }
}

} // namespace simt_random

template <class S>
inline SIMT_QUIET typename simt_random::only<S, unsigned int>::type
curand_poisson(S *state, double lambda) noexcept {
  if (!(lambda > 0)) return 0;
  return lambda < 30 ? simt_random::poisson_small(state, lambda)
                     : simt_random::poisson_large(state, lambda);
}
inline SIMT_QUIET uint4 curand_poisson4(curandStatePhilox4_32_10 *state, double lambda) noexcept {
  uint4 r;
  r.x = curand_poisson(state, lambda);
  r.y = curand_poisson(state, lambda);
  r.z = curand_poisson(state, lambda);
  r.w = curand_poisson(state, lambda);
  return r;
}

#endif
