/* conformance.c - does a library give the bits of order v1, and exact sums?
 *
 * Result    one line a function that is claimed; of one that fails the rule of docs/order.md that is
 *           broken first, with the data, and the known order whose bits came instead. Exit status 0:
 *           all hold, 1: a rule is broken, 2: no answer (nothing claimed, the table is missing)
 * Use       Include this file in one of yours that defines `under_test` below, compile it as C99 or
 *           later, and run it with the folder of golden.csv as its argument (default "."). heddle.c is
 *           an example. Nothing else is needed, neither Heddle nor a mathematical library.
 * Method    Inputs are made here by integer arithmetic (README.md says how), results compared with
 *           golden.csv, bit for bit. Its rows go from what needs fewest rules to what needs all, so
 *           that the first one that fails names the rule.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is claimed; NULL: not claimed. The exact ones are order-free (rule 15). scan is inclusive. */
struct conformance {
  float (*sum_f32)(const float *x, size_t count);
  double (*sum_f64)(const double *x, size_t count);
  float (*dot_f32)(const float *x, const float *y, size_t count);
  double (*dot_f64)(const double *x, const double *y, size_t count);
  void (*scan_f32)(const float *x, float *out, size_t count);
  void (*scan_f64)(const double *x, double *out, size_t count);
  float (*min_f32)(const float *x, size_t count);
  double (*min_f64)(const double *x, size_t count);
  float (*max_f32)(const float *x, size_t count);
  double (*max_f64)(const double *x, size_t count);
  float (*exact_sum_f32)(const float *x, size_t count);
  double (*exact_sum_f64)(const double *x, size_t count);
  float (*exact_dot_f32)(const float *x, const float *y, size_t count);
  double (*exact_dot_f64)(const double *x, const double *y, size_t count);
};
extern const struct conformance under_test;

enum { MOST = 1 << 20, LINE = 4096, FIELDS = 7, ORDERS = 32 };

struct rule {
  const char *name; /* the column `case` of the table */
  const char *text;
};
static const struct rule rules[] = {
    {"empty", "rule 7: the sum of nothing is +0.0"},
    {"zeros", "rule 7: the identity within is -0.0: a sum of -0.0 stays -0.0"},
    {"rounding",
     "IEEE 754: an addition rounds once, to nearest even; a product of a dot does (rule 8)"},
    {"product", "rule 8: a product is rounded before it is added, never fused with the addition"},
    {"accumulator", "the accumulator is of the elements' type: every addition is rounded to it"},
    {"tree",
     "rule 5: a block of 2^k elements is its left half plus its right half; a short chunk has no "
     "lanes"},
    {"biggest",
     "rule 5: short ends are tiled by aligned blocks, biggest first, added from the left"},
    {"halves", "rule 2: the lanes of a full chunk are folded in halves, s[j] + s[j + h]"},
    {"lanes", "rule 2: a full chunk is 16 rows of 128 lanes (f64: 64), each lane folded downwards"},
    {"blocks", "rule 3: a block of 2^k chunks is its left half plus its right half"},
    {"prefix", "rule 4: chunks are tiled by aligned blocks, biggest first, added from the left"},
    {"onto",
     "rule 5: the blocks of the short end are added, one by one, onto the total of the chunks"},
    {"denormal", "rule 12: denormals are kept"},
    {"infinite", "rule 12: infinities are those of IEEE 754"},
    {"nan", "rule 12: a NaN gives the canonical NaN"},
    {"large", "rule 1: chunks are cut by index, whatever threads or devices do"},
    {"order", "rule 10: the extreme by value, -0.0 before +0.0"},
    {"running", "rule 6: out[i] has the bits of the sum of x[0] to x[i]"},
    {"zero", "rule 15: an exact sum that is zero is +0.0"},
    {"tie", "rule 15: half an ulp is rounded to even"},
    {"once", "rule 15: the real sum is rounded once, in view of its lowest bit"},
    {"beyond",
     "rule 15: only a sum that is itself too large is infinite, whatever lies on the way"},
    {"cancellation", "rule 15: what cancels leaves no error"},
    {"exact", "rule 15: the real sum, rounded once"},
    {"products", "rule 15: products are not rounded before they are added"},
    {"special", "rule 15: NaN, or both infinities, give the canonical NaN, one infinity itself"},
};

/* Bits that a function gave where an order other than v1 is known to give some. */
struct order {
  char name[96];
  unsigned seen, same;
};

static union { /* the arrays, in either type */
  float f32[MOST];
  double f64[MOST];
  uint32_t u32[MOST];
  uint64_t u64[MOST];
} x, y, out;

