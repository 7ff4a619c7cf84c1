/* What text, JSON and HTML say alike (model.h). */
#include "model.h"

#include <math.h>

const char profile_note[] =
    "Estimates at the level of the source: basic blocks and accesses of code compiled at -O1 for "
    "this processor, run in lockstep by warps of 32. No times, no caches, and not the instructions "
    "of a GPU's compiler.";

static double divide(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : (double)NAN; }

/* Of a line on which no basic block begins: by its accesses. */
double profile_efficiency(const struct profile_figures *f) {
  if (f->issues) return divide(f->lanes, 32 * f->issues);
  return divide(f->global.lanes + f->shared.lanes, 32 * (f->global.requests + f->shared.requests));
}

uint64_t profile_instructions(const struct profile_figures *f) {
  return f->issues + f->global.requests + f->shared.requests;
}

double profile_units(const struct profile_memory *m) { return divide(m->units, m->requests); }
double profile_ideal(const struct profile_memory *m) { return divide(m->ideal, m->requests); }
double profile_ratio(const struct profile_memory *m) { return divide(m->units, m->ideal); }
double profile_contention(const struct profile_atomics *a) { return divide(a->turns, a->requests); }
