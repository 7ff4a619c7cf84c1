/* cases.h - arrays, ways to cut them, and every call of heddle_mpi.h on them */
#ifndef HEDDLE_TESTS_MPI_CASES_H
#define HEDDLE_TESTS_MPI_CASES_H

#include <heddle.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* Where the ranks' parts begin. CHUNKS: at multiples of 2,048. */
enum cut { EVEN, UNEVEN, LAST_HAS_ALL, FIRST_HAS_ALL, ONE_EACH, CHUNKS, CUTS };

extern MPI_Comm comm;
extern int rank, ranks;

size_t first(size_t count, enum cut cut, int of);
void fill_f32(float *x, size_t count, uint64_t seed);

/* Counts a case; one that does not hold is told of. */
void expect(int holds, const char *what, size_t count, enum cut cut);

void every_call(heddle_context *ctx);

#endif
