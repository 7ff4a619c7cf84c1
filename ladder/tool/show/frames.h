/* frames.h - pictures: PAM in, PNG and animated PNG out
 *
 * Result   frames of RGBA; a PNG through libpng; an APNG, which libpng does not write, by its
 *          chunks, compressed by zlib
 * Source   PNG 1.2 and the APNG specification (acTL, fcTL, fdAT)
 */
#ifndef LADDER_TOOL_SHOW_FRAMES_H
#define LADDER_TOOL_SHOW_FRAMES_H

#include <stddef.h>

#include "paths.h"

struct frames {
  int width, height;
  size_t count;
  unsigned char *rgba; /* one frame behind the other */
};

/* frames_read - the RGBA PAM pictures of one size in a file; NULL, or what is wrong with it */
const char *frames_read(const char *path, struct frames *f);
void frames_free(struct frames *f);

/* frames_beside - left and right in one picture, with a white gap; the first frames of each */
void frames_beside(const struct frames *left, const struct frames *right, struct frames *out);

/* Both end the program if the file cannot be written; no half file is left. png_write: the
 * first frame alone. apng_write: every frame for `delay_ms`, in an endless loop. */
void png_write(const char *path, const struct frames *f);
void apng_write(const char *path, const struct frames *f, int delay_ms);

#endif
