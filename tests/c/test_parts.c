/* test_parts.c - arrays in parts: on several software devices, on one, and on the CPU
 *
 * Method   An array is cut anywhere, with empty parts and parts of one element, and its parts laid on the
 *          host and on devices by lot. The call on them has the bits of the CPU's on the whole array.
 *          Lengths lie around chunks; every cut is another. Four software devices, whatever
 *          HEDDLE_TEST_DEVICES says: "cpu" alone leaves them out. */
#include "custom_sources.h"
#include "laid.h"

/* ---- folds ------------------------------------------------------------------------------------ */

enum verb { REDUCE, ARGREDUCE, DOT, DESCRIBE };
struct job {
  enum verb verb;
  heddle_op op;
  heddle_type type, acc;
  heddle_nan nan;
  int init;
};

/* Composition of affine maps: it rounds and does not commute. */
typedef struct affine {
  float a, b;
} affine;
static heddle_status affine_combine(void *acc, const void *x, size_t n, void *user) {
  affine *to = acc;
  const affine *g = x;
  (void)user;
  for (size_t i = 0; i < n; i++) to[i] = (affine){g[i].a * to[i].a, g[i].a * to[i].b + g[i].b};
  return HEDDLE_OK;
}
static heddle_status affine_pairs(void *out, const void *x, size_t n, void *user) {
  const affine *p = x;
  (void)user;
  for (size_t i = 0; i < n; i++, p += 2)
    ((affine *)out)[i] = (affine){p[1].a * p[0].a, p[1].a * p[0].b + p[1].b};
  return HEDDLE_OK;
}
static const affine affine_identity = {1, 0};
static const heddle_custom affine_operator = {
    sizeof(heddle_custom), sizeof(affine), &affine_identity, 0, affine_combine,
    affine_pairs,          NULL,           affine_source};

struct result {
  unsigned char value[16];
  uint64_t index;
  heddle_description description;
};

static heddle_options options_of(const struct job *job) {
  static const float one = 1.5f;
  heddle_options options = make_options(job->nan, job->acc, HEDDLE_TYPE_DEFAULT, NULL);
  if (job->op == HEDDLE_OP_CUSTOM) options.custom = &affine_operator;
  if (job->init) options.init = &one;
  return options;
}

static heddle_status whole(const struct job *job, const void *x, const void *y, size_t n,
                           struct result *r) {
  const heddle_options options = options_of(job);
  memset(r, 0, sizeof *r);
  r->description.size = sizeof r->description;
  switch (job->verb) {
  case REDUCE: return heddle_reduce(laid_cpu, job->op, job->type, x, n, r->value, &options);
  case ARGREDUCE:
    return heddle_argreduce(laid_cpu, job->op == HEDDLE_MIN ? HEDDLE_ARGMIN : HEDDLE_ARGMAX,
                            job->type, x, n, r->value, &r->index, &options);
  case DOT: return heddle_dot(laid_cpu, job->type, x, y, n, r->value, &options);
  case DESCRIBE: return heddle_describe(laid_cpu, job->type, x, n, &r->description, &options);
  }
  return HEDDLE_BAD_ARGUMENT;
}

static heddle_status in_parts(heddle_context *ctx, const struct job *job, const heddle_parts *x,
                              const heddle_parts *y, struct result *r) {
  const heddle_options options = options_of(job);
  memset(r, 0, sizeof *r);
  r->description.size = sizeof r->description;
  switch (job->verb) {
  case REDUCE: return heddle_reduce_parts(ctx, job->op, job->type, x, r->value, &options);
  case ARGREDUCE:
    return heddle_argreduce_parts(ctx, job->op == HEDDLE_MIN ? HEDDLE_ARGMIN : HEDDLE_ARGMAX,
                                  job->type, x, r->value, &r->index, &options);
  case DOT: return heddle_dot_parts(ctx, job->type, x, y, r->value, &options);
  case DESCRIBE: return heddle_describe_parts(ctx, job->type, x, &r->description, &options);
  }
  return HEDDLE_BAD_ARGUMENT;
}

