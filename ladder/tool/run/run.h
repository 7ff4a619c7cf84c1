/* run.h - compiles and runs rungs, and judges them
 *
 * Result   of each rung: what it said in JSON, the device's counters, what the checker and the
 *          profiler reported, the outcome
 * Method   simt: heddle-run compiles (its cache is by content) and runs, as many rungs at once
 *          as there are processors, with -DLADDER_COUNT; heddle-check and heddle-profile compile
 *          and run it again, each for itself. cuda: nvcc -O3 -arch=native into a
 *          cache folder, as many at once; then the programs one by one, since they are timed
 */
#ifndef LADDER_TOOL_RUN_RUN_H
#define LADDER_TOOL_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json/value.h"
#include "catalog.h"
#include "jobs.h"
#include "options.h"

enum outcome { OUTCOME_RIGHT, OUTCOME_CAUGHT, OUTCOME_NEEDS_CHECK, OUTCOME_WRONG, OUTCOMES };

/* A rung under the checker or the profiler. */
struct observed {
  bool asked;
  struct job job;
  struct json_value report; /* kind JSON_NULL: it left none */
};

struct result {
  const struct rung *rung;
  struct job job;
  struct observed check, profile;
  char *picture;                          /* file of frames, or NULL */
  struct json_value json;                 /* what the rung said; kind JSON_NULL if nothing */
  double barriers, collectives, launches; /* -1: not known */
  enum outcome outcome;
  char *says; /* why, if not right: one line */
};

/* The best rates that this GPU reaches, measured by common/ceiling.cu; 0 if not known. */
struct ceiling {
  double read_gbs, copy_gbs;
};

/* run_rungs - fills job to says of each result; `o` says how. ceiling may be NULL on simt. */
void run_rungs(struct result *result, size_t count, const struct catalog *c,
               const struct options *o, struct ceiling *ceiling);
void results_free(struct result *result, size_t count);

/* judge - sets outcome and says from job, json and check */
void judge(struct result *r, bool cuda, double limit_seconds);

/* shorten_paths - in place: the ladder's files by family and name, wherever it is installed */
void shorten_paths(char *text, const struct rung *rung);

#endif
