/* axis.h - reduce, scan and describe along an axis of a .npy array */
#ifndef HEDDLE_CLI_COMMANDS_AXIS_H
#define HEDDLE_CLI_COMMANDS_AXIS_H

#include "options/args.h"

/* Each takes exactly one file, the whole of it: mapped, or read into memory. */
int axis_reduce(const struct settings *s, heddle_context *ctx, struct failure *why);
int axis_scan(const struct settings *s, heddle_context *ctx, struct failure *why);
int axis_describe(const struct settings *s, heddle_context *ctx, struct failure *why);

#endif
