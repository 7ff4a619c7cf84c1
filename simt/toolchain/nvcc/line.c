/* Words one by one, by the table (line.h).
 *
 * Method  options of nvcc become those of the toolchain; what is the linker's is kept in order.
 *         A word that is no option of nvcc's is an error, but the host compiler's where
 *         -forward-unknown-to-host-compiler says so, and the linker's where a call links objects
 *         and has no source: so CMake calls what stands for the host's linker
 */
#include "line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/options.h"
#include "base/text.h"
#include "words.h"

struct reader {
  const char *program;
  struct nvcc_line *line;
  const char *language;
  struct string_list unknown; /* words that are nobody's so far */
  int forward;                /* 1: unknown words to the compiler, 2: to the linker */
};

static bool fail(const struct reader *r, const char *format, const char *word) {
  fprintf(stderr, "%s: ", r->program);
  fprintf(stderr, format, word);
  fputs("\n", stderr);
  return false;
}

static void add_item(struct nvcc_line *line, const char *word, size_t input) {
  line->items = array_room(line->items, line->item_count, &line->item_room, sizeof *line->items);
  line->items[line->item_count++] =
      (struct nvcc_item){word ? text_copy(word, strlen(word)) : NULL, input};
}

static void add_joined(struct string_list *to, const char *option, const char *value) {
  char *joined = text_format("%s%s", option, value);
  string_list_add(to, joined);
  free(joined);
}

