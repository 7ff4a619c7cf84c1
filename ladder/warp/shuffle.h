// What the four shuffle rungs share: the eight types, and the run.
//
// Two warps; widths 2, 4, 8, 16 and 32; arguments 0 to width. A logical warp of `width` lanes
// has lanes t % width = t & (width - 1), since width is a power of two.
#ifndef LADDER_SHUFFLE_H
#define LADDER_SHUFFLE_H

enum { SHUFFLE_THREADS = 64, SHUFFLE_ROWS = 3 + 5 + 9 + 17 + 33 };

#define T int
#define NAME int
#define SHIFT 0
#include "shuffle_type.h"
#define T unsigned int
#define NAME unsigned
#define SHIFT 0
#include "shuffle_type.h"
#define T long
#define NAME long
#define SHIFT 0
#include "shuffle_type.h"
#define T unsigned long
#define NAME unsigned_long
#define SHIFT 0
#include "shuffle_type.h"
#define T long long
#define NAME long_long
#define SHIFT 0
#include "shuffle_type.h"
#define T unsigned long long
#define NAME unsigned_long_long
#define SHIFT 0
#include "shuffle_type.h"
#define T float
#define NAME float
#define SHIFT 40
#include "shuffle_type.h"
#define T double
#define NAME double
#define SHIFT 11
#include "shuffle_type.h"

static int shuffle_main(int argc, char **argv, const char *source) {
  ladder_begin(argc, argv, source, SHUFFLE_THREADS, SHUFFLE_THREADS, 0);
  for (int width = 2; width <= 32; width *= 2)
    for (int t = 0; t < SHUFFLE_THREADS; ++t)
      ladder_true(t % width == (t & (width - 1)), "a lane is t % width, which is t & (width - 1)");
  test_int("int");
  test_unsigned("unsigned");
  test_long("long");
  test_unsigned_long("unsigned long");
  test_long_long("long long");
  test_unsigned_long_long("unsigned long long");
  test_float("float");
  test_double("double");
  return ladder_end();
}

#endif
