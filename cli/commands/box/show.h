/* show.h - boxes as a plot, JSON, CSV or SVG */
#ifndef HEDDLE_CLI_COMMANDS_BOX_SHOW_H
#define HEDDLE_CLI_COMMANDS_BOX_SHOW_H

#include "box.h"

int show_boxes(const struct settings *s, const struct boxes *b, struct failure *why);

#endif
