/* shortest.h - the shortest decimal that reads back as the same float */
#ifndef HEDDLE_CLI_TEXT_SHORTEST_H
#define HEDDLE_CLI_TEXT_SHORTEST_H

#include <stdint.h>

/* A binary format: bits of its significand, and the exponent of its least positive number. */
struct float_format {
  int precision, least;
};

/* digits x 10^exponent; digits does not end in 0, unless it is 0. */
struct shortest {
  uint64_t digits;
  int exponent;
};

/* Of all decimals that round to `value`, those of the fewest digits, and of these the nearest to
 * it. value is finite, its sign ignored, and a number of the format. Not for several threads. */
struct shortest shortest_decimal(struct float_format format, double value);

#endif
