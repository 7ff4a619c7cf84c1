/* stream.c - three layers: the file, what unpacks it, a copy for a second pass
 *
 * Method    Three layers: the file itself, by pread where it has a size (never by a map, so a file
 *           that shrinks meanwhile just ends early), else by read; unpacking (compress.c); and for
 *           two passes over what cannot be read again, a copy in a temporary file (spool.c) that
 *           is written as the first pass goes.
 *           What has no size is read by pieces of HELD_BYTES or more, never less: a file of
 *           /proc/sys, a datagram or a terminal's line answers one read and drops what did not fit.
 * Limits    files of /proc and /sys tell no size, or a wrong one: they are read as pipes are. */
#define _GNU_SOURCE
#include "stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "magic.h"
#include "stream_parts.h"

/* HELD_BYTES: larger than any datagram, and than what a file of /proc/sys has. */
enum { PIPE_BYTES = 1 << 20, SKIP_BYTES = 1 << 16, HELD_BYTES = 1 << 18 };

/* ---- the file itself ----------------------------------------------------------------------- */

static int shrunk(const struct stream *s, struct failure *why) {
  return fail(why, EXIT_DATA,
              "%s became shorter while it was being read; let no other program write to it and run "
              "this again",
              s->name);
}

/* An end before the size that the file had when it was opened. Pseudo files may claim a size that
 * they do not have, and go on claiming it: that is no change. */
static int check_end(const struct stream *s, struct failure *why) {
  struct stat st;
  if (!s->sized || s->taken >= s->bytes || fstat(s->fd, &st) != 0) return 0;
  return (uint64_t)st.st_size < s->begin + s->bytes ? shrunk(s, why) : 0;
}

void stream_may_give_up(struct stream *stream) {
  if (stream->under) stream = stream->under;
  if (!stream->sized && !stream->made && stream->given_up < 0)
    stream->given_up = eventfd(0, EFD_CLOEXEC);
}

void stream_give_up(struct stream *stream) {
  if (stream->under) stream = stream->under;
  const uint64_t one = 1;
  if (stream->given_up >= 0 && write(stream->given_up, &one, sizeof one) < 0)
    return; /* cannot be */
}

/* Until there is something to read, or an end; false if nobody waits for it any more. */
static bool await(const struct stream *s) {
  struct pollfd sources[] = {{.fd = s->fd, .events = POLLIN},
                             {.fd = s->given_up, .events = POLLIN}};
  if (s->given_up < 0) return true;
  while (poll(sources, 2, -1) < 0 && errno == EINTR) continue;
  return sources[1].revents == 0;
}

/* One read, *got 0 only at the end. */
static int read_once(struct stream *s, void *buffer, size_t capacity, size_t *got,
                     struct failure *why) {
  *got = 0;
  if (s->ended) return 0;
  if (s->narrow && capacity > s->bytes - s->taken) capacity = (size_t)(s->bytes - s->taken);
  if (capacity == 0) return 0;
  for (;;) {
    if (!await(s)) return fail(why, EXIT_INTERRUPTED, "%s: the read was given up", s->name);
    const ssize_t n = s->sized ? pread(s->fd, buffer, capacity, (off_t)(s->begin + s->taken))
                               : read(s->fd, buffer, capacity);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(why, EXIT_DATA, "cannot read %s: %s", s->name, strerror(errno));
    *got = (size_t)n;
    if (n > 0) return 0;
    s->ended = !s->sized;
    return check_end(s, why);
  }
}

/* At least `wanted` bytes held, unless there are no more. */
static int hold(struct stream *s, size_t wanted, struct failure *why) {
  if (!s->held) s->held = malloc(2 * HELD_BYTES);
  if (!s->held) return fail(why, EXIT_DATA, "%s: no memory to read it", s->name);
  memmove(s->held, s->held + s->held_begin, s->held_end - s->held_begin);
  s->held_end -= s->held_begin;
  s->held_begin = 0;
  while (s->held_end < wanted && !s->ended) {
    size_t n;
    if (read_once(s, s->held + s->held_end, HELD_BYTES, &n, why) != 0) return -1;
    s->held_end += n;
  }
  return 0;
}

/* Some bytes, *got 0 only at the end. */
int stream_read_file(void *user, void *buffer, size_t capacity, size_t *got, struct failure *why) {
  struct stream *const s = user;
  const bool empty = s->held_begin == s->held_end;
  if (s->made) return s->made(s->made_by, buffer, capacity, got, why);
  if (s->sized || (empty && capacity >= HELD_BYTES)) {
    if (read_once(s, buffer, capacity, got, why) != 0) return -1;
  } else {
    if (empty && hold(s, 1, why) != 0) return -1;
    *got = s->held_end - s->held_begin;
    if (*got > capacity) *got = capacity;
    memcpy(buffer, s->held + s->held_begin, *got);
    s->held_begin += *got;
  }
  s->taken += *got;
  return 0;
}

