/* test_result_type.c - heddle_result_type against what the entries do: for every verb, operator,
 * type and pair of types in the options the same status, and results of just that type
 *
 * Method  A call that is allowed writes as many bytes as its result's type has; the bits that it
 *         gives by default, given again when both types are asked for by name; and the types of the
 *         reference. Elements have sums whose types differ in bits: a negative number, and one that
 *         f32 rounds. */
#include "support.h"

enum { CANARY = 0xC3, COUNT = 5, ELEMENT_MAX = 8 };
static const int values[COUNT] = {100, -3, 77, 1, -120};
static const heddle_verb verbs[] = {HEDDLE_REDUCE, HEDDLE_ARGREDUCE, HEDDLE_DOT, HEDDLE_DESCRIBE,
                                    HEDDLE_SCAN};
enum { VERBS = 5, OPS_END = 16, TYPES_END = 20 }; /* beyond the last of each */
static heddle_context *ctx;

static heddle_status combine(void *acc, const void *x, size_t n, void *user) {
  (void)user;
  for (size_t i = 0; i < n; i++) ((unsigned char *)acc)[i] |= ((const unsigned char *)x)[i];
  return HEDDLE_OK;
}
static heddle_status pairs(void *out, const void *x, size_t n, void *user) {
  (void)user;
  const unsigned char *in = x;
  for (size_t i = 0; i < n; i++)
    ((unsigned char *)out)[i] = (unsigned char)(in[2 * i] | in[2 * i + 1]);
  return HEDDLE_OK;
}
static const unsigned char nothing = 0;
static const heddle_custom custom = {sizeof custom, 1,     &nothing, 1,
                                     combine,       pairs, NULL,     "unsigned char: a | b"};

static size_t size_of(heddle_type type) { return type == HEDDLE_CUSTOM ? 1 : data_size(type); }

/* One case, and what a call gave: bytes past the result keep the canary. */
struct call {
  heddle_verb verb;
  heddle_op op;
  heddle_type type;
  heddle_options options;
  unsigned char out[COUNT * ELEMENT_MAX * 2];
  heddle_description description;
};

static void fill(heddle_type type, void *in) {
  if (type == HEDDLE_CUSTOM || !data_size(type)) {
    for (size_t i = 0; i < COUNT; i++) ((unsigned char *)in)[i] = (unsigned char)values[i];
    return;
  }
  for (size_t i = 0; i < COUNT; i++) {
    double value = values[i];
    if (type == HEDDLE_F32 || type == HEDDLE_F64) value += i == 1 ? 0x1p-22 : 0;
    const heddle_status status =
        heddle_convert(HEDDLE_F64, &value, type, (unsigned char *)in + i * size_of(type), 1);
    same_status(HEDDLE_OK, status, "converting to %s", heddle_type_name(type));
  }
}

static heddle_status run(struct call *c) {
  unsigned char in[COUNT * ELEMENT_MAX];
  uint64_t index;
  const heddle_op op = c->op;
  memset(c->out, CANARY, sizeof c->out);
  c->description = (heddle_description)HEDDLE_DESCRIPTION_INIT;
  fill(c->type, in);
  switch (c->verb) {
  case HEDDLE_REDUCE: return heddle_reduce(ctx, op, c->type, in, COUNT, c->out, &c->options);
  case HEDDLE_ARGREDUCE:
    return heddle_argreduce(ctx, HEDDLE_ARGMIN, c->type, in, COUNT, c->out, &index, &c->options);
  case HEDDLE_DOT: return heddle_dot(ctx, c->type, in, in, COUNT, c->out, &c->options);
  case HEDDLE_DESCRIBE:
    return heddle_describe(ctx, c->type, in, COUNT, &c->description, &c->options);
  default: return heddle_scan(ctx, op, HEDDLE_INCLUSIVE, c->type, in, COUNT, c->out, &c->options);
  }
}

static const char *name_of(const struct call *c, char *text, size_t bytes) {
  snprintf(text, bytes, "verb %d, op %d, type %d, acc_type %d, out_type %d", (int)c->verb,
           (int)c->op, (int)c->type, (int)c->options.acc_type, (int)c->options.out_type);
  return text;
}

/* Results take as many bytes as the type says, neither more nor fewer: no element that is computed
 * here ends in the canary. */
static void check_size(const struct call *c, heddle_type out, const char *name) {
  const size_t count = c->verb == HEDDLE_SCAN ? COUNT : 1;
  const size_t bytes = c->verb == HEDDLE_DESCRIBE ? 0 : count * size_of(out);
  size_t written = sizeof c->out;
  while (written > 0 && c->out[written - 1] == CANARY) written--;
  if (written != bytes)
    fail_msg("%s: %zu bytes were written, not the %zu of %s", name, written, bytes,
             heddle_type_name(out));
}

static heddle_type reference_out(const struct call *c) {
  if (c->op == HEDDLE_OP_CUSTOM || c->verb == HEDDLE_ARGREDUCE) return c->type;
  if (c->verb == HEDDLE_DESCRIBE) return HEDDLE_F64;
  if (c->verb == HEDDLE_SCAN && !c->options.out_type) return c->type;
  return ref_out_type(c->op, c->type, &c->options);
}

