/* Three random number engines, one number at a time: for C and C++.
 *
 * Result  states and steps of XORWOW, Philox4x32-10 and MRG32k3a; curand_kernel.h gives them
 *         CUDA's names. Jumps ahead are in curand/ (libsimt)
 * Limits  Philox gives the same numbers as cuRAND (counter: offset / 4 in the low words, the
 *         subsequence in the high ones); the others have cuRAND's recurrences and distances
 *         between sequences, but their own way from a seed to a state
 * Source  Marsaglia, "Xorshift RNGs" (2003); Salmon et al., "Parallel random numbers: as easy
 *         as 1, 2, 3" (2011); L'Ecuyer, "Good parameters and implementations for combined
 *         multiple recursive random number generators" (1999) */
#ifndef SIMT_RANDOM_ENGINES_H
#define SIMT_RANDOM_ENGINES_H

#include "../../vector_types.h"
#include "simt/abi.h"

/* All three end alike: the second number of a Box-Muller pair waits there for the next call. */
enum simt_waiting { SIMT_NOTHING_WAITS, SIMT_NORMAL_WAITS, SIMT_LOG_NORMAL_WAITS };

struct curandStateXORWOW {
  unsigned d, v[5];
  int waiting, waiting_double; /* enum simt_waiting */
  float next;
  double next_double;
};

struct curandStatePhilox4_32_10 {
  uint4 ctr, output; /* output[STATE] is the next number */
  uint2 key;
  unsigned STATE;
  int waiting, waiting_double;
  float next;
  double next_double;
};

struct curandStateMRG32k3a {
  unsigned s1[3], s2[3]; /* oldest first */
  int waiting, waiting_double;
  float next;
  double next_double;
};

