/* suggest.c - the distance between two words, and which is the least
 *
 * Method  Optimal string alignment distance (insert, delete, replace, swap of neighbours), three
 *         rows of the table at a time. A name is near if the distance is at most a third of the
 *         typed length, rounded up; a typed beginning of a name is near too.
 * Source  Damerau 1964; Wagner and Fischer 1974 */
#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static size_t edit_distance(const char *a, size_t m, const char *b, size_t n) {
  size_t table[3][LONGEST + 1];
  size_t *before = table[0], *above = table[1], *row = table[2];
  for (size_t j = 0; j <= n; j++) above[j] = j;
  for (size_t i = 1; i <= m; i++) {
    row[0] = i;
    for (size_t j = 1; j <= n; j++) {
      size_t cost = a[i - 1] != b[j - 1];
      size_t d = least(above[j - 1] + cost, least(above[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d = least(d, before[j - 2] + 1);
      row[j] = d;
    }
    size_t *spare = before;
    before = above;
    above = row;
    row = spare;
  }
  return above[n];
}

void suggest_start(struct suggestion *s, const char *typed) {
  s->typed = typed;
  s->best = NULL;
  s->distance = (size_t)-1;
}

void suggest_add(struct suggestion *s, const char *name) {
  size_t m = strlen(s->typed), n = strlen(name);
  if (m == 0 || n == 0 || m > LONGEST || n > LONGEST) return;
  size_t d = edit_distance(s->typed, m, name, n);
  int beginning = m >= 3 && strncmp(s->typed, name, m) == 0;
  if (d > (m + 2) / 3 && !beginning) return;
  if (beginning && d > 1) d = 1;
  if (d < s->distance) {
    s->distance = d;
    s->best = name;
  }
}

const char *suggest_text(const struct suggestion *s, const char *prefix, char *text, size_t size) {
  if (size > 0) text[0] = '\0';
  if (s->best) (void)snprintf(text, size, "; did you mean '%s%s'?", prefix, s->best);
  return text;
}
