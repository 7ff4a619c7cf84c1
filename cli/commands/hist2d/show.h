/* show.h - a histogram of two dimensions as a map, JSON, CSV, .npy or SVG */
#ifndef HEDDLE_CLI_COMMANDS_HIST2D_SHOW_H
#define HEDDLE_CLI_COMMANDS_HIST2D_SHOW_H

#include "hist2d.h"
#include "options/args.h"

int show_grid(const struct settings *s, const struct grid *g, struct failure *why);

#endif
