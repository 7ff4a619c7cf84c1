/* test_types.c - the table of element types knows every type of the library, and its kind */
#include <string.h>

#include "support.h"
#include "text/types.h"

static bool is_listed(heddle_type type) {
  for (size_t i = 0; i < type_count; i++)
    if (type_list[i] == type) return true;
  return false;
}

static void every_type_is_listed(void **unused) {
  (void)unused;
  for (int number = 0; number < 256; number++) {
    const heddle_type type = (heddle_type)number;
    assert_int_equal(is_listed(type), heddle_type_size(type) > 0);
    assert_int_equal(type_widest(type) != HEDDLE_TYPE_DEFAULT, is_listed(type));
  }
}

/* A conversion there and back tells what a type holds: -1, a half, or neither. */
static bool holds(heddle_type type, double value) {
  double back = 0;
  unsigned char element[8];
  assert_int_equal(heddle_convert(HEDDLE_F64, &value, type, element, 1), HEDDLE_OK);
  assert_int_equal(heddle_convert(type, element, HEDDLE_F64, &back, 1), HEDDLE_OK);
  return back == value;
}

static void kinds(void **unused) {
  (void)unused;
  for (size_t i = 0; i < type_count; i++) {
    const heddle_type type = type_list[i], widest = type_widest(type);
    assert_int_equal(type_is_float(type), holds(type, 0.5));
    assert_int_equal(type_is_signed(type), holds(type, -1) && !holds(type, 0.5));
    assert_int_equal(heddle_type_size(widest), 8);
    assert_int_equal(type_is_float(widest), type_is_float(type));
    assert_int_equal(type_is_signed(widest), type_is_signed(type));
  }
  assert_false(type_is_float(HEDDLE_TYPE_DEFAULT) || type_is_signed(HEDDLE_TYPE_DEFAULT));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_type_is_listed),
                                     cmocka_unit_test(kinds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
