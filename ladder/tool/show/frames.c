/* frames.c - PAM pictures are read one behind the other; one of them is written through libpng */
#include "frames.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "failure.h"
#include "paths.h"

enum { CHANNELS = 4, GAP = 16, MOST_SIDE = 1 << 15 };

static size_t frame_bytes(const struct frames *f) {
  return CHANNELS * (size_t)f->width * (size_t)f->height;
}

/* One PAM header; returns its length, 0 if it is none. */
static size_t pam_header(const char *text, int *width, int *height) {
  int length = 0;
  if (sscanf(text, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR%n",
             width, height, &length) != 2 ||
      length == 0 || text[length] != '\n')
    return 0;
  if (*width < 1 || *height < 1 || *width > MOST_SIDE || *height > MOST_SIDE) return 0;
  return (size_t)length + 1;
}

const char *frames_read(const char *path, struct frames *f) {
  size_t bytes = 0, at = 0;
  char *data = file_read(path, &bytes);
  const char *wrong = NULL;
  *f = (struct frames){0};
  if (!data) return strerror(errno);
  while (at < bytes && !wrong) {
    int width = 0, height = 0;
    const size_t header = pam_header(data + at, &width, &height);
    if (f->count == 0) f->width = width, f->height = height;
    if (header == 0 || width != f->width || height != f->height) {
      wrong = "not a row of RGBA PAM pictures of one size";
    } else if (bytes - at - header < frame_bytes(f)) {
      wrong = "the last picture is cut off";
    } else {
      f->rgba = text_grow(f->rgba, (f->count + 1) * frame_bytes(f));
      memcpy(f->rgba + f->count++ * frame_bytes(f), data + at + header, frame_bytes(f));
      at += header + frame_bytes(f);
    }
  }
  if (!wrong && f->count == 0) wrong = "no picture in it";
  free(data);
  return wrong;
}

void frames_free(struct frames *f) {
  free(f->rgba);
  *f = (struct frames){0};
}

void frames_beside(const struct frames *left, const struct frames *right, struct frames *out) {
  const struct frames *sides[2] = {left, right};
  *out = (struct frames){left->width + GAP + right->width,
                         left->height > right->height ? left->height : right->height, 1, NULL};
  out->rgba = text_grow(NULL, frame_bytes(out));
  memset(out->rgba, 255, frame_bytes(out));
  for (int side = 0; side < 2; side++) {
    const struct frames *f = sides[side];
    const size_t row = CHANNELS * (size_t)f->width, stride = CHANNELS * (size_t)out->width;
    const size_t indent = side ? CHANNELS * (size_t)(left->width + GAP) : 0;
    for (size_t y = 0; y < (size_t)f->height; y++)
      memcpy(out->rgba + y * stride + indent, f->rgba + y * row, row);
  }
}

void png_write(const char *path, const struct frames *f) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = (png_uint_32)f->width;
  image.height = (png_uint_32)f->height;
  image.format = PNG_FORMAT_RGBA;
  char *partial = file_partial(path);
  if (!png_image_write_to_file(&image, partial, 0, f->rgba, 0, NULL) ||
      !file_settle(partial, path)) {
    const char *why = image.message[0] ? image.message : strerror(errno);
    if (strcmp(partial, path) != 0) unlink(partial);
    fail("cannot write %s: %s", path, why);
  }
  free(partial);
}
