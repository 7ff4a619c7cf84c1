/* map.h - a file mapped into memory, with a clear end where it shrinks meanwhile */
#ifndef HEDDLE_CLI_INPUT_MAP_H
#define HEDDLE_CLI_INPUT_MAP_H

#include <stddef.h>

/* Maps the first `bytes` bytes of the file for reading; NULL where that does not work (the caller
 * reads instead). `name` is for the message. */
const void *map_file(int fd, size_t bytes, const char *name);
void unmap_file(const void *base); /* NULL is allowed */

#endif
