/* test_ceiling.c - the loops of the ceiling read every byte once and copy it to its place
 *
 * A loop that left something out would be a ceiling too high, one that did too much one too low.
 * Every loop of every instruction set here, at all lengths and alignments that matter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/ceiling/ceiling_kernels.h"

enum { MOST = 1300, ROOM = MOST + 256 };

static uint64_t state = 88172645463325252u;
static unsigned char random_byte(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned char)(state >> 56);
}

static uint64_t expected_sum(const unsigned char *from, size_t bytes) {
  uint64_t sum = 0, word;
  size_t i = 0;
  for (; i + 8 <= bytes; i += 8) {
    memcpy(&word, from + i, 8);
    sum += word;
  }
  for (; i < bytes; i++) sum += from[i];
  return sum;
}

static void check_read(const struct ceiling_kernels *k, unsigned loop, const unsigned char *from) {
  for (size_t offset = 0; offset < 66; offset += 11)
    for (size_t bytes = 0; bytes <= MOST; bytes++)
      assert_true(k->loop[loop](NULL, from + offset, bytes) == expected_sum(from + offset, bytes));
}

static void check_copy(const struct ceiling_kernels *k, unsigned loop, const unsigned char *from) {
  static unsigned char to[ROOM], wanted[ROOM];
  for (size_t offset = 0; offset < 66; offset += 11) {
    for (size_t bytes = 0; bytes <= MOST; bytes++) {
      for (size_t i = 0; i < ROOM; i++) to[i] = wanted[i] = (unsigned char)(bytes + i);
      memcpy(wanted + offset, from + 7, bytes);
      assert_true(k->loop[loop](to + offset, from + 7, bytes) == 0);
      assert_memory_equal(to, wanted, ROOM);
    }
  }
}

static void check_all(const struct ceiling_kernels *k) {
  static unsigned char from[ROOM];
  for (size_t i = 0; i < ROOM; i++) from[i] = random_byte();
  for (unsigned loop = 0; loop < CEILING_LOOPS; loop++) {
    assert_non_null(k->loop[loop]);
    if (loop < CEILING_COPY)
      check_read(k, loop, from);
    else
      check_copy(k, loop, from);
  }
}

static void every_instruction_set(void **arg) {
  (void)arg;
  check_all(&ceiling_plain);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) check_all(&ceiling_avx2);
  if (__builtin_cpu_supports("avx512f")) check_all(&ceiling_avx512);
#endif
}

/* Parts of threads leave no gap: also where there are more threads than pages, or than 64. */
static void every_thread_count(void **arg) {
  (void)arg;
  static const size_t sizes[] = {0, 1, 4095, 4096, 8192, 12289, 1000003};
  unsigned char *from = malloc(1000003), *to = malloc(1000003);
  assert_non_null(from);
  assert_non_null(to);
  for (size_t i = 0; i < 1000003; i++) from[i] = random_byte();
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    for (unsigned threads = 0; threads <= 100; threads += threads < 5 ? 1 : 19) {
      memset(to, 0, 1000003);
      assert_true(ceiling_run(CEILING_COPY, to, from, sizes[s], threads, 2) >= 0);
      assert_memory_equal(to, from, sizes[s]);
      assert_true(ceiling_run(CEILING_READ, NULL, from, sizes[s], threads, 2) >= 0);
    }
  }
  free(from);
  free(to);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_instruction_set),
                                     cmocka_unit_test(every_thread_count)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