static void check_fold(const struct job *job, enum data_kind kind, size_t n) {
  const int custom = job->op == HEDDLE_OP_CUSTOM;
  const heddle_type as = custom ? HEDDLE_F32 : job->type;
  const size_t size = custom ? sizeof(affine) : data_size(as), words = custom ? 2 * n : n;
  char *x = data_new(custom ? DATA_NEAR1 : kind, as, 5, words + 1);
  char *y = data_new(kind, as, 6, words + 1);
  struct result expected, got;
  const heddle_status status = whole(job, x, y, n, &expected);
  for (size_t c = 0; c < laid_contexts; c++) {
    size_t end[LAID_PARTS];
    const size_t parts = laid_cut(n, 1, end);
    struct laid first, second;
    laid_lay(&first, c, x, size, parts, end, NULL);
    if (job->verb == DOT) laid_lay(&second, c, y, size, parts, end, &first);
    const heddle_status got_status =
        in_parts(laid_on[c], job, &first.parts, job->verb == DOT ? &second.parts : NULL, &got);
    same_status(status, got_status, "context %zu, verb %d, operator %d, %s, %zu elements: %s", c,
                (int)job->verb, (int)job->op, heddle_type_name(as), n, heddle_message());
    if (!status)
      same_bytes(&expected, &got, sizeof got,
                 "context %zu, verb %d, operator %d, %s, %zu elements in %zu parts", c,
                 (int)job->verb, (int)job->op, heddle_type_name(as), n, parts);
    laid_drop(&first);
    if (job->verb == DOT) laid_drop(&second);
  }
  free(x);
  free(y);
}

static const struct job jobs[] = {
    {REDUCE, HEDDLE_SUM, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 0},
    {REDUCE, HEDDLE_SUM, HEDDLE_F32, HEDDLE_F64, HEDDLE_NAN_SKIP, 0},
    {REDUCE, HEDDLE_SUM, HEDDLE_F64, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 0},
    {REDUCE, HEDDLE_SUM, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 1},
    {REDUCE, HEDDLE_SUM, HEDDLE_U8, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 0},
    {REDUCE, HEDDLE_SUM, HEDDLE_BF16, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 0},
    {REDUCE, HEDDLE_MIN, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_SKIP, 0},
    {REDUCE, HEDDLE_OP_CUSTOM, HEDDLE_CUSTOM, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 0},
    {ARGREDUCE, HEDDLE_MAX, HEDDLE_I16, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 0},
    {ARGREDUCE, HEDDLE_MIN, HEDDLE_F64, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_SKIP, 0},
    {DOT, HEDDLE_SUM, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 0},
    {DOT, HEDDLE_SUM, HEDDLE_F64, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 0},
    {DESCRIBE, HEDDLE_SUM, HEDDLE_F32, HEDDLE_TYPE_DEFAULT, HEDDLE_NAN_PROPAGATE, 0},
};

/* Around a chunk of 1,024 and of 2,048 elements, and a tree of them. */
static const size_t lengths[] = {0,    1,    2,    1023, 1024, 1025, 2047,  2048,
                                 2049, 4095, 4096, 4097, 6145, 9000, 40001, 140000};

static void folds(void **unused) {
  (void)unused;
  for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++)
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
      check_fold(&jobs[j], DATA_WIDE, lengths[l]);
      check_fold(&jobs[j], l % 2 ? DATA_HOLES : DATA_SMALL, lengths[l]);
    }
}

/* Every cut in two of a short array, and in three around a chunk. */
static void every_cut(void **unused) {
  (void)unused;
  enum { N = 2060 };
  float *x = data_new(DATA_WIDE, HEDDLE_F32, 8, N);
  float expected, got;
  assert_int_equal(heddle_reduce(laid_cpu, HEDDLE_SUM, HEDDLE_F32, x, N, &expected, NULL),
                   HEDDLE_OK);
  for (size_t i = 0; i <= N; i++) {
    const size_t second = i + 2048 / (1 + i % 3) < N ? i + 2048 / (1 + i % 3) : N;
    const heddle_part part[] = {{x, i}, {x + i, second - i}, {x + second, N - second}};
    heddle_parts parts = HEDDLE_PARTS_INIT;
    parts.parts = 3;
    parts.part = part;
    const size_t c = i % 64 == 1 ? 1 % laid_contexts : 0;
    assert_int_equal(heddle_reduce_parts(laid_on[c], HEDDLE_SUM, HEDDLE_F32, &parts, &got, NULL),
                     HEDDLE_OK);
    same_bytes(&expected, &got, sizeof got, "cut at %zu and %zu", i, second);
  }
  free(x);
}

/* ---- errors ----------------------------------------------------------------------------------- */

static void expect(heddle_status wanted, heddle_status got, const char *words) {
  same_status(wanted, got, "%s", words);
  if (!strstr(heddle_message(), words)) fail_msg("\"%s\" lacks \"%s\"", heddle_message(), words);
}

