/* Direction vectors by recurrences over GF(2), and scramble constants.
 *
 * Result  the vectors of 37 dimensions for 32 and 64 bits, made on first use
 * Method  each dimension is a primitive polynomial over GF(2), of degree s with inner
 *         coefficients a, and odd initial numbers m_1 .. m_s; the recurrence gives the rest
 * Limits  cuRAND has 20,000 dimensions. The scrambled sets are the same vectors, to be used with
 *         a constant that is added to every number modulo 2 (a digital shift)
 * Source  Bratley and Fox, "Algorithm 659" (1988); Joe and Kuo, "Constructing Sobol sequences
 *         with better two-dimensional projections" (2008), data set new-joe-kuo-6.21201 */
#include "sobol.h"
#include "simt/random/random_engines.h"
#include <pthread.h>

enum { MOST_DEGREE = 7 };

/* Dimension 2 onwards; dimension 1 is van der Corput's sequence. */
static const struct {
  unsigned char degree, inner, first[MOST_DEGREE];
} polynomials[SOBOL_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
    {7, 50, {1, 3, 1, 3, 5, 53, 69}},
    {7, 55, {1, 1, 5, 5, 23, 33, 13}},
    {7, 56, {1, 1, 7, 7, 1, 61, 123}},
    {7, 59, {1, 1, 7, 9, 13, 61, 49}},
    {7, 62, {1, 3, 3, 5, 3, 55, 33}},
};

static curandDirectionVectors32_t vectors_32[SOBOL_DIMENSIONS];
static curandDirectionVectors64_t vectors_64[SOBOL_DIMENSIONS];
static unsigned scramble_32[SOBOL_DIMENSIONS];
static unsigned long long scramble_64[SOBOL_DIMENSIONS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* v[i] = m_(i+1) 2^(63-i); v[i] = v[i-s] ^ v[i-s] >> s ^ the v[i-k] that the polynomial names */
static void dimension(int d, unsigned long long v[64]) {
  for (int i = 0; i < 64; i++) {
    const int s = d == 0 ? 64 : polynomials[d - 1].degree;
    if (d == 0 || i < s) {
      v[i] = (d == 0 ? 1ull : polynomials[d - 1].first[i]) << (63 - i);
      continue;
    }
    v[i] = v[i - s] ^ v[i - s] >> s;
    for (int k = 1; k < s; k++)
      if (polynomials[d - 1].inner >> (s - 1 - k) & 1) v[i] ^= v[i - k];
  }
}

static void make(void) {
  for (int d = 0; d < SOBOL_DIMENSIONS; d++) {
    dimension(d, vectors_64[d]);
    for (int i = 0; i < 32; i++) vectors_32[d][i] = (unsigned)(vectors_64[d][i] >> 32);
    scramble_64[d] = simt_mix((unsigned long long)d);
    scramble_32[d] = (unsigned)(scramble_64[d] >> 32);
  }
}

void sobol_begin(struct sobol *s, unsigned long long points) {
  pthread_once(&once, make);
  s->first += s->points;
  s->points = points;
  s->dimension = 0;
  s->left = 0;
}

/* Point i is the sum modulo 2 of the vectors of i's Gray code; the next differs in one. */
static void start_dimension(struct sobol *s) {
  const unsigned d = s->dimension++;
  s->vectors = vectors_64[d];
  s->index = s->first;
  s->left = s->points;
  s->x = s->scrambled ? scramble_64[d] : 0;
  const unsigned long long gray = s->first ^ s->first >> 1;
  for (int i = 0; i < 64; i++)
    if (gray >> i & 1) s->x ^= s->vectors[i];
}

unsigned long long sobol_next(struct sobol *s) {
  if (s->left == 0) start_dimension(s);
  const unsigned long long x = s->x;
  s->x ^= s->vectors[__builtin_ctzll(~s->index)];
  s->index++;
  s->left--;
  return x;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  if (!vectors || (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6 &&
                   set != CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6))
    return CURAND_STATUS_OUT_OF_RANGE;
  pthread_once(&once, make);
  *vectors = vectors_32;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set) {
  if (!vectors || (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6 &&
                   set != CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6))
    return CURAND_STATUS_OUT_OF_RANGE;
  pthread_once(&once, make);
  *vectors = vectors_64;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetScrambleConstants32(unsigned **constants) {
  if (!constants) return CURAND_STATUS_OUT_OF_RANGE;
  pthread_once(&once, make);
  *constants = scramble_32;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetScrambleConstants64(unsigned long long **constants) {
  if (!constants) return CURAND_STATUS_OUT_OF_RANGE;
  pthread_once(&once, make);
  *constants = scramble_64;
  return CURAND_STATUS_SUCCESS;
}
