/* support.h - what every test program here shares
 *
 * Result    contexts on every instruction set that this machine has, comparisons that say
 *           what differed, and the weight of a run
 * Limits    HEDDLE_ISA is read when a context opens, so contexts of several sets live side by
 *           side in one process */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "data.h"
#include "heddle.h"
#include "reference.h"

enum { MACHINES_MAX = 40 };
typedef struct machine {
  heddle_context *ctx;
  char label[48]; /* "avx2, 3 threads" */
  int spare;      /* a machine that costly tests may leave out */
} machine;
typedef struct machines {
  size_t count;
  machine of[MACHINES_MAX];
} machines;

/* One context for each instruction set and each of 1 to `threads` threads, and one on an
 * executor of the test's own that runs tasks in reverse. */
void machines_open(machines *all, unsigned threads);
void machines_close(machines *all);
/* NULL if the machine lacks that instruction set. */
heddle_context *open_cpu(const char *isa, unsigned threads);
extern const char *const isa_names[3];

/* 1 for a full run; greater under sanitizers or with HEDDLE_TEST_LIGHT set: tests divide
 * lengths and repetitions by it. */
size_t lightness(void);
int thread_sanitized(void); /* 1 under the thread sanitizer */

void *allocate(size_t bytes); /* aligned to 64 bytes, freed by free; aborts without memory */

/* Fails the test with a message made by the format unless the bytes are the same. */
void same_bytes(const void *expected, const void *got, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void same_status(heddle_status expected, heddle_status got, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* As same_bytes, and names the first element that differs. */
void same_array(heddle_type type, const void *expected, const void *got, size_t count,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
/* A description without its padding, and without its size. */
void same_description(const heddle_description *expected, const heddle_description *got,
                      const char *format, ...) __attribute__((format(printf, 3, 4)));

extern const heddle_type all_types[12];
extern const heddle_type float_types[4];
const char *op_name(heddle_op op);
heddle_options make_options(heddle_nan nan, heddle_type acc, heddle_type out, const void *init);

#endif
