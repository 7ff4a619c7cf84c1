/* test_exact.c - exact sums, sums of squares and dots over type x data x length x options x layout, on
 * every machine, against sums made digit by digit */
#include <math.h>

#include "compare.h"
#include "reference_exact.h"

static heddle_status run(const machine *m, enum exact_what what, heddle_type type, const void *x,
                         const void *y, size_t n, void *out, const heddle_options *options) {
  if (what == EXACT_DOT) return heddle_dot(m->ctx, type, x, y, n, out, options);
  return heddle_reduce(m->ctx, exact_op(what), type, x, n, out, options);
}

static void check(enum exact_what what, heddle_type type, const void *x, const void *y, size_t n,
                  const heddle_options *options, const char *label) {
  uint64_t expected = 0, got;
  size_t at = 0;
  const uint64_t job =
      compare_job(what == EXACT_DOT ? "exact dot" : "exact", (int)what, type, options);
  exact_expect(what, type, x, y, n, options, &expected);
  for (const machine *m; (m = compare_next(&at, n * data_size(type), job));) {
    got = 0;
    same_status(HEDDLE_OK, run(m, what, type, x, y, n, &got, options), "%s: %s", m->label,
                heddle_message());
    same_bytes(&expected, &got, data_size(options->out_type),
               "%s: %s of %zu %s (%s) to %s, nan %d, init %d, divisor %g", m->label,
               exact_names[what], n, heddle_type_name(type), label,
               heddle_type_name(options->out_type), (int)options->nan, options->init != NULL,
               options->divisor);
  }
}

/* ---- every type, kind of data and length --------------------------------------------------------- */

static void each_option(enum exact_what what, heddle_type type, const void *x, const void *y,
                        size_t n, const char *label) {
  static const double divisors[] = {3, 7, 1000, 9007199254740992.0, 9007199254740991.0};
  const size_t turn = n + (size_t)type;
  for (int nan = 0; nan < 2; nan++) {
    heddle_options options = exact_options(nan_policies[nan], type);
    check(what, type, x, y, n, &options, label);
    options.out_type = HEDDLE_F64;
    check(what, type, x, y, n, &options, label);
  }
  heddle_options options = exact_options(HEDDLE_NAN_SKIP, float_types[turn % float_type_count]);
  if (what != EXACT_DOT) options.divisor = divisors[n % 5];
  check(what, type, x, y, n, &options, label);
  options.divisor = 0;
  uint64_t init;
  data_fill(DATA_WIDE, options.out_type, n, 1, &init);
  options.init = &init;
  check(what, type, x, y, n, &options, label);
}

static void every_type_length(void **state) {
  (void)state;
  for (size_t t = 0; t < float_type_count; t++)
    for (int kind = 0; kind < DATA_KINDS; kind++) {
      const heddle_type type = float_types[t];
      void *x = data_new((enum data_kind)kind, type, 5, 20000),
           *y = data_new((enum data_kind)((kind * 3) % DATA_KINDS), type, 6, 20000);
      for (const size_t *n = compare_lengths; *n <= 20000 / lightness(); n++)
        for (enum exact_what what = 0; what < EXACT_WHATS; what++)
          each_option(what, type, x, y, *n, data_name((enum data_kind)kind));
      free(x);
      free(y);
    }
}

/* ---- exponents: what windows, and their change on the way, are about ---------------------------- */

/* Numbers of any exponent from -spread / 2 to spread / 2, at every `every`-th place; else near one. */
static void scatter(heddle_type type, int spread, size_t every, size_t n, void *out) {
  for (size_t i = 0; i < n; i++) {
    const uint64_t word = data_word((uint64_t)spread, i);
    double x = 1 + (double)(word >> 12) * 0x1p-52;
    if (i % every == every - 1) x = ldexp(x, (int)(word % ((unsigned)spread + 1)) - spread / 2);
    if (word >> 5 & 1) x = -x;
    if (type == HEDDLE_F32)
      ((float *)out)[i] = (float)x;
    else
      ((double *)out)[i] = x;
  }
}

