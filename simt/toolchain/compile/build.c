/* From sources to a program (build.h). */
#include "build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flags.h"
#include "messages.h"
#include "prelude.h"
#include "rewrite/rewrite.h"
#include "toolchain/files.h"

bool build_open(struct build *b, const char *program, const struct options *options) {
  *b = (struct build){.program = program, .options = options};
  return home_find(&b->home, program);
}

bool build_folder(struct build *b) {
  const char *temporary = getenv("TMPDIR");
  b->folder = text_format("%s/simt-XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (mkdtemp(b->folder)) return true;
  fprintf(stderr, "%s: cannot make a temporary folder %s: %s\n", b->program, b->folder,
          strerror(errno));
  free(b->folder);
  b->folder = NULL;
  return false;
}

void build_remove_folder(struct build *b) {
  if (b->folder) files_remove_folder(b->folder);
  free(b->folder);
  b->folder = NULL;
}

void build_close(struct build *b) {
  build_remove_folder(b);
  home_free(&b->home);
  string_list_free(&b->files);
}

/* ---- Commands -------------------------------------------------------------------------------- */

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

static void add(struct string_list *w, const char *const *words) {
  for (; *words; words++) string_list_add(w, *words);
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
static void preprocessor(const struct build *b, const struct input *in, struct string_list *w) {
  string_list_add(w, in->language == LANGUAGE_C ? "gcc" : "g++");
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
  flags_of_watcher(b->options->mode, w);
}

static void preprocess_command(struct build *b, const struct input *in, bool device, bool plain,
                               struct string_list *w) {
  const bool cuda = in->language == LANGUAGE_CUDA;
  preprocessor(b, in, w);
  char *text = cuda && !plain ? prelude_text(b->options, in->path) : NULL;
  char *prelude = text ? prelude_find(text, w, &b->files) : NULL;
  add(w, (const char *const[]){"-E", "-x", in->language == LANGUAGE_C ? "c" : "c++", NULL});
  if (prelude) {
    add(w, (const char *const[]){"-fpch-preprocess", "-include", prelude, NULL});
    b->prelude_used = true;
  } else if (cuda) {
    add(w, (const char *const[]){"-include", "cuda_runtime.h", "-include", "simt/ptx.hpp", NULL});
  }
  if (device) string_list_add(w, "-D__CUDA_ARCH__=900");
  string_list_add(w, in->path);
  free(prelude);
  free(text);
}

static void compile_command(const struct build *b, const struct input *in, struct string_list *w) {
  const bool c = in->language == LANGUAGE_C;
  string_list_add(w, c ? "gcc" : "g++");
  flags_of_compiler(w);
  if (!c) add_standard(b, w);
  add_mode(b->options, w);
}

/* Watched programs get the sanitizer's calls from libsimt.so, not from a library of its own:
 * nobody may link with -fsanitize. */
static void link_command(const struct build *b, struct string_list *w) {
  if (b->options->mode == MODE_RUN) {
    compile_command(b, &(struct input){.language = LANGUAGE_CUDA}, w);
    return;
  }
  string_list_add(w, "g++");
  for (size_t i = 0; i < b->options->compile.count; i++) {
    const char *word = b->options->compile.all[i];
    if (!strcmp(word, "-fopenmp") || !strcmp(word, "-pthread")) string_list_add(w, word);
  }
}

/* The toolkit's libraries: what simt has of them is in libsimt.so, and what it has not is named
 * when a program uses it, not when a makefile lists it. */
static bool is_toolkit_library(const char *word) {
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

static void add_link(const struct build *b, const char *output, struct string_list *w) {
  char *folder = text_format("-L%s", b->home.library);
  char *rpath = text_format("-Wl,-rpath,%s", b->home.library);
  if (b->options->shared) string_list_add(w, "-shared");
  if (b->options->mode == MODE_CHECK) { /* what the program does with the host's heap */
    string_list_add(w, "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=_Znwm,"
                       "--wrap=_Znam,--wrap=_ZdlPv,--wrap=_ZdaPv,--wrap=_ZdlPvm,--wrap=_ZdaPvm");
  }
  for (size_t i = 0; i < b->options->link.count; i++) {
    if (!is_toolkit_library(b->options->link.all[i])) string_list_add(w, b->options->link.all[i]);
  }
  add(w, (const char *const[]){folder, rpath, "-lsimt", "-lm", "-lpthread", "-o", output, NULL});
  free(folder);
  free(rpath);
}

/* Whether a failure is not the last word. */
static bool is_tried(const struct build *b) { return b->prelude_used && !b->plain; }

/* Runs a command of the compiler's; what it says is put into the user's words. */
static int run_compiler(const struct build *b, const struct string_list *w, struct text *out) {
  if (b->options->verbose) {
    for (size_t i = 0; i < w->count; i++) {
      fprintf(stderr, "%s%c", w->all[i], i + 1 < w->count ? ' ' : '\n');
    }
  }
  struct text errors = {0};
  const int status = process_run(w, out, &errors);
  if (status < 0) {
    messages_no_compiler(b->program, w->all[0], errno);
  } else if (status && is_tried(b)) {
    /* Once more, without what was precompiled. */
  } else if (errors.length) {
    messages_of_compiler(errors.data, b->home.include, status != 0);
  } else if (status) {
    fprintf(stderr, "%s: %s ended with status %d\n", b->program, w->all[0], status);
  }
  text_free(&errors);
  return status == 0 ? 0 : 1;
}

/* ---- One source ------------------------------------------------------------------------------ */

static int preprocess(struct build *b, const struct input *in, bool device, bool plain,
                      struct text *out) {
  struct string_list w = {0};
  preprocess_command(b, in, device, plain, &w);
  const int status = run_compiler(b, &w, out);
  string_list_free(&w);
  return status;
}

/* CUDA source as C++ text. */
static int rewritten(struct build *b, const struct input *in, struct text *out) {
  struct text host = {0}, device = {0}, messages = {0};
  int status = preprocess(b, in, false, b->plain, &host);
  if (!status) files_of_markers(host.data, host.length, &b->files);
  const bool twice = !status && files_mention(&b->files, "__CUDA_ARCH__", b->home.include);
  if (twice && b->prelude_used && !b->plain) { /* the two texts are compared as a whole */
    text_free(&host);
    status = preprocess(b, in, false, true, &host);
  }
  if (twice && !status) status = preprocess(b, in, true, true, &device);
  if (!status && twice) files_of_markers(device.data, device.length, &b->files);
  if (!status) {
    const struct rewrite_options options = {.own_headers = b->home.include,
                                            .separate = b->options->separate,
                                            .watched = b->options->mode != MODE_RUN,
                                            .check = b->options->mode == MODE_CHECK};
    if (!rewrite_cuda(host.data ? host.data : "", host.length, device.data, device.length, &options,
                      out, &messages)) {
      if (!is_tried(b)) fputs(messages.data, stderr);
      status = 1;
    }
  }
  text_free(&host);
  text_free(&device);
  text_free(&messages);
  return status;
}

/* The text that g++ compiles, in a file of the temporary folder. */
static int make_text(struct build *b, size_t number, char **path) {
  const struct input *in = &b->options->inputs[number];
  struct text text = {0};
  const bool cuda = in->language == LANGUAGE_CUDA;
  int status = cuda ? rewritten(b, in, &text) : preprocess(b, in, false, true, &text);
  if (!status && !cuda) files_of_markers(text.data, text.length, &b->files);
  const char *kind = in->language == LANGUAGE_C ? "i" : "ii";
  *path = text_format("%s/%zu.%s", b->folder, number, kind);
  if (!status && !files_write(*path, text.data ? text.data : "", text.length)) {
    fprintf(stderr, "%s: cannot write %s: %s\n", b->program, *path, strerror(errno));
    status = 1;
  }
  if (!status && b->options->keep && cuda) {
    const char *slash = strrchr(in->path, '/');
    char *kept = text_format("%s.simt.ii", slash ? slash + 1 : in->path);
    if (!files_write(kept, text.data ? text.data : "", text.length)) {
      fprintf(stderr, "%s: cannot write %s: %s\n", b->program, kept, strerror(errno));
    }
    free(kept);
  }
  text_free(&text);
  return status;
}

static int compile_object(struct build *b, size_t number, const char *object) {
  char *path = NULL;
  int status = make_text(b, number, &path);
  if (!status) {
    struct string_list w = {0};
    compile_command(b, &b->options->inputs[number], &w);
    add(&w, (const char *const[]){"-c", path, "-o", object, NULL});
    status = run_compiler(b, &w, NULL);
    string_list_free(&w);
  }
  free(path);
  return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static int make_objects(struct build *b) {
  const struct options *o = b->options;
  int status = 0;
  if (o->output && o->input_count > 1) {
    fprintf(stderr, "%s: -c with -o takes one source\n", b->program);
    return 1;
  }
  for (size_t i = 0; i < o->input_count && !status; i++) {
    if (o->inputs[i].language == LANGUAGE_OBJECT) continue;
    const char *path = o->inputs[i].path, *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    const int length = dot ? (int)(dot - base) : (int)strlen(base);
    char *object =
        o->output ? text_copy(o->output, strlen(o->output)) : text_format("%.*s.o", length, base);
    status = compile_object(b, i, object);
    free(object);
  }
  return status;
}

int build_preprocessed(struct build *b) {
  int status = 0;
  for (size_t i = 0; i < b->options->input_count && !status; i++) {
    struct text text = {0};
    status = preprocess(b, &b->options->inputs[i], false, true, &text);
    if (!status && text.length) fwrite(text.data, 1, text.length, stdout);
    text_free(&text);
  }
  return status;
}

bool build_search_list(const struct build *b, enum language language, struct text *out) {
  const struct input in = {.language = language};
  struct string_list w = {0};
  preprocessor(b, &in, &w);
  const char *const kind = language == LANGUAGE_C ? "c" : "c++";
  add(&w, (const char *const[]){"-E", "-v", "-x", kind, "/dev/null", NULL});
  struct text nothing = {0};
  const int status = process_run(&w, &nothing, out);
  string_list_free(&w);
  text_free(&nothing);
  return status == 0;
}

static int make_executable(struct build *b, const char *output) {
  const struct options *o = b->options;
  const bool single =
      o->input_count == 1 && o->inputs[0].language == LANGUAGE_CUDA && o->mode == MODE_RUN;
  struct string_list objects = {0};
  int status = 0;
  for (size_t i = 0; i < o->input_count && !status; i++) {
    char *path = NULL;
    if (o->inputs[i].language == LANGUAGE_OBJECT) {
      path = text_copy(o->inputs[i].path, strlen(o->inputs[i].path));
    } else if (single) {
      status = make_text(b, i, &path);
    } else {
      path = text_format("%s/%zu.o", b->folder, i);
      status = compile_object(b, i, path);
    }
    string_list_add(&objects, path);
    free(path);
  }
  if (!status) {
    struct string_list w = {0};
    link_command(b, &w);
    string_list_add_all(&w, &objects);
    add_link(b, output, &w);
    status = run_compiler(b, &w, NULL);
    string_list_free(&w);
  }
  string_list_free(&objects);
  return status;
}

int build_objects(struct build *b) {
  int status = make_objects(b);
  if (status && is_tried(b)) {
    b->plain = true;
    status = make_objects(b);
  }
  return status;
}

int build_executable(struct build *b, const char *output) {
  int status = make_executable(b, output);
  if (status && is_tried(b)) {
    b->plain = true;
    status = make_executable(b, output);
  }
  return status;
}
