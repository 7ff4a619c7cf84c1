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
#include "lists.h"
#include "reference.h"
#include "staged.h"

enum { MACHINES_MAX = 40 };
typedef struct machine {
  heddle_context *ctx;
  char label[64];   /* "avx2, 3 threads", "cuda:0, device arrays" */
  int spare;        /* a machine that costly tests may leave out */
  int slow;         /* a device made of software: jobs and calls are sampled, see compare.h */
  size_t isa;       /* of a CPU: its place in isa_names */
  unsigned threads; /* of a CPU; 0: the executor that runs tasks in reverse */
  int best;         /* of a CPU: no instruction set of this machine's comes after it */
} machine;
typedef struct machines {
  size_t count;
  size_t cpus; /* the machines before this one are CPUs, this one and those after it devices */
  machine of[MACHINES_MAX];
} machines;

/* The machines that this run is about. Without HEDDLE_TEST_DEVICES: for each instruction
 * set one context on one thread and one on an executor of the test's own that runs tasks in reverse, and
 * for the best of them one on each of 2 to `threads` threads, in a light run on `threads` alone.
 * HEDDLE_TEST_DEVICES is a list such as "cuda,cuda:1", "simt" or
 * "cpu,cuda": "cpu" stands for the machines above, every other word for contexts on that device
 * with all arrays in host memory, with all in device memory (staged.h), and on fewer processors. */
void machines_open(machines *all, unsigned threads);
void machines_close(machines *all);
/* The machine after i, `step` on among those of a CPU's instruction set, but no further than the next
 * set's first; no device is left out. */
size_t machines_after(const machines *all, size_t i, size_t step);
/* One context: on the first device of HEDDLE_TEST_DEVICES, or on two threads of the CPU. */
heddle_context *open_one(void);
int one_is_cpu(void); /* 1 if that is the CPU */
/* NULL if the machine lacks that instruction set. */
heddle_context *open_cpu(const char *isa, unsigned threads);
enum { ISAS = 4 };
extern const char *const isa_names[ISAS];

/* 1 for a full run; greater under sanitizers, with HEDDLE_TEST_LIGHT set, or where "simt" is
 * among the devices: tests divide lengths and repetitions by it. */
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

heddle_options make_options(heddle_nan nan, heddle_type acc, heddle_type out, const void *init);

#endif
