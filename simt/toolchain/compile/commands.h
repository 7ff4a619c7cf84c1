/* commands.h - the compiler's command lines for a build's options and files */
#ifndef SIMT_TOOLCHAIN_COMPILE_COMMANDS_H
#define SIMT_TOOLCHAIN_COMPILE_COMMANDS_H

#include <stdbool.h>

#include "base/string_list.h"
#include "build.h"

enum preprocessed {
  HOST_TEXT,       /* behind the precompiled headers where there are such */
  HOST_TEXT_WHOLE, /* with all that it includes */
  DEVICE_TEXT,     /* the same with __CUDA_ARCH__ */
};

/* Each adds a whole command to an empty list. command_preprocess notes in `b` the precompiled
 * headers that it found, and says on standard error which folders are searched (search_list.h);
 * objects are those of command_compile with "-c FILE -o OBJECT". */
void command_preprocess(struct build *b, const struct input *in, enum preprocessed what,
                        struct string_list *w);
void command_compile(const struct build *b, const struct input *in, struct string_list *w);
void command_link(const struct build *b, const struct string_list *objects, const char *output,
                  struct string_list *w);
/* command_is_toolkit_library - "-lcudart" and the like: what simt has of them is in libsimt.so, and
 * what it has not is named when a program uses it, not when a makefile lists it */
bool command_is_toolkit_library(const char *word);

#endif
