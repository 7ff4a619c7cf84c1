/* Steps, each of which makes what the next one takes (build.h).
 *
 * Method  make_text takes a source through preprocess_cuda, rewrite and write_text; g++ compiles
 *         what it wrote (compile_object) and links that (build_executable)
 */
#include "build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/process.h"
#include "base/string_list.h"
#include "base/text.h"
#include "commands.h"
#include "flags.h"
#include "messages.h"
#include "rewrite/rewrite.h"
#include "search_list.h"
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
  for (size_t i = 0; i < 2; i++) text_free(&b->searched[i]);
}

static bool is_precompiled(const struct build *b) { return b->prelude_used && !b->plain; }

/* Whether a failure is not the last word: it may be the precompiled headers', or that of a kernel which
 * was understood wrongly and written as phases; with SIMT_PHASES=strict, for tests, it shows. */
static bool is_tried(const struct build *b) {
  const char *phases = getenv("SIMT_PHASES");
  const bool strict = phases && !strcmp(phases, "strict");
  return is_precompiled(b) || (b->phases && !b->fibres && !strict);
}

/* After a failure that is not the last word: all again without the one, then without the other. */
static bool tries_again(struct build *b, int status) {
  if (!status || !is_tried(b)) return false;
  if (is_precompiled(b))
    b->plain = true;
  else
    b->fibres = true;
  return true;
}

/* Runs a command of the compiler's and frees it; messages are printed in the user's words. Of a
 * preprocessor the folders that it searches go to `searched`. */
static int run_compiler(const struct build *b, struct string_list *w, struct text *out,
                        struct text *searched) {
  if (b->options->verbose) {
    if (b->prompt) fputs(b->prompt, stderr);
    for (size_t i = 0; i < w->count; i++) {
      fprintf(stderr, "%s%c", w->all[i], i + 1 < w->count ? ' ' : '\n');
    }
  }
  struct text errors = {0};
  const int status = process_run(w, out, &errors);
  if (searched) search_list_take(&errors, searched);
  if (status < 0) {
    messages_no_compiler(b->program, w->all[0], errno);
  } else if (status && is_tried(b)) {
    /* Once more, without what was precompiled. */
  } else if (errors.length && b->raw) {
    fputs(errors.data, stderr);
  } else if (errors.length) {
    messages_of_compiler(errors.data, b->home.include, status != 0);
  } else if (status) {
    fprintf(stderr, "%s: %s ended with status %d\n", b->program, w->all[0], status);
  }
  text_free(&errors);
  string_list_free(w);
  return status == 0 ? 0 : 1;
}

/* ---- One source ------------------------------------------------------------------------------ */

static int preprocess(struct build *b, const struct input *in, enum preprocessed what,
                      struct text *out) {
  struct string_list w = {0};
  command_preprocess(b, in, what, &w);
  const int status = run_compiler(b, &w, out, &b->searched[in->language == LANGUAGE_C]);
  if (!status) files_of_markers(out->data, out->length, &b->files);
  return status;
}

/* The host's text, and the device's if __CUDA_ARCH__ makes them differ. */
static int preprocess_cuda(struct build *b, const struct input *in, struct text *host,
                           struct text *device) {
  int status = preprocess(b, in, HOST_TEXT, host);
  if (status || !files_mention(&b->files, "__CUDA_ARCH__", b->home.include)) return status;
  if (is_precompiled(b)) { /* the two texts are compared as a whole */
    text_free(host);
    status = preprocess(b, in, HOST_TEXT_WHOLE, host);
  }
  return status ? status : preprocess(b, in, DEVICE_TEXT, device);
}

/* The texts of a CUDA source as C++. */
static int rewrite(struct build *b, const struct text *host, const struct text *device,
                   struct text *out) {
  const struct rewrite_options options = {.own_headers = b->home.include,
                                          .separate = b->options->separate,
                                          .instrumented = b->options->mode != MODE_RUN,
                                          .fibres = b->fibres,
                                          .check = b->options->mode == MODE_CHECK};
  struct text messages = {0};
  const bool fine = rewrite_cuda(host->data ? host->data : "", host->length, device->data,
                                 device->length, &options, out, &messages);
  if (fine && strstr(out->data, "simt::phased(")) b->phases = true;
  if (!fine && !is_tried(b)) fputs(messages.data, stderr);
  text_free(&messages);
  return fine ? 0 : 1;
}

