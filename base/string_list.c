/* string_list.c - an array that doubles, with an element more for the NULL behind the strings */
#include "base/string_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void string_list_take(struct string_list *l, char *owned) {
  l->all = array_room(l->all, l->count + 1, &l->room, sizeof *l->all);
  l->all[l->count++] = owned;
  l->all[l->count] = NULL;
}

void string_list_add(struct string_list *l, const char *string) {
  string_list_take(l, text_copy(string, strlen(string)));
}

void string_list_add_all(struct string_list *l, const struct string_list *more) {
  const size_t count = more->count; /* a list may be added to itself */
  for (size_t i = 0; i < count; i++) string_list_add(l, more->all[i]);
}

void string_list_free(struct string_list *l) {
  for (size_t i = 0; i < l->count; i++) free(l->all[i]);
  free(l->all);
  *l = (struct string_list){0};
}
