/* stream_parts.h - what stream.c and stream_file.c share */
#ifndef HEDDLE_CLI_INPUT_STREAM_PARTS_H
#define HEDDLE_CLI_INPUT_STREAM_PARTS_H

#include "compress.h"
#include "spool.h"
#include "stream.h"

struct stream {
  int fd;
  bool close_fd;
  int given_up; /* -1, or an eventfd: it can be read once stream_give_up was called */
  bool sized;   /* a regular file: pread works, bytes is right */
  const char *name;
  char *own_name;        /* or NULL */
  bool narrow;           /* sized: nothing behind the bytes is read */
  uint64_t begin, bytes; /* where the data begin in the file, and how many there are */
  uint64_t taken;        /* bytes of the file itself, from begin on */
  unsigned char *held;   /* not sized: read, and not taken yet */
  size_t held_begin, held_end;
  bool ended;       /* not sized: a read gave nothing; a terminal would wait for more */
  pull_bytes *made; /* not a file: where the bytes come from */
  void *made_by;
  void (*release)(void *user); /* of made_by, or NULL */
  struct stream *under;        /* NULL, or what they are made of: its progress is this one's */
  struct decoder *decoder;
  struct spool *spool;
  uint64_t position; /* in the spool */
  bool last_pass;    /* nothing more goes there */
  unsigned char ahead[STREAM_PEEK];
  size_t ahead_begin, ahead_end;
};

/* Some bytes of the file itself, a struct stream *, as it lies there: a pull_bytes. */
int stream_read_file(void *user, void *buffer, size_t capacity, size_t *got, struct failure *why);

#endif
