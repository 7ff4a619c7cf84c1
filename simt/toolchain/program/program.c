/* An entry of the cache, or a build that becomes one (program.h).
 *
 * Method  an entry of the cache is a program and a manifest: the program's digest, the request
 *         (options, compiler, processor, our own build), every file that was read, the user's with
 *         their bytes, libraries with a digest, system headers with size and time, and where files
 *         were looked for in vain. A hit compares all of it; the hash only names the entry. A new
 *         manifest is renamed into place and names its program, which is not removed while another
 *         process may be about to start it: processes at work at once see one whole entry or
 *         another
 * Limits  those of lookups.h
 */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/text.h"
#include "lookups.h"
#include "request.h"
#include "toolchain/cache/digest.h"
#include "toolchain/cache/folder.h"
#include "toolchain/cache/key.h"
#include "toolchain/cache/size.h"
#include "toolchain/files.h"

struct entry {
  char *folder; /* NULL: there is none that is safe to use */
  struct text request;
  char name[33];
  struct timespec begin; /* of the build */
};

/* ---- The folder ------------------------------------------------------------------------------ */

static void open_entry(struct entry *c, const struct build *b) {
  *c = (struct entry){.folder = cache_folder()};
  clock_gettime(CLOCK_REALTIME, &c->begin);
  if (!c->folder) return;
  request_write(b, &c->request);
  cache_key(&c->request, c->name);
}

static void close_entry(struct entry *c) {
  free(c->folder);
  text_free(&c->request);
}

/* ---- The manifest ---------------------------------------------------------------------------
 *
 * Parts "name length\n bytes \n": program, content (its digest), request, absent and found
 * (lookups), and for each file "user", "library" or "system". */

static void add_part(struct text *out, const char *name, const char *data, size_t length) {
  text_add_format(out, "%s %zu\n", name, length);
  text_add(out, data, length);
  text_add(out, "\n", 1);
}

struct part {
  char name[16];
  const char *data;
  size_t length;
};

/* Takes the next part off the front of `rest`; false at its end, or where it is damaged. */
static bool next_part(struct text *rest, struct part *p) {
  unsigned long long length = 0;
  int used = 0;
  if (!rest->length || sscanf(rest->data, "%15s %llu%n", p->name, &length, &used) != 2)
    return false;
  const size_t head = (size_t)used + 1;
  if (head >= rest->length || length >= rest->length - head) return false;
  p->data = rest->data + head;
  p->length = (size_t)length;
  rest->data += head + p->length + 1;
  rest->length -= head + p->length + 1;
  return true;
}

/* "path\nbytes" of a user's file, "path\ndigest" of a library, "path\nsize time" of a system's. */
static bool write_file_part(const char *path, const char *kind, struct text *out) {
  if (*kind == 's') return files_stamp(path, out, NULL);
  text_add_format(out, "%s\n", path);
  return *kind == 'l' ? cache_digest(path, out) : files_read(path, out);
}

static bool is_current(const struct part *p) {
  const char *newline = memchr(p->data, '\n', p->length);
  if (!newline) return false;
  char *path = text_copy(p->data, (size_t)(newline - p->data));
  struct text now = {0};
  const bool same = write_file_part(path, p->name, &now) && now.length == p->length &&
                    !memcmp(now.data, p->data, p->length);
  text_free(&now);
  free(path);
  return same;
}

/* What the manifest says is a program of ours, whole and as it was made. */
static bool is_whole(const char *program, const struct part *content) {
  struct text now = {0};
  const bool same = !access(program, X_OK) && cache_digest(program, &now) &&
                    now.length == content->length && !memcmp(now.data, content->data, now.length);
  text_free(&now);
  return same;
}

/* The program's path, to be freed; NULL if it has to be built. */
static char *find_program(const struct entry *c) {
  if (!c->folder) return NULL;
  char *path = text_format("%s/%s.manifest", c->folder, c->name);
  struct text manifest = {0};
  char *program = NULL;
  bool current = files_read(path, &manifest), request = false;
  struct text rest = manifest;
  struct part p, content = {.data = NULL};
  while (current && next_part(&rest, &p)) {
    if (!strcmp(p.name, "program")) {
      free(program);
      program = text_format("%s/%.*s", c->folder, (int)p.length, p.data);
    } else if (!strcmp(p.name, "content")) {
      content = p;
    } else if (!strcmp(p.name, "absent") || !strcmp(p.name, "found")) {
      current = lookups_hold(p.data, p.length, *p.name == 'f');
    } else if (!strcmp(p.name, "request")) {
      request = p.length == c->request.length && !memcmp(p.data, c->request.data, p.length);
    } else {
      current = is_current(&p);
    }
  }
  if (!current || !request || rest.length || !program || !content.data ||
      !is_whole(program, &content)) {
    free(program);
    program = NULL;
  }
  if (program) { /* what is used is not the oldest */
    utimensat(AT_FDCWD, program, NULL, 0);
    utimensat(AT_FDCWD, path, NULL, 0);
  }
  text_free(&manifest);
  free(path);
  return program;
}

enum { GRACE_SECONDS = 60 }; /* from finding a program to having started it, at the most */

/* ---- A new entry ----------------------------------------------------------------------------- */

