/* commands.c - tools are looked for beside this program first, then where a user has them
 *
 * Method   a compiled rung's name in the cache is a hash of all that it may include
 */
#include "commands.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/string_list.h"
#include "base/text.h"
#include "failure.h"
#include "paths.h"

/* The first of `places`, seen from this program's folder, that is a readable file. */
static char *find_near(const char *const *places) {
  for (; *places; places++) {
    char *path = (*places)[0] == '/' ? text_format("%s", *places)
                                     : text_format("%s/%s", own_folder(), *places);
    if (file_exists(path)) return path;
    free(path);
  }
  return NULL;
}

/* A tool of simt: beside this program, where an installation has it, or in $PATH. */
static char *find_simt(const char *name) {
  static const char *const folders[] = {"", "../simt/", "../libexec/heddle/"};
  char *path = NULL;
  for (size_t i = 0; i < sizeof folders / sizeof folders[0] && !path; i++) {
    char *path_there = text_format("%s%s", folders[i], name);
    path = find_near((const char *const[]){path_there, NULL});
    free(path_there);
  }
  if (!path) path = find_in_path(name);
  if (!path) fail("there is no %s beside this program; it compiles and runs the rungs", name);
  return path;
}

static void find_cuda(struct tools *t) {
  static const char *const places[] = {"/usr/local/cuda/bin/nvcc", NULL};
  const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  t->nvcc = find_in_path("nvcc");
  if (!t->nvcc) t->nvcc = find_near(places);
  if (!t->nvcc)
    fail("there is no nvcc; install the CUDA toolkit (package cuda-toolkit), or use --device simt");
  if (base && *base)
    t->cache = text_format("%s/heddle/ladder", base);
  else if (home && *home)
    t->cache = text_format("%s/.cache/heddle/ladder", home);
  else
    t->cache = text_format("/tmp/heddle-ladder-%ld", (long)getuid());
  make_folder(t->cache);
}

void tools_find(struct tools *t, const struct options *o) {
  static const char *const headers[] = {"../include/heddle.h", "../../include/heddle.h",
                                        LADDER_SOURCE "/../include/heddle.h", NULL};
  static const char *const libraries[] = {"../../src/libheddle.so",
                                          "../../src/libheddle.a",
                                          "../" LADDER_LIBDIR "/libheddle.so",
                                          "../../" LADDER_LIBDIR "/libheddle.so",
                                          "../" LADDER_LIBDIR "/libheddle.a",
                                          "../../" LADDER_LIBDIR "/libheddle.a",
                                          NULL};
  *t = (struct tools){0};
  if (o->cuda)
    find_cuda(t);
  else
    t->heddle_run = find_simt("heddle-run");
  if (o->check) t->heddle_check = find_simt("heddle-check");
  if (o->profile) t->heddle_profile = find_simt("heddle-profile");
  t->include = find_near(headers);
  if (t->include) *strrchr(t->include, '/') = 0;
  t->library = find_near(libraries);
}

void tools_free(struct tools *t) {
  char *const owned[] = {t->heddle_run, t->heddle_check, t->heddle_profile, t->nvcc,
                         t->include,    t->library,      t->cache};
  for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) free(owned[i]);
}

static void add(struct string_list *l, const char *word) { string_list_add(l, word); }

/* A static library needs what it was linked with. */
static void add_library(struct string_list *l, const struct tools *t) {
  const size_t length = t->library ? strlen(t->library) : 0;
  if (t->include) string_list_take(l, text_format("-I%s", t->include));
  if (length == 0) return;
  add(l, t->library);
  if (t->library[length - 1] == 'a') {
    add(l, "-lpthread");
    add(l, "-lm");
  } else {
    const size_t folder = (size_t)(strrchr(t->library, '/') - t->library);
    add(l, "-Xlinker");
    string_list_take(l, text_format("-rpath=%.*s", (int)folder, t->library));
  }
}

