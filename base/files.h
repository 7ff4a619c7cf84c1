/* files.h - whole files, and where this program lies
 *
 * Limits  a file is read into memory; one that grows meanwhile is read as far as it goes
 */
#ifndef HEDDLE_BASE_FILES_H
#define HEDDLE_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Both: false if it could not be done, errno says why. files_read adds to `out`, "" for an empty
 * file; files_write replaces what is there. */
bool files_read(const char *path, struct text *out);
bool files_write(const char *path, const char *data, size_t length);

/* files_own_folder - where this program's file lies, to be freed; NULL: the system does not say */
char *files_own_folder(void);

#endif
