/* stream.h - the bytes of an input, wherever they come from
 *
 * A file, a pipe or standard input; gzip and zstd unpacked; from the start again where asked. */
#ifndef HEDDLE_CLI_INPUT_STREAM_H
#define HEDDLE_CLI_INPUT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/failure.h"

struct stream;

enum { STREAM_PEEK = 4096 }; /* enough to tell text from raw elements */

struct stream_options {
  bool as_is;      /* gzip and zstd are not unpacked */
  bool two_passes; /* stream_rewind will be called */
};

int stream_open(const char *path, const struct stream_options *options, struct stream **out,
                struct failure *why);
void stream_close(struct stream *stream); /* NULL is allowed */
/* The path, or "standard input". */
const char *stream_name(const struct stream *stream);

/* Fills the buffer; *got is short only at the end. A plain file that ends before the size that it
 * had when it was opened is a failure. */
int stream_read(struct stream *stream, void *buffer, size_t capacity, size_t *got,
                struct failure *why);
/* The next bytes, at most STREAM_PEEK, without passing over them. */
int stream_peek(struct stream *stream, unsigned char bytes[STREAM_PEEK], size_t *count,
                struct failure *why);
/* Passes over bytes; *passed is short only at the end. */
int stream_skip(struct stream *stream, uint64_t bytes, uint64_t *passed, struct failure *why);
/* As if two_passes had been set; nothing but stream_peek may have been called. The other: what is
 * to come is not read again after this pass. */
int stream_keep(struct stream *stream, struct failure *why);
void stream_keep_no_more(struct stream *stream);
int stream_rewind(struct stream *stream, struct failure *why);

/* ---- stream_file.c: parts of a file, and what is made of it */

/* Makes it a plain file if it is none: a temporary one, of all that is still to come. */
int stream_to_file(struct stream *stream, struct failure *why);
/* The same, unless it is a plain file from its first byte to its last: stream_is_own_file. */
bool stream_is_own_file(const struct stream *stream);
int stream_to_own_file(struct stream *stream, struct failure *why);
/* Of a plain file exactly the bytes from `offset` on; a failure where they are not all there. */
int stream_at(const struct stream *stream, uint64_t offset, void *buffer, size_t bytes,
              struct failure *why);
/* A part of a plain file that stands for the whole of it, under a name that is the stream's to keep:
 * its bytes are as good as a file of their own. Deflated ones become `unpacked` bytes with that CRC-32.
 * Frees the name in any case. */
struct stream_part {
  char *name; /* allocated */
  uint64_t begin, bytes, unpacked;
  uint32_t crc;
  bool deflated, two_passes;
};
int stream_narrow(struct stream *stream, const struct stream_part *part, struct failure *why);
/* A stream whose bytes `make` fills in, *got 0 only at the end; from what it reads of `under`, which may be NULL and
 * which is the new stream's to close, unless this fails. */
typedef int stream_maker(void *user, void *buffer, size_t capacity, size_t *got,
                         struct failure *why);
int stream_open_made(const char *name, stream_maker *make, void *user, struct stream *under,
                     struct stream **out, struct failure *why);

/* To a stream that is made, what is to be released with it: its maker's user, and its allocated name. */
void stream_give(struct stream *stream, void release(void *user), char *name);

/* A read by one thread may be given up by another, if may_give_up was called first: where it waits for a pipe it
 * fails, and so do all later ones. */
void stream_may_give_up(struct stream *stream);
void stream_give_up(struct stream *stream);

/* Whether it is a plain file, whose size is known and which can be mapped: its descriptor, the
 * offset where the stream begins and the bytes from there on. */
bool stream_is_file(const struct stream *stream, int *fd, uint64_t *begin, uint64_t *bytes);
/* Bytes of the file itself taken so far, and in all; *total 0 where unknown. */
void stream_progress(const struct stream *stream, uint64_t *done, uint64_t *total);

#endif
