/* lookups.h - where a build looked for files, and whether it would find the same ones now
 *
 * Method  the compiler itself lists the folders that it searches. Every #include and __has_include
 *         of the user's files is looked up in them as it does, whatever #if stands around it:
 *         names that were not there must stay away, the first that was there must stay. What is
 *         found in a folder could also come to lie in one of the user's that is searched before it;
 *         so it is for libraries and the folders of -L
 * Limits  names that a macro makes count only where they were found; a folder below /usr may get a
 *         file in front of another system header's
 */
#ifndef SIMT_TOOLCHAIN_PROGRAM_LOOKUPS_H
#define SIMT_TOOLCHAIN_PROGRAM_LOOKUPS_H

#include <time.h>

#include "base/string_list.h"
#include "base/text.h"
#include "toolchain/compile/build.h"

struct lookups {
  struct text absent, found;    /* paths, each with a zero byte behind it; folders end with / */
  struct string_list libraries; /* of those found: what -l and the command line named */
  struct timespec begin;        /* of the build */
  bool late;                    /* one came after that, so nobody knows whether it was seen */
};

/* lookups_make - all of a build that has been done. false: the same sources may make another
 * program next time (__TIME__ and the like, .incbin), so that it is not to be kept */
bool lookups_make(const struct build *b, const struct timespec *begin, struct lookups *out);
void lookups_free(struct lookups *l);

/* lookups_hold - none (or each) of these paths is there */
bool lookups_hold(const char *paths, size_t length, bool there);

#endif
