/* Directives read from the user's files, names tried folder by folder (lookups.h). */
#include "lookups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files.h"
#include "base/string_list.h"
#include "base/text.h"
#include "toolchain/files.h"

struct search {
  struct lookups *out;
  struct string_list folders; /* those of "" before those of <> */
  size_t quoted;              /* how many of them are of "" alone */
  struct string_list known;   /* what has been looked up */
};

/* The compiler passes over folders that have a file's name. */
static bool is_there(const char *path, struct stat *s) {
  return !stat(path, s) && (!S_ISDIR(s->st_mode) || path[strlen(path) - 1] == '/');
}

static void add_path(struct text *list, const char *path) {
  text_add(list, path, strlen(path) + 1);
}

/* Notes what is at a path; true: a file. */
static bool note(struct search *s, const char *path) {
  const struct timespec *begin = &s->out->begin;
  struct stat now;
  const bool there = is_there(path, &now);
  add_path(there ? &s->out->found : &s->out->absent, path);
  if (there && (now.st_ctim.tv_sec > begin->tv_sec ||
                (now.st_ctim.tv_sec == begin->tv_sec && now.st_ctim.tv_nsec > begin->tv_nsec)))
    s->out->late = true;
  return there;
}

static bool note_in(struct search *s, const char *folder, const char *name) {
  char *path = text_format("%s/%s", folder, name);
  const bool there = note(s, path);
  free(path);
  return there;
}

/* True the first time that it is asked. */
static bool is_new(struct search *s, const char *kind, const char *name) {
  char *whole = text_format("%s %s", kind, name);
  bool found = false;
  for (size_t i = s->known.count; i-- > 0 && !found;) found = !strcmp(s->known.all[i], whole);
  if (!found) string_list_add(&s->known, whole);
  free(whole);
  return !found;
}

/* ---- One name -------------------------------------------------------------------------------- */

/* `folder`: of the file that has a name in quotes; NULL for <>. `all`: the one that is found first
 * may not be the one that is meant. */
static void look_up(struct search *s, const char *name, const char *folder, bool all) {
  if (*name == '/') {
    if (is_new(s, "/", name)) note(s, name);
    return;
  }
  if (!is_new(s, folder ? folder : "<>", name)) return;
  if (folder && note_in(s, folder, name) && !all) return;
  for (size_t i = folder ? 0 : s->quoted; i < s->folders.count; i++) {
    if (note_in(s, s->folders.all[i], name) && !all) return;
  }
}

static const char *skip_blank(const char *c) {
  for (;;) {
    c += strspn(c, " \t\r");
    if (*c == '\\' && (c[1] == '\n' || (c[1] == '\r' && c[2] == '\n'))) {
      c = strchr(c, '\n') + 1;
    } else if (c[0] == '/' && c[1] == '*' && strstr(c + 2, "*/")) {
      c = strstr(c + 2, "*/") + 2;
    } else {
      return c;
    }
  }
}

/* What stands at `c`: "name" or <name>, or a macro, of which nothing is known. */
static void look_up_at(struct search *s, const char *c, const char *folder, bool all) {
  const char end = *c == '<' ? '>' : '"';
  if (*c != '<' && *c != '"') return;
  const size_t length = strcspn(++c, end == '>' ? ">\n" : "\"\n");
  if (!length || c[length] != end) return;
  char *name = text_copy(c, length);
  look_up(s, name, end == '"' ? folder : NULL, all);
  free(name);
}

static bool takes(const char **c, const char *word) {
  const size_t length = strlen(word);
  if (strncmp(*c, word, length) != 0) return false;
  *c += length;
  return true;
}

/* ---- The user's files ------------------------------------------------------------------------ */

/* What is not the same in the next run, or is read behind our back. */
static bool is_repeatable(const char *text) {
  static const char *const words[] = {"__TIME__", "__DATE__", "__TIMESTAMP__", ".incbin"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strstr(text, words[i])) return false;
  }
  return true;
}

/* Every name of a file's directives. False: it embeds a file. */
static bool read_directives(struct search *s, const char *text, const char *folder) {
  for (const char *c = text; (c = strpbrk(c, "#_"));) {
    if (takes(&c, "__has_include")) {
      const bool next = takes(&c, "_next");
      c = skip_blank(c);
      if (*c == '(') look_up_at(s, skip_blank(c + 1), folder, next);
    } else if (*c++ == '#') {
      c = skip_blank(c);
      if (takes(&c, "embed")) return false;
      if (!takes(&c, "include") && !takes(&c, "import")) continue;
      const bool next = takes(&c, "_next");
      look_up_at(s, skip_blank(c), folder, next);
    }
  }
  return true;
}

static bool read_user_file(struct search *s, const char *path) {
  struct text t = {0};
  const char *slash = strrchr(path, '/');
  char *folder = slash ? text_copy(path, (size_t)(slash - path)) : text_copy(".", 1);
  const bool fine = files_read(path, &t) && strlen(t.data) == t.length && is_repeatable(t.data) &&
                    read_directives(s, t.data, folder);
  free(folder);
  text_free(&t);
  return fine;
}

/* ---- Folders --------------------------------------------------------------------------------- */