/* Into a file of the temporary folder, whose path is to be freed, and with --keep one beside. */
static int write_text(const struct build *b, size_t number, const struct text *text, char **path) {
  const struct input *in = &b->options->inputs[number];
  const char *data = text->data ? text->data : "";
  *path = text_format("%s/%zu.%s", b->folder, number, in->language == LANGUAGE_C ? "i" : "ii");
  if (!files_write(*path, data, text->length)) {
    fprintf(stderr, "%s: cannot write %s: %s\n", b->program, *path, strerror(errno));
    return 1;
  }
  if (b->options->keep && in->language == LANGUAGE_CUDA) {
    const char *slash = strrchr(in->path, '/');
    char *kept = text_format("%s.simt.ii", slash ? slash + 1 : in->path);
    if (!files_write(kept, data, text->length)) {
      fprintf(stderr, "%s: cannot write %s: %s\n", b->program, kept, strerror(errno));
    }
    free(kept);
  }
  return 0;
}

/* What g++ compiles, as a file; its path, to be freed, NULL where it is not even begun. */
static int make_text(struct build *b, size_t number, char **path) {
  const struct input *in = &b->options->inputs[number];
  const bool cuda = in->language == LANGUAGE_CUDA;
  struct text host = {0}, device = {0}, made = {0};
  int status =
      cuda ? preprocess_cuda(b, in, &host, &device) : preprocess(b, in, HOST_TEXT_WHOLE, &host);
  if (!status && cuda) status = rewrite(b, &host, &device, &made);
  if (!status) status = write_text(b, number, cuda ? &made : &host, path);
  text_free(&host);
  text_free(&device);
  text_free(&made);
  return status;
}

static int compile_object(struct build *b, size_t number, const char *object) {
  char *path = NULL;
  int status = make_text(b, number, &path);
  if (!status) {
    struct string_list w = {0};
    command_compile(b, &b->options->inputs[number], &w);
    flags_add(&w, (const char *const[]){"-c", path, "-o", object, NULL});
    status = run_compiler(b, &w, NULL, NULL);
  }
  free(path);
  return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

int build_object(struct build *b, size_t number, const char *object) {
  int status;
  do {
    status = compile_object(b, number, object);
  } while (tries_again(b, status));
  return status;
}

int build_link(struct build *b, const struct string_list *objects, const char *output) {
  struct string_list w = {0};
  command_link(b, objects, output, &w);
  return run_compiler(b, &w, NULL, NULL);
}

int build_text(struct build *b, size_t number, struct text *text) {
  return preprocess(b, &b->options->inputs[number], HOST_TEXT_WHOLE, text);
}

int build_executable(struct build *b, const char *output) {
  const struct options *o = b->options;
  /* One g++ compiles and links what is all of a program. */
  const bool single =
      o->input_count == 1 && o->inputs[0].language == LANGUAGE_CUDA && o->mode == MODE_RUN;
  int status;
  do {
    struct string_list objects = {0};
    status = 0;
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
      if (path) string_list_take(&objects, path);
    }
    if (!status) status = build_link(b, &objects, output);
    string_list_free(&objects);
  } while (tries_again(b, status));
  return status;
}

/* prog.o for prog.cu, in the current folder; to be freed. */
static char *object_name(const char *source) {
  const char *slash = strrchr(source, '/');
  const char *base = slash ? slash + 1 : source, *dot = strrchr(base, '.');
  return text_format("%.*s.o", dot ? (int)(dot - base) : (int)strlen(base), base);
}

int build_objects(struct build *b) {
  const struct options *o = b->options;
  int status;
  if (o->output && o->input_count > 1) {
    fprintf(stderr, "%s: -c with -o takes one source\n", b->program);
    return 1;
  }
  do {
    status = 0;
    for (size_t i = 0; i < o->input_count && !status; i++) {
      if (o->inputs[i].language == LANGUAGE_OBJECT) continue;
      char *object =
          o->output ? text_copy(o->output, strlen(o->output)) : object_name(o->inputs[i].path);
      status = compile_object(b, i, object);
      free(object);
    }
  } while (tries_again(b, status));
  return status;
}

int build_preprocessed(struct build *b) {
  int status = 0;
  for (size_t i = 0; i < b->options->input_count && !status; i++) {
    struct text text = {0};
    status = build_text(b, i, &text);
    if (!status && text.length) fwrite(text.data, 1, text.length, stdout);
    text_free(&text);
  }
  return status;
}
