/* One set of options for all steps (commands.h).
 *
 * Method  what defines macros (-O, -march, -fsanitize) is in all of them, so that a text means the
 *         same to each
 */
#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/string_list.h"
#include "base/text.h"
#include "flags.h"
#include "prelude.h"

static const char *compiler_of(const struct build *b, enum language language) {
  if (language == LANGUAGE_C) return "gcc";
  return b->options->compiler ? b->options->compiler : "g++";
}

/* C++14 is the least that the program headers take. */
static void add_standard(const struct build *b, struct string_list *w) {
  static const char *const old[] = {"c++98",   "c++03",   "c++11", "gnu++98",
                                    "gnu++03", "gnu++11", "c++0x", "gnu++0x"};
  const char *standard = b->options->standard ? b->options->standard : "gnu++17";
  for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
    if (!strcmp(standard, old[i])) standard = "gnu++14";
  }
  char *word = text_format("-std=%s", standard);
  string_list_add(w, word);
  free(word);
}

/* A folder with a toolkit's own headers, as makefiles name it, would mix them with ours. */
static bool is_toolkit_folder(const char *folder) {
  char *path = text_format("%s/cuda_runtime_api.h", folder);
  const bool is = !access(path, F_OK);
  free(path);
  return is;
}

static void add_user_options(const struct build *b, struct string_list *w) {
  const struct string_list *given = &b->options->preprocess;
  for (size_t i = 0; i < given->count; i++) {
    const char *word = given->all[i];
    const bool apart = !strcmp(word, "-isystem") && i + 1 < given->count;
    const bool folder = apart || !strncmp(word, "-I", 2);
    if (folder && is_toolkit_folder(apart ? given->all[i + 1] : word + 2)) {
      i += apart;
      continue;
    }
    string_list_add(w, word);
    if (apart) string_list_add(w, given->all[++i]);
  }
}

/* What a level of optimisation and a sanitizer add; and the user's own options. */
static void add_mode(const struct options *o, struct string_list *w) {
  flags_of_mode(o->mode, o->optimize, w);
  for (size_t i = 0; i < o->compile.count; i++) {
    const char *word = o->compile.all[i];
    if (o->mode == MODE_RUN ||
        (strncmp(word, "-O", 2) != 0 && strncmp(word, "-g", 2) != 0 && strcmp(word, "-pg") != 0))
      string_list_add(w, word);
  }
}

/* The compiler and all that decides what macros there are: -O, -march, -fsanitize and the like
 * define some of their own. */
static void add_preprocessor(const struct build *b, const struct input *in, struct string_list *w) {
  string_list_add(w, compiler_of(b, in->language));
  string_list_add(w, "-D__SIMT__=1");
  if (in->language != LANGUAGE_C) add_standard(b, w);
  char *include = text_format("-I%s", b->home.include);
  string_list_add(w, include);
  free(include);
  flags_of_compiler(w);
  if (in->language == LANGUAGE_CUDA) {
    flags_of_cuda(w);
    if (b->options->separate) string_list_add(w, "-D__CUDACC_RDC__=1");
  }
  add_user_options(b, w);
  add_mode(b->options, w);
  flags_of_observer(b->options->mode, w);
}

void command_preprocess(struct build *b, const struct input *in, enum preprocessed what,
                        struct string_list *w) {
  const bool cuda = in->language == LANGUAGE_CUDA;
  const bool whole = what != HOST_TEXT || b->plain;
  add_preprocessor(b, in, w);
  char *text = cuda && !whole ? prelude_text(b->options, in->path) : NULL;
  char *prelude = text ? prelude_find(text, w, &b->files) : NULL;
  flags_add(w, (const char *const[]){"-E", "-Wp,-v", "-x", in->language == LANGUAGE_C ? "c" : "c++",
                                     NULL});
  if (prelude) {
    flags_add(w, (const char *const[]){"-fpch-preprocess", "-include", prelude, NULL});
    b->prelude_used = true;
  } else if (cuda) {
    flags_add(
        w, (const char *const[]){"-include", "cuda_runtime.h", "-include", "simt/ptx.hpp", NULL});
  }
  if (what == DEVICE_TEXT) string_list_add(w, "-D__CUDA_ARCH__=900");
  string_list_add(w, in->path);
  free(prelude);
  free(text);
}

void command_compile(const struct build *b, const struct input *in, struct string_list *w) {
  const bool c = in->language == LANGUAGE_C;
  string_list_add(w, compiler_of(b, in->language));
  flags_of_compiler(w);
  if (!c) add_standard(b, w);
  add_mode(b->options, w);
}

bool command_is_toolkit_library(const char *word) {
  static const char *const beginnings[] = {"-lcudart",   "-lcudadevrt",  "-lcurand",   "-lculibos",
                                           "-lcublas",   "-lcufft",      "-lcusparse", "-lcusolver",
                                           "-lnvrtc",    "-lnvToolsExt", "-lnvtx3",    "-lnpp",
                                           "-lnvJitLink"};
  if (!strcmp(word, "-lcuda")) return true;
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    if (!strncmp(word, beginnings[i], strlen(beginnings[i]))) return true;
  }
  return false;
}

/* Instrumented programs get the sanitizer's calls from libsimt.so, not from a library of its own:
 * nobody may link with -fsanitize. */
static void add_linker(const struct build *b, struct string_list *w) {
  if (b->options->mode == MODE_RUN) {
    command_compile(b, &(struct input){.language = LANGUAGE_CUDA}, w);
    return;
  }
  string_list_add(w, compiler_of(b, LANGUAGE_CXX));
  for (size_t i = 0; i < b->options->compile.count; i++) {
    const char *word = b->options->compile.all[i];
    if (!strcmp(word, "-fopenmp") || !strcmp(word, "-pthread")) string_list_add(w, word);
  }
}

void command_link(const struct build *b, const struct string_list *objects, const char *output,
                  struct string_list *w) {
  char *folder = text_format("-L%s", b->home.library);
  char *rpath = text_format("-Wl,-rpath,%s", b->home.library);
  add_linker(b, w);
  string_list_add_all(w, objects);
  if (b->options->shared) string_list_add(w, "-shared");
  if (b->options->mode == MODE_CHECK) { /* what the program does with the host's heap, and memory */
    string_list_add(w, "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset,--wrap=memcmp,--wrap=fwrite,"
                       "--wrap=fread");
    string_list_add(w, "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=_Znwm,"
                       "--wrap=_Znam,--wrap=_ZdlPv,--wrap=_ZdaPv,--wrap=_ZdlPvm,--wrap=_ZdaPvm");
  }
  for (size_t i = 0; i < b->options->link.count; i++) {
    if (!command_is_toolkit_library(b->options->link.all[i]))
      string_list_add(w, b->options->link.all[i]);
  }
  flags_add(w,
            (const char *const[]){folder, rpath, "-lsimt", "-lm", "-lpthread", "-o", output, NULL});
  free(folder);
  free(rpath);
}