static int fill(struct stream *s, pull_bytes *pull, void *buffer, size_t capacity, size_t *got,
                struct failure *why) {
  *got = 0;
  while (*got < capacity) {
    size_t n = 0;
    if (pull(s, (char *)buffer + *got, capacity - *got, &n, why) != 0) return -1;
    if (n == 0) break;
    *got += n;
  }
  return 0;
}

/* The first bytes as they lie in the file, which are read again afterwards. */
static int look_at_magic(struct stream *s, unsigned char magic[MAGIC_BYTES], size_t *count,
                         struct failure *why) {
  if (s->sized) {
    const int status = fill(s, stream_read_file, magic, MAGIC_BYTES, count, why);
    s->taken = 0;
    return status;
  }
  if (hold(s, MAGIC_BYTES, why) != 0) return -1;
  *count = s->held_end < MAGIC_BYTES ? s->held_end : MAGIC_BYTES;
  memcpy(magic, s->held, *count);
  return 0;
}

static bool tells_no_size(int fd) {
  struct statfs fs;
  return fstatfs(fd, &fs) == 0 && (fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC);
}

static int find_size(struct stream *s, struct failure *why) {
  struct stat st;
  if (fstat(s->fd, &st) != 0)
    return fail(why, EXIT_DATA, "cannot read %s: %s", s->name, strerror(errno));
  if (S_ISDIR(st.st_mode))
    return fail(why, EXIT_DATA, "%s is a directory; name a file in it", s->name);
  s->sized = S_ISREG(st.st_mode) && st.st_size > 0 && !tells_no_size(s->fd);
  if (s->sized) {
    /* Standard input may have been read from already, by another program of the same shell. */
    const off_t position = s->close_fd ? 0 : lseek(s->fd, 0, SEEK_CUR);
    s->begin = position > 0 ? (uint64_t)position : 0;
    s->bytes = (uint64_t)st.st_size > s->begin ? (uint64_t)st.st_size - s->begin : 0;
    (void)posix_fadvise(s->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  } else if (S_ISFIFO(st.st_mode)) {
    (void)fcntl(s->fd, F_SETPIPE_SZ, PIPE_BYTES); /* fewer switches; the default works too */
  }
  return 0;
}

static int open_spool(struct stream *s, struct failure *why) {
  const struct spool_use use = {s->name, NULL, "is read twice", "set TMPDIR to a folder"};
  return spool_open(&use, &s->spool, why);
}

static int open_layers(struct stream *s, const struct stream_options *options,
                       struct failure *why) {
  if (find_size(s, why) != 0) return -1;
  if (!options->as_is) {
    unsigned char magic[MAGIC_BYTES];
    size_t count;
    if (look_at_magic(s, magic, &count, why) != 0) return -1;
    if (magic_check_packed(s->name, magic, count, why) != 0) return -1;
    const enum compression kind = compression_of(magic, count);
    if (kind != COMPRESSION_NONE &&
        decoder_open(kind, s->name, stream_read_file, s, &s->decoder, why))
      return -1;
  }
  if (options->two_passes && (!s->sized || s->decoder)) return open_spool(s, why);
  return 0;
}

int stream_open(const char *path, const struct stream_options *options, struct stream **out,
                struct failure *why) {
  struct stream *const s = calloc(1, sizeof *s);
  if (!s) return fail(why, EXIT_DATA, "%s: no memory to read it", path);
  const bool standard = strcmp(path, "-") == 0;
  s->name = standard ? "standard input" : path;
  s->close_fd = !standard;
  s->given_up = -1;
  s->fd = STDIN_FILENO;
  while (!standard) {
    s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (s->fd >= 0) break;
    if (errno == EINTR) continue;
    fail(why, EXIT_DATA, "cannot open %s: %s", path, strerror(errno));
    free(s);
    return -1;
  }
  if (open_layers(s, options, why) != 0) {
    stream_close(s);
    return -1;
  }
  *out = s;
  return 0;
}

void stream_close(struct stream *stream) {
  if (!stream) return;
  decoder_close(stream->decoder);
  spool_close(stream->spool);
  free(stream->held);
  free(stream->own_name);
  if (stream->release) stream->release(stream->made_by);
  stream_close(stream->under);
  if (stream->close_fd) close(stream->fd);
  if (stream->given_up >= 0) close(stream->given_up);
  free(stream);
}

const char *stream_name(const struct stream *stream) { return stream->name; }

/* ---- reading ------------------------------------------------------------------------------- */

static int read_unpacked(struct stream *s, void *buffer, size_t capacity, size_t *got,
                         struct failure *why) {
  return s->decoder ? decoder_read(s->decoder, buffer, capacity, got, why)
                    : fill(s, stream_read_file, buffer, capacity, got, why);
}

/* From the copy as far as it goes, then from the source, which the copy then has as well. */
static int read_spooled(struct stream *s, void *buffer, size_t capacity, size_t *got,
                        struct failure *why) {
  if (spool_read(s->spool, s->position, buffer, capacity, got, why) != 0) return -1;
  s->position += *got;
  if (*got == capacity) return 0;
  char *const rest = (char *)buffer + *got;
  size_t fresh;
  if (read_unpacked(s, rest, capacity - *got, &fresh, why) != 0) return -1;
  if (!s->last_pass && spool_append(s->spool, rest, fresh, why) != 0) return -1;
  s->position += fresh;
  *got += fresh;
  return 0;
}

static int read_through(struct stream *s, void *buffer, size_t capacity, size_t *got,
                        struct failure *why) {
  return s->spool ? read_spooled(s, buffer, capacity, got, why)
                  : read_unpacked(s, buffer, capacity, got, why);
}

int stream_read(struct stream *stream, void *buffer, size_t capacity, size_t *got,
                struct failure *why) {
  size_t ahead = stream->ahead_end - stream->ahead_begin;
  if (ahead > capacity) ahead = capacity;
  memcpy(buffer, stream->ahead + stream->ahead_begin, ahead);
  stream->ahead_begin += ahead;
  *got = ahead;
  if (ahead == capacity) return 0;
  size_t fresh;
  if (read_through(stream, (char *)buffer + ahead, capacity - ahead, &fresh, why) != 0) return -1;
  *got += fresh;
  return 0;
}

int stream_peek(struct stream *stream, unsigned char bytes[STREAM_PEEK], size_t *count,
                struct failure *why) {
  const size_t held = stream->ahead_end - stream->ahead_begin;
  memmove(stream->ahead, stream->ahead + stream->ahead_begin, held);
  size_t fresh;
  if (read_through(stream, stream->ahead + held, STREAM_PEEK - held, &fresh, why) != 0) return -1;
  stream->ahead_begin = 0;
  stream->ahead_end = held + fresh;
  memcpy(bytes, stream->ahead, held + fresh);
  *count = held + fresh;
  return 0;
}

int stream_skip(struct stream *stream, uint64_t bytes, uint64_t *passed, struct failure *why) {
  *passed = 0;
  while (*passed < bytes) {
    const uint64_t left = bytes - *passed;
    const bool seeks =
        stream->sized && !stream->decoder && stream->ahead_begin == stream->ahead_end;
    if (seeks) {
      const uint64_t rest = stream->bytes > stream->taken ? stream->bytes - stream->taken : 0;
      const uint64_t step = left < rest ? left : rest;
      stream->taken += step;
      *passed += step;
      return 0;
    }
    unsigned char dropped[SKIP_BYTES];
    size_t got;
    const size_t wanted = left < sizeof dropped ? (size_t)left : sizeof dropped;
    if (stream_read(stream, dropped, wanted, &got, why) != 0) return -1;
    *passed += got;
    if (got < wanted) return 0;
  }
  return 0;
}

int stream_keep(struct stream *stream, struct failure *why) {
  if (stream->spool || (stream->sized && !stream->decoder)) return 0;
  if (open_spool(stream, why) != 0) return -1;
  stream->position = stream->ahead_end;
  return spool_append(stream->spool, stream->ahead, stream->ahead_end, why);
}

void stream_keep_no_more(struct stream *stream) { stream->last_pass = true; }

int stream_rewind(struct stream *stream, struct failure *why) {
  if (!stream->spool && (!stream->sized || stream->decoder))
    return fail(why, EXIT_DATA, "%s cannot be read twice; put it in a file", stream->name);
  stream->ahead_begin = stream->ahead_end = 0;
  stream->position = 0;
  if (!stream->spool) stream->taken = 0;
  return 0;
}

bool stream_is_file(const struct stream *stream, int *fd, uint64_t *begin, uint64_t *bytes) {
  *fd = stream->fd;
  *begin = stream->begin;
  *bytes = stream->bytes;
  return stream->sized && !stream->decoder;
}

void stream_progress(const struct stream *stream, uint64_t *done, uint64_t *total) {
  const bool copy = stream->spool && stream->position < spool_bytes(stream->spool);
  if (stream->under && !copy) {
    stream_progress(stream->under, done, total);
    return;
  }
  *done = copy ? stream->position : stream->taken;
  *total = copy ? spool_bytes(stream->spool) : stream->sized ? stream->bytes : 0;
}