/* ---- data: see README.md; make.py has the same ------------------------------------------- */

static uint64_t splitmix64(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* Element i of count of a kind of data, as a bit pattern of f64 (wide) or f32. */
static uint64_t element(const char *kind, int wide, uint64_t seed, size_t i, size_t count) {
  const int bits = wide ? 64 : 32, fraction = wide ? 52 : 23;
  const size_t lanes = wide ? 64 : 128, half = count / 2;
  const uint64_t minus = UINT64_C(1) << (bits - 1), bias = wide ? 1023 : 127;
  const int cancels = !strcmp(kind, "cancel"), mirrored = cancels || !strcmp(kind, "mirror");
  uint64_t span = 2, w, power;
  if (!strcmp(kind, "minus0")) return minus;
  if (mirrored && half <= i && i < 2 * half)
    return element(kind, wide, seed, i - half, count) ^ (cancels ? minus | 1 : 0);
  if (!strcmp(kind, "first8") && i % (16 * lanes) >= 8) return 0;
  if (!strcmp(kind, "lane0") && i % lanes) return 0;
  w = splitmix64(seed, i);
  if (!strcmp(kind, "tiny")) return (w >> 63) << (bits - 1) | (w & ((UINT64_C(2) << fraction) - 1));
  if (!strcmp(kind, "wide")) span = 20;
  if (mirrored || !strcmp(kind, "middle")) span = wide ? 500 : 60;
  power = (w >> 52 & 0x7FF) % (2 * span) + bias - span;
  return (w >> 63) << (bits - 1) | power << fraction | (w & ((UINT64_C(1) << fraction) - 1));
}

static void put(void *to, int wide, size_t i, uint64_t bits) {
  if (wide)
    memcpy((char *)to + 8 * i, &bits, 8);
  else {
    const uint32_t low = (uint32_t)bits;
    memcpy((char *)to + 4 * i, &low, 4);
  }
}

static uint64_t get(const void *from, int wide, size_t i) {
  uint64_t bits = 0;
  uint32_t low;
  if (wide)
    memcpy(&bits, (const char *)from + 8 * i, 8);
  else {
    memcpy(&low, (const char *)from + 4 * i, 4);
    bits = low;
  }
  return bits;
}

/* The array that a field of the table stands for: "=HEX:HEX" or "KIND+HEX@INDEX". */
static void fill(void *to, int wide, const char *field, uint64_t seed, size_t count) {
  char kind[16] = "", *end;
  size_t i;
  if (field[0] == '=') {
    for (i = 0, field++; i < count; i++, field = end + (*end == ':'))
      put(to, wide, i, strtoull(field, &end, 16));
    return;
  }
  memcpy(kind, field, strcspn(field, "+") < 15 ? strcspn(field, "+") : 15);
  for (i = 0; i < count; i++) put(to, wide, i, element(kind, wide, seed, i, count));
  for (field = strchr(field, '+'); field; field = strchr(end, '+')) {
    const uint64_t bits = strtoull(field + 1, &end, 16);
    i = (size_t)strtoull(end + 1, &end, 10);
    if (i < count) put(to, wide, i, bits);
  }
}

/* ---- calls ------------------------------------------------------------------------------- */

/* One number for the bits of an array: any that is changed or moved changes it. */
static uint64_t checksum(const void *array, int wide, size_t count) {
  uint64_t sum = 0;
  size_t i;
  for (i = 0; i < count; i++) sum += get(array, wide, i) * (splitmix64(0x5EED, i) | 1);
  return sum;
}

static const char *const functions[] = {"sum", "min",       "max", "exact_sum",
                                        "dot", "exact_dot", "scan"};
enum { DOT = 4, SCAN = 6 }; /* the first of two arrays; that with an array of results */

static int call_f32(int what, size_t n, uint64_t *bits) {
  const struct conformance *t = &under_test;
  float (*const fold[])(const float *, size_t) = {t->sum_f32, t->min_f32, t->max_f32,
                                                  t->exact_sum_f32};
  float (*const dot[])(const float *, const float *, size_t) = {t->dot_f32, t->exact_dot_f32};
  if (what < DOT ? !fold[what] : what < SCAN ? !dot[what - DOT] : !t->scan_f32) return 0;
  if (what == SCAN)
    t->scan_f32(x.f32, out.f32, n);
  else
    out.f32[0] = what < DOT ? fold[what](x.f32, n) : dot[what - DOT](x.f32, y.f32, n);
  *bits = what == SCAN ? checksum(&out, 0, n) : get(&out, 0, 0);
  return 1;
}

static int call_f64(int what, size_t n, uint64_t *bits) {
  const struct conformance *t = &under_test;
  double (*const fold[])(const double *, size_t) = {t->sum_f64, t->min_f64, t->max_f64,
                                                    t->exact_sum_f64};
  double (*const dot[])(const double *, const double *, size_t) = {t->dot_f64, t->exact_dot_f64};
  if (what < DOT ? !fold[what] : what < SCAN ? !dot[what - DOT] : !t->scan_f64) return 0;
  if (what == SCAN)
    t->scan_f64(x.f64, out.f64, n);
  else
    out.f64[0] = what < DOT ? fold[what](x.f64, n) : dot[what - DOT](x.f64, y.f64, n);
  *bits = what == SCAN ? checksum(&out, 1, n) : get(&out, 1, 0);
  return 1;
}

/* ---- the table --------------------------------------------------------------------------- */

/* A function, as its rows come: they are neighbours in the table. */
static struct {
  char name[32]; /* "sum,f32" */
  unsigned cases, failed;
  uint64_t got; /* by the last case */
  struct order orders[ORDERS];
} now;

static unsigned claimed, broken;

static const char *rule_of(const char *name) {
  size_t i;
  for (i = 0; i < sizeof rules / sizeof *rules; i++)
    if (!strcmp(rules[i].name, name)) return rules[i].text;
  return name;
}

/* The end of a function: its line, and which orders gave its bits wherever they differ from v1's. */
static void finish(void) {
  size_t i;
  if (now.cases) {
    claimed++;
    broken += now.failed != 0;
    printf("%s: %u of %u cases hold\n", now.name, now.cases - now.failed, now.cases);
    for (i = 0; i < ORDERS && now.failed; i++)
      if (now.orders[i].seen > 2 && now.orders[i].seen == now.orders[i].same)
        printf("  its bits are those of %s\n", now.orders[i].name);
  }
  memset(&now, 0, sizeof now);
}

static void other_order(char *const field[FIELDS]) {
  struct order *o = now.orders;
  while (o < now.orders + ORDERS - 1 && o->name[0] && strcmp(o->name, field[2])) o++;
  strncpy(o->name, field[2], sizeof o->name - 1);
  o->seen++;
  o->same += strtoull(field[6], NULL, 16) == now.got;
}

static void one_case(char *const field[FIELDS]) {
  const int wide = !strcmp(field[1], "f64");
  const size_t count = (size_t)strtoull(field[3], NULL, 10);
  const uint64_t expected = strtoull(field[6], NULL, 16);
  char name[32];
  int what = 0;
  while (what < SCAN && strcmp(functions[what], field[0])) what++;
  snprintf(name, sizeof name, "%.15s %.15s", field[0], field[1]);
  if (strcmp(name, now.name)) finish();
  strcpy(now.name, name);
  fill(&x, wide, field[4], 1, count);
  fill(&y, wide, field[5], 2, field[5][0] ? count : 0);
  if (!(wide ? call_f64 : call_f32)(what, count, &now.got)) return;
  now.cases++;
  if (now.got == expected) return;
  if (!now.failed++)
    printf("%s breaks %s\n  first with %zu elements %s%s%s: %0*" PRIx64 " in place of %0*" PRIx64
           "%s\n",
           name, rule_of(field[2]), count, field[4], field[5][0] ? ", " : "", field[5],
           wide ? 16 : 8, now.got, wide ? 16 : 8, expected,
           what < SCAN ? "" : " (checksums of the whole)");
}

int main(int argc, char **argv) {
  char line[LINE], *field[FIELDS], *at;
  int i;
  FILE *table;
  snprintf(line, sizeof line, "%s/golden.csv", argc > 1 ? argv[1] : ".");
  table = fopen(line, "r");
  if (!table || !fgets(line, sizeof line, table) ||
      strcmp(line, "what,type,case,count,x,y,hex\n")) {
    fprintf(stderr, "%s/golden.csv is not the table of this check; give its folder\n",
            argc > 1 ? argv[1] : ".");
    return 2;
  }
  while (fgets(line, sizeof line, table)) {
    for (i = 0, at = line; i < FIELDS && at; i++) {
      field[i] = at;
      at = strchr(at, ',');
      if (at) *at++ = 0;
    }
    if (i < FIELDS || strtoull(field[3], NULL, 10) > MOST) {
      fprintf(stderr, "golden.csv has a line that this check cannot read: %s\n", line);
      return 2;
    }
    if (field[0][0] != '-')
      one_case(field);
    else if (now.cases)
      other_order(field);
  }
  fclose(table);
  finish();
  if (!claimed) fprintf(stderr, "nothing is claimed: every function of under_test is NULL\n");
  return claimed ? broken != 0 : 2;
}
