/* From a program's text to an image (nvrtc.h).
 *
 * Method   g++ -E with the precompiled header, the rewriter, g++ to a shared object. What the text
 *          was preprocessed to decides all, so it names the object in the cache. The text itself
 *          goes into a section of the object, for reports of lines
 * Limits   no header of the system is found by a text's #include, as with NVRTC; folders of the
 *          toolkit's headers stand for ours
 */
#include "base/files.h"
#include "nvrtc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/image.h"
#include "rewrite/rewrite.h"
#include "toolchain/cache/key.h"
#include "toolchain/cache/size.h"
#include "toolchain/files.h"

struct work {
  struct program *program;
  const struct nvrtc_options *options;
  struct installation installation;
  char *folder; /* of temporary files */
  struct text preprocessed, rewritten, object, messages;
  bool fibres;  /* no kernel as phases */
  char key[33]; /* of the cache */
};

/* ---- Files ----------------------------------------------------------------------------------- */

static void report_no_file(struct work *w) {
  text_add_format(&w->program->log, "nvrtc: error: cannot write temporary files in %s: %s\n",
                  w->folder ? w->folder : "TMPDIR", strerror(errno));
}

static bool make_folder(struct work *w) {
  const char *temporary = getenv("TMPDIR");
  w->folder = text_format("%s/simt-XXXXXX", temporary && *temporary ? temporary : "/tmp");
  if (mkdtemp(w->folder)) return true;
  report_no_file(w);
  free(w->folder);
  w->folder = NULL;
  return false;
}

/* files_remove_folder takes files only. */
static void remove_folder(const struct work *w) {
  for (size_t i = 0; i < w->program->header_names.count; i++) {
    char *path = text_format("%s/include/%s", w->folder, w->program->header_names.all[i]);
    unlink(path);
    for (char *slash = strrchr(path, '/'); slash && slash > path + strlen(w->folder);
         slash = strrchr(path, '/')) {
      *slash = 0;
      rmdir(path);
    }
    free(path);
  }
  files_remove_folder(w->folder);
}

/* The linker's own names for where variables begin would stand for the first of them. */
static const char exports[] = "{ local: __start_simt_device*; __stop_simt_device*; };\n";

static bool write_sources(struct work *w) {
  const struct program *p = w->program;
  struct text unit = {0};
  if (w->options->defines.length)
    text_add(&unit, w->options->defines.data, w->options->defines.length);
  text_add_format(&unit, "#define __CUDA_ARCH__ %u0\n#define __CUDACC_RTC__ 1\n",
                  w->options->architecture);
  for (size_t i = 0; i < w->options->before.count; i++)
    text_add_format(&unit, "#include \"%s\"\n", w->options->before.all[i]);
  const size_t begin = unit.length;
  text_add_string(&unit, "#line 1 ");
  text_add_literal(&unit, p->name);
  text_add_format(&unit, "\n%s\n", p->source);
  const char *source = unit.data + begin;
  bool fine = nvrtc_write(w->folder, "unit.cu", unit.data, unit.length) &&
              nvrtc_write(w->folder, "source", source, strlen(source)) &&
              nvrtc_write(w->folder, "exports", exports, sizeof exports - 1);
  text_free(&unit);
  for (size_t i = 0; i < p->headers.count && fine; i++) {
    char *name = text_format("include/%s", p->header_names.all[i]);
    fine = nvrtc_write(w->folder, name, p->headers.all[i], strlen(p->headers.all[i]));
    free(name);
  }
  if (!fine) report_no_file(w);
  return fine;
}

/* ---- The compiler ---------------------------------------------------------------------------- */

