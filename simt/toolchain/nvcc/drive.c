/* Phases (drive.h).
 *
 * Method  sources become objects (../compile/build.h), the rest is the host linker's, in the order
 *         of the command line. Whether a program is linked for checking is said by its objects
 * Limits  -dlink has nothing to do, since functions of the device are functions: its object is
 *         empty
 */
#include "drive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/process.h"
#include "base/text.h"
#include "rule.h"
#include "toolchain/compile/build.h"
#include "toolchain/compile/commands.h"
#include "toolchain/compile/flags.h"
#include "toolchain/home.h"

enum { ARCHITECTURE = 75 }; /* what nvcc of CUDA 13.0 compiles for if nothing is said */

/* ---- What would be done ---------------------------------------------------------------------- */

static char *own_path(void) {
  char *path = realpath("/proc/self/exe", NULL);
  return path ? path : text_copy("heddle-nvcc", 11);
}

bool nvcc_show_environment(const char *program) {
  struct home home;
  if (!home_find(&home, program)) {
    home_free(&home);
    return false;
  }
  const char *path = getenv("PATH");
  char *own = own_path();
  char *slash = strrchr(own, '/');
  if (slash) *slash = 0;
  fprintf(stderr,
          "#$ _SPACE_= \n#$ _CUDART_=cudart\n#$ _HERE_=%s\n#$ _TARGET_SIZE_=64\n"
          "#$ TOP=%s/cuda\n#$ NVVMIR_LIBRARY_DIR=%s/cuda/nvvm/libdevice\n#$ PATH=%s\n"
          "#$ INCLUDES=\"-I%s/cuda/include\"  \n#$ LIBRARIES=  \"-L%s/cuda/lib64\"\n",
          own, home.library, home.library, path ? path : "", home.library, home.library);
  free(own);
  home_free(&home);
  return true;
}

static void show_compile(const struct input *in, const char *object) {
  char *own = own_path();
  static const char *const languages[] = {"cu", "c++", "c"};
  fprintf(stderr, "#$ \"%s\" -arch compute_%d -x %s -c \"%s\" -o \"%s\"\n", own, ARCHITECTURE,
          languages[in->language], in->path, object);
  free(own);
}

/* As a build's tool reads it, to learn what links a program and with which libraries. */
static void show_link(const struct build *b, const struct string_list *words, const char *output) {
  char *own = own_path();
  fprintf(stderr, "#$ \"%s\" -m64%s", own, b->options->shared ? " -shared" : "");
  for (size_t i = 0; i < words->count; i++) fprintf(stderr, " \"%s\"", words->all[i]);
  fprintf(stderr,
          "  \"-L%s/cuda/lib64\"  -lcudadevrt  -lcudart_static  -lrt -lpthread  -ldl  -o \"%s\"\n",
          b->home.library, output);
  free(own);
}

/* ---- Objects --------------------------------------------------------------------------------- */

/* In the folder for objects, the source's own name with another end; to be freed. */
static char *named_after(const struct nvcc_line *line, const char *source, const char *end) {
  const char *slash = strrchr(source, '/');
  const char *base = slash ? slash + 1 : source, *dot = strrchr(base, '.');
  const int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
  const char *folder = line->folder;
  return text_format("%s%s%.*s%s", folder ? folder : "", folder ? "/" : "", length, base, end);
}

static int put(const struct build *b, const char *path, const struct text *t) {
  if (path ? files_write(path, t->data, t->length)
           : fwrite(t->data, 1, t->length, stdout) == t->length && !fflush(stdout))
    return 0;
  fprintf(stderr, "%s: cannot write %s: %s\n", b->program, path ? path : "standard output",
          strerror(errno));
  return 1;
}

