/* program.h - the program of a command line: from the cache, or built now */
#ifndef SIMT_TOOLCHAIN_PROGRAM_PROGRAM_H
#define SIMT_TOOLCHAIN_PROGRAM_PROGRAM_H

#include "toolchain/compile/build.h"

/* program_make - finds or builds the program that an open build's options describe
 *
 * Result     0, and *path, to be freed; or the exit status after a message on standard error
 * Arguments  afresh  does not look into the cache
 *            kept    true: it is the cache's, and may be run in place of this process;
 *                    false: it stands in b's temporary folder and goes with build_close
 */
int program_make(struct build *b, bool afresh, char **path, bool *kept);

#endif
