/* together.h - chosen elements moved together, 64 at a time as the bits of a word
 *
 * Result    the chosen ones, one behind the other; or all, with another element in the place of the rest
 * Method    Vectors are compressed where the processor has instructions for it (AVX-512), or shuffled by a
 *           table of eight (AVX2); else every element is written, and the next one over it unless it is
 *           chosen. Words of all or none are copied or left out.
 * Limits    HEDDLE_ISA chooses among them, as it does in the library */
#ifndef HEDDLE_PYTHON_COLUMNS_TOGETHER_H
#define HEDDLE_PYTHON_COLUMNS_TOGETHER_H

#include <stddef.h>
#include <stdint.h>

enum {
  TOGETHER_WORD = 64, /* elements of a word */
  TOGETHER_ROOM = 64  /* bytes that may be written behind what is to be written */
};

struct together_kernels {
  /* The elements of 1, 2, 4 or 8 bytes at `from` whose bit is set, lowest first, go to `to`. Returns where
   * the next one goes. */
  char *(*words)(const char *from, size_t bytes, const uint64_t *words, size_t count, char *to);
  /* All elements of 4 or 8 bytes at `from`, as many as bits, go to `to`, where one that is not set becomes
   * *fill. */
  void (*filled)(const char *from, size_t bytes, const uint64_t *words, size_t count,
                 const void *fill, char *to);
  size_t (*count)(const uint64_t *words, size_t count); /* of bits that are set */
};

/* What this processor does best. */
const struct together_kernels *together_kernels(void);
/* By vectors; NULL: the processor has none of them. */
const struct together_kernels *together_by_vectors(void);
/* n < 64 elements, of which nothing behind is read. */
char *together_rest(const char *from, size_t bytes, uint64_t word, size_t n, char *to);

#endif
