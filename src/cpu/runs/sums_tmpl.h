/* sums_tmpl.h - sums_T: running totals of integers, that wrap; included once a type
 *
 * Parameter SUMS_T  of an element
 * Result    totals[i] = x[0] + .. + x[i - 1] for i <= n */
#define SUMS_JOIN__(a, b) a##_##b
#define SUMS_JOIN_(a, b) SUMS_JOIN__(a, b)

static void SUMS_JOIN_(sums, SUMS_T)(const char *x, size_t n, u64 *totals) {
  u64 total = 0;
  totals[0] = 0;
  for (size_t i = 0; i < n; i++) {
    SUMS_T e;
    memcpy(&e, x + i * sizeof e, sizeof e);
    total += (u64)e;
    totals[i + 1] = total;
  }
}

#undef SUMS_JOIN__
#undef SUMS_JOIN_
#undef SUMS_T
