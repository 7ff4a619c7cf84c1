/* Jumps of the MRG32k3a engine.
 *
 * Result  the state after 2^76 s + n numbers from a seed's beginning
 * Method  each of the two recurrences is a 3 x 3 matrix modulo m1 or m2; their powers 2^k are
 *         squared up once, on first use
 * Limits  the period is about 2^191
 * Source  L'Ecuyer (1999); L'Ecuyer, Simard, Chen and Kelton (2002) for streams */
#include "simt/random/random_engines.h"
#include <pthread.h>
#include <string.h>

enum { POWERS = 192, LOG2_SUBSEQUENCE = 76 };
typedef unsigned long long u64;

struct matrix {
  u64 at[3][3];
};
static struct matrix powers[2][POWERS];
static pthread_once_t powers_once = PTHREAD_ONCE_INIT;
static const u64 modulus[2] = {SIMT_MRG_M1, SIMT_MRG_M2};

static struct matrix multiply(const struct matrix *a, const struct matrix *b, u64 m) {
  struct matrix r;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      u64 sum = 0;
      for (int k = 0; k < 3; k++) sum = (sum + a->at[i][k] * b->at[k][j] % m) % m;
      r.at[i][j] = sum;
    }
  return r;
}

static void compute_powers(void) {
  const struct matrix first = {
      {{0, 1, 0}, {0, 0, 1}, {SIMT_MRG_M1 - SIMT_MRG_A13, SIMT_MRG_A12, 0}}};
  const struct matrix second = {
      {{0, 1, 0}, {0, 0, 1}, {SIMT_MRG_M2 - SIMT_MRG_A23, 0, SIMT_MRG_A21}}};
  powers[0][0] = first;
  powers[1][0] = second;
  for (int which = 0; which < 2; which++)
    for (int k = 1; k < POWERS; k++) {
      const struct matrix *half = &powers[which][k - 1];
      powers[which][k] = multiply(half, half, modulus[which]);
    }
}

static void apply(const struct matrix *a, unsigned s[3], u64 m) {
  unsigned r[3];
  for (int i = 0; i < 3; i++) {
    u64 sum = 0;
    for (int k = 0; k < 3; k++) sum = (sum + a->at[i][k] * s[k] % m) % m;
    r[i] = (unsigned)sum;
  }
  memcpy(s, r, sizeof r);
}

void simt_mrg_skip(struct curandStateMRG32k3a *state, unsigned long long count,
                   unsigned log2_distance) {
  pthread_once(&powers_once, compute_powers);
  for (unsigned k = log2_distance; count != 0 && k < POWERS; count >>= 1, k++)
    if (count & 1) {
      apply(&powers[0][k], state->s1, SIMT_MRG_M1);
      apply(&powers[1][k], state->s2, SIMT_MRG_M2);
    }
}

void simt_mrg_init(unsigned long long seed, unsigned long long subsequence,
                   unsigned long long offset, struct curandStateMRG32k3a *state) {
  memset(state, 0, sizeof *state);
  u64 x = seed;
  for (int i = 0; i < 3; i++) {
    x = simt_mix(x);
    state->s1[i] = (unsigned)(1 + x % (SIMT_MRG_M1 - 1));
    x = simt_mix(x);
    state->s2[i] = (unsigned)(1 + x % (SIMT_MRG_M2 - 1));
  }
  simt_mrg_skip(state, subsequence, LOG2_SUBSEQUENCE);
  simt_mrg_skip(state, offset, 0);
}
