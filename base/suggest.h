/* suggest.h - "did you mean": the nearest of some names to a mistyped one
 *
 * Limits  names beyond 63 bytes are never near; nothing is allocated, nothing fails
 */
#ifndef HEDDLE_BASE_SUGGEST_H
#define HEDDLE_BASE_SUGGEST_H

#include <stddef.h>

/* Feed every known name, then ask: `best` is the one nearest to `typed`, or NULL if none is near
 * enough to be meant. */
struct suggestion {
  const char *typed;
  const char *best;
  size_t distance;
};

void suggest_start(struct suggestion *s, const char *typed);
void suggest_add(struct suggestion *s, const char *name);

/* "; did you mean 'NAME'?" written to text, or "" where nothing is near. Returns text. */
const char *suggest_text(const struct suggestion *s, const char *prefix, char *text, size_t size);

#endif