static nvrtcResult run_compiler(struct work *w, const struct string_list *command) {
  struct text errors = {0};
  const int status = nvrtc_spawn(command, &errors);
  if (status < 0) {
    text_add_format(&w->program->log,
                    errno == ENOENT ? "nvrtc: error: g++ is not installed\n"
                                    : "nvrtc: error: g++ could not be started: %s\n",
                    strerror(errno));
  } else if (errors.length) {
    const unsigned count =
        nvrtc_log_add(&w->program->log, errors.data, w->folder, !w->options->quiet);
    if (status && count)
      text_add_format(&w->program->log, "%u error%s detected in the compilation of \"%s\".\n",
                      count, count == 1 ? "" : "s", w->program->name);
  }
  text_free(&errors);
  if (status < 0) return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  return status ? NVRTC_ERROR_COMPILATION : NVRTC_SUCCESS;
}

static void add_path(struct string_list *w, const char *before, const char *folder,
                     const char *name) {
  char *word = text_format("%s%s/%s", before, folder, name);
  string_list_add(w, word);
  free(word);
}

static void add_includes(const struct work *w, struct string_list *command) {
  add_path(command, "-I", w->folder, "include");
  for (size_t i = 0; i < w->options->includes.count; i++) {
    const char *folder = w->options->includes.all[i];
    char *toolkit = text_format("%s/cuda_runtime_api.h", folder);
    char *real = realpath(folder, NULL); /* the compiler runs elsewhere */
    if (real && access(toolkit, F_OK)) {
      string_list_add(command, "-I");
      string_list_add(command, real);
    }
    free(real);
    free(toolkit);
  }
}

static void drop(struct text *t, const char *what) {
  const size_t length = strlen(what);
  char *to = t->data;
  const char *from = to, *const end = from + t->length;
  while (from < end) {
    const char *found = memmem(from, (size_t)(end - from), what, length);
    const size_t piece = (size_t)((found ? found : end) - from);
    memmove(to, from, piece);
    to += piece;
    from += piece + (found ? length : 0);
  }
  *to = 0;
  t->length = (size_t)(to - t->data);
}

/* The temporary folder's name is another one each time, and nobody's business. */
static void drop_folder(struct work *w) {
  char *headers = text_format("%s/include/", w->folder), *folder = text_format("%s/", w->folder);
  drop(&w->preprocessed, headers);
  drop(&w->preprocessed, folder);
  free(headers);
  free(folder);
}

/* A header of the system's that the text includes: NVRTC has none. The compiler has its own say on
 * what is included behind the precompiled header. */
static bool includes_system(struct work *w) {
  const char *line = w->preprocessed.data, *const end = line + w->preprocessed.length;
  const char *prelude = strstr(line, "#pragma GCC pch_preprocess");
  unsigned long number = 0;
  for (line = prelude ? prelude : end; line < end; number++) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    if (!newline) newline = end;
    if (line[0] == '#' && line[1] == ' ') {
      char *rest;
      const unsigned long next = strtoul(line + 2, &rest, 10);
      const char *open = rest + 2, *close = memchr(open, '"', (size_t)(newline - open));
      if (close && newline - close > 4 && !memcmp(close, "\" 1 3", 5)) {
        const char *name = close;
        while (name > open && name[-1] != '/') name--;
        text_add_format(&w->program->log, "%s(%lu): error: cannot open source file \"%.*s\"\n",
                        w->program->name, number, (int)(close - name), name);
        return true;
      }
      number = next - 1;
    }
    line = newline + (newline < end);
  }
  return false;
}

static nvrtcResult preprocess(struct work *w) {
  struct string_list command = {0};
  installation_compiler(&w->installation, w->options->standard, &command);
  add_includes(w, &command);
  const char *const words[] = {"-E", "-fpch-preprocess", "-x", "c++"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) string_list_add(&command, words[i]);
  if (w->installation.prelude) {
    string_list_add(&command, "-include");
    string_list_add(&command, w->installation.prelude);
  } else {
    const char *const plain[] = {"-include", "cuda_runtime.h", "-include", "simt/ptx.hpp"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) string_list_add(&command, plain[i]);
  }
  string_list_add(&command, "-o");
  add_path(&command, "", w->folder, "unit.i");
  add_path(&command, "", w->folder, "unit.cu");
  nvrtcResult result = run_compiler(w, &command);
  string_list_free(&command);
  char *path = text_format("%s/unit.i", w->folder);
  if (!result && !files_read(path, &w->preprocessed)) result = NVRTC_ERROR_COMPILATION;
  free(path);
  return result;
}

