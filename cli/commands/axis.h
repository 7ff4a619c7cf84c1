/* axis.h - reduce, scan and describe along an axis of a .npy array */
#ifndef HEDDLE_CLI_COMMANDS_AXIS_H
#define HEDDLE_CLI_COMMANDS_AXIS_H

#include "options/args.h"

/* Each takes exactly one file, the whole of it: mapped, or read into memory. */
int axis_reduce(const struct settings *s, heddle_context *ctx, struct failure *why);
int axis_scan(const struct settings *s, heddle_context *ctx, struct failure *why);
int axis_describe(const struct settings *s, heddle_context *ctx, struct failure *why);

/* The figure of each row, an element of `type` by `of`, from its description with these options. */
typedef void axis_figure(const struct settings *s, const heddle_description *d, void *element);
int axis_figures(const struct settings *s, heddle_context *ctx, const heddle_options *options,
                 heddle_type type, axis_figure *of, struct failure *why);

#endif
