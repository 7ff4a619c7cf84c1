/* check.h - what heddle-check says of a rung, and whether the rung expects it
 *
 * Method   the rung's header names the class of its planted bug, comments that begin with BUG
 *          stand on its lines: all findings together must name these lines and no others
 */
#ifndef LADDER_TOOL_RUN_CHECK_H
#define LADDER_TOOL_RUN_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json/value.h"
#include "run.h"

/* check_knows - `class` is one of the checker's */
bool check_knows(const char *class);

/* The findings: how many; number `i`; NULL if there is no such. */
size_t check_count(const struct result *r);
const struct json_value *check_finding(const struct result *r, size_t i);

/* check_says - the findings in one line, "" for none. check_disagrees - NULL, or in one line what
 * is not as the rung's header and marks have it. Both are new strings. */
char *check_says(const struct result *r);
char *check_disagrees(const struct result *r);

/* check_lines - the lines of the rung's own file that a finding is about, ascending; the places
 * of an allocation or a free only if they are its first. `others`: one lies in another file.
 * Returns how many; at most `most` are written. */
size_t check_lines(const struct result *r, const struct json_value *finding, unsigned *lines,
                   size_t most, bool *others);

#endif
