/* commands.h - the command lines that compile and run a rung */
#ifndef LADDER_TOOL_RUN_COMMANDS_H
#define LADDER_TOOL_RUN_COMMANDS_H

#include <stdbool.h>

#include "base/string_list.h"
#include "catalog.h"
#include "options.h"

/* Where the tools and the library are, looked up once. */
struct tools {
  char *heddle_run;                    /* simt */
  char *heddle_check, *heddle_profile; /* simt, where they are asked for */
  char *nvcc;                          /* cuda */
  char *include;                       /* of heddle.h; NULL: not found */
  char *library;                       /* libheddle.so or .a; NULL: not found */
  char *cache;                         /* folder of compiled rungs, cuda */
};

/* tools_find - what the device needs; what is missing is named, and ends the program */
void tools_find(struct tools *t, const struct options *o);
void tools_free(struct tools *t);

/* command_simt - heddle-run for a rung; the counters go to the file `counts` */
void command_simt(struct string_list *l, const struct tools *t, const struct rung *r,
                  const struct options *o, const char *counts, const char *picture);

/* command_observed - the same under heddle-check or heddle-profile; what it says goes to the file
 * `report` as JSON. Nothing is counted by the rung itself. */
void command_observed(struct string_list *l, const struct tools *t, const char *tool,
                      const struct rung *r, const struct options *o, const char *report);

/* command_nvcc - compiles `source` to `program`.PID, the last word of the command, which the caller
 * moves to `program`; left empty if `program` is there already. command_program - runs it */
char *cached_program(const struct tools *t, const struct catalog *c, const char *source);
void command_nvcc(struct string_list *l, const struct tools *t, const char *source,
                  bool links_heddle, const char *program);
void command_program(struct string_list *l, const char *program, const struct rung *r,
                     const struct options *o, const char *picture);

#endif
