/* plan.h - heddle info --plan: which kernel each primitive runs, from which size on */
#ifndef HEDDLE_CLI_COMMANDS_INFO_PLAN_H
#define HEDDLE_CLI_COMMANDS_INFO_PLAN_H

#include "options/args.h"
#include "output/sink.h"

int plan_show(const struct settings *s, struct failure *why);

#endif
