/* Jumps of the XORWOW engine.
 *
 * Result  the state after 2^67 s + n numbers from a seed's beginning
 * Method  the five xorshift words step by a linear map over GF(2), a 160 x 160 matrix M; the
 *         powers M^(2^k) are squared up once, on first use (131 squarings, some ms), and a jump
 *         applies those of the set bits. Neighbouring sequences share all but the low 8 bits
 *         of their number, so the state for the others is kept a thread
 * Limits  2^67 times a sequence number is taken modulo 2^131 numbers; the period is 2^192 - 2^32
 * Source  Marsaglia, "Xorshift RNGs" (2003) */
#include "simt/random/random_engines.h"
#include <pthread.h>
#include <string.h>

enum { WORDS = 5, BITS = 160, LOG2_SEQUENCE = 67, POWERS = LOG2_SEQUENCE + 64, KEPT_BITS = 8 };

/* Column b is the image of bit b; padded so that a column is two vector registers. */
struct vector {
  unsigned word[8];
};
struct matrix {
  struct vector column[BITS];
};

static struct matrix powers[POWERS]; /* [k] = M^(2^k) */
static pthread_once_t powers_once = PTHREAD_ONCE_INIT;

static struct vector apply(const struct matrix *m, const struct vector *v) {
  struct vector sum = {{0}};
  for (unsigned b = 0; b < BITS; b++) {
    const unsigned mask = 0u - (v->word[b / 32] >> (b % 32) & 1u);
    for (int w = 0; w < 8; w++) sum.word[w] ^= m->column[b].word[w] & mask;
  }
  return sum;
}

static void compute_powers(void) {
  for (unsigned b = 0; b < BITS; b++) {
    struct curandStateXORWOW s;
    memset(&s, 0, sizeof s);
    s.v[b / 32] = 1u << (b % 32);
    simt_xorwow(&s);
    memcpy(powers[0].column[b].word, s.v, sizeof s.v);
  }
  for (int k = 1; k < POWERS; k++)
    for (int b = 0; b < BITS; b++)
      powers[k].column[b] = apply(&powers[k - 1], &powers[k - 1].column[b]);
}

static struct vector jump(struct vector v, unsigned long long count, unsigned power) {
  for (; count != 0; count >>= 1, power++)
    if (count & 1) v = apply(&powers[power], &v);
  return v;
}

void simt_xorwow_skip(struct curandStateXORWOW *state, unsigned long long count,
                      unsigned log2_distance) {
  if (count == 0) return;
  pthread_once(&powers_once, compute_powers);
  struct vector v = {{0}};
  memcpy(v.word, state->v, sizeof state->v);
  v = jump(v, count, log2_distance);
  memcpy(state->v, v.word, sizeof state->v);
  /* 2^67 steps of the counter are a multiple of its period 2^32. */
  if (log2_distance == 0) state->d += 362437u * (unsigned)count;
}

static void from_seed(unsigned long long seed, struct curandStateXORWOW *s) {
  const unsigned long long a = simt_mix(seed), b = simt_mix(a), c = simt_mix(b);
  memset(s, 0, sizeof *s);
  s->v[0] = (unsigned)a;
  s->v[1] = (unsigned)(a >> 32);
  s->v[2] = (unsigned)b;
  s->v[3] = (unsigned)(b >> 32);
  s->v[4] = (unsigned)c | 1u; /* all zero would stay so */
  s->d = (unsigned)(c >> 32);
}

void simt_xorwow_init(unsigned long long seed, unsigned long long sequence,
                      unsigned long long offset, struct curandStateXORWOW *state) {
  static __thread struct {
    int valid;
    unsigned long long seed, high;
    struct curandStateXORWOW state;
  } kept;
  const unsigned long long high = sequence >> KEPT_BITS;
  const unsigned long long low = sequence & ((1u << KEPT_BITS) - 1);
  if (!kept.valid || kept.seed != seed || kept.high != high) {
    from_seed(seed, &kept.state);
    simt_xorwow_skip(&kept.state, high << KEPT_BITS, LOG2_SEQUENCE);
    kept.valid = 1;
    kept.seed = seed;
    kept.high = high;
  }
  *state = kept.state;
  simt_xorwow_skip(state, low, LOG2_SEQUENCE);
  simt_xorwow_skip(state, offset, 0);
}