/* out.d for -o out.o. */
static char *rule_path(const struct nvcc_line *line, const char *source) {
  const char *output = line->options.output;
  if (line->rule_file) return text_copy(line->rule_file, strlen(line->rule_file));
  if (!output) return named_after(line, source, ".d");
  const char *slash = strrchr(output, '/'), *dot = strrchr(slash ? slash : output, '.');
  return text_format("%.*s.d", dot ? (int)(dot - output) : (int)strlen(output), output);
}

static int write_rule(struct build *b, const struct nvcc_line *line, size_t number,
                      const char *object) {
  const char *source = b->options->inputs[number].path;
  struct text rule = {0};
  char *path = rule_path(line, source);
  nvcc_rule(line, &(struct rule){object, source, b->home.include}, &b->files, &rule);
  const int status = put(b, path, &rule);
  text_free(&rule);
  free(path);
  return status;
}

/* The folders for headers, where -Xcompiler -v asks for them. */
static void show_folders(const struct build *b, const struct nvcc_line *line, size_t number) {
  const struct text *t = &b->searched[b->options->inputs[number].language == LANGUAGE_C];
  if (line->compiler_verbose && t->length) fputs(t->data, stderr);
}

static int compile(struct build *b, const struct nvcc_line *line, size_t number, const char *object,
                   const char *named) {
  if (b->options->verbose || line->dry_run) show_compile(&b->options->inputs[number], object);
  if (line->dry_run) return 0;
  string_list_free(&b->files);
  int status = build_object(b, number, object);
  show_folders(b, line, number);
  if (!status && line->depends == NVCC_RULE_BESIDE) status = write_rule(b, line, number, named);
  return status;
}

static int make_objects(struct build *b, const struct nvcc_line *line) {
  const struct options *o = b->options;
  int status = 0;
  for (size_t i = 0; i < o->input_count && !status; i++) {
    char *object = o->output ? text_copy(o->output, strlen(o->output))
                             : named_after(line, o->inputs[i].path, ".o");
    status = compile(b, line, i, object, object);
    free(object);
  }
  return status;
}

/* -M and -E */
static int make_texts(struct build *b, const struct nvcc_line *line) {
  const struct options *o = b->options;
  struct text all = {0};
  int status = 0;
  text_add(&all, "", 0);
  for (size_t i = 0; i < o->input_count && !status; i++) {
    struct text text = {0};
    string_list_free(&b->files);
    status = build_text(b, i, &text);
    char *object = named_after(line, o->inputs[i].path, ".o");
    if (!status && line->depends == NVCC_RULE_ALONE)
      nvcc_rule(line, &(struct rule){object, o->inputs[i].path, b->home.include}, &b->files, &all);
    else if (!status && text.length)
      text_add(&all, text.data, text.length);
    free(object);
    text_free(&text);
  }
  const char *path = o->output;
  if (line->depends == NVCC_RULE_ALONE && line->rule_file) path = line->rule_file;
  if (!status) status = put(b, path, &all);
  text_free(&all);
  return status;
}

/* ---- The linker ------------------------------------------------------------------------------ */

/* What an object or an archive was compiled for. */
static enum mode mode_of(const char *path) {
  struct text t = {0};
  enum mode mode = MODE_RUN;
  if (path[0] != '-' && files_read(path, &t) && memmem(t.data, t.length, "__tsan_init", 11)) {
    mode = memmem(t.data, t.length, "__sanitizer_cov_trace_pc", 24) ? MODE_PROFILE : MODE_CHECK;
  }
  text_free(&t);
  return mode;
}

/* Sources become objects of the temporary folder; all in the order of the command line. */
static int gather(struct build *b, const struct nvcc_line *line, struct string_list *words) {
  int status = 0;
  for (size_t i = 0; i < line->item_count && !status; i++) {
    const struct nvcc_item *item = &line->items[i];
    if (item->word) {
      if (!command_is_toolkit_library(item->word)) string_list_add(words, item->word);
      continue;
    }
    const struct input *in = &b->options->inputs[item->input];
    char *object = text_format("%s/%zu.o", b->folder, item->input);
    char *named = named_after(line, in->path, ".o");
    status = compile(b, line, item->input, object, named);
    string_list_take(words, object);
    free(named);
  }
  return status;
}

