/* cache.h - programs that have been compiled before
 *
 * Method  an entry is a program and a manifest: the request (options, compiler, processor, our
 *         own build) and every file that was read, the user's with their bytes, system headers
 *         with size and time. A hit compares all of it; the hash only names the entry. A new
 *         manifest is renamed into place and names its program, so that processes at work at
 *         once see one whole entry or another
 * Limits  a header that appears later in front of another on the search path is not noticed
 */
#ifndef SIMT_TOOLS_CACHE_H
#define SIMT_TOOLS_CACHE_H

#include <stdbool.h>
#include <time.h>

#include "build.h"

struct cache {
  char *folder; /* NULL: there is none that is safe to use */
  struct text request;
  char name[33]; /* of the entry */
  struct timespec begin;
};

/* cache_open - $SIMT_CACHE_DIR, else $XDG_CACHE_HOME/simt, else ~/.cache/simt */
void cache_open(struct cache *c, const struct build *b);
void cache_close(struct cache *c);
/* cache_find - the program's path, to be freed; NULL if it has to be built */
char *cache_find(const struct cache *c);
/* cache_store - moves the program at `path` in; its new path, or NULL where it stays */
char *cache_store(const struct cache *c, const struct build *b, const char *path);

#endif
