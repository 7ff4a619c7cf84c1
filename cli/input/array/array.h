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
#include "view.h"

/* What first bytes say; of a file's first `count`, STREAM_PEEK at most. */
bool zip_has_magic(const unsigned char *bytes, size_t count);
bool safetensors_has_magic(const unsigned char *bytes, size_t count);
bool fits_has_magic(const unsigned char *bytes, size_t count);
bool netcdf_has_magic(const unsigned char *bytes, size_t count);

/* A member of a zip file (.npz), unpacked: what it is, is still to be found out. */
int zip_narrow(struct stream *stream, const char *member, bool two_passes, struct failure *why);
/* A tensor: all of the array is in *array, and the stream has nothing but its elements. */
int safetensors_narrow(struct stream *stream, const char *member, struct npy_header *array,
                       struct failure *why);

/* An image of a FITS file, by its EXTNAME or its number from 0; a variable of a classic NetCDF file: the array, where
 * its elements are and what they stand for, and an allocated name. The stream is left as it is. */
typedef int array_finder(struct stream *stream, const char *member, struct npy_header *array,
                         struct array_view *view, char **name, struct failure *why);
array_finder fits_find, netcdf_find;

#endif