#ifdef __cplusplus
extern "C" {
#endif

/* simt_mix - splitmix64's finaliser: a bijection without visible pattern */
static inline SIMT_QUIET unsigned long long simt_mix(unsigned long long x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

/* ---- XORWOW ------------------------------------------------------------------------------- */

static inline SIMT_QUIET unsigned simt_xorwow(struct curandStateXORWOW *s) {
  const unsigned t = s->v[0] ^ s->v[0] >> 2, last = s->v[4];
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = last;
  s->v[4] = (last ^ last << 4) ^ (t ^ t << 1);
  s->d += 362437u;
  return s->v[4] + s->d;
}

/* simt_xorwow_init - the state `offset` numbers after the beginning of a sequence; sequences
 * are 2^67 numbers apart */
SIMT_API void simt_xorwow_init(unsigned long long seed, unsigned long long sequence,
                               unsigned long long offset, struct curandStateXORWOW *state);
/* simt_xorwow_skip - on by `count` times 2^log2_distance numbers, log2_distance 0 or 67 */
SIMT_API void simt_xorwow_skip(struct curandStateXORWOW *state, unsigned long long count,
                               unsigned log2_distance);

/* ---- Philox4x32-10 ------------------------------------------------------------------------ */

static inline SIMT_QUIET uint4 simt_philox(uint4 c, uint2 key) {
  for (int round = 0; round < 10; round++) {
    const unsigned long long p0 = 0xd2511f53ull * c.x, p1 = 0xcd9e8d57ull * c.z;
    uint4 next;
    next.x = (unsigned)(p1 >> 32) ^ c.y ^ key.x;
    next.y = (unsigned)p1;
    next.z = (unsigned)(p0 >> 32) ^ c.w ^ key.y;
    next.w = (unsigned)p0;
    c = next;
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}

/* The 128-bit counter plus n, and its high half plus n. */
static inline SIMT_QUIET void simt_philox_add_high(uint4 *c, unsigned long long n) {
  const unsigned long long high = ((unsigned long long)c->w << 32 | c->z) + n;
  c->z = (unsigned)high;
  c->w = (unsigned)(high >> 32);
}
static inline SIMT_QUIET void simt_philox_add(uint4 *c, unsigned long long n) {
  const unsigned long long low = ((unsigned long long)c->y << 32 | c->x) + n;
  c->x = (unsigned)low;
  c->y = (unsigned)(low >> 32);
  if (low < n) simt_philox_add_high(c, 1);
}

static inline SIMT_QUIET void simt_philox_next_sequence(struct curandStatePhilox4_32_10 *s,
                                                        unsigned long long n) {
  simt_philox_add_high(&s->ctr, n);
  s->output = simt_philox(s->ctr, s->key);
}

static inline SIMT_QUIET void simt_philox_skip(struct curandStatePhilox4_32_10 *s,
                                               unsigned long long n) {
  const unsigned at = s->STATE + (unsigned)(n & 3);
  simt_philox_add(&s->ctr, n / 4 + at / 4);
  s->STATE = at & 3;
  s->output = simt_philox(s->ctr, s->key);
}

static inline SIMT_QUIET void simt_philox_init(unsigned long long seed,
                                               unsigned long long subsequence,
                                               unsigned long long offset,
                                               struct curandStatePhilox4_32_10 *s) {
  __builtin_memset(s, 0, sizeof *s);
  s->key.x = (unsigned)seed;
  s->key.y = (unsigned)(seed >> 32);
  simt_philox_add_high(&s->ctr, subsequence);
  simt_philox_skip(s, offset);
}

static inline SIMT_QUIET void simt_philox_next(struct curandStatePhilox4_32_10 *s) {
  simt_philox_add(&s->ctr, 1);
  s->output = simt_philox(s->ctr, s->key);
}

static inline SIMT_QUIET unsigned simt_philox_number(struct curandStatePhilox4_32_10 *s) {
  const unsigned at = s->STATE;
  const uint4 o = s->output;
  if (at == 3) simt_philox_next(s);
  s->STATE = (at + 1) & 3;
  return at == 0 ? o.x : at == 1 ? o.y : at == 2 ? o.z : o.w;
}

/* ---- MRG32k3a ------------------------------------------------------------------------------ */

enum { SIMT_MRG_A12 = 1403580, SIMT_MRG_A13 = 810728, SIMT_MRG_A21 = 527612 };
enum { SIMT_MRG_A23 = 1370589 };
#define SIMT_MRG_M1 4294967087ull
#define SIMT_MRG_M2 4294944443ull

/* simt_mrg - a number from 1 to m1 */
static inline SIMT_QUIET unsigned simt_mrg(struct curandStateMRG32k3a *s) {
  /* The negative coefficients are taken as m - a, so that all stays unsigned below 2^54. */
  const unsigned long long p1 = (SIMT_MRG_A12 * (unsigned long long)s->s1[1] +
                                 SIMT_MRG_A13 * (SIMT_MRG_M1 - (unsigned long long)s->s1[0])) %
                                SIMT_MRG_M1;
  const unsigned long long p2 = (SIMT_MRG_A21 * (unsigned long long)s->s2[2] +
                                 SIMT_MRG_A23 * (SIMT_MRG_M2 - (unsigned long long)s->s2[0])) %
                                SIMT_MRG_M2;
  s->s1[0] = s->s1[1];
  s->s1[1] = s->s1[2];
  s->s1[2] = (unsigned)p1;
  s->s2[0] = s->s2[1];
  s->s2[1] = s->s2[2];
  s->s2[2] = (unsigned)p2;
  return (unsigned)(p1 > p2 ? p1 - p2 : p1 + SIMT_MRG_M1 - p2);
}

/* As simt_xorwow_init; subsequences are 2^76 numbers apart. */
SIMT_API void simt_mrg_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, struct curandStateMRG32k3a *state);
/* simt_mrg_skip - on by `count` times 2^log2_distance numbers, up to 2^127 */
SIMT_API void simt_mrg_skip(struct curandStateMRG32k3a *state, unsigned long long count,
                            unsigned log2_distance);

#ifdef __cplusplus
}
#endif
#endif
