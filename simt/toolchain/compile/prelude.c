/* Header, precompiled form and list of files, each renamed into place (prelude.h). */
#include "prelude.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/files.h"
#include "base/process.h"
#include "base/string_list.h"
#include "base/text.h"
#include "toolchain/cache/folder.h"
#include "toolchain/cache/key.h"
#include "toolchain/cache/size.h"
#include "toolchain/files.h"

/* ---- What a source begins with --------------------------------------------------------------- */

/* Behind spaces and comments; NULL where a comment does not end. */
static const char *skip_blank(const char *c) {
  for (;;) {
    c += strspn(c, " \t\r\n");
    if (!strncmp(c, "//", 2)) {
      const char *newline = strchr(c, '\n');
      if (!newline || newline[-1] == '\\') return NULL;
      c = newline + 1;
    } else if (!strncmp(c, "/*", 2)) {
      c = strstr(c + 2, "*/");
      if (!c) return NULL;
      c += 2;
    } else {
      return c;
    }
  }
}

/* Headers that the rewriter passes over: the standard library's, C's, and those of ours that
 * programs often have. */
static bool is_known(const char *name, size_t length) {
  static const char *const others[] = {"assert.h",        "cooperative_groups.h",
                                       "ctype.h",         "cuda.h",
                                       "cuda_fp16.h",     "cuda_runtime.h",
                                       "curand_kernel.h", "errno.h",
                                       "float.h",         "inttypes.h",
                                       "limits.h",        "math.h",
                                       "stdint.h",        "stdio.h",
                                       "stdlib.h",        "string.h",
                                       "time.h"};
  if (strspn(name, "abcdefghijklmnopqrstuvwxyz_") == length) return true;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (strlen(others[i]) == length && !strncmp(others[i], name, length)) return true;
  }
  return false;
}

/* Takes `#include <name>`, alone on its line, off the front of a text. */
static bool next_include(const char **text, struct text *out) {
  const char *c = skip_blank(*text);
  if (!c || *c != '#') return false;
  c += 1 + strspn(c + 1, " \t");
  if (strncmp(c, "include", 7) != 0) return false;
  c += 7 + strspn(c + 7, " \t");
  const size_t length = *c == '<' ? strcspn(c + 1, ">\n") : 0;
  if (!length || c[length + 1] != '>' || !is_known(c + 1, length)) return false;
  const char *end = c + length + 2;
  end += strspn(end, " \t\r");
  if (*end != '\n' && strncmp(end, "//", 2) != 0) return false;
  text_add_format(out, "#include <%.*s>\n", (int)length, c + 1);
  *text = end;
  return true;
}

char *prelude_text(const struct options *o, const char *source) {
  bool folders = false;
  if (o->keep || o->verbose) return NULL; /* what is shown is to be whole */
  for (size_t i = 0; i < o->preprocess.count; i++) {
    const char *word = o->preprocess.all[i];
    if (!strncmp(word, "-include", 8) || !strncmp(word, "-imacros", 8)) return NULL;
    folders |= strncmp(word, "-D", 2) && strncmp(word, "-U", 2);
  }
  struct text t = {0}, all = {0};
  const bool whole = files_read(source, &t) && !strstr(t.data, "__CUDA_ARCH__");
  const char *rest = t.data;
  text_add_string(&all, "#include \"cuda_runtime.h\"\n#include \"simt/ptx.hpp\"\n");
  while (whole && !folders && next_include(&rest, &all)) continue;
  text_free(&t);
  if (whole) return all.data;
  text_free(&all);
  return NULL;
}

/* ---- The files that it was made of ----------------------------------------------------------- */

/* Takes the next name off make's rule "target: a b \ c", in which \ stands before a space. */
static bool next_name(const char **rule, struct text *name) {
  const char *c = *rule;
  text_free(name);
  while (*c == ' ' || *c == '\n' || (*c == '\\' && c[1] == '\n')) c++;
  for (; *c && *c != ' ' && *c != '\n'; c++) {
    if ((*c == '\\' && (c[1] == ' ' || c[1] == '#')) || (*c == '$' && c[1] == '$')) c++;
    text_add(name, c, 1);
  }
  *rule = c;
  return name->length != 0;
}

/* The list of a rule's files but for the header, whose name says what is in it; false: one has
 * changed since `begin`, so nobody knows what was read. */
static bool make_list(const char *rule, const char *header, const struct timespec *begin,
                      struct text *list) {
  struct text name = {0};
  bool fine = true;
  const char *c = strchr(rule, ':');
  for (c = c ? c + 1 : ""; fine && next_name(&c, &name);) {
    struct timespec changed;
    if (!strcmp(name.data, header)) continue;
    fine = files_stamp(name.data, list, &changed) &&
           (changed.tv_sec < begin->tv_sec ||
            (changed.tv_sec == begin->tv_sec && changed.tv_nsec <= begin->tv_nsec));
    text_add_string(list, "\n");
  }
  text_free(&name);
  return fine && list->length;
}

