/* build.h - from sources to a program, by the compiler
 *
 * Method  g++ -E, rewrite, g++; one g++ compiles and links where there is a single source. The
 *         headers that sources begin with come precompiled where they are (prelude.h); what fails
 *         with them is built again without, and only then does the compiler have its say
 */
#ifndef SIMT_TOOLCHAIN_COMPILE_BUILD_H
#define SIMT_TOOLCHAIN_COMPILE_BUILD_H

#include "base/string_list.h"
#include "base/text.h"
#include "toolchain/home.h"
#include "toolchain/options.h"

struct build {
  const char *program; /* heddle-cc or heddle-run, for messages */
  const struct options *options;
  struct home home;
  char *folder;             /* for temporary files */
  struct string_list files; /* every file that was read, filled while building */
  struct text searched[2]; /* the folders for headers of C++, and of C, as the compiler says them */
  bool plain;              /* without precompiled headers */
  bool prelude_used;
  bool phases;        /* a kernel was written as phases */
  bool fibres;        /* none is to be */
  const char *prompt; /* before each command that --verbose shows; NULL: nothing */
  bool raw;           /* messages as the compiler has them, such as those of its own -v */
};

/* build_open - false: a message has been printed */
bool build_open(struct build *b, const char *program, const struct options *options);
void build_close(struct build *b);
/* build_folder - makes the temporary folder; to be called before building */
bool build_folder(struct build *b);
void build_remove_folder(struct build *b);

/* Each returns 0, or the exit status after a message on standard error. */
int build_executable(struct build *b, const char *output);
int build_objects(struct build *b);
int build_preprocessed(struct build *b);

/* One step for a tool that orders them itself: one source's object, or its preprocessed text; the
 * link of objects and of words of the linker's, in their order. */
int build_object(struct build *b, size_t number, const char *object);
int build_text(struct build *b, size_t number, struct text *text);
int build_link(struct build *b, const struct string_list *objects, const char *output);

#endif
