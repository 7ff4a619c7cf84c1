/* support.h - what the tests of the input layer share: files, pipes and whole inputs read */
#ifndef HEDDLE_CLI_UNIT_SUPPORT_H
#define HEDDLE_CLI_UNIT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#undef fail /* a macro of cmocka; failure.h has a function of that name */

#include "input/input.h"
#include "report/failure.h"

/* A folder of this test program, made at the first call and removed, with what the functions here
 * put into it, at exit. */
const char *folder(void);
/* A path in it; valid until the next but 15 calls. */
const char *path_of(const char *name);

/* Writes a file into it; returns its path as path_of does. */
const char *make_file(const char *name, const void *bytes, size_t count);
const char *make_text(const char *name, const char *text);
/* The same, packed. */
const char *make_gzip(const char *name, const void *bytes, size_t count);
const char *make_zstd(const char *name, const void *bytes, size_t count);
/* A whole file, to be freed. */
unsigned char *read_file_bytes(const char *path, size_t *count);

/* Requires that the file has this text, and nothing else. */
void require_content(const char *path, const char *expected);
/* How many temporary names of output files are in the folder. */
int temporaries(void);

/* A .npy file: header and data as they are to stand in it, version 1.0 and not padded. */
unsigned char *npy_bytes(const char *dictionary, const void *data, size_t bytes, size_t *count);

/* The rest of the program reads these bytes from standard input, through a pipe that a child
 * process fills; end_pipe waits for it and puts the old standard input back. */
void begin_pipe(const void *bytes, size_t count);
void end_pipe(void);

/* A whole input, read block by block. */
struct reading {
  struct failure why; /* text "" if all went well */
  heddle_type type;
  size_t columns;
  size_t rows;
  unsigned char *data[INPUT_MAX_COLUMNS];
  char label[INPUT_MAX_COLUMNS][64];
  uint64_t bad;
};
void read_input(const struct input_options *options, struct reading *out);
void free_reading(struct reading *r);

/* Reads it and requires that the values of the first column, as doubles, are these. */
void require_values(const struct input_options *options, const double *values, size_t count);
/* Reads it and requires a failure with this exit code whose text contains `part`. */
void require_failure(const struct input_options *options, int exit_code, const char *part);
/* Fails the test, in place of fail_msg, which needs that macro. */
void reject(const char *format, ...) __attribute__((format(printf, 1, 2)));
void require_contains(const char *text, const char *part);

/* 1 for a full run; 16 with HEDDLE_TEST_LIGHT set, as where the processor is a program: of cases that
 * are many of a kind, one in so many is enough there. */
unsigned lightness(void);

/* Runs it in a child process; returns its exit status, or -1 if a signal ended it. What it wrote
 * to stderr is in message. */
int run_child(void (*body)(void *), void *argument, char *message, size_t room);

#endif
