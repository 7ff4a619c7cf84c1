/* options.h - the command line of heddle-cc and heddle-run, in nvcc's manner */
#ifndef SIMT_TOOLS_OPTIONS_H
#define SIMT_TOOLS_OPTIONS_H

#include <stdbool.h>

#include "process.h"

enum language { LANGUAGE_CUDA, LANGUAGE_CXX, LANGUAGE_C, LANGUAGE_OBJECT };

struct input {
  char *path;
  enum language language;
};

struct options {
  struct input *inputs;
  size_t input_count, input_room;
  struct words preprocess; /* -I, -D, -U, -isystem, -include */
  struct words compile;    /* -O, -g, -Xcompiler's */
  struct words link;       /* -L, -l, -Xlinker's, in order */
  char *standard;          /* c++17, NULL: none given */
  char *output;            /* -o */
  bool compile_only, preprocess_only, separate, shared, verbose, keep, help, version;
  /* heddle-run */
  const char *schedule, *threads, *timeout, *counts;
  char **arguments; /* behind `--` */
  size_t argument_count;
};

/* options_read - false: a message has been printed to standard error
 * `runs`: the command line is heddle-run's */
bool options_read(struct options *o, int argc, char **argv, bool runs);
void options_free(struct options *o);
const char *options_help(bool runs);

#endif
