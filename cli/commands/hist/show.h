/* show.h - a histogram as a plot, JSON, CSV, .npy or SVG */
#ifndef HEDDLE_CLI_COMMANDS_HIST_SHOW_H
#define HEDDLE_CLI_COMMANDS_HIST_SHOW_H

#include "hist.h"

int show_histogram(const struct settings *s, const struct histogram *h, struct failure *why);

#endif
