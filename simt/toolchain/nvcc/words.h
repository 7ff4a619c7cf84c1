/* words.h - the words of a command line, with those of its response files and of the environment */
#ifndef SIMT_TOOLCHAIN_NVCC_WORDS_H
#define SIMT_TOOLCHAIN_NVCC_WORDS_H

#include <stdbool.h>

#include "base/string_list.h"

/* nvcc_words - adds the words of $NVCC_PREPEND_FLAGS and $HEDDLE_NVCC_FLAGS, then argv[1] and on,
 * then those of $NVCC_APPEND_FLAGS; for `@FILE`, `--options-file FILE[,FILE]` and `-optf` what is
 * in the files. False: a message has been printed */
bool nvcc_words(const char *program, int argc, char **argv, struct string_list *to);

#endif
