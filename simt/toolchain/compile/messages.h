/* messages.h - what the compiler says, in the user's words */
#ifndef SIMT_TOOLCHAIN_COMPILE_MESSAGES_H
#define SIMT_TOOLCHAIN_COMPILE_MESSAGES_H

#include <stdbool.h>

/* messages_of_compiler - prints g++'s messages to standard error. Where it failed over names
 * of CUDA's that simt does not have, one line for each of them and nothing else. `own` is the
 * folder of our headers. */
void messages_of_compiler(const char *text, const char *own, bool failed);
void messages_no_compiler(const char *program, const char *compiler, int error);

#endif
