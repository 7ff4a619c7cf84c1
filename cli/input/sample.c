/* sample.c - pieces read by their offsets, each from its first line end to its last */
#define _GNU_SOURCE
#include "sample.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "text/number.h"

/* Bytes of whole lines of a piece, moved to its front. */
static size_t whole_lines(char *piece, size_t bytes) {
  const char *const first = memchr(piece, '\n', bytes);
  const char *const last = first ? memrchr(piece, '\n', bytes) : NULL;
  if (!last) return 0;
  const size_t whole = (size_t)(last - first);
  memmove(piece, first + 1, whole);
  return whole;
}

int input_sample(const struct input *in, size_t pieces, size_t piece_bytes,
                 struct records_block *block, struct failure *why) {
  int fd;
  uint64_t begin, bytes;
  block->bytes = 0;
  block->quotes = false;
  if (pieces < 2 || !stream_is_file(in->stream, &fd, &begin, &bytes) ||
      bytes / pieces <= piece_bytes)
    return 0;
  const size_t room = pieces * piece_bytes + NUMBER_PADDING + 1;
  char *const text = realloc(block->text, room);
  if (!text) return fail(why, EXIT_DATA, "%s: no memory to read it", in->name);
  block->text = text;
  block->room = room;
  const uint64_t step = (bytes - piece_bytes) / (pieces - 1);
  for (size_t i = 0; i < pieces; i++) {
    const ssize_t got = pread(fd, text + block->bytes, piece_bytes, (off_t)(begin + i * step));
    if (got > 0) block->bytes += whole_lines(text + block->bytes, (size_t)got);
  }
  block->quotes = block->bytes > 0 && memchr(text, '"', block->bytes) != NULL;
  memset(text + block->bytes, 0, NUMBER_PADDING);
  return 0;
}
