/* exact_tmpl.h - a block of one element type as a few f64 whose real sum is the block's
 *
 * Parameters  EXACT_NAME      the kernel's
 *             EXACT_T         element type
 *             EXACT_FORMAT    HD_EXACT_.. of it
 *             EXACT_PRODUCTS  1: of x y, else of x
 *             EXACT_SKIP      1: what is NaN counts as zero
 * Method   windows.h. Elements, or products that f64 holds, become f64; the range of their exponents is found
 *          in the pass that sums them by the windows of the block before, and tells whether these did.
 *          Where not, a second pass takes the right ones. A product of two f64 is two numbers: the product
 *          as it rounds and what rounding lost.
 * Limits   products of f64 whose lost part would be below f64's range are left to the caller, like
 *          elements too far apart and those that are no numbers. */
#define EXACT_CAT_(a, b) a##b
#define EXACT_CAT(a, b) EXACT_CAT_(a, b)
#define EXACT_TEXT_(x) #x
#define EXACT_TEXT(x) EXACT_TEXT_(x)
#define EXACT_AT(p, i) ((const char *)(p) + (i) * sizeof(EXACT_T))
#define EXACT_LOAD(p, i) EXACT_CAT(EXACT_CAT(load_, EXACT_T), _f64)(EXACT_AT(p, i))
#define EXACT_ONE(p, i) EXACT_CAT(EXACT_CAT(one_, EXACT_T), _f64)(EXACT_AT(p, i))
#define EXACT_PASS EXACT_CAT(EXACT_NAME, _pass)
#define EXACT_BLOCK EXACT_CAT(EXACT_NAME, _block)
#define EXACT_EACH EXACT_CAT(EXACT_NAME, _each)
/* Products of f64 leave an error; all others are f64 themselves. */
#define EXACT_SPLITS (EXACT_PRODUCTS && EXACT_IS_F64)

/* Whether ranges are found of f32, twice as many a vector. */
#define EXACT_IS_NARROW (!EXACT_PRODUCTS && !EXACT_IS_F64)

/* The vector of elements i.. into accumulators k. */
EXACT_INLINE void EXACT_CAT(EXACT_NAME, _step)(struct exact_pass *p, u32 k, u32 levels,
                                               const void *x, const void *y, size_t i) {
  vf64 a = EXACT_LOAD(x, i);
#if EXACT_PRODUCTS
  vf64 b = EXACT_LOAD(y, i), v = a * b;
#else
  vf64 v = a;
  (void)y;
#endif
#if EXACT_SKIP
  const vi64 kept = v == v;
  v = (vf64)((vi64)v & kept);
#if EXACT_SPLITS
  a = (vf64)((vi64)a & kept), b = (vf64)((vi64)b & kept);
#endif
#endif
#if !EXACT_IS_NARROW
  exact_range(&p->values, v);
#endif
#if EXACT_SPLITS
  exact_range(&p->x, a);
  exact_range(&p->y, b);
  exact_cut(p->number_error, &p->error[k], levels, product_error_f64(a, b, v));
#endif
  exact_cut(p->number, &p->sum[k], levels, v);
}

/* EXACT_STREAMS vectors of elements i.. */
EXACT_INLINE void EXACT_CAT(EXACT_NAME, _steps)(struct exact_pass *p, u32 levels, const void *x,
                                                const void *y, size_t i) {
#if EXACT_IS_NARROW
  for (u32 k = 0; k < EXACT_STREAMS; k += 2) {
    const vf32 v = EXACT_CAT(EXACT_CAT(load_, EXACT_T), _f32)(EXACT_AT(x, i + k * LANES64));
    exact_range_f32(&p->values, EXACT_SKIP ? keep_f32(v, 0) : v);
  }
#endif
  for (u32 k = 0; k < EXACT_STREAMS; k++)
    EXACT_CAT(EXACT_NAME, _step)(p, k, levels, x, y, i + k * LANES64);
}

