/* rises_tmpl.h - rises_T: whether numbers are in order; included once a type
 *
 * Parameters RISES_T      of an element
 *            RISES_U      the unsigned integer as wide
 * Result     rises_T(x, n): none of x[0] .. x[n - 1] is greater than the next one, x[n] among these, or equal to it in
 *            other bits, and none is NaN */
#define RISES_JOIN__(a, b) a##_##b
#define RISES_JOIN_(a, b) RISES_JOIN__(a, b)
#define RISES_V RISES_JOIN_(rises_vector, RISES_T)
#define RISES_B RISES_JOIN_(rises_bits, RISES_T)

typedef RISES_T RISES_V __attribute__((vector_size(16)));
typedef RISES_U RISES_B __attribute__((vector_size(16)));

static bool RISES_JOIN_(rises, RISES_T)(const char *x, size_t n) {
  enum { LANES = 16 / sizeof(RISES_T) };
  RISES_B odd = {0};
  RISES_U rest = 0;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    RISES_V a, b;
    memcpy(&a, x + i * sizeof(RISES_T), sizeof a);
    memcpy(&b, x + (i + 1) * sizeof(RISES_T), sizeof b);
    odd |= ~(RISES_B)(a <= b) | ((RISES_B)(a == b) & ((RISES_B)a ^ (RISES_B)b));
  }
  for (size_t k = 0; k < LANES; k++) rest |= odd[k];
  for (; i < n; i++) {
    RISES_T a, b;
    memcpy(&a, x + i * sizeof a, sizeof a);
    memcpy(&b, x + (i + 1) * sizeof b, sizeof b);
    rest |= !(a <= b) || (a == b && memcmp(&a, &b, sizeof a));
  }
  return !rest;
}

#undef RISES_JOIN__
#undef RISES_JOIN_
#undef RISES_V
#undef RISES_B
#undef RISES_T
#undef RISES_U
