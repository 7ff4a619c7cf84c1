// Sobol' sequences in cuRAND's device API.
//
// Result   states of 32 and 64 bits, plain and scrambled, over direction vectors that the host
//          got from curandGetDirectionVectors32 and 64; uniform, normal, log-normal numbers
// Method   Gray code order (Antonov and Saleev 1979); normals by the inverse distribution, so
//          that a coordinate stays one number
#ifndef SIMT_RANDOM_SOBOL_HPP
#define SIMT_RANDOM_SOBOL_HPP

#include "simt/math/math.hpp"

struct curandStateSobol32 {
  unsigned int i, x, c; // the next number is x; c is the scramble constant
  unsigned int direction_vectors[32];
};
struct curandStateScrambledSobol32 : curandStateSobol32 {};
struct curandStateSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
struct curandStateScrambledSobol64 : curandStateSobol64 {};
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;

namespace simt_random {

// at - the state's number for point `index`
template <class State> inline void at(unsigned long long index, State *s) noexcept {
  constexpr int bits = static_cast<int>(sizeof(s->x) * 8);
  s->i = static_cast<decltype(s->i)>(index);
  s->x = s->c;
  const auto gray = s->i ^ s->i >> 1;
  for (int k = 0; k < bits; k++)
    if (gray >> k & 1) s->x ^= s->direction_vectors[k];
}
template <class State, class Word>
inline void start(const Word *vectors, Word c, unsigned long long offset, State *s) noexcept {
  for (unsigned int k = 0; k < sizeof(Word) * 8; k++) s->direction_vectors[k] = vectors[k];
  s->c = c;
  at(offset, s);
}
template <class State> inline auto step(State *s) noexcept -> decltype(s->x) {
  const auto x = s->x;
  s->x ^= s->direction_vectors[__builtin_ctzll(~static_cast<unsigned long long>(s->i)) &
                               static_cast<int>(sizeof(s->x) * 8 - 1)];
  s->i++;
  return x;
}

} // namespace simt_random

inline void curand_init(const unsigned int *vectors, unsigned int offset,
                        curandStateSobol32 *state) noexcept {
  simt_random::start(vectors, 0u, offset, state);
}
inline void curand_init(const unsigned int *vectors, unsigned int c, unsigned int offset,
                        curandStateScrambledSobol32 *state) noexcept {
  simt_random::start(vectors, c, offset, state);
}
inline void curand_init(const unsigned long long *vectors, unsigned long long offset,
                        curandStateSobol64 *state) noexcept {
  simt_random::start(vectors, 0ull, offset, state);
}
inline void curand_init(const unsigned long long *vectors, unsigned long long c,
                        unsigned long long offset, curandStateScrambledSobol64 *state) noexcept {
  simt_random::start(vectors, c, offset, state);
}

inline unsigned int curand(curandStateSobol32 *state) noexcept { return simt_random::step(state); }
inline unsigned long long curand(curandStateSobol64 *state) noexcept {
  return simt_random::step(state);
}
template <class Number> inline void skipahead(Number n, curandStateSobol32 *state) noexcept {
  simt_random::at(state->i + static_cast<unsigned long long>(n), state);
}
inline void skipahead(unsigned long long n, curandStateSobol64 *state) noexcept {
  simt_random::at(state->i + n, state);
}

inline double curand_uniform_double(curandStateSobol32 *state) noexcept {
  return curand(state) * 2.3283064365386963e-10 + 1.1641532182693481e-10;
}
inline double curand_uniform_double(curandStateSobol64 *state) noexcept {
  return static_cast<double>(curand(state) >> 11) * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}
inline float curand_uniform(curandStateSobol32 *state) noexcept {
  return static_cast<float>(curand_uniform_double(state));
}
inline double curand_normal_double(curandStateSobol32 *state) noexcept {
  return simt_normcdfinv(curand_uniform_double(state));
}
inline float curand_normal(curandStateSobol32 *state) noexcept {
  return static_cast<float>(curand_normal_double(state));
}
inline double curand_log_normal_double(curandStateSobol32 *state, double mean,
                                       double deviation) noexcept {
  return std::exp(mean + deviation * curand_normal_double(state));
}
inline float curand_log_normal(curandStateSobol32 *state, float mean, float deviation) noexcept {
  return std::exp(mean + deviation * curand_normal(state));
}
inline float curand_uniform(curandStateSobol64 *state) noexcept {
  return static_cast<float>(curand_uniform_double(state));
}
inline double curand_normal_double(curandStateSobol64 *state) noexcept {
  return simt_normcdfinv(curand_uniform_double(state));
}
inline float curand_normal(curandStateSobol64 *state) noexcept {
  return static_cast<float>(curand_normal_double(state));
}
inline double curand_log_normal_double(curandStateSobol64 *state, double mean,
                                       double deviation) noexcept {
  return std::exp(mean + deviation * curand_normal_double(state));
}
inline float curand_log_normal(curandStateSobol64 *state, float mean, float deviation) noexcept {
  return std::exp(mean + deviation * curand_normal(state));
}

#endif
