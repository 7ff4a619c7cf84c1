/* The rows, and which of them an argument is (options_table.h). */
#include "options_table.h"

#include <string.h>

#include "base/options.h"

static const struct option table[] = {
    {"-o", OUTPUT, 0},
    {"--output-file", OUTPUT, 0},
    {"-c", COMPILE_ONLY, 0},
    {"--compile", COMPILE_ONLY, 0},
    {"-dc", SEPARATE_ONLY, 0},
    {"--device-c", SEPARATE_ONLY, 0},
    {"-dw", COMPILE_ONLY, 0},
    {"-E", PREPROCESS_ONLY, 0},
    {"--preprocess", PREPROCESS_ONLY, 0},
    {"-std", STANDARD, 0},
    {"-x", LANGUAGE, 0},
    {"-isystem", PREPROCESS, "-isystem"},
    {"--system-include", PREPROCESS, "-isystem"},
    {"-include", PREPROCESS, "-include"},
    {"--pre-include", PREPROCESS, "-include"},
    {"--include-path", PREPROCESS, "-I"},
    {"--define-macro", PREPROCESS, "-D"},
    {"--undefine-macro", PREPROCESS, "-U"},
    {"-rdc", SEPARATE, 0},
    {"--relocatable-device-code", SEPARATE, 0},
    {"-Xcompiler", COMPILER_VALUES, 0},
    {"--compiler-options", COMPILER_VALUES, 0},
    {"-Xlinker", LINKER_VALUES, 0},
    {"--linker-options", LINKER_VALUES, 0},
    {"--library", LIBRARY, 0},
    {"--library-path", LIBRARY_FOLDER, 0},
    {"--optimize", OPTIMISE, 0},
    {"-shared", SHARED, 0},
    {"-g", TO_COMPILER, "-g"},
    {"--debug", TO_COMPILER, "-g"},
    {"-G", TO_COMPILER, "-g"},
    {"--device-debug", TO_COMPILER, "-g"},
    {"-pg", TO_COMPILER, "-pg"},
    {"-pthread", TO_COMPILER, "-pthread"},
    {"-fopenmp", TO_COMPILER, "-fopenmp"},
    {"-fPIC", TO_COMPILER, "-fPIC"},
    {"-v", VERBOSE, 0},
    {"--verbose", VERBOSE, 0},
    {"-keep", KEEP, 0},
    {"-h", HELP, 0},
    {"--help", HELP, 0},
    {"-V", VERSION, 0},
    {"--version", VERSION, 0},
    {"-arch", ARCHITECTURE, 0},
    {"--gpu-architecture", ARCHITECTURE, 0},
    {"-code", IGNORE_VALUE, 0},
    {"--gpu-code", IGNORE_VALUE, 0},
    {"-gencode", ARCHITECTURE, 0},
    {"--generate-code", ARCHITECTURE, 0},
    {"-maxrregcount", IGNORE_VALUE, 0},
    {"-Xptxas", IGNORE_VALUE, 0},
    {"--ptxas-options", IGNORE_VALUE, 0},
    {"-Xnvlink", IGNORE_VALUE, 0},
    {"--nvlink-options", IGNORE_VALUE, 0},
    {"-Xarchive", IGNORE_VALUE, 0},
    {"-Xcudafe", IGNORE_VALUE, 0},
    {"-ccbin", IGNORE_VALUE, 0},
    {"--compiler-bindir", IGNORE_VALUE, 0},
    {"-cudart", IGNORE_VALUE, 0},
    {"-cudadevrt", IGNORE_VALUE, 0},
    {"-ftz", IGNORE_VALUE, 0},
    {"-prec-div", IGNORE_VALUE, 0},
    {"-prec-sqrt", IGNORE_VALUE, 0},
    {"-fmad", IGNORE_VALUE, 0},
    {"-diag-suppress", IGNORE_VALUE, 0},
    {"-diag-error", IGNORE_VALUE, 0},
    {"-diag-warn", IGNORE_VALUE, 0},
    {"-Werror", IGNORE_VALUE, 0},
    {"-default-stream", IGNORE_VALUE, 0},
    {"-t", IGNORE_VALUE, 0},
    {"--machine", IGNORE_VALUE, 0},
    {"-odir", IGNORE_VALUE, 0},
    {"-MF", IGNORE_VALUE, 0},
    {"-MT", IGNORE_VALUE, 0},
    {"-MQ", IGNORE_VALUE, 0},
    {"-MD", IGNORE, 0},
    {"-MMD", IGNORE, 0},
    {"-MP", IGNORE, 0},
    {"-m64", IGNORE, 0},
    {"-w", IGNORE, 0},
    {"-lineinfo", IGNORE, 0},
    {"--generate-line-info", IGNORE, 0},
    {"-use_fast_math", IGNORE, 0},
    {"-expt-relaxed-constexpr", IGNORE, 0},
    {"-expt-extended-lambda", IGNORE, 0},
    {"-extended-lambda", IGNORE, 0},
    {"-extra-device-vectorization", IGNORE, 0},
    {"-restrict", IGNORE, 0},
    {"-res-usage", IGNORE, 0},
    {"--resource-usage", IGNORE, 0},
    {"-forward-unknown-to-host-compiler", IGNORE, 0},
    {"-forward-unknown-opts", IGNORE, 0},
    {"-dlto", IGNORE, 0},
    {"-run", IGNORE, 0},
    {"-dopt", IGNORE_VALUE, 0},
    {"-link", IGNORE, 0},
    {"-allow-unsupported-compiler", IGNORE, 0},
    {"-split-compile", IGNORE_VALUE, 0},
    {"--display-error-number", IGNORE, 0},
    {"-no-display-error-number", IGNORE, 0},
};

static const struct option build_table[] = {
    {"--check", CHECK, 0},
    {"--profile", PROFILE, 0},
};

static const struct option run_table[] = {
    {"--schedule", SCHEDULE, 0},
    {"--threads", THREADS, 0},
    {"--timeout", TIMEOUT, 0},
    {"--counts", COUNTS, 0},
};

bool option_takes_value(enum action a) {
  switch (a) {
  case IGNORE:
  case COMPILE_ONLY:
  case PREPROCESS_ONLY:
  case SEPARATE_ONLY:
  case TO_COMPILER:
  case SHARED:
  case VERBOSE:
  case KEEP:
  case HELP:
  case VERSION:
  case CHECK:
  case PROFILE: return false;
  default: return true;
  }
}

/* `word` is the option, or begins with it and `=`. */
static bool matches(const char *name, const char *word) {
  if (option_is(word, name)) return true;
  /* nvcc takes -std and --std alike, and so on */
  return name[1] != '-' && strlen(name) > 2 && word[0] == '-' && option_is(word + 1, name);
}

const struct option *option_find(const char *word, bool runs) {
  for (size_t i = 0; runs && i < sizeof run_table / sizeof *run_table; i++) {
    if (matches(run_table[i].name, word)) return &run_table[i];
  }
  for (size_t i = 0; !runs && i < sizeof build_table / sizeof *build_table; i++) {
    if (!strcmp(build_table[i].name, word)) return &build_table[i];
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const struct option *o = &table[i];
    if (matches(o->name, word) && (option_takes_value(o->action) || !option_value(word))) return o;
  }
  return NULL;
}