/* The lists of what the preprocessor says. */
static void read_folders(struct search *s, const char *text) {
  enum { NONE, QUOTED, BRACKETS } list = NONE;
  for (const char *line = text, *next; line && *line; line = next) {
    const char *newline = strchr(line, '\n');
    next = newline ? newline + 1 : NULL;
    const size_t length = newline ? (size_t)(newline - line) : strlen(line);
    char *own = text_copy(line, length);
    char *missing = strstr(own, "ignoring nonexistent directory \"");
    if (missing) {
      missing = strchr(missing, '"') + 1;
      char *folder = text_format("%.*s/", (int)strcspn(missing, "\""), missing);
      add_path(&s->out->absent, folder);
      free(folder);
    } else if (!strncmp(own, "#include \"...\"", 14)) {
      list = QUOTED;
    } else if (!strncmp(own, "#include <...>", 14)) {
      list = BRACKETS;
    } else if (!strncmp(own, "End of search list", 18)) {
      list = NONE;
    } else if (list != NONE && *own == ' ') {
      string_list_add(&s->folders, own + 1);
      s->quoted += list == QUOTED;
    }
    free(own);
  }
}

static bool is_users(const struct build *b, const char *folder) {
  return strncmp(folder, "/usr/", 5) != 0 && strcmp(folder, b->home.include) != 0;
}

/* A folder of the user's before the one that a file was found in may get such a file, too. */
static void look_before(struct search *s, const struct build *b, const char *path) {
  for (size_t i = 0; i < s->folders.count; i++) {
    const size_t length = strlen(s->folders.all[i]);
    if (strncmp(path, s->folders.all[i], length) != 0 || path[length] != '/') continue;
    const char *name = path + length + 1;
    for (size_t k = 0; k < i; k++) {
      const char *folder = s->folders.all[k];
      if (is_users(b, folder) && is_new(s, folder, name)) note_in(s, folder, name);
    }
  }
}

/* ---- Libraries ------------------------------------------------------------------------------- */

static void add_library(struct search *s, const char *path) {
  if (note(s, path)) string_list_add(&s->out->libraries, path);
}

/* -lNAME in the folders of -L; the linker's own folders are the system's. */
static void look_up_library(struct search *s, const struct string_list *link, const char *name) {
  for (size_t i = 0; i < link->count; i++) {
    const char *folder = link->all[i] + 2;
    if (strncmp(link->all[i], "-L", 2) != 0) continue;
    const size_t found = s->out->libraries.count;
    if (*name == ':') {
      char *path = text_format("%s/%s", folder, name + 1);
      add_library(s, path);
      free(path);
    }
    for (size_t k = 0; k < 2 && *name != ':' && s->out->libraries.count == found; k++) {
      char *path = text_format(k ? "%s/lib%s.a" : "%s/lib%s.so", folder, name);
      add_library(s, path);
      free(path);
    }
    if (s->out->libraries.count > found) return;
  }
}

static void look_up_libraries(struct search *s, const struct options *o) {
  for (size_t i = 0; i < o->input_count; i++) {
    if (o->inputs[i].language == LANGUAGE_OBJECT) add_library(s, o->inputs[i].path);
  }
  for (size_t i = 0; i < o->link.count; i++) {
    const char *word = o->link.all[i];
    if (!strncmp(word, "-l", 2)) look_up_library(s, &o->link, word + 2);
  }
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* Sources of one language: C has folders of its own. */
static bool look_up_all(struct search *s, const struct build *b, enum language language) {
  const size_t own = strlen(b->home.include);
  const struct string_list *given = &b->options->preprocess;
  const char *searched = b->searched[language == LANGUAGE_C].data;
  bool fine = searched != NULL;
  if (fine) read_folders(s, searched);
  for (size_t i = 0; i + 1 < given->count && fine; i++) {
    if (!strcmp(given->all[i], "-include")) look_up(s, given->all[i + 1], ".", false);
  }
  for (size_t i = 0; i < b->files.count && fine; i++) {
    const char *path = b->files.all[i] + 1;
    look_before(s, b, path);
    struct stat now;
    if (b->files.all[i][0] == FILES_USER && strncmp(path, b->home.include, own) != 0 &&
        !stat(path, &now) && !S_ISDIR(now.st_mode)) /* -g names the folder, too */
      fine = read_user_file(s, path);
  }
  return fine;
}

bool lookups_make(const struct build *b, const struct timespec *begin, struct lookups *out) {
  const struct options *o = b->options;
  bool done[2] = {false, false}, fine = true;
  *out = (struct lookups){.begin = *begin};
  for (size_t i = 0; i < o->preprocess.count; i++) fine &= is_repeatable(o->preprocess.all[i]);
  for (size_t i = 0; i < o->input_count && fine; i++) {
    const enum language language = o->inputs[i].language;
    const bool c = language == LANGUAGE_C;
    if (language == LANGUAGE_OBJECT || done[c]) continue;
    struct search s = {.out = out};
    done[c] = true;
    fine = look_up_all(&s, b, language);
    string_list_free(&s.folders);
    string_list_free(&s.known);
  }
  struct search s = {.out = out};
  look_up_libraries(&s, o);
  string_list_free(&s.known);
  return fine && !out->late;
}

void lookups_free(struct lookups *l) {
  text_free(&l->absent);
  text_free(&l->found);
  string_list_free(&l->libraries);
}

bool lookups_hold(const char *paths, size_t length, bool there) {
  struct stat s;
  for (const char *end = paths + length; paths < end; paths += strlen(paths) + 1) {
    if (!*paths || is_there(paths, &s) != there) return false;
  }
  return true;
}
