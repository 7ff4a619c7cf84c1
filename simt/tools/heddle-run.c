/* heddle-run: compiles a CUDA C/C++ program for the software device and runs it here. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "base/string_list.h"
#include "base/text.h"
#include "toolchain/compile/build.h"
#include "toolchain/program/program.h"

static void set(const char *name, const char *value) {
  if (value) setenv(name, value, 1);
}

static void set_all(const struct options *o) {
  set("SIMT_SCHEDULE", o->schedule);
  set("SIMT_THREADS", o->threads);
  set("SIMT_TIMEOUT", o->timeout);
  set("SIMT_COUNTS", o->counts);
}

/* What the program sees as its own name: the source's, without its ending. */
static char *program_name(const struct options *o) {
  const char *path = o->inputs[0].path, *dot = strrchr(path, '.');
  if (!dot || strchr(dot, '/')) dot = path + strlen(path);
  return text_copy(path, (size_t)(dot - path));
}

/* Becomes the program; returns only if that fails. */
static void become(const struct options *o, const char *path) {
  char *name = program_name(o);
  struct string_list w = {0};
  string_list_add(&w, name);
  for (size_t i = 0; i < o->argument_count; i++) string_list_add(&w, o->arguments[i]);
  fflush(NULL);
  execv(path, w.all);
  string_list_free(&w);
  free(name);
}

/* For a program that has to be removed afterwards. */
static int run(const struct options *o, const char *path) {
  struct string_list w = {0};
  string_list_add(&w, path);
  for (size_t i = 0; i < o->argument_count; i++) string_list_add(&w, o->arguments[i]);
  const int status = process_run(&w, NULL, NULL);
  string_list_free(&w);
  if (status >= 0) return status;
  fprintf(stderr, "heddle-run: cannot start %s: %s\n", path, strerror(errno));
  return 1;
}

static int build_and_run(const struct options *o) {
  struct build b;
  char *path = NULL;
  bool kept = false;
  int status = build_open(&b, "heddle-run", o) ? program_make(&b, false, &path, &kept) : 1;
  if (!status && kept) {
    become(o, path);
    free(path); /* another process has just removed it */
    status = program_make(&b, true, &path, &kept);
  }
  if (!status) status = run(o, path);
  free(path);
  build_close(&b);
  return status;
}

int main(int argc, char **argv) {
  static const struct tool tool = {.name = "heddle-run", .runs = true};
  struct options o;
  if (!options_read(&o, argc, argv, &tool)) {
    options_free(&o);
    return 2;
  }
  if (o.help || o.version || !o.input_count) {
    if (o.help || o.version) {
      fputs(o.help ? options_help(true) : "heddle-run: CUDA 13.0 on the software device\n", stdout);
    } else {
      fputs("heddle-run: no source file; heddle-run --help shows the options\n", stderr);
    }
    const int status = o.help || o.version ? 0 : 2;
    options_free(&o);
    return status;
  }
  set_all(&o);
  const int status = build_and_run(&o);
  options_free(&o);
  return status;
}
