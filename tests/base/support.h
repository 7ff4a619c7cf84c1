/* support.h - what the tests of base/ share: cmocka with all that it needs, and random numbers */
#ifndef HEDDLE_TESTS_BASE_SUPPORT_H
#define HEDDLE_TESTS_BASE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* random_below - the same numbers in every run */
static inline uint64_t random_below(uint64_t n) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state >> 11) % n;
}

/* A new string of `length` characters out of `from`. */
static inline char *random_string(size_t length, const char *from) {
  char *s = malloc(length + 1);
  assert_non_null(s);
  for (size_t i = 0; i < length; i++) s[i] = from[random_below(strlen(from))];
  s[length] = 0;
  return s;
}

#endif