static void spreads(void **state) {
  static const int f32_spreads[] = {1, 12, 17, 18, 19, 20, 40, 58, 60, 62, 100, 140, 250};
  static const int f64_spreads[] = {1, 28, 30, 31, 32, 33, 60, 73, 75, 80, 115, 118, 300, 1900};
  enum { N = 9000 };
  void *x = allocate(8 * N), *y = allocate(8 * N);
  heddle_options options = exact_options(HEDDLE_NAN_PROPAGATE, HEDDLE_F64);
  (void)state;
  for (size_t s = 0; s < 13; s++)
    for (size_t every = 1; every <= 2048; every = every * 7 + 1) {
      const size_t n = N / lightness() + every % 5;
      scatter(HEDDLE_F32, f32_spreads[s], every, n, x);
      scatter(HEDDLE_F32, f32_spreads[12 - s] / 2, every / 2 + 1, n, y);
      for (enum exact_what what = 0; what < EXACT_WHATS; what++)
        check(what, HEDDLE_F32, x, y, n, &options, "spread");
    }
  for (size_t s = 0; s < 14; s++)
    for (size_t every = 1; every <= 2048; every = every * 7 + 1) {
      const size_t n = N / lightness() + every % 5;
      scatter(HEDDLE_F64, f64_spreads[s], every, n, x);
      scatter(HEDDLE_F64, f64_spreads[13 - s] / 2, every / 2 + 1, n, y);
      for (enum exact_what what = 0; what < EXACT_WHATS; what++)
        check(what, HEDDLE_F64, x, y, n, &options, "spread");
    }
  free(x);
  free(y);
}

/* Each is the whole array times 2^shift, next to the array itself: the base changes in the middle. */
static void bases(void **state) {
  enum { N = 3000 };
  double *x = allocate(2 * N * 8);
  heddle_options options = exact_options(HEDDLE_NAN_PROPAGATE, HEDDLE_F64);
  (void)state;
  for (int shift = -1000; shift <= 900; shift += 53) {
    scatter(HEDDLE_F64, 20, 1, N, x);
    for (int i = 0; i < N; i++) x[N + i] = ldexp(x[i], shift);
    check(EXACT_SUM, HEDDLE_F64, x, x, 2 * N, &options, "base");
    check(EXACT_SQUARES, HEDDLE_F64, x, x, 2 * N, &options, "base");
  }
  free(x);
}

/* Many elements of every bit of a window, of which the great ones cancel: what one lane may sum before it must
 * bring its windows away. */
static void full_windows(void **state) {
  enum { N = 1 << 21 };
  float *x = allocate(N * sizeof *x);
  heddle_options options = exact_options(HEDDLE_NAN_PROPAGATE, HEDDLE_F64);
  (void)state;
  for (size_t i = 0; i < N; i++) {
    const float little = (float)(data_word(3, i) >> 41 | 0x800001) * 0x1p-42f;
    x[i] = i % 16 == 0 ? little : i < N / 2 ? 0x1.fffffep0f : -0x1.fffffep0f;
  }
  check(EXACT_SUM, HEDDLE_F32, x, x, N, &options, "full");
  /* A software device's sample leaves this call out; of host memory it would be staged in short slices. */
  uint64_t expected = 0, got;
  exact_expect(EXACT_SUM, HEDDLE_F32, x, x, N, &options, &expected);
  for (size_t i = compare_on.cpus; i < compare_on.count && compare_on.of[i].slow; i++) {
    same_status(HEDDLE_OK, run(&compare_on.of[i], EXACT_SUM, HEDDLE_F32, x, x, N, &got, &options),
                "%s", compare_on.of[i].label);
    same_bytes(&expected, &got, sizeof got, "%s: full windows", compare_on.of[i].label);
  }
  free(x);
}

