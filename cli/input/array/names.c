/* names.c - names counted and listed as they come, and asked about at the end */
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/record.h"

void names_start(struct names *names, const char *wanted, const char *ending) {
  memset(names, 0, sizeof *names);
  names->wanted = wanted;
  names->ending = ending;
}

static bool is_wanted(const struct names *names, const char *name, size_t bytes) {
  if (!names->wanted) return true;
  const size_t length = strlen(names->wanted);
  if (bytes < length || memcmp(name, names->wanted, length) != 0) return false;
  const char *const rest = name + length;
  const size_t more = bytes - length;
  return more == 0 ||
         (names->ending && more == strlen(names->ending) && memcmp(rest, names->ending, more) == 0);
}

bool names_add(struct names *names, const char *name, size_t bytes) {
  char shown[64];
  const size_t room = sizeof names->list - names->used;
  text_show(name, bytes, shown, sizeof shown);
  if (room > sizeof shown + 10)
    names->used += (size_t)snprintf(names->list + names->used, room, "%s%s",
                                    names->count > 0 ? ", " : "", shown);
  else if (room > 6 && names->list[names->used - 1] != '.')
    names->used += (size_t)snprintf(names->list + names->used, room, ", ...");
  names->count += 1;
  const bool wanted = is_wanted(names, name, bytes);
  names->matches += wanted;
  return wanted;
}

int names_check(const struct names *names, const char *file, const char *kind, const char *option,
                struct failure *why) {
  char shown[64];
  if (names->count == 0) return fail(why, EXIT_DATA, "%s has no %s", file, kind);
  if (names->matches == 1) return 0;
  if (!names->wanted)
    return fail(why, EXIT_USAGE, "%s has %zu %ss; choose by %s NAME or %s:NAME: %s", file,
                names->count, kind, option, file, names->list);
  text_show(names->wanted, strlen(names->wanted), shown, sizeof shown);
  if (names->matches > 1)
    return fail(why, EXIT_DATA, "%s has %zu %ss that '%s' may mean; give the whole name: %s", file,
                names->matches, kind, shown, names->list);
  return fail(why, EXIT_USAGE, "%s has no %s '%s'; it has %s", file, kind, shown, names->list);
}

char *names_join(const char *file, const char *name, size_t bytes) {
  char shown[128];
  text_show(name, bytes, shown, sizeof shown);
  const size_t room = strlen(file) + strlen(shown) + 2;
  char *const joined = malloc(room);
  if (joined) (void)snprintf(joined, room, "%s:%s", file, shown);
  return joined;
}