static void errors(void **unused) {
  (void)unused;
  float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out;
  uint64_t index;
  heddle_part part[3] = {{x, 3}, {NULL, 0}, {x + 3, 5}}, bad[2] = {{x, 3}, {NULL, 5}};
  heddle_part huge[2] = {{x, SIZE_MAX / 8}, {x, SIZE_MAX / 8}};
  heddle_parts in = {sizeof in, 3, part}, none = {sizeof none, 2, NULL};
  heddle_parts nulls = {sizeof nulls, 2, bad}, over = {sizeof over, 2, huge}, odd = {3, 0, NULL};
  heddle_parts two = {sizeof two, 2, part};
#define SUM(parts, out) heddle_reduce_parts(laid_on[0], HEDDLE_SUM, HEDDLE_F32, parts, out, NULL)
  assert_int_equal(SUM(&in, &out), HEDDLE_OK);
  assert_true(out == 36);
  expect(HEDDLE_BAD_ARGUMENT, SUM(NULL, &out), "`in` is NULL");
  expect(HEDDLE_BAD_ARGUMENT, SUM(&odd, &out), "`in->size` is 3");
  expect(HEDDLE_BAD_ARGUMENT, SUM(&none, &out), "`in->part` is NULL, but there are 2 parts");
  expect(HEDDLE_BAD_ARGUMENT, SUM(&nulls, &out),
         "`in->part[1].data` is NULL, but there are 5 elements");
  expect(HEDDLE_BAD_ARGUMENT, SUM(&over, &out), "more elements than memory can hold");
  expect(HEDDLE_BAD_ARGUMENT, SUM(&in, NULL), "`out` is NULL");
#undef SUM
  expect(HEDDLE_BAD_ARGUMENT, heddle_reduce_parts(NULL, HEDDLE_SUM, HEDDLE_F32, &in, &out, NULL),
         "`ctx` is NULL");
  expect(HEDDLE_BAD_ARGUMENT, heddle_dot_parts(laid_on[0], HEDDLE_F32, &in, &two, &out, NULL),
         "`x` has 3 parts and `y` 2");
  heddle_part other[3] = {{x, 4}, {NULL, 0}, {x + 4, 4}};
  two = (heddle_parts){sizeof two, 3, other};
  expect(HEDDLE_BAD_ARGUMENT, heddle_dot_parts(laid_on[0], HEDDLE_F32, &in, &two, &out, NULL),
         "part 0 of `x` has 3 elements and of `y` 4");
  in.parts = 0;
  expect(HEDDLE_EMPTY,
         heddle_argreduce_parts(laid_on[0], HEDDLE_ARGMIN, HEDDLE_F32, &in, NULL, &index, NULL),
         "heddle_argreduce_parts");
  expect(HEDDLE_BAD_ARGUMENT,
         heddle_argreduce_parts(laid_on[0], HEDDLE_ARGMIN, HEDDLE_F32, &in, NULL, NULL, NULL),
         "`index` is NULL");
}

/* Memory of a device that the context is not on. */
static void elsewhere(void **unused) {
  (void)unused;
  if (!laid_devices) skip();
  float x[4] = {1, 2, 3, 4}, out = 0;
  void *memory;
  assert_int_equal(heddle_device_alloc(laid_owner[1], sizeof x, &memory), HEDDLE_OK);
  assert_int_equal(heddle_copy(laid_owner[1], memory, x, sizeof x), HEDDLE_OK);
  heddle_part part[2] = {{x, 4}, {memory, 4}};
  heddle_parts in = {sizeof in, 2, part};
  expect(HEDDLE_BAD_ARGUMENT,
         heddle_reduce_parts(laid_on[2], HEDDLE_SUM, HEDDLE_F32, &in, &out, NULL),
         "part 1 of `in` is memory of a device that `ctx` on simt:2,0 is not on");
  expect(HEDDLE_BAD_ARGUMENT,
         heddle_reduce_parts(laid_on[3], HEDDLE_SUM, HEDDLE_F32, &in, &out, NULL),
         "part 1 of `in` is memory of a device that `ctx` on simt:2 is not on");
  expect(HEDDLE_BAD_ARGUMENT,
         heddle_reduce_parts(laid_on[1], HEDDLE_SUM, HEDDLE_F32, &in, memory, NULL),
         "`out` is memory of a device");
  assert_int_equal(heddle_reduce_parts(laid_on[1], HEDDLE_SUM, HEDDLE_F32, &in, &out, NULL),
                   HEDDLE_OK);
  assert_true(out == 20);
  assert_int_equal(heddle_device_free(laid_owner[1], memory), HEDDLE_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(folds), cmocka_unit_test(every_cut),
                                     cmocka_unit_test(errors), cmocka_unit_test(elsewhere)};
  return cmocka_run_group_tests(tests, laid_setup, laid_teardown);
}
