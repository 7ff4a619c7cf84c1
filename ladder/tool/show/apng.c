/* apng.c - an animated PNG
 *
 * Result   signature, IHDR, acTL, then for each frame fcTL and its image data, IEND
 * Method   a row is filtered by Up (the byte above is taken off), which suits smooth pictures,
 *          and a frame is one zlib stream: IDAT for the first, fdAT with a running number after
 * Source   PNG 1.2, ch. 5 and 6; APNG specification 1.0
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/text.h"
#include "failure.h"
#include "frames.h"
#include "paths.h"

enum { CHANNELS = 4, FILTER_UP = 2 };

static void put32(unsigned char *to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void add32(struct text *t, uint32_t value) {
  unsigned char bytes[4];
  put32(bytes, value);
  text_add(t, bytes, sizeof bytes);
}

static void chunk(struct text *out, const char *type, const void *data, size_t bytes) {
  add32(out, (uint32_t)bytes);
  const size_t start = out->length;
  text_add(out, type, 4);
  text_add(out, data, bytes);
  add32(out, (uint32_t)crc32(0, (const Bytef *)out->data + start, (uInt)(out->length - start)));
}

static void header(struct text *out, const struct frames *f) {
  unsigned char ihdr[13] = {0}, actl[8];
  text_add(out, "\x89PNG\r\n\x1a\n", 8);
  put32(ihdr, (uint32_t)f->width);
  put32(ihdr + 4, (uint32_t)f->height);
  ihdr[8] = 8; /* bits a channel */
  ihdr[9] = 6; /* RGBA */
  chunk(out, "IHDR", ihdr, sizeof ihdr);
  put32(actl, (uint32_t)f->count);
  put32(actl + 4, 0); /* for ever */
  chunk(out, "acTL", actl, sizeof actl);
}

/* A frame's rows, filtered and compressed; the caller frees them. */
static unsigned char *compress_frame(const struct frames *f, size_t number, size_t *bytes) {
  const size_t row = CHANNELS * (size_t)f->width, height = (size_t)f->height;
  const unsigned char *pixels = f->rgba + number * row * height;
  unsigned char *filtered = text_grow(NULL, (row + 1) * height);
  for (size_t y = 0; y < height; y++) {
    unsigned char *to = filtered + y * (row + 1);
    *to++ = FILTER_UP;
    for (size_t i = 0; i < row; i++) {
      const unsigned char above = y ? pixels[(y - 1) * row + i] : 0;
      to[i] = (unsigned char)(pixels[y * row + i] - above);
    }
  }
  uLongf used = compressBound((uLong)((row + 1) * height));
  unsigned char *packed = text_grow(NULL, used);
  if (compress2(packed, &used, filtered, (uLong)((row + 1) * height), 9) != Z_OK)
    fail("zlib could not compress a frame");
  free(filtered);
  *bytes = used;
  return packed;
}

static void add_frame(struct text *out, const struct frames *f, size_t number, int delay_ms,
                      uint32_t *sequence) {
  unsigned char fctl[26] = {0};
  size_t bytes = 0;
  unsigned char *packed = compress_frame(f, number, &bytes);
  put32(fctl, (*sequence)++);
  put32(fctl + 4, (uint32_t)f->width);
  put32(fctl + 8, (uint32_t)f->height);
  fctl[20] = (unsigned char)(delay_ms >> 8); /* delay_ms / 1000 s, both of 16 bits */
  fctl[21] = (unsigned char)delay_ms;
  fctl[22] = 1000 >> 8;
  fctl[23] = 1000 & 255;
  chunk(out, "fcTL", fctl, sizeof fctl);
  if (number == 0) {
    chunk(out, "IDAT", packed, bytes);
  } else {
    struct text data = {0};
    add32(&data, (*sequence)++);
    text_add(&data, packed, bytes);
    chunk(out, "fdAT", data.data, data.length);
    free(data.data);
  }
  free(packed);
}

void apng_write(const char *path, const struct frames *f, int delay_ms) {
  struct text out = {0};
  uint32_t sequence = 0;
  header(&out, f);
  for (size_t i = 0; i < f->count; i++) add_frame(&out, f, i, delay_ms, &sequence);
  chunk(&out, "IEND", "", 0);
  char *partial = file_partial(path);
  FILE *file = fopen(partial, "wb");
  const bool good = file && fwrite(out.data, 1, out.length, file) == out.length;
  if ((file && fclose(file) != 0) || !good || !file_settle(partial, path)) {
    const char *why = strerror(errno);
    if (strcmp(partial, path) != 0) unlink(partial);
    fail("cannot write %s: %s", path, why);
  }
  free(partial);
  free(out.data);
}
