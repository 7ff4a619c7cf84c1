/* test_wide_vectors.c - kernels of 64-byte vectors, on a processor without any (white-box)
 *
 * Sums, products and sums of squares of floats from the templates of cpu/fold, made for vectors as long as those of
 * AVX-512 and by the compiler's own means: which lane goes where is then the same as there. Chunks that lie together,
 * chunks of elements a few apart and short chunks have the bits of the library's calls on the first machine.
 * What intrinsics do is not met: loads that widen, extremes, masks. */
#define VEC_BYTES 64
#define VEC_ISA "wide"
#include "cpu/vec/vec.h"

#include "cpu/vec/histogram_generic.h"

#include "cpu/fold/shared.h"

/* What a tree over neighbours takes of cpu/scan. */
#define even_f32(a, b) left_f32_1(a, b)
#define odd_f32(a, b) right_f32_1(a, b)
#define even_f64(a, b) left_f64_1(a, b)
#define odd_f64(a, b) right_f64_1(a, b)

#define ARITH_FLOAT 1
#define ARITH_IN f32
#define ARITH_LANE f32
#define ARITH_ACC f32
#include "cpu/fold/arith_tmpl.h"
#undef ARITH_LANE
#undef ARITH_ACC
#define ARITH_LANE f64
#define ARITH_ACC f64
#include "cpu/fold/arith_tmpl.h"
#undef ARITH_IN
#define ARITH_IN f64
#include "cpu/fold/arith_tmpl.h"

#include "support.h"

enum {
  CHUNKS = 3,
  CHUNK_MOST = 2048,
  STEP_MOST = 4,
  ELEMENTS = (CHUNKS * STEP_MOST + 1) * CHUNK_MOST
};

struct made {
  const struct hd_cpu_arithmetic *kernels;
  heddle_type type, wide;
};
static const struct made made[] = {{&arithmetic_f32_f32, HEDDLE_F32, HEDDLE_F32},
                                   {&arithmetic_f32_f64, HEDDLE_F32, HEDDLE_F64},
                                   {&arithmetic_f64_f64, HEDDLE_F64, HEDDLE_F64}};
static const heddle_op ops[] = {HEDDLE_SUM, HEDDLE_PROD, HEDDLE_SUM_SQUARES};

static heddle_context *ctx;
static char *elements, *copy;

/* The library's total of `count` elements, `step` apart. */
static void expect(const struct made *m, heddle_op op, bool skip, const char *x, ptrdiff_t step,
                   size_t count, void *total) {
  const size_t size = data_size(m->type);
  heddle_options options = HEDDLE_OPTIONS_INIT;
  options.acc_type = options.out_type = m->wide;
  options.nan = skip ? HEDDLE_NAN_SKIP : HEDDLE_NAN_PROPAGATE;
  for (size_t i = 0; i < count; i++)
    memcpy(copy + i * size, x + (ptrdiff_t)i * step * (ptrdiff_t)size, size);
  assert_int_equal(heddle_reduce(ctx, op, m->type, copy, count, total, &options), HEDDLE_OK);
}

static void check(const struct made *m, heddle_op op, bool skip) {
  const struct hd_cpu_fold_kernel *kernel = m->kernels->op[skip][op];
  const size_t size = data_size(m->type), wide = data_size(m->wide);
  const char *middle = elements + (size_t)ELEMENTS / 2 * size;
  unsigned char want[8], got[CHUNKS * 8];
  assert_int_equal(kernel->chunks(elements, NULL, 0, CHUNKS, got, NULL), HEDDLE_OK);
  for (size_t c = 0; c < CHUNKS; c++) {
    expect(m, op, skip, elements + c * kernel->chunk * size, 1, kernel->chunk, want);
    assert_memory_equal(want, got + c * wide, wide);
  }
  for (ptrdiff_t step = -STEP_MOST; step <= STEP_MOST; step++) {
    const size_t chunks = step ? CHUNKS : 0;
    const char *x = step < 0 ? elements + (size_t)(ELEMENTS - STEP_MOST) * size : elements;
    if (step) kernel->apart(x, step, chunks, got);
    for (size_t c = 0; c < chunks; c++) {
      const ptrdiff_t first = (ptrdiff_t)(c * kernel->chunk) * step * (ptrdiff_t)size;
      expect(m, op, skip, x + first, step, kernel->chunk, want);
      if (memcmp(want, got + c * wide, wide))
        fail_msg("%s: chunk %zu of elements %td apart", kernel->name, c, step);
    }
  }
  for (size_t n = 1; n < kernel->chunk; n += n < 300 ? 1 : 61) {
    kernel->merge.identity(got, NULL);
    assert_int_equal(kernel->tail(middle, NULL, 0, n, got, NULL), HEDDLE_OK);
    expect(m, op, skip, middle, 1, n, want);
    if (memcmp(want, got, wide)) fail_msg("%s: %zu elements", kernel->name, n);
  }
}

static void folds_have_the_bits_of_short_vectors(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
      for (int skip = 0; skip < 2; skip++) {
        const enum data_kind kind = ops[o] == HEDDLE_PROD ? DATA_NEAR1
                                    : skip                ? DATA_HOLES
                                                          : DATA_WIDE;
        elements = data_new(kind, made[i].type, 5, ELEMENTS);
        check(&made[i], ops[o], skip);
        free(elements);
      }
}

static int setup(void **state) {
  (void)state;
  ctx = open_cpu("scalar", 1);
  copy = malloc(CHUNK_MOST * sizeof(double));
  return ctx && copy ? 0 : -1;
}

static int teardown(void **state) {
  (void)state;
  free(copy);
  heddle_close(ctx);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(folds_have_the_bits_of_short_vectors)};
  return cmocka_run_group_tests_name("wide_vectors", tests, setup, teardown);
}
