/* Direction vectors, and points of Sobol' sequences, for the generators of curand/. */
#ifndef SIMT_CURAND_SOBOL_H
#define SIMT_CURAND_SOBOL_H

#include "curand.h"

enum { SOBOL_DIMENSIONS = 37 };

/* Points of a sequence, one dimension after the other: what one call of the host API fills. */
struct sobol {
  unsigned dimensions, dimension;   /* how many; the one that comes next */
  unsigned long long first, points; /* of this fill */
  unsigned long long index, left;   /* within the dimension at hand */
  unsigned long long x;
  const unsigned long long *vectors;
  int scrambled;
};

/* sobol_begin - the next fill: `points` points, from where the last one ended */
void sobol_begin(struct sobol *s, unsigned long long points);
/* sobol_next - 64 bits of a coordinate; a 32-bit sequence takes the upper half */
unsigned long long sobol_next(struct sobol *s);

#endif
