/* options.c - tables are short: each is searched from its beginning */
#include "base/options.h"

#include <string.h>

bool option_is(const char *word, const char *name) {
  const size_t length = strcspn(word, "=");
  return strlen(name) == length && !strncmp(name, word, length);
}

const char *option_value(const char *word) {
  const char *equals = strchr(word, '=');
  return equals ? equals + 1 : NULL;
}

int option_take(const struct option_entry *table, size_t count, char *const *words, int left,
                size_t *row) {
  const char *joined = option_value(words[0]);
  for (size_t i = 0; i < count; i++) {
    const struct option_entry *o = &table[i];
    if (!option_is(words[0], o->name) || (o->flag && joined)) continue;
    if (row) *row = i;
    if (o->flag) {
      *o->flag = true;
      return 1;
    }
    if (!joined && left < 2) return OPTION_BARE;
    const char *value = joined ? joined : words[1];
    if (o->value) *o->value = value;
    if (o->all) string_list_add(o->all, value);
    return joined ? 1 : 2;
  }
  return OPTION_NONE;
}

bool option_number(const char *text, uint64_t least, uint64_t most, uint64_t *number) {
  uint64_t n = 0;
  if (!*text) return false;
  for (; *text; text++) {
    if (*text < '0' || *text > '9') return false;
    const unsigned digit = (unsigned)(*text - '0');
    if (n > (UINT64_MAX - digit) / 10) return false;
    n = 10 * n + digit;
  }
  if (n < least || n > most) return false;
  *number = n;
  return true;
}