/* What cancels but for one unit, half a unit, or nothing; and what overflows on the way. */
static void edges(void **state) {
  static const double some[][6] = {
      {1, 0x1p-53, 0x1p-1074, 0, 0, 0},
      {1, 0x1p-53, -0x1p-1074, 0, 0, 0},
      {1, 0x1p-53, 0, 0, 0, 0},
      {1 + 0x1p-52, 0x1p-53, 0, 0, 0, 0},
      {0x1.fffffffffffffp1023, 0x1p970, -0x1p-1074, 0, 0, 0},
      {0x1.fffffffffffffp1023, 0x1p970, 0, 0, 0, 0},
      {0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, 0, 0, 0},
      {0x1p1023, 0x1p1023, -0x1p1023, -0x1p1023, 0x1p-1074, 0},
      {0x1p-1074, 0x1p-1074, 0x1p-1074, 0, 0, 0},
      {0x1p-149, 0x1p-150, 0x1p-1074, 0, 0, 0},
      {0x1p-150, 0, 0, 0, 0, 0},
      {0x1p-150, 0x1p-1000, 0, 0, 0, 0},
      {-0.0, -0.0, 0, 0, 0, 0},
      {-0x1p-1074, 0, 0, 0, 0, 0},
      {3, -0x1p-1074, 0, 0, 0, 0},
      {INFINITY, 1, -0x1p1023, 0, 0, 0},
      {INFINITY, -INFINITY, 0, 0, 0, 0},
      {0x1.fffffffffffffp1023, 0x1.8p-1022, 0x1.1p500, -3, 7, 0x1.0000000000001p-1000},
  };
  (void)state;
  for (size_t s = 0; s < sizeof some / sizeof *some; s++)
    for (size_t t = 0; t < float_type_count; t++)
      for (enum exact_what what = 0; what < EXACT_WHATS; what++) {
        heddle_options options = exact_options(HEDDLE_NAN_PROPAGATE, float_types[t]);
        check(what, HEDDLE_F64, some[s], some[(s * 5 + 3) % 18], 6, &options, "edge");
        if (what == EXACT_DOT) continue;
        options.divisor = 3;
        check(what, HEDDLE_F64, some[s], NULL, 6, &options, "edge");
      }
}

/* ---- laws ------------------------------------------------------------------------------------------ */

/* Any order, and the caller's rounding mode, leave the bits as they are. */
static void any_order(void **state) {
  enum { N = 50000 };
  const size_t n = N / lightness();
  heddle_options options = exact_options(HEDDLE_NAN_PROPAGATE, HEDDLE_F32);
  (void)state;
  for (size_t t = 0; t < float_type_count; t++) {
    const size_t size = data_size(float_types[t]);
    char *x = data_new(DATA_WIDE, float_types[t], 9, n), *y = allocate(n * size);
    for (size_t i = 0; i < n; i++) memcpy(y + i * size, x + (i * 7919 % n) * size, size);
    if (n % 7919) check(EXACT_SUM, float_types[t], y, y, n, &options, "permuted");
    check(EXACT_SUM, float_types[t], x, x, n, &options, "in order");
    free(x);
    free(y);
  }
}

