/* The profiler's parts, and what they call of each other.
 *
 * profile.c     whether this process is profiled; launches, blocks, barriers
 * requests.c    the accesses of the lanes that run together, gathered by instruction
 * measure.c     what a request costs: sectors, turns of the banks, lanes at one address
 * contention.c  how often one address was the target of atomic operations
 * records.c     the records of figures, found by kernel and address
 */
#ifndef SIMT_PROFILE_H
#define SIMT_PROFILE_H

#include "figures.h"
#include "grid.h"

/* pr_on - this process is profiled */
extern bool pr_on;

/* As enum finding_access has them. */
enum pr_access { PR_READ = 1, PR_WRITE, PR_ATOMIC, PR_VOLATILE_READ, PR_VOLATILE_WRITE };
/* pr_access - `kind` is an enum pr_access, `pc` the address behind the call. Called on the running
 * lane or anywhere else */
void pr_access(struct worker *me, const void *address, size_t bytes, int kind, const void *pc);

enum { PR_SLOTS = 64 };

/* One access by lanes that run together, in ascending order of lanes. */
struct pr_request {
  const void *pc;
  uint32_t lanes, count;
  uint32_t bytes; /* of each */
  uint8_t kind;   /* enum figures_kind */
  bool reads, writes, atomic;
  uintptr_t address[LANES];
};

/* The running block as the fast way of an access needs it. */
struct pr_current {
  uintptr_t arena, arena_bytes;
  uintptr_t static_begin, static_bytes;
  uintptr_t dynamic_begin, dynamic_bytes;
  uintptr_t body, body_bytes; /* the kernel's parameters */
  const struct lane *lane;    /* whose turn it is */
  const struct warp *warp;
  unsigned ordinal, count; /* of its next request; requests gathered */
  uint32_t kernel;         /* in the figures */
  uint64_t block;          /* its sequence number */
  uint64_t steps;          /* of the launch's busiest warp so far */
  uintptr_t load;          /* the program's load address */
};
extern struct pr_current pr_current;
extern struct figures *pr_figures;

/* ---- requests.c: pr_flush measures and forgets what was gathered; the result is a hash of it,
 * 0 if it was nothing */
uint64_t pr_flush(void);

/* ---- measure.c */
struct pr_cost {
  uint32_t units, ideal, worst; /* worst: sectors; or the degree of the worst bank conflict */
  uint32_t contention;          /* the most lanes at one address */
};
void pr_measure(const struct pr_request *request, struct pr_cost *cost);

/* ---- contention.c: pr_contention - enters an atomic request; returns the most operations that
 * any of its addresses has seen */
uint64_t pr_contention(const struct pr_request *request);
void pr_contention_forget(void); /* a launch begins */

/* ---- records.c; NULL when there is no room */
struct figures_record *pr_record(const void *pc, enum figures_kind kind);
uint32_t pr_kernel(const struct grid *grid);
void pr_barrier_at(const char *file, int line, uint64_t count);

#endif
