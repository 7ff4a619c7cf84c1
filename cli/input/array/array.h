/* array.h - files that hold arrays under names: one of them found, as if it were a file of its own
 *
 * The stream is a plain file (stream_to_file) and is narrowed to the bytes of the array. `member` is its
 * name, NULL for the only one. */
#ifndef HEDDLE_CLI_INPUT_ARRAY_ARRAY_H
#define HEDDLE_CLI_INPUT_ARRAY_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "input/stream.h"
#include "output/npy.h"
#include "report/failure.h"

/* What first bytes say; of a file's first `count`, STREAM_PEEK at most. */
bool zip_has_magic(const unsigned char *bytes, size_t count);
bool safetensors_has_magic(const unsigned char *bytes, size_t count);

/* A member of a zip file (.npz), unpacked: what it is, is still to be found out. */
int zip_narrow(struct stream *stream, const char *member, bool two_passes, struct failure *why);
/* A tensor: all of the array is in *array, and the stream has nothing but its elements. */
int safetensors_narrow(struct stream *stream, const char *member, struct npy_header *array,
                       struct failure *why);

#endif
