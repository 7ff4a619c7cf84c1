/* show.h - a distribution function as a plot, JSON, CSV or SVG */
#ifndef HEDDLE_CLI_COMMANDS_ECDF_SHOW_H
#define HEDDLE_CLI_COMMANDS_ECDF_SHOW_H

#include "ecdf.h"
#include "options/args.h"

int show_steps(const struct settings *s, const struct steps *steps, struct failure *why);

#endif
