/* Lines up to the one that ends the list; warnings may stand among them (search_list.h). */
#include "search_list.h"

#include <stdbool.h>
#include <string.h>

static bool is_of_list(const char *line) {
  static const char *const beginnings[] = {"ignoring ", "#include ", " ", "End of search list."};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (!strncmp(line, beginnings[i], strlen(beginnings[i]))) return true;
  return false;
}

void search_list_take(struct text *messages, struct text *list) {
  static const char last[] = "End of search list.\n";
  const char *end = messages->data ? strstr(messages->data, last) : NULL;
  struct text others = {0};
  if (!end) return;
  end += sizeof last - 1;
  text_free(list);
  for (const char *line = messages->data; line < end;) {
    const char *next = strchr(line, '\n') + 1;
    text_add(is_of_list(line) ? list : &others, line, (size_t)(next - line));
    line = next;
  }
  text_add_string(&others, end);
  text_free(messages);
  *messages = others;
}
