/* Arguments one by one, by the table of options_table.h (options.h).
 *
 * Method  an option's value may follow it as the next word or behind `=`; short ones of the
 *         compiler's (-I, -D, -O, -l) have it attached
 */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "options_table.h"

static bool ends_with(const char *path, const char *end) {
  const size_t length = strlen(path), ending = strlen(end);
  return length >= ending && !strcmp(path + length - ending, end);
}

bool options_language(const char *path, const char *given, enum language *language) {
  *language = LANGUAGE_CUDA;
  if (given) {
    if (!strcmp(given, "c++")) *language = LANGUAGE_CXX;
    if (!strcmp(given, "c")) *language = LANGUAGE_C;
    return true;
  }
  static const struct {
    const char *end;
    enum language language;
  } ends[] = {{".cu", LANGUAGE_CUDA},    {".cuh", LANGUAGE_CUDA}, {".cpp", LANGUAGE_CXX},
              {".cc", LANGUAGE_CXX},     {".cxx", LANGUAGE_CXX},  {".c++", LANGUAGE_CXX},
              {".C", LANGUAGE_CXX},      {".c", LANGUAGE_C},      {".o", LANGUAGE_OBJECT},
              {".obj", LANGUAGE_OBJECT}, {".a", LANGUAGE_OBJECT}, {".so", LANGUAGE_OBJECT}};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    if (!ends_with(path, ends[i].end)) continue;
    *language = ends[i].language;
    return true;
  }
  return false;
}

void options_add_input(struct options *o, const char *path, enum language language) {
  o->inputs = array_room(o->inputs, o->input_count, &o->input_room, sizeof *o->inputs);
  o->inputs[o->input_count++] = (struct input){text_copy(path, strlen(path)), language};
}

void options_split(struct string_list *to, const char *list, const char *prefix) {
  struct text word = {0};
  text_add(&word, "", 0);
  for (const char *c = list;; c++) {
    if (*c == ',' || *c == 0 || *c == ' ') {
      if (word.length) {
        char *whole = text_format("%s%s", prefix, word.data);
        string_list_add(to, whole);
        free(whole);
      }
      word.length = 0;
      if (!*c) break;
    } else if (*c == '\\' && c[1] == ',') {
      text_add(&word, ++c, 1); /* a comma of the word's own, as in -Wl\,-rpath\,.. */
    } else if (*c != '"' && *c != '\'') {
      text_add(&word, c, 1);
    }
  }
  text_free(&word);
}

static void add_joined(struct string_list *to, const char *option, const char *value) {
  char *joined = text_format("%s%s", option, value);
  string_list_add(to, joined);
  free(joined);
}

void options_add_compiler_word(struct options *o, const char *w) {
  const bool preprocess = !strncmp(w, "-D", 2) || !strncmp(w, "-I", 2) || !strncmp(w, "-U", 2);
  if (!strncmp(w, "-std=", 5)) {
    free(o->standard);
    o->standard = text_copy(w + 5, strlen(w + 5));
  } else if (!strncmp(w, "-Wl,", 4) || !strncmp(w, "-l", 2) || !strncmp(w, "-L", 2)) {
    string_list_add(&o->link, w);
  } else if (preprocess) {
    string_list_add(&o->preprocess, w);
  } else if (strncmp(w, "-W", 2) && strcmp(w, "-w")) {
    string_list_add(&o->compile, w);
  }
}

static void add_compiler_list(struct options *o, const char *list) {
  struct string_list all = {0};
  options_split(&all, list, "");
  for (size_t i = 0; i < all.count; i++) options_add_compiler_word(o, all.all[i]);
  string_list_free(&all);
}

/* The device is what it is; a program that is built for one from before Volta has the functions of
 * its days. */
