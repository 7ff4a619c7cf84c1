/* commands.h - the commands of the program: what each is called, takes and runs */
#ifndef HEDDLE_CLI_OPTIONS_COMMANDS_H
#define HEDDLE_CLI_OPTIONS_COMMANDS_H

#include "args.h"

struct command {
  const char *name;
  enum command_id id;
  const char *operands; /* for the help */
  size_t least, most;   /* files; with least 1 and none given, standard input is one */
  int (*run)(const struct settings *s, struct failure *why);
  const char *summary;
  const char *details;
  const char *examples;
};

extern const struct command command_table[];
extern const size_t command_count;

int command_reduce(const struct settings *s, struct failure *why); /* sum, min, max, too */
int command_figure(const struct settings *s, struct failure *why); /* mean, count, std, var */
int command_minmax(const struct settings *s, struct failure *why);
int command_mode(const struct settings *s, struct failure *why);
int command_dot(const struct settings *s, struct failure *why);
int command_scan(const struct settings *s, struct failure *why);
int command_sort(const struct settings *s, struct failure *why);
int command_uniq(const struct settings *s, struct failure *why);
int command_group(const struct settings *s, struct failure *why);
int command_by(const struct settings *s, struct failure *why); /* a statistic of each group */
int command_hist(const struct settings *s, struct failure *why);
int command_hist2d(const struct settings *s, struct failure *why);
int command_ecdf(const struct settings *s, struct failure *why);
int command_box(const struct settings *s, struct failure *why);
int command_describe(const struct settings *s, struct failure *why);
int command_distinct(const struct settings *s, struct failure *why); /* count --distinct */
int command_corr(const struct settings *s, struct failure *why);
int command_quantile(const struct settings *s, struct failure *why); /* median, too */
int command_nth(const struct settings *s, struct failure *why);
int command_top(const struct settings *s, struct failure *why);
int command_select(const struct settings *s, struct failure *why);
int command_convert(const struct settings *s, struct failure *why);
int command_info(const struct settings *s, struct failure *why);
int command_bench(const struct settings *s, struct failure *why);

#endif