static bool changed_since(const struct entry *c, const char *path) {
  struct stat s;
  if (stat(path, &s)) return true;
  return s.st_mtim.tv_sec > c->begin.tv_sec ||
         (s.st_mtim.tv_sec == c->begin.tv_sec && s.st_mtim.tv_nsec > c->begin.tv_nsec);
}

static bool add_file(const struct entry *c, const char *kind, const char *path, struct text *out) {
  struct text part = {0};
  const bool fine = !changed_since(c, path) && write_file_part(path, kind, &part);
  if (fine) add_part(out, kind, part.data, part.length);
  text_free(&part);
  return fine;
}

static bool add_lookups(const struct entry *c, const struct build *b, struct text *out) {
  struct lookups l;
  bool fine = lookups_make(b, &c->begin, &l);
  add_part(out, "absent", l.absent.data ? l.absent.data : "", l.absent.length);
  add_part(out, "found", l.found.data ? l.found.data : "", l.found.length);
  for (size_t i = 0; i < l.libraries.count && fine; i++)
    fine = add_file(c, "library", l.libraries.all[i], out);
  lookups_free(&l);
  return fine;
}

/* Of the program at `path`, which will have the name `program`. False: a file changed while the
 * compiler read it, so nobody knows what it read; or it may make another program next time. */
static bool make_manifest(const struct entry *c, const struct build *b, const char *path,
                          const char *program, struct text *out) {
  struct text content = {0};
  const bool read = cache_digest(path, &content);
  add_part(out, "program", program, strlen(program));
  if (read) add_part(out, "content", content.data, content.length);
  text_free(&content);
  add_part(out, "request", c->request.data, c->request.length);
  if (!read || !add_lookups(c, b, out)) return false;
  const size_t own = strlen(b->home.include);
  for (size_t i = 0; i < b->files.count; i++) {
    const char *file = b->files.all[i] + 1;
    const bool user = b->files.all[i][0] == FILES_USER && strncmp(file, b->home.include, own) != 0;
    struct stat s;
    if (!stat(file, &s) && S_ISDIR(s.st_mode)) continue; /* -g names the folder */
    if (!add_file(c, user ? "user" : "system", file, out)) return false;
  }
  return true;
}

/* The program of the entry that a new one replaces. One that has just been made or found may be
 * about to be started, by a process at work at the same time; cache_bound removes it, sooner
 * or later. */
static void remove_old_program(const struct entry *c, const char *manifest) {
  struct text old = {0};
  if (files_read(manifest, &old)) {
    struct text rest = old;
    struct part p;
    if (next_part(&rest, &p) && !strcmp(p.name, "program") && !memchr(p.data, '/', p.length)) {
      char *path = text_format("%s/%.*s", c->folder, (int)p.length, p.data);
      struct stat s;
      if (!stat(path, &s) && c->begin.tv_sec - s.st_mtim.tv_sec > GRACE_SECONDS) unlink(path);
      free(path);
    }
  }
  text_free(&old);
}

static bool copy_file(const char *from, const char *to) {
  struct text t = {0};
  const bool fine = files_read(from, &t) && files_write(to, t.data, t.length) && !chmod(to, 0700);
  text_free(&t);
  return fine;
}

/* `path` stays: if the entry is not to be had, it is all there is. */
static bool put_program(const char *path, const char *program) {
  return !link(path, program) || copy_file(path, program);
}

/* Puts the program at `path` in; the new path, to be freed; NULL: it is not kept. */
static char *keep_program(const struct entry *c, const struct build *b, const char *path) {
  if (!c->folder) return NULL;
  char *temporary = text_format("%s/%s-XXXXXX", c->folder, c->name);
  const int fd = mkstemp(temporary);
  if (fd < 0) {
    free(temporary);
    return NULL;
  }
  close(fd);
  char *program = text_format("%s.program", temporary);
  char *manifest = text_format("%s/%s.manifest", c->folder, c->name);
  struct text made = {0};
  bool fine = make_manifest(c, b, path, strrchr(program, '/') + 1, &made) &&
              put_program(path, program) && files_write(temporary, made.data, made.length);
  if (fine) {
    remove_old_program(c, manifest);
    fine = !rename(temporary, manifest);
  }
  if (!fine) {
    unlink(temporary);
    unlink(program);
  } else {
    cache_bound(c->folder, CACHE_BYTES);
  }
  free(temporary);
  free(manifest);
  text_free(&made);
  if (fine && !access(program, X_OK)) return program;
  free(program);
  return NULL;
}

/* ---- The whole ------------------------------------------------------------------------------- */

int program_make(struct build *b, bool afresh, char **path, bool *kept) {
  struct entry c = {0};
  open_entry(&c, b);
  *path = afresh || b->options->keep ? NULL : find_program(&c);
  int status = *path || b->folder || build_folder(b) ? 0 : 1;
  *kept = *path;
  if (!*path && !status) {
    char *program = text_format("%s/program", b->folder);
    status = build_executable(b, program);
    if (!status) *path = keep_program(&c, b, program);
    *kept = *path;
    if (*kept) build_remove_folder(b);
    if (status || *kept) {
      free(program);
    } else {
      *path = program;
    }
  }
  close_entry(&c);
  return status;
}