static void check_types(const struct call *c, heddle_type out, heddle_type acc, const char *name) {
  if (out != reference_out(c))
    fail_msg("%s: a result of %s, not %s", name, heddle_type_name(out),
             heddle_type_name(reference_out(c)));
  const ref_class class = ref_class_of(c->op);
  const heddle_type expected = c->verb == HEDDLE_DESCRIBE ? HEDDLE_F64
                               : class == REF_LOGICAL     ? HEDDLE_U8
                               : class == REF_ARITHMETIC ? ref_acc_type(c->op, c->type, &c->options)
                                                         : c->type;
  if (acc != expected)
    fail_msg("%s: an accumulator of %s, not %s", name, heddle_type_name(acc),
             heddle_type_name(expected));
}

/* The types by name give the bits that they give by default. */
static void check_named(const struct call *c, heddle_type out, heddle_type acc, const char *name) {
  struct call named = *c;
  if (c->op == HEDDLE_OP_CUSTOM) return;
  named.options.out_type = out;
  named.options.acc_type = acc;
  same_status(HEDDLE_OK, run(&named), "%s, by name", name);
  same_bytes(c->out, named.out, sizeof c->out, "%s, by name", name);
  same_description(&c->description, &named.description, "%s, by name", name);
}

static void check_call(struct call *c) {
  char name[128];
  const heddle_type none = (heddle_type)77;
  heddle_type out = none, acc = none;
  const heddle_status expected = run(c);
  const heddle_status got = heddle_result_type(c->verb, c->op, c->type, &c->options, &out, &acc);
  name_of(c, name, sizeof name);
  same_status(expected, got, "%s", name);
  if (got != HEDDLE_OK) {
    if (out != none || acc != none) fail_msg("%s: a type was written with an error", name);
    return;
  }
  check_types(c, out, acc, name);
  check_size(c, out, name);
  check_named(c, out, acc, name);
}

/* The verbs that have one operator are called with this one alone. */
static int is_of(heddle_verb verb, heddle_op op) {
  if (verb == HEDDLE_ARGREDUCE) return op == HEDDLE_MIN;
  return (verb != HEDDLE_DOT && verb != HEDDLE_DESCRIBE) || op == HEDDLE_SUM;
}

static void agrees_with_entries(void **state) {
  (void)state;
  struct call c;
  assert_in_range(beyond_ops(), 1, OPS_END - 1);
  assert_in_range(beyond_types(), 1, TYPES_END - 1);
  for (size_t v = 0; v < VERBS; v++)
    for (int op = -1; op < OPS_END; op++)
      for (int type = -1; is_of(verbs[v], (heddle_op)op) && type < TYPES_END; type++)
        for (int acc = -1; acc < TYPES_END; acc++)
          for (int out = -1; out < TYPES_END; out++) {
            c.verb = verbs[v];
            c.op = (heddle_op)op;
            c.type = (heddle_type)type;
            c.options =
                make_options(HEDDLE_NAN_PROPAGATE, (heddle_type)acc, (heddle_type)out, NULL);
            if (op == HEDDLE_OP_CUSTOM) c.options.custom = &custom;
            check_call(&c);
          }
}

/* What the header promises about the arguments themselves. */
static void arguments(void **state) {
  (void)state;
  heddle_type out = HEDDLE_U8, acc = HEDDLE_U8;
  heddle_options o = HEDDLE_OPTIONS_INIT;
  static const int strangers[] = {-1, 0, 6, 99};
  for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
    const heddle_verb verb = (heddle_verb)strangers[i];
    same_status(HEDDLE_BAD_ARGUMENT,
                heddle_result_type(verb, HEDDLE_SUM, HEDDLE_F32, NULL, &out, &acc), "a verb");
    assert_non_null(strstr(heddle_message(), "`verb`"));
  }
  o.size = 3;
  same_status(HEDDLE_BAD_ARGUMENT,
              heddle_result_type(HEDDLE_REDUCE, HEDDLE_SUM, HEDDLE_F32, &o, &out, &acc), "a size");
  assert_non_null(strstr(heddle_message(), "heddle_result_type: `options->size`"));
  assert_true(out == HEDDLE_U8 && acc == HEDDLE_U8);
  /* An operator is not read where the verb has its own, and neither pointer is needed. */
  for (size_t v = 1; v < 4; v++)
    same_status(HEDDLE_OK, heddle_result_type(verbs[v], (heddle_op)-7, HEDDLE_I8, NULL, NULL, NULL),
                "verb %d", (int)verbs[v]);
  same_status(HEDDLE_OK,
              heddle_result_type(HEDDLE_REDUCE, HEDDLE_SUM, HEDDLE_F16, NULL, NULL, &acc),
              "without out");
  assert_int_equal(acc, HEDDLE_F32);
  same_status(HEDDLE_OK, heddle_result_type(HEDDLE_SCAN, HEDDLE_SUM, HEDDLE_I8, NULL, &out, NULL),
              "without acc");
  assert_int_equal(out, HEDDLE_I8);
}

static int setup(void **state) {
  (void)state;
  ctx = open_cpu("scalar", 1);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  heddle_close(ctx);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_entries),
                                     cmocka_unit_test(arguments)};
  return cmocka_run_group_tests_name("result_type", tests, setup, teardown);
}