/* Whether the files of a list are what they were; they are added to `files`. */
static bool is_current(const char *list, struct string_list *files) {
  struct text all = {0};
  bool same = files_read(list, &all) && all.length;
  for (const char *line = all.data; same && *line;) {
    const char *stamp = strchr(line, '\n'), *next = stamp ? strchr(stamp + 1, '\n') : NULL;
    struct text now = {0};
    char *path = next ? text_copy(line, (size_t)(stamp - line)) : NULL;
    same = path && files_stamp(path, &now, NULL) && now.length == (size_t)(next - line) &&
           !memcmp(now.data, line, now.length);
    if (same) {
      char *entry = text_format("%c%s", FILES_SYSTEM, path);
      string_list_add(files, entry);
      free(entry);
      line = next + 1;
    }
    free(path);
    text_free(&now);
  }
  text_free(&all);
  return same;
}

/* ---- Making it ------------------------------------------------------------------------------- */

struct parts { /* of one prelude */
  char *header, *precompiled, *list;
};

/* Under a name that cache_bound knows, too: nothing stays for ever of a build that is stopped. */
static char *name_for_now(const char *path) {
  const char *name = strrchr(path, '/') + 1; /* 32 digits and more */
  return text_format("%.*s-XXXXXX", (int)(name - path) + 32, path);
}

static bool put(const char *path, const char *text) {
  char *own = name_for_now(path);
  const int file = mkstemp(own);
  const bool fine = file >= 0 && files_write(own, text, strlen(text)) && !rename(own, path);
  if (file >= 0) close(file);
  if (file >= 0 && !fine) unlink(own);
  free(own);
  return fine;
}

/* The list comes last: with one of earlier files, what is new is made again; the other way round,
 * what is old would be taken for new. */
static bool precompile(const struct string_list *compiler, const struct parts *p) {
  char *own = name_for_now(p->header), *rule = NULL;
  struct timespec begin;
  struct string_list w = {0};
  struct text errors = {0}, made = {0}, list = {0};
  const int file = mkstemp(own);
  if (file >= 0) close(file);
  clock_gettime(CLOCK_REALTIME, &begin);
  rule = text_format("%s.d", own);
  string_list_add_all(&w, compiler);
  const char *const rest[] = {"-MD", "-MF",        rule, "-MT", "prelude",
                              "-x",  "c++-header", "-o", own,   p->header};
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) string_list_add(&w, rest[i]);
  bool fine = file >= 0 && process_run(&w, NULL, &errors) == 0 && files_read(rule, &made) &&
              make_list(made.data, p->header, &begin, &list);
  const bool moved = fine && !rename(own, p->precompiled);
  if (file >= 0 && !moved) unlink(own);
  fine = moved && put(p->list, list.data);
  unlink(rule);
  string_list_free(&w);
  text_free(&errors);
  text_free(&made);
  text_free(&list);
  free(rule);
  free(own);
  return fine;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void name_prelude(const char *text, const struct string_list *compiler, char name[33]) {
  struct text t = {0};
  char folder[4096];
  text_add_format(&t, "prelude 1\n%s\n", getcwd(folder, sizeof folder) ? folder : "?");
  for (size_t i = 0; i < compiler->count; i++) text_add_format(&t, "%s\n", compiler->all[i]);
  cache_add_machine(&t);
  text_add_string(&t, text);
  cache_key(&t, name);
  text_free(&t);
}

char *prelude_find(const char *text, const struct string_list *compiler,
                   struct string_list *files) {
  char name[33];
  char *folder = cache_folder();
  if (!folder) return NULL;
  name_prelude(text, compiler, name);
  struct parts p = {.header = text_format("%s/%s-cc.hpp", folder, name)};
  p.precompiled = text_format("%s.gch", p.header);
  p.list = text_format("%s.files", p.header);
  struct string_list made_of = {0};
  const bool known = !access(p.header, R_OK);
  bool fine = known && !access(p.precompiled, R_OK) && is_current(p.list, &made_of);
  if (known && !fine) {
    string_list_free(&made_of);
    fine = precompile(compiler, &p) && is_current(p.list, &made_of);
    cache_bound(folder, CACHE_BYTES);
  }
  if (!known) put(p.header, text);
  char *found = fine ? p.header : NULL;
  if (fine) {
    string_list_add_all(files, &made_of);
    const char *const used[] = {p.header, p.precompiled, p.list};
    for (size_t i = 0; i < 3; i++) utimensat(AT_FDCWD, used[i], NULL, 0);
  }
  if (!fine) free(p.header);
  free(p.precompiled);
  free(p.list);
  free(folder);
  string_list_free(&made_of);
  return found;
}