EXACT_INLINE void EXACT_PASS(struct exact_pass *pass, u32 levels, const void *x, const void *y,
                             size_t n) {
  enum { STEP = EXACT_STREAMS * LANES64 };
  struct exact_pass here = *pass, *p = &here; /* in registers */
  const size_t whole = n / STEP * STEP;
  EXACT_T rest_x[STEP], rest_y[STEP];
  for (size_t i = 0; i < whole; i += STEP) {
    exact_prefetch(EXACT_AT(x, i), STEP * sizeof(EXACT_T));
#if EXACT_PRODUCTS
    exact_prefetch(EXACT_AT(y, i), STEP * sizeof(EXACT_T));
#endif
    EXACT_CAT(EXACT_NAME, _steps)(p, levels, x, y, i);
  }
  if (whole == n) {
    *pass = here;
    return;
  }
  memset(rest_x, 0, sizeof rest_x);
  memcpy(rest_x, (const char *)x + whole * sizeof(EXACT_T), (n - whole) * sizeof(EXACT_T));
#if EXACT_PRODUCTS
  memset(rest_y, 0, sizeof rest_y);
  memcpy(rest_y, (const char *)y + whole * sizeof(EXACT_T), (n - whole) * sizeof(EXACT_T));
#endif
  EXACT_CAT(EXACT_NAME, _steps)(p, levels, rest_x, rest_y, 0);
  *pass = here;
}

static u32 EXACT_BLOCK(struct hd_exact_guess *guess, const void *x, const void *y, size_t n,
                       f64 part[HD_EXACT_PARTS]) {
  const struct hd_exact_format element = hd_exact_format_of(EXACT_FORMAT);
  const struct hd_exact_format of =
      EXACT_PRODUCTS && !EXACT_IS_F64
          ? hd_exact_format_of(2 * element.precision, 2 * element.least, 2 * element.most)
          : element;
  const i32 bits = hd_exact_window_bits(n);
  struct exact_pass p;
  for (u32 attempt = 0; attempt < 2; attempt++) {
    exact_start(&p, guess, bits);
    switch (guess->levels) {
    case 0: EXACT_PASS(&p, 0, x, y, n); break;
    case 1: EXACT_PASS(&p, 1, x, y, n); break;
    case 2: EXACT_PASS(&p, 2, x, y, n); break;
    default: EXACT_PASS(&p, 3, x, y, n); break;
    }
    const enum exact_fit fit = exact_judge(&p, guess, of, bits, EXACT_SPLITS, EXACT_IS_NARROW);
    if (fit == EXACT_FITS) return exact_parts(&p, EXACT_SPLITS, part);
    if (fit == EXACT_NEVER) return 0;
  }
  return 0;
}

static void EXACT_EACH(struct hd_exact *sum, struct hd_exact_span span, const void *x,
                       const void *y, size_t n) {
  (void)y;
  for (size_t i = 0; i < n; i++) {
    const f64 a = EXACT_ONE(x, i);
#if EXACT_PRODUCTS
    const f64 b = EXACT_ONE(y, i);
#if EXACT_SKIP
    if (a * b != a * b) continue;
#endif
#if EXACT_IS_F64
    hd_exact_add_product(sum, span, a, b);
#else
    hd_exact_add(sum, span, a * b);
#endif
#else
#if EXACT_SKIP
    if (a != a) continue;
#endif
    hd_exact_add(sum, span, a);
#endif
  }
}

static const struct hd_cpu_exact_kernel EXACT_NAME = {
    .element_bytes = sizeof(EXACT_T),
    .format = {EXACT_FORMAT},
    .products = EXACT_PRODUCTS,
    .block = EXACT_BLOCK,
    .each = EXACT_EACH,
    .name = EXACT_TEXT(EXACT_NAME),
    .file = "cpu/exact/exact_tmpl.h",
};

#undef EXACT_CAT_
#undef EXACT_CAT
#undef EXACT_TEXT_
#undef EXACT_TEXT
#undef EXACT_AT
#undef EXACT_LOAD
#undef EXACT_IS_NARROW
#undef EXACT_ONE
#undef EXACT_PASS
#undef EXACT_BLOCK
#undef EXACT_EACH
#undef EXACT_SPLITS
#undef EXACT_NAME
#undef EXACT_PRODUCTS
#undef EXACT_SKIP
