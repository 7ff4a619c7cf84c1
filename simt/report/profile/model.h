/* model.h - what a profile says, ready to be printed
 *
 * Result   kernels with their totals, and for each the source lines that have figures
 * Method   read.c takes a program's figures file (profile/figures.h) and turns addresses
 *          into lines; text.c, json.c and html.c print it
 * Limits   all are estimates at the level of the source, of code compiled at -O1
 */
#ifndef SIMT_REPORT_PROFILE_MODEL_H
#define SIMT_REPORT_PROFILE_MODEL_H

#include "gpu.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Accesses of one space. A request is one access by the lanes of a warp together. */
struct profile_memory {
  uint64_t requests, lanes; /* lanes: of all requests together */
  uint64_t units, ideal;    /* global: sectors of 32 bytes; shared: turns of the banks */
  uint64_t worst; /* units of the worst request; shared: lanes that one bank keeps waiting,
                               itself included (the degree of the conflict) */
  uint64_t bytes_read, bytes_written; /* by lanes; an atomic operation counts as both */
};

struct profile_atomics {
  uint64_t requests, lanes;
  uint64_t turns;  /* summed over requests: lanes at the address with the most of them */
  uint64_t worst;  /* the most lanes of a warp at one address */
  uint64_t at_one; /* the most operations at one address during one launch (shared: one block) */
};

struct profile_figures {
  uint64_t issues, lanes; /* basic blocks by warps, and by threads: lanes / (32 issues) is the SIMT
                             efficiency */
  struct profile_memory global, shared;
  struct profile_atomics atomics;
  uint64_t barriers; /* by blocks */
};

struct profile_line {
  const char *file; /* as symbols.h has it; may not be readable here */
  unsigned line;
  uint64_t executions; /* by threads: of the block or access on this line that ran most often */
  struct profile_figures figures;
  const char *text; /* of the source, without its end; NULL: not readable */
};

struct profile_kernel {
  const char *name, *file; /* of the definition */
  unsigned line;
  uint64_t launches, blocks, warps, threads; /* of all launches */
  unsigned grid[3], block[3];                /* of the largest launch */
  bool uniform;                              /* all launches had this grid and block */
  unsigned block_threads;                    /* of that block */
  uint64_t shared_static, shared_dynamic;    /* bytes a block, of that launch */
  struct profile_figures figures;
  uint64_t steps; /* issues of the busiest warp, summed over launches */
  uint64_t work;  /* basic blocks by threads: figures.lanes */
  struct gpu_occupancy occupancy;
  struct profile_line *lines; /* by file and line */
  size_t line_count;
};

struct profile {
  const char *program; /* the first source, as given */
  int status;          /* the program's */
  const struct gpu *gpu;
  unsigned registers;             /* a thread, assumed */
  struct profile_kernel *kernels; /* in the order of their first launches */
  size_t kernel_count;
  uint64_t lost;      /* locations that found no room in the file */
  const char *limits; /* what was given up on, in words; "" for nothing */
};

/* What the three forms print alike. Each returns NaN where there is nothing to divide. */
double profile_efficiency(const struct profile_figures *f);     /* 0 to 1 */
uint64_t profile_instructions(const struct profile_figures *f); /* blocks and accesses by warps */
double profile_units(const struct profile_memory *m);           /* a request */
double profile_ideal(const struct profile_memory *m);           /* a request */
double profile_ratio(const struct profile_memory *m);           /* units by ideal */
double profile_contention(const struct profile_atomics *a);     /* turns a request */
extern const char profile_note[]; /* that these are estimates, in a sentence or two */

void profile_print_text(const struct profile *p, unsigned most_lines, FILE *out);
void profile_print_json(const struct profile *p, FILE *out);
/* html.c. 0, or -1 with errno set */
int profile_print_html(const struct profile *p, FILE *out);

#endif
