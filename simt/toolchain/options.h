/* options.h - the command line of our tools, in nvcc's manner */
#ifndef SIMT_TOOLCHAIN_OPTIONS_H
#define SIMT_TOOLCHAIN_OPTIONS_H

#include <stdbool.h>

#include "base/options.h"
#include "base/string_list.h"

enum language { LANGUAGE_CUDA, LANGUAGE_CXX, LANGUAGE_C, LANGUAGE_OBJECT };

struct input {
  char *path;
  enum language language;
};

/* What a program is built for. The last two are instrumented: libsimt.so learns of every access. */
enum mode { MODE_RUN, MODE_CHECK, MODE_PROFILE };

struct options {
  struct input *inputs;
  size_t input_count, input_room;
  struct string_list preprocess; /* -I, -D, -U, -isystem, -include */
  struct string_list compile;    /* -O, -g, -Xcompiler's */
  struct string_list link;       /* -L, -l, -Xlinker's, in order */
  char *standard;                /* c++17, NULL: none given */
  char *output;                  /* -o */
  char *compiler;                /* for C++, in the place of g++; NULL: g++ */
  enum mode mode;                /* --check, --profile; or the tool's own */
  bool optimize;                 /* -O1 or --optimize: a check build is optimised too */
  bool compile_only, preprocess_only, separate, shared, verbose, keep, help, version;
  /* heddle-run */
  const char *schedule, *threads, *timeout, *counts;
  char **arguments; /* behind `--` */
  size_t argument_count;
};

struct tool {
  const char *name; /* heddle-run, for messages */
  bool runs;        /* the program is run: --schedule and its kin, `--` and arguments */
  enum mode mode;
  const struct option_entry *own; /* options that it alone has; looked at first */
  size_t own_count;
};

/* options_read - false: a message has been printed to standard error */
bool options_read(struct options *o, int argc, char **argv, const struct tool *tool);
void options_free(struct options *o);
const char *options_help(bool runs); /* of heddle-run, of heddle-cc */

/* For a tool that reads its command line itself.
 *
 * options_language - by the file's name, or as -x has `given` it; false: no name of a source or an
 * object, *language is then CUDA. options_split - adds the words of a list: commas part them
 * that have no backslash before them, quotes are dropped. options_add_compiler_word - a word of -Xcompiler's. options_set_architecture - -arch's */
bool options_language(const char *path, const char *given, enum language *language);
void options_add_input(struct options *o, const char *path, enum language language);
void options_split(struct string_list *to, const char *list, const char *prefix);
void options_add_compiler_word(struct options *o, const char *word);
void options_set_architecture(struct options *o, const char *value);

#endif
