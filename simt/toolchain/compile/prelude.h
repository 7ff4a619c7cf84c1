/* prelude.h - the headers that a program begins with, precompiled in the cache
 *
 * Method  g++ reads them once for each set of options and of headers, at the second program that
 *         has both: a program alone would only wait for it. Beside the precompiled header lies the
 *         list of all files that it was made of, with size and time: a change of one makes it anew.
 *         A file is made under a name of its own and renamed, so that several processes may do so
 *         at once
 * Limits  none for a program that gives -include or has to be preprocessed for the host and the
 *         device apart; headers of the program's own are never part of it
 */
#ifndef SIMT_TOOLCHAIN_COMPILE_PRELUDE_H
#define SIMT_TOOLCHAIN_COMPILE_PRELUDE_H

#include <stdbool.h>

#include "base/string_list.h"
#include "toolchain/options.h"

/* prelude_text - what the source's text comes after: our headers, and the standard headers that the
 * source includes before anything else; to be freed. NULL: it is to be read as it stands */
char *prelude_text(const struct options *o, const char *source);

/* prelude_find - the header to be included first, its precompiled form beside it
 *
 * Result     its path, to be freed; NULL: there is none yet, or no folder for it
 * Arguments  text      of prelude_text
 *            compiler  g++ and all its options, those of the preprocessor's with them
 *            files     gets every file that the header was made of, as files_of_markers adds them
 */
char *prelude_find(const char *text, const struct string_list *compiler, struct string_list *files);

#endif
