/* test_reference.c - white-box: the reference in C gives the golden values of the model in Python
 *
 * Two implementations that share nothing but docs/order.md have to agree before either may
 * judge the library. The order is also checked against its recursive definition, on strings:
 * every fold spells out its own parentheses. Types and operators have the families and classes of
 * the library's tables, which the reference does not read. */
#include "golden.h"
#include "order/types.h"
#include "support.h"

static heddle_status reduce(heddle_context *ctx, heddle_op op, heddle_type type, const void *in,
                            size_t count, void *out, const heddle_options *options) {
  (void)ctx;
  return ref_reduce(op, type, in, count, out, options);
}
static heddle_status scan(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                          heddle_type type, const void *in, size_t count, void *out,
                          const heddle_options *options) {
  (void)ctx;
  return ref_scan(op, kind, type, in, count, out, options);
}
static heddle_status dot(heddle_context *ctx, heddle_type type, const void *x, const void *y,
                         size_t count, void *out, const heddle_options *options) {
  (void)ctx;
  return ref_dot(type, x, y, count, out, options);
}
static heddle_status describe(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                              heddle_description *out, const heddle_options *options) {
  (void)ctx;
  return ref_describe(type, in, count, out, options);
}

static void golden_values(void **state) {
  (void)state;
  const golden_verbs verbs = {reduce, scan, dot, describe};
  size_t rows, checked = 0;
  golden_row *all = golden_load(&rows);
  for (size_t i = 0; i < rows; i++) {
    /* The longest rows in full runs only, and of one type: they take most of the time. */
    if (all[i].count > 200000 && (lightness() > 1 || all[i].type != HEDDLE_F64)) continue;
    const uint64_t got = golden_value(&verbs, NULL, &all[i]);
    same_bytes(&all[i].bits, &got, sizeof got, "%s %d acc %d %s %zu", all[i].what, (int)all[i].type,
               (int)all[i].acc, data_name(all[i].kind), all[i].count);
    checked++;
  }
  assert_true(checked > rows / 2);
  golden_forget();
  free(all);
}

/* ---- folds that spell themselves out ---------------------------------------------------- */

enum { TEXT = 1024 };
static void concatenate(void *acc, const void *x, const void *user) {
  (void)user;
  char both[TEXT];
  const int length = snprintf(both, sizeof both, "(%s%s)", (const char *)acc, (const char *)x);
  assert_in_range(length, 0, TEXT - 1);
  memcpy(acc, both, sizeof both);
}

/* Lanes 2: a chunk is 32 elements, too long to spell; so the total of a chunk is its name. */
static void name_chunk(void *total, const void *x, const void *user) {
  (void)user;
  (void)snprintf(total, TEXT, "<%.8s>", (const char *)x);
}

static void spelled_order(void **state) {
  (void)state;
  static const struct {
    size_t n;
    const char *text;
  } cases[] = {{1, "0,"},
               {2, "(0,1,)"},
               {3, "((0,1,)2,)"},
               {4, "((0,1,)(2,3,))"},
               {7, "((((0,1,)(2,3,))(4,5,))6,)"},
               {16, "<0,>"},
               {17, "(<0,>16,)"},
               {32, "(<0,><16,>)"},
               {48, "((<0,><16,>)<32,>)"},
               {51, "((((<0,><16,>)<32,>)(48,49,))50,)"},
               {64, "((<0,><16,>)(<32,><48,>))"},
               {113, "((((<0,><16,>)(<32,><48,>))(<64,><80,>))<96,>)112,"}};
  const ref_order order = {TEXT, 1, 0, concatenate, name_chunk, NULL};
  enum { MOST = 113 };
  char(*x)[TEXT] = calloc(MOST, TEXT);
  char(*totals)[TEXT] = calloc(MOST, TEXT);
  assert_non_null(x);
  assert_non_null(totals);
  for (int i = 0; i < MOST; i++) (void)snprintf(x[i], TEXT, "%d,", i);
  ref_running(&order, x, MOST, totals);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[TEXT], expected[TEXT];
    ref_fold(&order, x, cases[i].n, text);
    (void)snprintf(expected, sizeof expected, cases[i].n == MOST ? "(%s)" : "%s", cases[i].text);
    assert_string_equal(expected, text);
  }
  for (size_t n = 1; n <= MOST; n++) {
    char text[TEXT];
    ref_fold(&order, x, n, text);
    assert_string_equal(text, totals[n - 1]);
  }
  free(x);
  free(totals);
}

static void spelled_lanes(void **state) {
  (void)state;
  const ref_order order = {TEXT, 2, 0, concatenate, NULL, NULL};
  char(*x)[TEXT] = calloc(32, TEXT);
  assert_non_null(x);
  for (int i = 0; i < 32; i++) (void)snprintf(x[i], TEXT, "%d,", i);
  char text[TEXT];
  ref_fold(&order, x, 32, text);
  assert_string_equal(text,
                      "((((((((((((((((0,2,)4,)6,)8,)10,)12,)14,)16,)18,)20,)22,)24,)26,)28,)30,)"
                      "(((((((((((((((1,3,)5,)7,)9,)11,)13,)15,)17,)19,)21,)23,)25,)27,)29,)31,))");
  const ref_order tree = {TEXT, 2, 1, concatenate, NULL, NULL};
  ref_fold(&tree, x, 32, text);
  assert_string_equal(text, "(((((0,1,)(2,3,))((4,5,)(6,7,)))(((8,9,)(10,11,))((12,13,)(14,15,))))"
                            "((((16,17,)(18,19,))((20,21,)(22,23,)))(((24,25,)(26,27,))((28,29,)"
                            "(30,31,)))))");
  free(x);
}

/* ---- classes -------------------------------------------------------------------------------- */

static void classes_of_the_tables(void **state) {
  (void)state;
  static const enum hd_op_class of[] = {[REF_NONE] = HD_OP_NONE,
                                        [REF_ARITHMETIC] = HD_OP_ARITHMETIC,
                                        [REF_MINMAX] = HD_OP_MINMAX,
                                        [REF_BITWISE] = HD_OP_BITWISE,
                                        [REF_LOGICAL] = HD_OP_LOGICAL};
  for (size_t o = 0; o < op_count; o++)
    if (of[ref_class_of(all_ops[o])] != hd_op_class(all_ops[o]))
      fail_msg("%s has another class in the reference", op_name(all_ops[o]));
  for (size_t t = 0; t < type_count; t++) {
    assert_int_equal(ref_is_float(all_types[t]), hd_is_float(all_types[t]));
    assert_int_equal(ref_is_signed(all_types[t]), hd_is_signed(all_types[t]));
  }
  assert_int_equal(ref_class_of(HEDDLE_OP_CUSTOM), REF_NONE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_values),
      cmocka_unit_test(spelled_order),
      cmocka_unit_test(spelled_lanes),
      cmocka_unit_test(classes_of_the_tables),
  };
  return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
