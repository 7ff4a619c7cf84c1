/* options_table.h - nvcc's options and heddle-run's own, and what becomes of each */
#ifndef SIMT_TOOLCHAIN_OPTIONS_TABLE_H
#define SIMT_TOOLCHAIN_OPTIONS_TABLE_H

#include <stdbool.h>

enum action {
  IGNORE,       /* says nothing to a software device */
  IGNORE_VALUE, /* the same, with a value */
  ARCHITECTURE, /* -arch=sm_60 */
  OUTPUT,
  COMPILE_ONLY,
  PREPROCESS_ONLY,
  SEPARATE,      /* -rdc=true */
  SEPARATE_ONLY, /* -dc */
  STANDARD,
  LANGUAGE,
  PREPROCESS,      /* option and value go to the preprocessor: spelling, value */
  TO_COMPILER,     /* the option itself */
  COMPILER_VALUES, /* a list for the compiler */
  LINKER_VALUES,   /* a list for the linker */
  LIBRARY,         /* --library=x */
  LIBRARY_FOLDER,  /* --library-path=x */
  OPTIMISE,        /* --optimize=n */
  SHARED,
  VERBOSE,
  KEEP,
  HELP,
  VERSION,
  CHECK,
  PROFILE,
  SCHEDULE,
  THREADS,
  TIMEOUT,
  COUNTS
};

struct option {
  const char *name; /* with its dashes; a single dash also matches two */
  enum action action;
  const char *as; /* what the compiler calls it */
};

/* option_find - the option that `word` is or begins with ("-std=c++17"), or NULL */
const struct option *option_find(const char *word, bool runs);
bool option_takes_value(enum action a);

#endif
