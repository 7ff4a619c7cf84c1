/* table.h - every option that nvcc of CUDA 13.0 has, and what becomes of it here */
#ifndef SIMT_TOOLCHAIN_NVCC_TABLE_H
#define SIMT_TOOLCHAIN_NVCC_TABLE_H

#include <stdbool.h>

enum nvcc_action {
  NVCC_NOTHING,   /* says nothing to a software device */
  NVCC_REFUSED,   /* asks for what only a GPU's compiler can make */
  NVCC_OUTPUT,    /* -o */
  NVCC_FOLDER,    /* -odir */
  NVCC_PHASE,     /* number: enum nvcc_phase */
  NVCC_DEPENDS,   /* -M, -MM, -MD, -MMD: number, enum nvcc_depends */
  NVCC_RULE_FILE, /* -MF */
  NVCC_RULE_NAME, /* -MT */
  NVCC_RULE_BARE, /* -MP */
  NVCC_SEPARATE,  /* -rdc */
  NVCC_STANDARD,
  NVCC_LANGUAGE,   /* -x */
  NVCC_PREPROCESS, /* text: what the preprocessor calls it */
  NVCC_COMPILE,    /* text: what the compiler is told */
  NVCC_COMPILER_LIST,
  NVCC_LINKER_LIST,
  NVCC_LINK,     /* text: what the linker is told, with the value behind it if there is one */
  NVCC_OPTIMISE, /* -O */
  NVCC_ARCHITECTURE,
  NVCC_CUDART,
  NVCC_COMPILER, /* -ccbin */
  NVCC_FORWARD,  /* -forward-unknown-to-host-compiler and its kin */
  NVCC_VERBOSE,
  NVCC_DRY_RUN,
  NVCC_KEEP,
  NVCC_HELP,
  NVCC_VERSION,
  NVCC_LIST, /* --list-gpu-arch, --list-gpu-code: text, what precedes the number */
  NVCC_CHECK,
  NVCC_PROFILE,
};

enum nvcc_phase {
  NVCC_PROGRAM, /* a program, or a shared library */
  NVCC_OBJECTS,
  NVCC_SEPARATE_OBJECTS, /* -dc */
  NVCC_PREPROCESSED,
  NVCC_DEVICE_LINK,
  NVCC_ARCHIVE,
  NVCC_RUN,
};

enum nvcc_depends { NVCC_NO_RULE, NVCC_RULE_ALONE, NVCC_RULE_BESIDE };

struct nvcc_option {
  const char *name, *other; /* long and short, with their dashes; other may be NULL */
  enum nvcc_action action;
  bool value; /* it has one: behind '=', as the next word, or attached to one letter */
  int number;
  const char *text;
};

/* nvcc_option_find - the option that `word` is, with or without "=VALUE", however many dashes it
 * has; NULL: none */
const struct nvcc_option *nvcc_option_find(const char *word);
/* nvcc_option_hint - "; did you mean '--x'?", or "", in `text` */
const char *nvcc_option_hint(const char *word, char *text, unsigned size);

#endif
