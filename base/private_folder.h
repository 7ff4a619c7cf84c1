/* private_folder.h - folders of what is run or loaded again: whoever can write there could have
 * this user run code of another's
 *
 * Limits  nothing is allocated but a copy of the path
 */
#ifndef HEDDLE_BASE_PRIVATE_FOLDER_H
#define HEDDLE_BASE_PRIVATE_FOLDER_H

#include <stdbool.h>

/* private_folder_make - makes the folder, writable by this user alone, and those above it
 *
 * Result  true: it is there, it is no link, and this user can write to it and nobody else can.
 *         False: it is not used, and was not changed
 */
bool private_folder_make(const char *path);

/* private_folder_below - $VARIABLE if set, else NAME in the user's folder of caches:
 * $XDG_CACHE_HOME if absolute, else ~/.cache; to be freed. NULL: there is no such place, as for an
 * account without a home */
char *private_folder_below(const char *variable, const char *name);

#endif
