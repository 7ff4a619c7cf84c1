/* cache.h - programs that have been compiled before
 *
 * Method  an entry is a program and a manifest: the program's digest, the request (options,
 *         compiler, processor, our own build), every file that was read, the user's with their
 *         bytes, libraries with a digest, system headers with size and time, and where files were
 *         looked for in vain. A hit compares all of it; the hash only names the entry. A new
 *         manifest is renamed into place and names its program, which is not removed while another
 *         process may be about to start it: processes at work at once see one whole entry or
 *         another
 * Limits  those of lookups.h
 */
#ifndef SIMT_TOOLCHAIN_CACHE_CACHE_H
#define SIMT_TOOLCHAIN_CACHE_CACHE_H

#include <stdbool.h>
#include <time.h>

#include "toolchain/compile/build.h"

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
/* cache_store - puts the program at `path` in; the new path, to be freed; NULL: it is not kept */
char *cache_store(const struct cache *c, const struct build *b, const char *path);

#endif
