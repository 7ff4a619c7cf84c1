/* log_edges.c - logarithmic edges lo (hi / lo)^(i / count), the same bits on every platform
 *
 * Result   edges[0] == lo, edges[count] == hi, none falls, each within an ulp of the true value.
 * Method   ln lo and ln hi in double-double by the series of atanh; y = ln lo + (ln hi - ln lo) i /
 *          count; e^y = 2^k e^(j/64) e^r with |r| <= 1/128: a table in double-double for the middle
 *          factor, a polynomial of degree 8 for the last.
 * Limits   + - * / alone, rounded to nearest without fused multiply-add: no libm but frexp and
 *          ldexp, which are exact. Denormal and huge ends, and hi / lo past the largest f64.
 * Source   double-double: Dekker 1971, Knuth TAOCP 4.2.2; table-driven exp: Tang 1989. */
#include <math.h>

#include "edges.h"

struct dd {
  f64 hi, lo; /* the number hi + lo, |lo| <= ulp(hi) / 2 */
};

static struct dd quick_sum(f64 a, f64 b) { /* |a| >= |b| or a == 0 */
  f64 s = a + b;
  return (struct dd){s, b - (s - a)};
}

static struct dd two_sum(f64 a, f64 b) {
  f64 s = a + b, t = s - a;
  return (struct dd){s, (a - (s - t)) + (b - t)};
}

static struct dd two_product(f64 a, f64 b) {
  const f64 split = 134217729; /* 2^27 + 1 */
  f64 p = a * b, ta = split * a, tb = split * b;
  f64 ah = ta - (ta - a), al = a - ah, bh = tb - (tb - b), bl = b - bh;
  return (struct dd){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static struct dd add(struct dd a, struct dd b) {
  struct dd s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
  s = quick_sum(s.hi, s.lo + t.hi);
  return quick_sum(s.hi, s.lo + t.lo);
}

static struct dd negate(struct dd a) { return (struct dd){-a.hi, -a.lo}; }

static struct dd multiply(struct dd a, struct dd b) {
  struct dd p = two_product(a.hi, b.hi);
  return quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static struct dd divide(struct dd a, struct dd b) {
  f64 q = a.hi / b.hi;
  struct dd rest = add(a, negate(multiply(b, (struct dd){q, 0})));
  f64 r = rest.hi / b.hi;
  rest = add(rest, negate(multiply(b, (struct dd){r, 0})));
  return add(quick_sum(q, r), (struct dd){rest.hi / b.hi, 0});
}

static const struct dd ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

/* ln x = e ln 2 + 2 atanh((m - 1) / (m + 1)), m within a factor sqrt 2 of 1: s^2 <= 0.0295, and
 * 21 terms leave less than 2^-106. */
static struct dd logarithm(f64 x) {
  int e;
  f64 m = frexp(x, &e);
  if (m < 0.70710678118654752) m *= 2, e--;
  struct dd s = divide((struct dd){m - 1, 0}, two_sum(m, 1)), s2 = multiply(s, s);
  struct dd sum = {0, 0};
  for (int k = 43; k >= 1; k -= 2)
    sum = add(multiply(sum, s2), divide((struct dd){1, 0}, (struct dd){k, 0}));
  sum = multiply(sum, s);
  return add(multiply((struct dd){e, 0}, ln2), (struct dd){2 * sum.hi, 2 * sum.lo});
}

enum { STEPS = 64, REACH = 23 }; /* 23 / 64 > ln 2 / 2 + 1 / 128 */

struct exp_table {
  struct dd at[2 * REACH + 1]; /* e^((i - REACH) / 64) */
};

static void fill(struct exp_table *t) {
  struct dd up = {1, 0}; /* e^(1/64) by Horner: 1/64^18 / 18! < 2^-106 */
  for (int k = 18; k >= 1; k--)
    up = add((struct dd){1, 0}, divide(up, (struct dd){STEPS * k, 0})); /* 64 k is exact */
  struct dd down = divide((struct dd){1, 0}, up);
  t->at[REACH] = (struct dd){1, 0};
  for (int i = 1; i <= REACH; i++) {
    t->at[REACH + i] = multiply(t->at[REACH + i - 1], up);
    t->at[REACH - i] = multiply(t->at[REACH - i + 1], down);
  }
}

static f64 nearest(f64 x) { return (x + 0x1.8p52) - 0x1.8p52; } /* |x| < 2^51 */

static f64 exponential(const struct exp_table *t, struct dd y) {
  f64 k = nearest(y.hi / ln2.hi);
  struct dd r = add(y, negate(multiply((struct dd){k, 0}, ln2)));
  f64 j = nearest(r.hi * STEPS);
  r = add(r, (struct dd){-j / STEPS, 0});
  f64 x = r.hi;
  f64 p = 1.0 / 5040 + x / 40320;
  p = 1.0 / 120 + x * (1.0 / 720 + x * p);
  p = x * x * (0.5 + x * (1.0 / 6 + x * (1.0 / 24 + x * p)));
  struct dd c = t->at[(int)j + REACH];
  return ldexp(c.hi + (c.lo + c.hi * (x + (r.lo + p))), (int)k);
}

void hd_log_edges(f64 lo, f64 hi, size_t count, f64 *edges) {
  struct exp_table table;
  fill(&table);
  struct dd from = logarithm(lo), span = add(logarithm(hi), negate(from));
  struct dd step = divide(span, (struct dd){(f64)count, 0});
  f64 floor = lo;
  for (size_t i = 1; i < count; i++) {
    f64 e = exponential(&table, add(from, multiply(step, (struct dd){(f64)i, 0})));
    floor = e > floor ? e : floor;
    edges[i] = floor < hi ? floor : hi;
  }
  edges[0] = lo;
  edges[count] = hi;
}