static void add_rung_options(struct string_list *l, const struct rung *r, const struct options *o,
                             const char *picture) {
  const struct {
    const char *name, *value;
  } options[] = {{"--size", r && r->fixed_size ? NULL : o->size},
                 {"--data", o->data},
                 {"--seed", o->seed},
                 {"--repeat", o->repeat},
                 {"--picture", picture}};
  add(l, "--json");
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    if (!options[i].value) continue;
    add(l, options[i].name);
    add(l, options[i].value);
  }
}

void command_simt(struct string_list *l, const struct tools *t, const struct rung *r,
                  const struct options *o, const char *counts, const char *picture) {
  add(l, t->heddle_run);
  if (o->schedule) {
    add(l, "--schedule");
    add(l, o->schedule);
  }
  add(l, "--counts");
  add(l, counts);
  add(l, "-DLADDER_COUNT");
  add(l, r->path);
  if (r->links_heddle) add_library(l, t);
  add(l, "--");
  add_rung_options(l, r, o, picture);
}

void command_observed(struct string_list *l, const struct tools *t, const char *tool,
                      const struct rung *r, const struct options *o, const char *report) {
  add(l, tool);
  add(l, "--json");
  add(l, "--output");
  add(l, report);
  if (o->schedule) {
    add(l, "--schedule");
    add(l, o->schedule);
  }
  add(l, r->path);
  if (r->links_heddle) add_library(l, t);
  add(l, "--");
  add_rung_options(l, r, o, NULL);
  if (o->size || !r->observed_options) return;
  for (const char *at = r->observed_options; *at; at += strspn(at, " ")) {
    const size_t length = strcspn(at, " ");
    string_list_take(l, text_format("%.*s", (int)length, at));
    at += length;
  }
}

/* ---- cuda ----------------------------------------------------------------------------------- */

/* FNV-1a of a file's bytes; Fowler, Noll and Vo 1991. */
static unsigned long long hash_file(unsigned long long h, const char *path) {
  size_t bytes = 0;
  char *data = file_read(path, &bytes);
  if (!data) fail("cannot read %s: %s", path, strerror(errno));
  for (size_t i = 0; i < bytes; i++) h = (h ^ (unsigned char)data[i]) * 0x100000001b3ull;
  free(data);
  return h;
}

static bool ends_in(const char *name, const char *end) {
  const size_t length = strlen(name), wanted = strlen(end);
  return length > wanted && strcmp(name + length - wanted, end) == 0;
}

/* All sources in a folder, since a rung may include any, in no particular order: a sum. */
static unsigned long long hash_sources(const char *folder) {
  unsigned long long sum = 0;
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    if (!ends_in(entry->d_name, ".h") && !ends_in(entry->d_name, ".cu")) continue;
    char *path = text_format("%s/%s", folder, entry->d_name);
    sum += hash_file(0xcbf29ce484222325ull, path);
    free(path);
  }
  if (dir) closedir(dir);
  return sum;
}

char *cached_program(const struct tools *t, const struct catalog *c, const char *source) {
  char *own = text_format("%.*s", (int)(strrchr(source, '/') - source), source);
  char *common = text_format("%s/common", c->root);
  unsigned long long h = hash_sources(own) + 3 * hash_sources(common);
  for (const char *s = t->nvcc; *s; s++) h = (h ^ (unsigned char)*s) * 0x100000001b3ull;
  h = hash_file(h, source);
  free(own);
  free(common);
  return text_format("%s/%016llx", t->cache, h);
}

void command_nvcc(struct string_list *l, const struct tools *t, const char *source,
                  bool links_heddle, const char *program) {
  if (program_exists(program)) return;
  add(l, t->nvcc);
  add(l, "-O3");
  add(l, "-arch=native");
  add(l, source);
  if (links_heddle) add_library(l, t);
  add(l, "-o");
  string_list_take(l, text_format("%s.%ld", program, (long)getpid()));
}

void command_program(struct string_list *l, const char *program, const struct rung *r,
                     const struct options *o, const char *picture) {
  add(l, program);
  add_rung_options(l, r, o, picture);
}
