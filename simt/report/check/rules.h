/* rules.h - which findings are not to be shown
 *
 * A rule is CLASS:WHERE. CLASS is a finding's class, a race's kind ("same-value") or "*";
 * WHERE is a function, a file or file:line, each with wildcards as a shell's. A function is
 * matched by its name with or without namespace and template arguments, and by any that
 * called it; a file by its whole name or the last parts of it. What a program leaves behind at its
 * end is noted only, unless it is asked for: the system takes it back, and many programs count on
 * that
 */
#ifndef SIMT_REPORT_CHECK_RULES_H
#define SIMT_REPORT_CHECK_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/string_list.h"

struct string_list;
struct check_finding;

struct check_rule {
  char *class, *where;
  bool is_file;
  unsigned line; /* 0: any */
};

struct check_rules {
  struct check_rule *list;
  size_t count, room;
  bool leaks; /* are findings, not notes */
};

/* Each returns false after a message on standard error that names `program`. */
bool check_rules_add(struct check_rules *r, const char *program, const char *text);
bool check_rules_read(struct check_rules *r, const char *program, const char *path);
bool check_rules_allow(struct check_rules *r, const char *program, const char *class);
void check_rules_free(struct check_rules *r);

enum check_verdict { CHECK_SHOWN, CHECK_NOTED, CHECK_SUPPRESSED, CHECK_ALLOWED };
enum check_verdict check_rules_judge(const struct check_rules *r, const struct check_finding *f);

#endif