/* Pieces of any length give the bits of the whole, with pauses to look at what there is. */
static void in_pieces(void **state) {
  enum { N = 12000 };
  const size_t n = N / lightness();
  (void)state;
  for (size_t t = 0; t < float_type_count; t++)
    for (enum exact_what what = 0; what < EXACT_WHATS; what++) {
      const heddle_type type = float_types[t];
      heddle_options options = exact_options(HEDDLE_NAN_SKIP, float_types[(t + 1) % 4]);
      uint64_t init, expected = 0, got = 0, early = 0;
      data_fill(DATA_WIDE, options.out_type, 4, 1, &init);
      options.init = &init;
      char *x = data_new(DATA_HOLES, type, 31, n), *y = data_new(DATA_WIDE, type, 32, n);
      exact_expect(what, type, x, y, n, &options, &expected);
      const uint64_t job = compare_job("exact pieces", (int)what, type, &options);
      size_t at = 0;
      for (const machine *m; (m = compare_next(&at, n, job));) {
        heddle_state *s;
        same_status(HEDDLE_OK,
                    what == EXACT_DOT
                        ? heddle_dot_begin(m->ctx, type, &options, &s)
                        : heddle_reduce_begin(m->ctx, exact_op(what), type, &options, &s),
                    "%s: %s", m->label, heddle_message());
        for (size_t done = 0, step = 1; done < n; done += step, step = step * 3 % 4001 + 1) {
          if (step > n - done) step = n - done;
          const char *px = x + done * data_size(type), *py = y + done * data_size(type);
          same_status(HEDDLE_OK,
                      what == EXACT_DOT ? heddle_dot_update(s, px, py, step)
                                        : heddle_reduce_update(s, px, step),
                      "%s", m->label);
          if (done < 5 && what != EXACT_DOT)
            same_status(HEDDLE_OK, heddle_reduce_finish(s, &early), "%s", m->label);
        }
        same_status(HEDDLE_OK,
                    what == EXACT_DOT ? heddle_dot_finish(s, &got) : heddle_reduce_finish(s, &got),
                    "%s", m->label);
        heddle_state_free(s);
        same_bytes(&expected, &got, data_size(options.out_type), "%s: %s of %s in pieces", m->label,
                   exact_names[what], heddle_type_name(type));
      }
      free(x);
      free(y);
    }
}

/* ---- what is refused ----------------------------------------------------------------------------- */

static void refused(heddle_status expected, heddle_status got, const char *word) {
  same_status(expected, got, "%s", word);
  assert_non_null(strstr(heddle_message(), word));
}

static void bad_arguments(void **state) {
  heddle_context *ctx = open_one();
  heddle_options options = exact_options(HEDDLE_NAN_PROPAGATE, HEDDLE_TYPE_DEFAULT);
  const double x[4] = {1, 2, 3, 4};
  double out = 5, scanned[4];
  heddle_description d = HEDDLE_DESCRIPTION_INIT;
  (void)state;
  refused(HEDDLE_UNSUPPORTED, heddle_reduce(ctx, HEDDLE_PROD, HEDDLE_F64, x, 4, &out, &options),
          "options->exact");
  refused(HEDDLE_UNSUPPORTED, heddle_reduce(ctx, HEDDLE_MAX, HEDDLE_F64, x, 4, &out, &options),
          "options->exact");
  refused(HEDDLE_UNSUPPORTED, heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_I64, x, 4, &out, &options),
          "i64");
  refused(HEDDLE_UNSUPPORTED,
          heddle_scan(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F64, x, 4, scanned, &options),
          "options->exact");
  refused(HEDDLE_UNSUPPORTED, heddle_describe(ctx, HEDDLE_F64, x, 4, &d, &options),
          "options->exact");
  options.exact = 2;
  refused(HEDDLE_BAD_ARGUMENT, heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F64, x, 4, &out, &options),
          "not 0 or 1");
  options.exact = 1;
  static const double divisors[] = {0.5, -1, 2.5, 0x1.0000000000001p53, INFINITY};
  for (size_t i = 0; i < 5; i++) {
    options.divisor = divisors[i];
    refused(HEDDLE_BAD_ARGUMENT, heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F64, x, 4, &out, &options),
            "options->divisor");
  }
  options.divisor = 3;
  refused(HEDDLE_BAD_ARGUMENT, heddle_dot(ctx, HEDDLE_F64, x, x, 4, &out, &options),
          "options->divisor");
  options.divisor = 0, options.out_type = HEDDLE_I32;
  refused(HEDDLE_BAD_ARGUMENT, heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F64, x, 4, &out, &options),
          "out_type");
  assert_true(out == 5);
  heddle_close(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_length),
      cmocka_unit_test(spreads),
      cmocka_unit_test(bases),
      cmocka_unit_test(full_windows),
      cmocka_unit_test(edges),
      cmocka_unit_test(any_order),
      cmocka_unit_test(in_pieces),
      cmocka_unit_test(bad_arguments),
  };
  return cmocka_run_group_tests(tests, compare_setup, compare_teardown);
}