static nvrtcResult rewrite_text(struct work *w) {
  const enum mode mode = w->installation.mode;
  const struct rewrite_options options = {.own_headers = w->installation.include,
                                          .separate = true,
                                          .device_default = w->options->device_default,
                                          .instrumented = mode != MODE_RUN,
                                          .fibres = w->fibres,
                                          .check = mode == MODE_CHECK};
  if (!rewrite_cuda(w->preprocessed.data ? w->preprocessed.data : "", w->preprocessed.length, NULL,
                    0, &options, &w->rewritten, &w->messages)) {
    nvrtc_log_add(&w->program->log, w->messages.data ? w->messages.data : "", w->folder, true);
    return NVRTC_ERROR_COMPILATION;
  }
  text_add_string(&w->rewritten,
                  "\n# 1 \"<simt>\"\nextern \"C\" { __attribute__((used, visibility(\"default\"))) "
                  "extern const char simt_module_begin[] = \"\"; }\n");
  nvrtc_names_add(w->program, &w->rewritten);
  text_add_format(&w->rewritten,
                  "__asm__(\".pushsection .simt_source,\\\"\\\",@progbits\\n.incbin "
                  "\\\"%s/source\\\"\\n.popsection\");\n",
                  w->folder);
  if (nvrtc_write(w->folder, "unit.ii", w->rewritten.data, w->rewritten.length))
    return NVRTC_SUCCESS;
  report_no_file(w);
  return NVRTC_ERROR_COMPILATION;
}

/* Where shared memory lies is the device's business, not the loader's (device/module.c). */
static const char *const link_words[] = {"g++",
                                         "-shared",
                                         "-Wl,-Bsymbolic",
                                         "-Wl,-z,defs",
                                         "-Wl,--build-id=none",
                                         "-Wl,--wrap=__tls_get_addr",
                                         "-o"};

/* -fsanitize is for the compiler alone: nobody may link the sanitizer's own library. */
static nvrtcResult build_object(struct work *w) {
  struct string_list command = {0};
  installation_compiler(&w->installation, w->options->standard, &command);
  const char *const words[] = {"-fpreprocessed", "-c", "-pipe", "-o"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) string_list_add(&command, words[i]);
  add_path(&command, "", w->folder, "unit.o");
  add_path(&command, "", w->folder, "unit.ii");
  nvrtcResult result = run_compiler(w, &command);
  string_list_free(&command);
  if (result) return result;
  for (size_t i = 0; i < sizeof link_words / sizeof *link_words; i++)
    string_list_add(&command, link_words[i]);
  add_path(&command, "", w->folder, "unit.so");
  add_path(&command, "", w->folder, "unit.o");
  add_path(&command, "-Wl,--version-script=", w->folder, "exports");
  string_list_add(&command, w->installation.library);
  string_list_add(&command, "-lm");
  result = run_compiler(w, &command);
  string_list_free(&command);
  char *path = text_format("%s/unit.so", w->folder);
  if (!result && !files_read(path, &w->object)) result = NVRTC_ERROR_COMPILATION;
  free(path);
  return result;
}

/* A kernel that was written as phases, but should not have been, is no error of the program's, but with
 * SIMT_PHASES=strict, for tests. */
static nvrtcResult rewrite_and_build(struct work *w) {
  const char *phases = getenv("SIMT_PHASES");
  const size_t logged = w->program->log.length;
  nvrtcResult result = rewrite_text(w);
  if (!result) result = build_object(w);
  if (result != NVRTC_ERROR_COMPILATION || w->fibres || !w->rewritten.data ||
      !strstr(w->rewritten.data, "simt::phased(") || (phases && !strcmp(phases, "strict")))
    return result;
  w->fibres = true;
  w->program->log.length = logged;
  text_free(&w->rewritten);
  return rewrite_and_build(w);
}

/* ---- The cache ------------------------------------------------------------------------------- */

