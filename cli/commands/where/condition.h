/* condition.h - --where, as what the input asks of each row */
#ifndef HEDDLE_CLI_COMMANDS_WHERE_CONDITION_H
#define HEDDLE_CLI_COMMANDS_WHERE_CONDITION_H

#include "input/input.h"

struct condition;
struct expression;

int condition_read(const char *text, struct condition **out, struct failure *why);
const struct input_filter *condition_filter(const struct condition *c);
/* Of the elements of an array, whose one column is called 1 or value where the condition names it. */
const struct expression *condition_elements(const struct condition *c, const char *name,
                                            struct failure *why);
void condition_free(struct condition *c); /* NULL is allowed */

#endif
