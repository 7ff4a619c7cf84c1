/* stream_file.c - a part of a file as a stream of its own, a pipe as a file, a stream that is made
 *
 * Method  A part moves the begin and the size that stream.c reads within. What is no plain file is first
 *         copied to one without a name (spool.c), whose descriptor takes the place of the first. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream_parts.h"

enum { COPY_BYTES = 1 << 20 };

static int copy_all(struct stream *s, struct spool *copy, struct failure *why) {
  char *const block = malloc(COPY_BYTES);
  size_t got = 0;
  int status = block ? 0 : fail(why, EXIT_DATA, "%s: no memory to read it", s->name);
  do {
    if (status == 0) status = stream_read(s, block, COPY_BYTES, &got, why);
    if (status == 0) status = spool_append(copy, block, got, why);
  } while (status == 0 && got == COPY_BYTES);
  free(block);
  return status;
}

static int make_file(struct stream *s, struct failure *why) {
  const struct spool_use use = {s->name, NULL, "is read here and there",
                                "put it in a file, or set TMPDIR to a folder"};
  struct spool *copy;
  if (spool_open(&use, &copy, why) != 0) return -1;
  if (copy_all(s, copy, why) != 0) {
    spool_close(copy);
    return -1;
  }
  decoder_close(s->decoder);
  spool_close(s->spool);
  free(s->held);
  if (s->close_fd) close(s->fd);
  s->decoder = NULL;
  s->spool = NULL;
  s->held = NULL;
  if (s->under && !s->own_name) {
    s->own_name = s->under->own_name; /* it may be this one's name */
    s->under->own_name = NULL;
  }
  stream_close(s->under); /* all of it is here */
  if (s->release) s->release(s->made_by);
  s->release = NULL;
  s->made = NULL;
  s->under = NULL;
  s->bytes = spool_bytes(copy);
  s->fd = spool_take(copy);
  s->close_fd = s->sized = true;
  s->ended = s->narrow = false;
  s->begin = s->taken = s->position = 0;
  s->ahead_begin = s->ahead_end = s->held_begin = s->held_end = 0;
  return 0;
}

int stream_to_file(struct stream *stream, struct failure *why) {
  return stream->sized && !stream->decoder ? 0 : make_file(stream, why);
}

bool stream_is_own_file(const struct stream *stream) {
  return stream->sized && !stream->decoder && !stream->narrow && stream->begin == 0;
}

int stream_to_own_file(struct stream *stream, struct failure *why) {
  return stream_is_own_file(stream) ? 0 : make_file(stream, why);
}

int stream_at(const struct stream *stream, uint64_t offset, void *buffer, size_t bytes,
              struct failure *why) {
  char *to = buffer;
  if (offset > stream->bytes || bytes > stream->bytes - offset)
    return fail(
        why, EXIT_DATA,
        "%s: it points to bytes %llu to %llu, of %llu that it has: it is cut off or damaged; "
        "get it again",
        stream->name, (unsigned long long)offset, (unsigned long long)(offset + bytes),
        (unsigned long long)stream->bytes);
  while (bytes > 0) {
    const ssize_t n = pread(stream->fd, to, bytes, (off_t)(stream->begin + offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(why, EXIT_DATA, "cannot read %s: %s", stream->name, strerror(errno));
    if (n == 0)
      return fail(why, EXIT_DATA,
                  "%s became shorter while it was being read; let no other program write to it and "
                  "run this again",
                  stream->name);
    to += n;
    offset += (uint64_t)n;
    bytes -= (size_t)n;
  }
  return 0;
}

int stream_narrow(struct stream *stream, const struct stream_part *part, struct failure *why) {
  struct stream *const s = stream;
  if (part->begin > s->bytes || part->bytes > s->bytes - part->begin) {
    (void)fail(why, EXIT_DATA,
               "%s: it lies behind the end of the file, which is cut off or damaged; get it again",
               part->name);
    free(part->name);
    return -1;
  }
  free(s->own_name);
  s->name = s->own_name = part->name;
  s->begin += part->begin;
  s->bytes = part->bytes;
  s->narrow = true;
  s->taken = s->position = 0;
  s->ahead_begin = s->ahead_end = 0;
  if (!part->deflated) return 0;
  if (decoder_open(COMPRESSION_DEFLATE, s->name, stream_read_file, s, &s->decoder, why) != 0)
    return -1;
  decoder_expect(s->decoder, part->unpacked, part->crc);
  return part->two_passes ? stream_keep(s, why) : 0;
}

int stream_open_made(const char *name, stream_maker *make, void *user, struct stream *under,
                     struct stream **out, struct failure *why) {
  struct stream *const s = calloc(1, sizeof *s);
  if (!s) return fail(why, EXIT_DATA, "%s: no memory to read it", name);
  s->name = name;
  s->made = make;
  s->made_by = user;
  s->under = under;
  s->fd = s->given_up = -1;
  *out = s;
  return 0;
}

void stream_give(struct stream *stream, void release(void *user), char *name) {
  stream->release = release;
  stream->own_name = name;
}