static int link_program(struct build *b, struct nvcc_line *line, const char *output) {
  struct string_list words = {0};
  int status = gather(b, line, &words);
  for (size_t i = 0; i < words.count && line->options.mode == MODE_RUN && !line->dry_run; i++)
    line->options.mode = mode_of(words.all[i]);
  if (!status && (line->options.verbose || line->dry_run)) show_link(b, &words, output);
  if (line->options.verbose && !line->options.input_count) string_list_add(&words, "-v");
  b->raw = line->options.verbose;
  if (!status && !line->dry_run) status = build_link(b, &words, output);
  string_list_free(&words);
  return status;
}

static int run_host(struct build *b, struct string_list *w) {
  struct text errors = {0};
  const int status = process_run(w, NULL, &errors);
  if (status < 0)
    fprintf(stderr, "%s: cannot start %s: %s\n", b->program, w->all[0], strerror(errno));
  if (errors.length) fputs(errors.data, stderr);
  text_free(&errors);
  string_list_free(w);
  return status ? 1 : 0;
}

static int link_device(struct build *b, const char *output) {
  struct string_list w = {0};
  flags_add(&w, (const char *const[]){"gcc", "-x", "c", "-c", "/dev/null", "-o", output, NULL});
  return run_host(b, &w);
}

static int make_archive(struct build *b, const struct nvcc_line *line, const char *output) {
  struct string_list words = {0}, w = {0};
  int status = gather(b, line, &words);
  flags_add(&w, (const char *const[]){"ar", "rcs", output, NULL});
  for (size_t i = 0; i < words.count; i++)
    if (words.all[i][0] != '-') string_list_add(&w, words.all[i]);
  string_list_free(&words);
  if (!status && !line->dry_run) return run_host(b, &w);
  string_list_free(&w);
  return status;
}

static int run_program(const struct build *b, const char *path) {
  struct string_list w = {0};
  char *whole = strchr(path, '/') ? text_copy(path, strlen(path)) : text_format("./%s", path);
  string_list_take(&w, whole);
  const int status = process_run(&w, NULL, NULL);
  if (status < 0) fprintf(stderr, "%s: cannot start %s: %s\n", b->program, path, strerror(errno));
  string_list_free(&w);
  return status < 0 ? 1 : status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static int do_phase(struct build *b, struct nvcc_line *line) {
  const char *output = line->options.output;
  if (line->depends == NVCC_RULE_ALONE || line->phase == NVCC_PREPROCESSED)
    return make_texts(b, line);
  if (line->phase == NVCC_OBJECTS) return make_objects(b, line);
  if (line->phase == NVCC_DEVICE_LINK)
    return line->dry_run ? 0 : link_device(b, output ? output : "a_dlink.o");
  if (line->phase == NVCC_ARCHIVE) return make_archive(b, line, output ? output : "a.a");
  const int status = link_program(b, line, output ? output : "a.out");
  if (status || line->phase != NVCC_RUN || line->dry_run) return status;
  return run_program(b, output ? output : "a.out");
}

int nvcc_drive(const char *program, struct nvcc_line *line) {
  struct build b;
  int status = 1;
  if (!line->options.input_count && !line->object_count) {
    fprintf(stderr, "%s: no input files; %s --help shows the options\n", program, program);
    return 1;
  }
  if (line->phase == NVCC_OBJECTS && line->options.output && line->options.input_count > 1) {
    fprintf(stderr, "%s: -c with -o takes one source\n", program);
    return 1;
  }
  if (build_open(&b, program, &line->options) && build_folder(&b)) {
    b.prompt = "#$ ";
    status = do_phase(&b, line);
  }
  build_close(&b);
  return status;
}