static void make_key(struct work *w) {
  uint8_t build_id[IMAGE_BUILD];
  struct string_list command = {0};
  struct text all = {0};
  image_build(build_id);
  installation_compiler(&w->installation, w->options->standard, &command);
  for (size_t i = 0; i < command.count; i++) text_add_format(&all, "%s\n", command.all[i]);
  for (size_t i = 0; i < w->program->expressions.count; i++)
    text_add_format(&all, "name %s\n", w->program->expressions.all[i]);
  for (size_t i = 0; i < sizeof link_words / sizeof *link_words; i++)
    text_add_format(&all, "%s\n", link_words[i]);
  text_add_format(&all, "device %d %s", w->options->device_default, exports);
  text_add(&all, (const char *)build_id, sizeof build_id);
  cache_add_machine(&all);
  text_add(&all, w->preprocessed.data, w->preprocessed.length);
  text_add_string(&all, w->program->source);
  cache_key(&all, w->key);
  text_free(&all);
  string_list_free(&command);
}

/* A kept image is whole, or it is made again. */
static bool find_kept(struct work *w) {
  struct image head;
  struct text kept = {0};
  char *path = text_format("%s/%s.image", w->installation.cache, w->key);
  bool fine = files_read(path, &kept) && kept.length > sizeof head;
  if (fine) {
    memcpy(&head, kept.data, sizeof head);
    fine = image_head_ok(&head) && head.bytes == kept.length - sizeof head &&
           image_checksum(kept.data + sizeof head, head.bytes) == head.checksum;
  }
  if (fine) text_add(&w->object, kept.data + sizeof head, kept.length - sizeof head);
  if (fine) utimensat(AT_FDCWD, path, NULL, 0);
  free(path);
  text_free(&kept);
  return fine;
}

static void keep(const struct work *w) {
  char *own = text_format("%s/new-XXXXXX", w->installation.cache);
  char *path = text_format("%s/%s.image", w->installation.cache, w->key);
  const int file = mkstemp(own);
  if (file >= 0) {
    close(file);
    const struct text *image = &w->program->image;
    if (!files_write(own, image->data, image->length) || rename(own, path)) unlink(own);
    if (w->key[0] == '0') cache_bound(w->installation.cache, CACHE_BYTES); /* one time in sixteen */
  }
  free(own);
  free(path);
}

static void make_image(struct work *w) {
  static const enum simt_instrumentation watches[] = {[MODE_RUN] = SIMT_UNINSTRUMENTED,
                                                      [MODE_CHECK] = SIMT_CHECKED,
                                                      [MODE_PROFILE] = SIMT_PROFILED};
  struct image head;
  image_fill(&head, w->object.data, w->object.length, w->options->architecture,
             watches[w->installation.mode]);
  text_add(&w->program->image, (const char *)&head, sizeof head);
  text_add(&w->program->image, w->object.data, w->object.length);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static nvrtcResult compile_text(struct work *w) {
  if (!installation_find(&w->installation, &w->program->log))
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  installation_prelude(&w->installation, w->options->standard);
  if (!make_folder(w) || !write_sources(w)) return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  nvrtcResult result = preprocess(w);
  if (result) return result;
  if (w->preprocessed.length) drop_folder(w);
  if (w->preprocessed.length && includes_system(w)) return NVRTC_ERROR_COMPILATION;
  make_key(w);
  const bool kept = w->installation.cache && find_kept(w);
  if (!kept) result = rewrite_and_build(w);
  if (!result && !nvrtc_names_read(w->program, w->object.data, w->object.length))
    result = NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  if (result) return result;
  make_image(w);
  if (!kept && w->installation.cache) keep(w);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtc_compile(struct program *p, const struct nvrtc_options *o) {
  struct work w = {.program = p, .options = o};
  const nvrtcResult result = compile_text(&w);
  if (w.folder && !getenv("SIMT_KEEP")) remove_folder(&w);
  free(w.folder);
  installation_free(&w.installation);
  text_free(&w.preprocessed);
  text_free(&w.rewritten);
  text_free(&w.object);
  text_free(&w.messages);
  return result;
}
