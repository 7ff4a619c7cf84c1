/* test_rank_ordered.c - nth of elements in order, and of those that are nearly so
 *
 * Method   Two neighbours change places, at the ends of blocks and of the array; floats have zeros whose signs fall, and a
 *          NaN at the end. The oracle is heddle_sort, on every instruction set and thread count. */
#include <math.h>

#include "sort_reference.h"

enum { N = 8195, NO_SWAP = N, FALLING_ZEROS, WITH_NAN };

/* Negative numbers, zeros of falling signs, positive numbers. */
static void fill_zeros(char *x, size_t size, int with_nan) {
  for (size_t i = 0; i < N; i++) {
    double e = (double)i - N / 2;
    if (i == N / 2 + 1) e = -0.0;
    if (i == N - 1 && with_nan) e = NAN;
    const float narrow = (float)e;
    memcpy(x + i * size, size == sizeof e ? (const void *)&e : &narrow, size);
  }
}

static void check(heddle_type type, size_t how, int descending) {
  const size_t size = data_size(type), at = how < N ? how : N / 2;
  const heddle_sort_options options = sort_options(descending, 0);
  const uint64_t ranks[] = {at, at + 1, 0, N / 3, N - 1};
  char *in = allocate(N * size), *sorted = allocate(N * size);
  char out[5 * 8], wanted[5 * 8], one[8];
  sort_fill(SORT_ANY, type, how, N, in);
  if (how > NO_SWAP) fill_zeros(in, size, how == WITH_NAN);
  same_status(HEDDLE_OK, heddle_sort(sort_on.of[0].ctx, type, in, N, sorted, &options), "oracle");
  if (how <= NO_SWAP) memcpy(in, sorted, N * size);
  if (how < NO_SWAP) {
    memcpy(one, in + at * size, size);
    memmove(in + at * size, in + (at + 1) * size, size);
    memcpy(in + (at + 1) * size, one, size);
  }
  for (size_t j = 0; j < COUNT(ranks); j++)
    memcpy(wanted + j * size, sorted + ranks[j] * size, size);
  for (size_t m = 0; m < sort_on.cpus; m = machines_after(&sort_on, m, 3)) {
    same_status(HEDDLE_OK,
                heddle_nth(sort_on.of[m].ctx, type, in, N, ranks, COUNT(ranks), out, &options),
                "%s, %zu, on %s", heddle_type_name(type), how, sort_on.of[m].label);
    same_array(type, wanted, out, COUNT(ranks), "%s, %zu, descending %d, on %s",
               heddle_type_name(type), how, descending, sort_on.of[m].label);
  }
  free(in);
  free(sorted);
}

static void nearly_in_order(void **state) {
  (void)state;
  static const heddle_type types[] = {HEDDLE_F32, HEDDLE_F64, HEDDLE_I32, HEDDLE_U32,
                                      HEDDLE_I64, HEDDLE_U64, HEDDLE_F16};
  static const size_t hows[] = {0, 3, 4095, 4096, N - 2, NO_SWAP, FALLING_ZEROS, WITH_NAN};
  for (size_t t = 0; t < COUNT(types); t++)
    for (size_t h = 0; h < COUNT(hows); h++)
      if (hows[h] <= NO_SWAP || types[t] == HEDDLE_F32 || types[t] == HEDDLE_F64)
        check(types[t], hows[h], (int)(t + h) % 3 == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nearly_in_order)};
  return cmocka_run_group_tests(tests, sort_open, sort_close);
}
