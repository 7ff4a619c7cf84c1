/* select.c - heddle select: what satisfies a condition, in its order
 *
 * Limits  One file. What is not text has one column, the element. */
#include "select.h"

#include "commands/command.h"
#include "options/commands.h"

static int open_source(struct selecting *g, struct failure *why) {
  const struct settings *const s = g->s;
  struct input_options options;
  if (args_input_options(s, s->files[0], &options, why) != 0) return -1;
  options.records = true;
  if (options.format == INPUT_AUTO && options.type == HEDDLE_TYPE_DEFAULT && g->e.column_count > 0)
    options.format = INPUT_TEXT; /* only text has columns */
  return source_open_options(s, &options, &g->src, why);
}

static int select_file(struct selecting *g, struct failure *why) {
  if (input_has_records(g->src.in)) {
    if (g->s->type != HEDDLE_TYPE_DEFAULT)
      return fail(why, EXIT_USAGE,
                  "--type goes with arrays: fields of text are compared as they are written");
    return select_table(g, why);
  }
  if (g->e.column_count > 0)
    return fail(why, EXIT_USAGE, "%s has no columns: leave their names out, as in '> 3'",
                command_file_label(g->src.path));
  return select_elements(g, why);
}

int command_select(const struct settings *s, struct failure *why) {
  struct selecting g = {.s = s};
  if (expression_parse(s->where, &g.e, why) != 0) return -1;
  int status = command_context(s, &g.ctx, why);
  if (status == 0) {
    status = open_source(&g, why);
    if (status == 0) {
      status = select_file(&g, why);
      source_close(&g.src);
    }
    heddle_close(g.ctx);
  }
  expression_free(&g.e);
  return status;
}
