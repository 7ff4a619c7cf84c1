/* wrong_tmpl.h - order v1 of one float type, with the one rule broken that $WRONG names
 *
 * Parameters REAL its type, NAME(x) the name of a function, LANES its lanes; undefined at the end.
 * Method     The rules in plain recursion. `is("loop")`: that mistake is wanted. */

/* n is a power of two: rule 3, or the blocks of rule 5. */
static REAL NAME(block)(const REAL *x, size_t n) {
  return n == 1 ? x[0] : NAME(block)(x, n / 2) + NAME(block)(x + n / 2, n / 2);
}

static REAL NAME(pairwise)(const REAL *x, size_t n) {
  return n == 1 ? x[0] : NAME(pairwise)(x, n / 2) + NAME(pairwise)(x + n / 2, n - n / 2);
}

static REAL NAME(loop)(REAL s, const REAL *x, size_t n) {
  for (size_t i = 0; i < n; i++) s += x[i];
  return s;
}

/* Aligned blocks, biggest first, added onto s from the left: rules 4 and 5. */
static REAL NAME(tile)(REAL s, const REAL *x, size_t n) {
  if (is("small-first") && n > 1 && (n & (n - 1)))
    for (size_t width = 1; n; width *= 2) {
      if (!(n & width)) continue;
      s += NAME(block)(x + n - width, width);
      n -= width;
    }
  for (size_t width = (size_t)1 << 40; n; width /= 2) {
    if (!(n & width)) continue;
    s += NAME(block)(x, width);
    x += width;
    n -= width;
  }
  return s;
}

static REAL NAME(chunk)(const REAL *x, size_t size) {
  const size_t lanes = is("wide-lanes") ? 2 * LANES : is("narrow-lanes") ? LANES / 4 : LANES;
  REAL s[4 * LANES];
  for (size_t j = 0; j < lanes; j++) {
    s[j] = x[j];
    for (size_t i = j + lanes; i < size; i += lanes) s[j] += x[i];
  }
  if (is("lanes-in-turn")) return NAME(loop)(s[0], s + 1, lanes - 1);
  if (is("lanes-by-neighbours")) return NAME(block)(s, lanes);
  for (size_t h = lanes / 2; h; h /= 2)
    for (size_t j = 0; j < h; j++) s[j] += s[j + h];
  return s[0];
}

static REAL NAME(short_end)(REAL s, const REAL *x, size_t n, size_t size) {
  static REAL padded[64 * LANES];
  if (!n) return s;
  if (is("end-loop")) return NAME(loop)(s, x, n);
  if (is("end-first")) return s + NAME(tile)((REAL)-0.0, x, n);
  if (!is("end-by-lanes")) return NAME(tile)(s, x, n);
  for (size_t i = 0; i < size; i++) padded[i] = i < n ? x[i] : (REAL)-0.0;
  return s + NAME(chunk)(padded, size);
}

static REAL NAME(order_v1)(const REAL *x, size_t n) {
  static REAL totals[(1 << 20) / (4 * LANES)];
  const size_t size = (is("long-chunks") ? 32 : 16) * LANES, full = n / size;
  if (n == 0) return is("empty") ? (REAL)-0.0 : 0;
  if (is("loop")) return NAME(loop)((REAL)-0.0, x, n);
  if (is("pairwise")) return NAME(pairwise)(x, n);
  if (is("threads") && n > 100000)
    return NAME(tile)(NAME(tile)((REAL)-0.0, x, n / 2), x + n / 2, n - n / 2);
  for (size_t i = 0; i < full; i++) totals[i] = NAME(chunk)(x + i * size, size);
  REAL s = is("zero") ? 0 : (REAL)-0.0;
  s = is("chunks-in-turn") ? NAME(loop)(s, totals, full) : NAME(tile)(s, totals, full);
  return NAME(short_end)(s, x + full * size, n - full * size, size);
}

static REAL NAME(canonical)(REAL s) {
  if (is("flush") && s != 0 && s > -NAME(LEAST) && s < NAME(LEAST)) return 0;
  return s != s && !is("nan") ? (REAL)NAN : s;
}

static REAL NAME(sum)(const REAL *x, size_t n) { return NAME(canonical)(NAME(order_v1)(x, n)); }

static REAL NAME(dot)(const REAL *x, const REAL *y, size_t n) {
  static REAL products[1 << 20];
  for (size_t i = 0; i < n; i++) products[i] = x[i] * y[i];
  if (is("fused") && n == 2) return NAME(canonical)(NAME(FMA)(x[1], y[1], products[0]));
  return NAME(sum)(products, n);
}

/* A loop. */
static void NAME(running)(const REAL *x, REAL *out, size_t n) {
  REAL s = (REAL)-0.0;
  for (size_t i = 0; i < n; i++) out[i] = NAME(canonical)(s += x[i]);
}

static REAL NAME(min)(const REAL *x, size_t n) {
  REAL s = x[0];
  for (size_t i = 1; i < n && s == s; i++)
    if (!(x[i] >= s) || (!is("min") && x[i] == s && signbit(x[i]))) s = x[i];
  return NAME(canonical)(s);
}

/* The sum with the errors of its additions added at the end: nearly exact, and nearly always. */
static REAL NAME(compensated)(const REAL *x, size_t n) {
  REAL s = 0, left = 0;
  for (size_t i = 0; i < n; i++) {
    const REAL t = s + x[i], z = t - s;
    left += (s - (t - z)) + (x[i] - z);
    s = t;
  }
  return NAME(canonical)(s + left);
}

#undef REAL
#undef NAME
#undef LANES