void options_set_architecture(struct options *o, const char *value) {
  const char *number = strstr(value, "sm_");
  number = number ? number + 3 : strstr(value, "compute_");
  if (number && *number == 'c') number += 8;
  const unsigned long n = number ? strtoul(number, NULL, 10) : 0;
  if (n > 0 && n < 70) string_list_add(&o->preprocess, "-D__SIMT_BEFORE_VOLTA__=1");
}

static void apply(struct options *o, const struct option *option, const char *value,
                  const char **language) {
  switch (option->action) {
  case IGNORE:
  case IGNORE_VALUE: break;
  case ARCHITECTURE: options_set_architecture(o, value); break;
  case OUTPUT:
    free(o->output);
    o->output = text_copy(value, strlen(value));
    break;
  case COMPILE_ONLY: o->compile_only = true; break;
  case PREPROCESS_ONLY: o->preprocess_only = true; break;
  case SEPARATE: o->separate = !strcmp(value, "true"); break;
  case SEPARATE_ONLY: o->separate = o->compile_only = true; break;
  case STANDARD:
    free(o->standard);
    o->standard = text_copy(value, strlen(value));
    break;
  case LANGUAGE: *language = value; break;
  case PREPROCESS:
    if (option->as[2]) {
      string_list_add(&o->preprocess, option->as);
      string_list_add(&o->preprocess, value);
    } else {
      add_joined(&o->preprocess, option->as, value);
    }
    break;
  case TO_COMPILER: string_list_add(&o->compile, option->as); break;
  case COMPILER_VALUES: add_compiler_list(o, value); break;
  case LINKER_VALUES: options_split(&o->link, value, "-Wl,"); break;
  case LIBRARY: add_joined(&o->link, "-l", value); break;
  case LIBRARY_FOLDER: add_joined(&o->link, "-L", value); break;
  case OPTIMISE:
    add_joined(&o->compile, "-O", value);
    o->optimize |= !strcmp(value, "1");
    break;
  case SHARED: o->shared = true; break;
  case VERBOSE: o->verbose = true; break;
  case KEEP: o->keep = true; break;
  case HELP: o->help = true; break;
  case VERSION: o->version = true; break;
  case CHECK: o->mode = MODE_CHECK; break;
  case PROFILE: o->mode = MODE_PROFILE; break;
  case SCHEDULE: o->schedule = value; break;
  case THREADS: o->threads = value; break;
  case TIMEOUT: o->timeout = value; break;
  case COUNTS: o->counts = value; break;
  }
}

/* -Ipath, -Dname, -lname and the like, with or without a space. Returns words used, 0: none. */
static int take_attached(struct options *o, char **argv, int left) {
  static const char letters[] = "IDULl";
  const char *word = argv[0];
  if (word[0] == '-' && word[1] == 'O' && strlen(word) <= 6) {
    string_list_add(&o->compile, word);
    o->optimize |= !strcmp(word, "-O1");
    return 1;
  }
  if (!strncmp(word, "-W", 2) || !strncmp(word, "-m", 2)) return 1;
  if (!strncmp(word, "-f", 2)) {
    string_list_add(&o->compile, word);
    return 1;
  }
  if (word[0] != '-' || !word[1] || !strchr(letters, word[1])) return 0;
  const bool joined = word[2] != 0;
  if (!joined && left < 2) return 0;
  const char *value = joined ? word + 2 : argv[1];
  char option[3] = {'-', word[1], 0};
  add_joined(word[1] == 'L' || word[1] == 'l' ? &o->link : &o->preprocess, option, value);
  return joined ? 1 : 2;
}

static bool fail(const struct tool *tool, const char *format, const char *word) {
  fprintf(stderr, "%s: ", tool->name);
  fprintf(stderr, format, word);
  fputs("\n", stderr);
  return false;
}

static bool is_number(const char *word) {
  return word && *word && strspn(word, "0123456789") == strlen(word);
}

