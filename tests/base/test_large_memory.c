/* test_large_memory.c - what is in memory stays as it grows, small, large, and from one to the other */
#include <stdbool.h>

#include "support.h"

#include "base/large_memory.h"

/* Small memory ends below these bytes. */
enum { LARGE = 4 << 20 };

/* A byte of each place, which no neighbour of it has. */
static unsigned char expected(size_t i) { return (unsigned char)(i * 2654435761u >> 24); }

static void fill(unsigned char *memory, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) memory[i] = expected(i);
}

static void check(const unsigned char *memory, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (memory[i] != expected(i)) fail_msg("byte %zu of %zu is %d", i, bytes, memory[i]);
}

static void every_boundary(void **arg) {
  (void)arg;
  static const size_t sizes[] = {1,         100,           LARGE - 1,     LARGE,
                                 LARGE + 1, 3 * LARGE / 2, 2 * LARGE - 1, 2 * LARGE};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  for (size_t a = 0; a < SIZES; a++)
    for (size_t b = a; b < SIZES; b++) {
      unsigned char *memory = large_memory_grow(NULL, 0, sizes[a]);
      assert_non_null(memory);
      fill(memory, 0, sizes[a]);
      memory = large_memory_grow(memory, sizes[a], sizes[b]);
      assert_non_null(memory);
      check(memory, sizes[a]);
      fill(memory, sizes[a], sizes[b]);
      check(memory, sizes[b]);
      large_memory_free(memory, sizes[b]);
    }
}

/* Several at once stand in each other's way, and have to move. */
static void grow_side_by_side(void **arg) {
  (void)arg;
  enum { COUNT = 5 };
  unsigned char *memory[COUNT] = {NULL};
  size_t bytes[COUNT] = {0};
  bool moved = false;
  for (int round = 0; round < 60; round++) {
    const size_t i = (size_t)random_below(COUNT);
    const size_t more = bytes[i] + bytes[i] / 2 + (size_t)random_below(1 << 20) + 1;
    if (more > 64u << 20) continue;
    unsigned char *const grown = large_memory_grow(memory[i], bytes[i], more);
    assert_non_null(grown);
    moved |= bytes[i] >= LARGE && grown != memory[i];
    check(grown, bytes[i]);
    fill(grown, bytes[i], more);
    memory[i] = grown;
    bytes[i] = more;
  }
  for (size_t i = 0; i < COUNT; i++) {
    check(memory[i], bytes[i]);
    large_memory_free(memory[i], bytes[i]);
  }
#if defined(__linux__)
  assert_true(moved);
#else
  (void)moved;
#endif
}

static void zeroed(void **arg) {
  (void)arg;
  static const size_t sizes[] = {1, LARGE - 1, LARGE, 3 * LARGE + 5};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    unsigned char *const memory = large_memory_zeroed(sizes[s]);
    assert_non_null(memory);
    for (size_t i = 0; i < sizes[s]; i++) assert_int_equal(memory[i], 0);
    memset(memory, 1, sizes[s]); /* another one of this size is not of this memory as it is */
    large_memory_free(memory, sizes[s]);
  }
}

static void what_cannot_be_had(void **arg) {
  (void)arg;
  unsigned char *const memory = large_memory_grow(NULL, 0, LARGE);
  assert_non_null(memory);
  fill(memory, 0, LARGE);
  assert_null(large_memory_grow(memory, LARGE, SIZE_MAX));
  assert_null(large_memory_grow(memory, LARGE, SIZE_MAX / 2));
  assert_null(large_memory_zeroed(SIZE_MAX));
  assert_null(large_memory_zeroed(SIZE_MAX / 2));
  check(memory, LARGE);
  large_memory_free(memory, LARGE);
  large_memory_free(NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_boundary),
      cmocka_unit_test(grow_side_by_side),
      cmocka_unit_test(zeroed),
      cmocka_unit_test(what_cannot_be_had),
  };
  return cmocka_run_group_tests_name("large_memory", tests, NULL, NULL);
}
