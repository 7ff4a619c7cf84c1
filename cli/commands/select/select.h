/* select.h - what one call of heddle select has, and its two kinds of input */
#ifndef HEDDLE_CLI_COMMANDS_SELECT_SELECT_H
#define HEDDLE_CLI_COMMANDS_SELECT_SELECT_H

#include "commands/source.h"
#include "expression/expression.h"
#include "options/args.h"

struct selecting {
  const struct settings *s;
  heddle_context *ctx;
  struct expression e;
  struct source src;
};

/* Each reads the source, which is open, to its end and writes the result. */
int select_table(struct selecting *g, struct failure *why);
int select_elements(struct selecting *g, struct failure *why);

#endif
