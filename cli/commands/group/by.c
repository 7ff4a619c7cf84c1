/* by.c - heddle mean -c price --by city, and every other statistic of each group
 *
 * Method  The columns that are chosen and what the command finds make the figures of heddle group: mean:price. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/group/rows/asked.h"
#include "group.h"
#include "options/commands.h"
#include "text/element.h"

/* Operands of heddle group. */
struct operands {
  const char *words[GROUP_FIGURES + 1];
  size_t count;
};

static int add(struct operands *o, const char *figure, const char *column, struct failure *why) {
  const size_t bytes = strlen(figure) + strlen(column) + 2;
  if (o->count == GROUP_FIGURES)
    return fail(why, EXIT_USAGE, "more than %d figures", GROUP_FIGURES);
  char *const word = command_allocate(bytes, 1, "the name of a figure", why);
  if (!word) return -1;
  (void)snprintf(word, bytes, "%s:%s", figure, column);
  o->words[o->count++] = word;
  return 0;
}

/* Those of the list, which ends with NULL, of one column. */
static int add_all(struct operands *o, const char *const *figures, const char *column,
                   struct failure *why) {
  for (; *figures; figures++)
    if (add(o, *figures, column, why) != 0) return -1;
  return 0;
}

static int add_shares(struct operands *o, const struct settings *s, const char *column,
                      struct failure *why) {
  for (size_t i = 0; i < s->share_count; i++) {
    char number[NUMBER_TEXT], figure[NUMBER_TEXT + 1];
    (void)double_text(number, s->shares[i]);
    (void)snprintf(figure, sizeof figure, "q%s", number);
    if (add(o, figure, column, why) != 0) return -1;
  }
  return 0;
}

static int add_fold(struct operands *o, const struct settings *s, const char *column,
                    struct failure *why) {
  static const int known[] = {HEDDLE_SUM, HEDDLE_PROD, HEDDLE_MIN, HEDDLE_MAX, HEDDLE_SUM_SQUARES,
                              OP_MEAN,    OP_COUNT,    OP_STD,     OP_VAR};
  if (s->distinct) return add(o, "distinct", column, why);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i] == s->op) return add(o, operator_name(s->op), column, why);
  return fail(why, EXIT_USAGE,
              "--by has no %s of each group; heddle group --help lists what it has",
              operator_name(s->op));
}

static int add_column(struct operands *o, const struct settings *s, const char *column,
                      struct failure *why) {
  static const char *const minmax[] = {"min", "max", NULL};
  static const char *const described[] = {"count", "mean", "std", "min", "p25",
                                          "p50",   "p75",  "max", NULL};
  switch (s->command) {
  case COMMAND_MINMAX: return add_all(o, minmax, column, why);
  case COMMAND_MODE: return add(o, "mode", column, why);
  case COMMAND_MEDIAN: return add(o, "median", column, why);
  case COMMAND_QUANTILE: return add_shares(o, s, column, why);
  case COMMAND_DESCRIBE: return add_all(o, described, column, why);
  default: return add_fold(o, s, column, why);
  }
}

static int check(const struct settings *s, struct failure *why) {
  if (s->axis || s->init || s->type != HEDDLE_TYPE_DEFAULT || s->acc != HEDDLE_TYPE_DEFAULT ||
      s->out_type != HEDDLE_TYPE_DEFAULT || s->offset > 0 || s->count != UINT64_MAX)
    return fail(why, EXIT_USAGE,
                "--axis, --init, --type, --acc, --out-type, --offset and --count do not go with "
                "--by, which is heddle group's work");
  if (s->weights) return fail(why, EXIT_USAGE, "--weights does not go with --by");
  if (s->file_count > 1)
    return fail(why, EXIT_USAGE, "--by reads one file, but %zu were given, the last '%s'",
                s->file_count, s->files[s->file_count - 1]);
  if (s->column_count > 0 || (s->op == OP_COUNT && !s->distinct)) return 0;
  return fail(why, EXIT_USAGE, "--by needs the columns that the figures are of: -c COLUMN");
}

int command_by(const struct settings *s, struct failure *why) {
  struct settings of = *s;
  struct operands o = {.count = 0};
  if (check(s, why) != 0) return -1;
  int status = 0;
  for (size_t c = 0; c < s->column_count && status == 0; c++)
    status = add_column(&o, s, s->columns[c], why);
  const size_t made = o.count;
  if (s->column_count == 0) o.words[o.count++] = "count";
  of.files = o.words;
  of.file_count = o.count;
  if (status == 0) status = group_file(&of, s->files[0], why);
  for (size_t i = 0; i < made; i++) free((char *)(uintptr_t)o.words[i]);
  return status;
}
