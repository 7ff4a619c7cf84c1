/* lz4.h - an LZ4 frame unpacked, whole */
#ifndef HEDDLE_CLI_INPUT_ARROW_LZ4_H
#define HEDDLE_CLI_INPUT_ARROW_LZ4_H

#include <stdbool.h>
#include <stddef.h>

enum { LZ4_RATIO_MOST = 255 }; /* a byte of a frame is at most so many unpacked */

/* Whether the frame, all of `from`, unpacks to exactly `room` bytes. */
bool lz4_unpack(const unsigned char *from, size_t bytes, unsigned char *to, size_t room);

#endif