/* One option of nvcc's or heddle-run's: words used, 0: a message has been printed. */
static int take_common(struct options *o, char **argv, int left, const struct tool *tool,
                       const char **language) {
  const char *word = argv[0];
  const struct option *option = option_find(word, tool->runs);
  if (!option) {
    const int used = take_attached(o, argv, left);
    if (!used) fail(tool, "unknown option '%s'", word);
    return used;
  }
  const char *joined = option_value(word);
  const bool bare = option->action == OPTIMISE && !joined && !is_number(argv[1]);
  const bool takes = option_takes_value(option->action) && !bare;
  if (takes && !joined && left < 2) {
    fail(tool, "option '%s' needs a value", word);
    return 0;
  }
  apply(o, option, bare ? "1" : !takes ? NULL : joined ? joined : argv[1], language);
  return takes && !joined ? 2 : 1;
}

bool options_read(struct options *o, int argc, char **argv, const struct tool *tool) {
  const char *language = NULL;
  *o = (struct options){.mode = tool->mode};
  for (int i = 1; i < argc;) {
    char **at = argv + i;
    if (tool->runs && !strcmp(*at, "--")) {
      o->arguments = at + 1;
      o->argument_count = (size_t)(argc - i - 1);
      break;
    }
    if (at[0][0] != '-' || !at[0][1]) {
      enum language of;
      options_language(*at, language, &of); /* an unknown name is taken for CUDA */
      options_add_input(o, *at, of);
      i++;
      continue;
    }
    int used = option_take(tool->own, tool->own_count, at, argc - i, NULL);
    if (used == OPTION_BARE) return fail(tool, "option '%s' needs a value", *at);
    if (!used) used = take_common(o, at, argc - i, tool, &language);
    if (!used) return false;
    i += used;
  }
  return true;
}

void options_free(struct options *o) {
  for (size_t i = 0; i < o->input_count; i++) free(o->inputs[i].path);
  free(o->inputs);
  string_list_free(&o->preprocess);
  string_list_free(&o->compile);
  string_list_free(&o->link);
  free(o->standard);
  free(o->output);
  free(o->compiler);
}

const char *options_help(bool runs) {
  return runs ? "usage: heddle-run PROGRAM.cu [MORE.cu ..] [options] [-- ARGUMENTS]\n"
                "Compiles a CUDA C/C++ program for the software device and runs it here.\n"
                "\n"
                "  --schedule ORDER   forward, reverse or random:SEED: the order of blocks and "
                "warps\n"
                "  --threads N        operating system threads that run blocks\n"
                "  --timeout SECONDS  a kernel without progress for so long is ended; 0: never\n"
                "  --counts FILE      writes what the kernels did to FILE\n"
                "  --keep             leaves the rewritten text beside the source\n"
                "  --help             this text\n"
                "\n"
                "-I -D -U -O -std -g -L -l -Xcompiler as nvcc has them; options that say nothing "
                "to\n"
                "a software device (-arch, -gencode, -lineinfo, ..) are accepted and ignored.\n"
                "The exit status is the program's; 1 if it does not compile.\n"
              : "usage: heddle-cc SOURCE.cu [MORE ..] [-o PROGRAM] [options]\n"
                "Compiles CUDA C/C++ for the software device, in nvcc's manner.\n"
                "\n"
                "  -o FILE    the program, or with -c the object file\n"
                "  -c         compile only\n"
                "  -E         preprocess only\n"
                "  --keep     leaves the rewritten text beside the source\n"
                "  --check    for heddle-check: every access of memory is told; -O1 optimises\n"
                "  --profile  for heddle-profile: every step and access is told\n"
                "  --verbose  shows the commands\n"
                "  --help     this text\n"
                "\n"
                "-I -D -U -O -std -g -L -l -shared -Xcompiler -Xlinker -rdc as nvcc has them; "
                ".cpp,\n"
                ".c and .o files are taken too. Options that say nothing to a software device\n"
                "(-arch, -gencode, -lineinfo, ..) are accepted and ignored.\n";
}
