/* Items of SIMT_FAIL, parsed anew when the variable has changed (fail.h). */
#include "fail.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 16, NAME = 64, VALUE = 512 };

struct item {
  char entry[NAME];
  unsigned long from, seen;
  int code; /* -1: the usual one */
  bool again, done;
};

static struct item items[ITEMS];
static size_t count;
static char value[VALUE]; /* that the items were read from */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* "ENTRY:N[+][:CODE]" up to `end`; false: it is none of that. */
static bool read_item(const char *text, const char *end, struct item *item) {
  const char *colon = memchr(text, ':', (size_t)(end - text));
  char *rest;
  if (!colon || colon == text || (size_t)(colon - text) >= NAME) return false;
  *item = (struct item){.code = -1};
  memcpy(item->entry, text, (size_t)(colon - text));
  item->from = strtoul(colon + 1, &rest, 10);
  if (rest == colon + 1 || rest > end || !item->from) return false;
  if (*rest == '+') item->again = true, rest++;
  if (*rest == ':') item->code = (int)strtol(rest + 1, &rest, 10);
  return rest == end && item->code != 0;
}

static void read_all(const char *text) {
  count = 0;
  strncpy(value, text, sizeof value - 1);
  for (const char *at = value; *at && count < ITEMS;) {
    const char *end = at + strcspn(at, ",");
    if (read_item(at, end, &items[count])) count++;
    at = end + (*end == ',');
  }
}

static bool is_mine(const struct item *item, const char *prefix) {
  return item->entry[0] == '*' || !strncmp(item->entry, prefix, strlen(prefix));
}

static int take(struct item *item, const char *entry, int usual) {
  if (item->done || (strcmp(item->entry, entry) != 0 && strcmp(item->entry, "*") != 0)) return 0;
  if (++item->seen < item->from) return 0;
  item->done = !item->again;
  return item->code < 0 ? usual : item->code;
}

int fail_code(const char *entry, int usual, const char *prefix) {
  const char *text = getenv("SIMT_FAIL");
  if (!text && !value[0]) return 0;
  int code = 0;
  bool all = true;
  pthread_mutex_lock(&lock);
  if (!text) {
    count = 0;
    value[0] = 0;
  } else if (strncmp(text, value, sizeof value - 1) != 0) {
    read_all(text);
  }
  for (size_t i = 0; i < count && !code; i++) code = take(&items[i], entry, usual);
  for (size_t i = 0; i < count; i++) all &= items[i].done || !is_mine(&items[i], prefix);
  if (code && all) {
    unsetenv("SIMT_FAIL");
    count = 0;
    value[0] = 0;
  }
  pthread_mutex_unlock(&lock);
  return code;
}