static void replace(char **to, const char *value) {
  free(*to);
  *to = text_copy(value, strlen(value));
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* lib.so.1.2 */
static bool is_library(const char *path) {
  const char *slash = strrchr(path, '/');
  return strstr(slash ? slash : path, ".so.") != NULL;
}

static bool take_input(struct reader *r, const char *path) {
  struct nvcc_line *line = r->line;
  enum language language;
  const bool known = options_language(path, r->language, &language);
  if (is_library(path) || (known && language == LANGUAGE_OBJECT)) {
    add_item(line, path, 0);
    line->object_count++;
    return true;
  }
  if (!known) { /* its kind is known when all has been read */
    add_item(line, path, 0);
    string_list_add(&r->unknown, path);
    return true;
  }
  add_item(line, NULL, line->options.input_count);
  options_add_input(&line->options, path, language);
  return true;
}

/* ---- Options --------------------------------------------------------------------------------- */

static bool read_choice(const struct reader *r, const char *option, const char *value,
                        const char *const *choices) {
  for (size_t i = 0; choices[i]; i++)
    if (!strcmp(value, choices[i])) return true;
  fprintf(stderr, "%s: %s is one of", r->program, option);
  for (size_t i = 0; choices[i]; i++) fprintf(stderr, "%s %s", i ? "," : "", choices[i]);
  fprintf(stderr, "; not '%s'\n", value);
  return false;
}

static void take_linker_list(struct nvcc_line *line, const char *value) {
  struct string_list all = {0};
  options_split(&all, value, "-Wl,");
  for (size_t i = 0; i < all.count; i++) add_item(line, all.all[i], 0);
  string_list_free(&all);
}

/* -v says which folders are searched, which a build asks for. */
static void take_compiler_list(struct nvcc_line *line, const char *value) {
  struct string_list all = {0};
  options_split(&all, value, "");
  for (size_t i = 0; i < all.count; i++) {
    if (!strcmp(all.all[i], "-v"))
      line->compiler_verbose = true;
    else
      options_add_compiler_word(&line->options, all.all[i]);
  }
  string_list_free(&all);
}

static void take_preprocess(struct options *o, const struct nvcc_option *option,
                            const char *value) {
  if (option->text[2]) {
    string_list_add(&o->preprocess, option->text);
    string_list_add(&o->preprocess, value);
  } else {
    add_joined(&o->preprocess, option->text, value);
  }
}

static void take_link(struct nvcc_line *line, const struct nvcc_option *option, const char *value) {
  char *word = text_format("%s%s", option->text, value ? value : "");
  if (!strcmp(word, "-shared"))
    line->options.shared = true;
  else
    add_item(line, word, 0);
  free(word);
}

/* A g++ by its name or path, or the folder of one; gcc means the g++ beside it. */
static bool take_compiler(const struct reader *r, const char *value) {
  const char *slash = strrchr(value, '/'), *base = slash ? slash + 1 : value;
  const size_t before = (size_t)(base - value);
  struct stat status;
  char *path = NULL;
  if (!stat(value, &status) && S_ISDIR(status.st_mode))
    path = text_format("%s/g++", value);
  else if (!strncmp(base, "gcc", 3))
    path = text_format("%.*sg++%s", (int)before, value, base + 3);
  else if (strstr(base, "g++") || !strcmp(base, "c++"))
    path = text_copy(value, strlen(value));
  if (path && !strstr(base, "clang")) {
    free(r->line->options.compiler);
    r->line->options.compiler = path;
    return true;
  }
  free(path);
  fprintf(stderr, "%s: -ccbin %s: simt compiles with g++ alone; name a g++, or leave it out\n",
          r->program, value);
  return false;
}

static bool take_values(struct reader *r, const struct nvcc_option *option, const char *value) {
  static const char *const cudarts[] = {"none", "shared", "static", NULL};
  static const char *const truths[] = {"true", "false", NULL};
  static const char *const languages[] = {"cu", "c++", "c", NULL};
  struct nvcc_line *line = r->line;
  struct options *o = &line->options;
  switch (option->action) {
  case NVCC_OUTPUT: replace(&o->output, value); break;
  case NVCC_FOLDER: line->folder = value; break;
  case NVCC_RULE_FILE: line->rule_file = value; break;
  case NVCC_RULE_NAME: string_list_add(&line->rule_names, value); break;
  case NVCC_SEPARATE:
    if (!read_choice(r, "-rdc", value, truths)) return false;
    o->separate = !strcmp(value, "true");
    break;
  case NVCC_CUDART: return read_choice(r, "-cudart", value, cudarts);
  case NVCC_STANDARD: replace(&o->standard, value); break;
  case NVCC_LANGUAGE: r->language = value; return read_choice(r, "-x", value, languages);
  case NVCC_PREPROCESS: take_preprocess(o, option, value); break;
  case NVCC_COMPILER_LIST: take_compiler_list(line, value); break;
  case NVCC_LINKER_LIST: take_linker_list(line, value); break;
  case NVCC_OPTIMISE:
    add_joined(&o->compile, "-O", value);
    o->optimize |= !strcmp(value, "1");
    break;
  case NVCC_ARCHITECTURE: options_set_architecture(o, value); break;
  case NVCC_COMPILER: return take_compiler(r, value);
  default: break;
  }
  return true;
}

static bool take_phase(struct reader *r, int phase) {
  struct nvcc_line *line = r->line;
  if (phase == NVCC_SEPARATE_OBJECTS) line->options.separate = true;
  line->phase = phase == NVCC_SEPARATE_OBJECTS ? NVCC_OBJECTS : (enum nvcc_phase)phase;
  return true;
}

static bool take_flag(struct reader *r, const struct nvcc_option *option) {
  struct nvcc_line *line = r->line;
  struct options *o = &line->options;
  switch (option->action) {
  case NVCC_REFUSED:
    fprintf(stderr,
            "%s: %s: simt makes no %s, only programs, libraries and objects for this processor; "
            "compile with -c, or give NVRTC the text at run time\n",
            r->program, option->name,
            strncmp(option->text, "a ", 2) ? option->text : option->text + 2);
    return false;
  case NVCC_PHASE: return take_phase(r, option->number);
  case NVCC_DEPENDS:
    line->depends = (enum nvcc_depends)option->number;
    line->depends_kinds = option->text;
    break;
  case NVCC_RULE_BARE: line->rule_bare = true; break;
  case NVCC_COMPILE: string_list_add(&o->compile, option->text); break;
  case NVCC_FORWARD: r->forward |= option->number; break;
  case NVCC_VERBOSE: o->verbose = true; break;
  case NVCC_DRY_RUN: line->dry_run = true; break;
  case NVCC_KEEP: o->keep = true; break;
  case NVCC_HELP: o->help = true; break;
  case NVCC_VERSION: o->version = true; break;
  case NVCC_LIST: line->list = option->text; break;
  case NVCC_CHECK: o->mode = MODE_CHECK; break;
  case NVCC_PROFILE: o->mode = MODE_PROFILE; break;
  default: break;
  }
  return true;
}

/* The words of one option: how many, 0: a message has been printed. */
static size_t take(struct reader *r, char *const *words, size_t left) {
  const char *word = words[0];
  const struct nvcc_option *option = nvcc_option_find(word);
  if (!option) {
    add_item(r->line, word, 0);
    string_list_add(&r->unknown, word);
    return 1;
  }
  if (!option->value) {
    if (option->action == NVCC_LINK) return take_link(r->line, option, NULL), 1;
    return take_flag(r, option) ? 1 : 0;
  }
  /* Of one letter the value may be attached, with or without '='. */
  const bool letter = option->other && strlen(option->other) == 2 && word[1] == option->other[1] &&
                      word[2] && word[1] != '-';
  const bool named = option_is(word + strspn(word, "-"), option->name + 2);
  const char *value = letter && !named ? word + 2 + (word[2] == '=') : option_value(word);
  const bool next = !value;
  if (next && left < 2) return fail(r, "option '%s' needs a value", word), (size_t)0;
  if (next) value = words[1];
  if (option->action == NVCC_LINK) {
    take_link(r->line, option, value);
  } else if (!take_values(r, option, value)) {
    return 0;
  }
  return next ? 2 : 1;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void drop_item(struct nvcc_line *line, const char *word) {
  for (size_t i = 0; i < line->item_count; i++) {
    if (!line->items[i].word || strcmp(line->items[i].word, word) != 0) continue;
    free(line->items[i].word);
    memmove(&line->items[i], &line->items[i + 1], (line->item_count - i - 1) * sizeof *line->items);
    line->item_count--;
    return;
  }
}

static bool refuse(const struct reader *r, const char *word) {
  char hint[128];
  if (word[0] != '-') {
    fprintf(stderr, "%s: don't know what to do with '%s': name its language by -x cu, c++ or c\n",
            r->program, word);
    return false;
  }
  nvcc_option_hint(word, hint, sizeof hint);
  fprintf(
      stderr,
      "%s: unknown option '%s'%s%s option of the host compiler's goes behind -Xcompiler, of the "
      "linker's behind -Xlinker, or give -forward-unknown-to-host-compiler\n",
      r->program, word, hint, hint[0] ? " An" : "; an");
  return false;
}

static bool settle(struct reader *r) {
  struct nvcc_line *line = r->line;
  const bool links = line->phase == NVCC_PROGRAM && !line->options.input_count;
  if (links && line->object_count) return true; /* in its place, for the linker */
  for (size_t i = 0; i < r->unknown.count; i++) {
    const char *word = r->unknown.all[i];
    if (word[0] != '-' || !r->forward) return refuse(r, word);
    if (r->forward & 1) {
      drop_item(line, word);
      options_add_compiler_word(&line->options, word);
    }
  }
  return true;
}

bool nvcc_line_read(struct nvcc_line *line, const char *program, int argc, char **argv) {
  *line = (struct nvcc_line){.options = {.mode = MODE_RUN}};
  struct reader r = {.program = program, .line = line};
  bool fine = nvcc_words(program, argc, argv, &line->words);
  for (size_t i = 0; fine && i < line->words.count;) {
    char *const *at = line->words.all + i;
    const bool option = at[0][0] == '-' && at[0][1];
    const size_t used = option ? take(&r, at, line->words.count - i) : take_input(&r, *at);
    fine = used != 0;
    i += used;
  }
  fine = fine && settle(&r);
  string_list_free(&r.unknown);
  return fine;
}

void nvcc_line_free(struct nvcc_line *line) {
  options_free(&line->options);
  for (size_t i = 0; i < line->item_count; i++) free(line->items[i].word);
  free(line->items);
  string_list_free(&line->rule_names);
  string_list_free(&line->words);
}
