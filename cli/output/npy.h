/* npy.h - the header of a .npy file, read and written
 *
 * Source    NumPy Enhancement Proposal 1 and numpy.lib.format: versions 1.0, 2.0 and 3.0. */
#ifndef HEDDLE_CLI_OUTPUT_NPY_H
#define HEDDLE_CLI_OUTPUT_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle.h"
#include "report/failure.h"

enum {
  NPY_MAX_DIMENSIONS = 64,  /* NumPy's own limit */
  NPY_MAX_HEADER = 1 << 20, /* bytes of the dictionary; honest ones have about 100 */
  NPY_PREFIX = 12,          /* bytes that npy_read_prefix looks at, at most */
  NPY_WRITTEN_MAX = 2048    /* bytes that npy_write_header writes at most */
};

struct npy_header {
  heddle_type type;
  bool swapped; /* the elements lie in the other byte order */
  bool fortran;
  size_t dimensions;
  size_t shape[NPY_MAX_DIMENSIONS];
  size_t count;       /* elements: the product of the shape */
  size_t data_offset; /* bytes from the start of the file to the first element */
};

/* Whether these first bytes are those of a .npy file. */
bool npy_has_magic(const void *bytes, size_t count);

/* From the first bytes of the file (12, or fewer if it is shorter): where the dictionary begins
 * and how long it is. `name` stands in front of messages. */
int npy_read_prefix(const void *bytes, size_t count, const char *name, size_t *dictionary_offset,
                    size_t *dictionary_bytes, struct failure *why);

/* The dictionary itself; data_offset is left alone. */
int npy_read_dictionary(const char *text, size_t bytes, const char *name, struct npy_header *header,
                        struct failure *why);

/* A header for an array in this machine's byte order; *bytes is a multiple of 64, and 128 for
 * every one-dimensional shape, so that a count may be patched in afterwards. HEDDLE_BF16, which
 * NumPy does not know, is refused. */
int npy_write_header(heddle_type type, size_t dimensions, const size_t *shape, bool fortran,
                     unsigned char out[NPY_WRITTEN_MAX], size_t *bytes, struct failure *why);

#endif
