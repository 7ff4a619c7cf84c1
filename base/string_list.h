/* string_list.h - a list of strings that it owns, such as a command line under construction
 *
 * Limits  those of text.h; a list of one string more than memory can hold ends the process
 */
#ifndef HEDDLE_BASE_STRING_LIST_H
#define HEDDLE_BASE_STRING_LIST_H

#include <stddef.h>

/* {0} is empty. The owner ends it with string_list_free. */
struct string_list {
  char **all; /* ends with NULL once something was added; else NULL */
  size_t count, room;
};

void string_list_add(struct string_list *l, const char *string); /* a copy */
void string_list_take(struct string_list *l, char *owned);       /* it is the list's from then on */
void string_list_add_all(struct string_list *l, const struct string_list *more);
void string_list_free(struct string_list *l);

#endif
