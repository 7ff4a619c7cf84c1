/* Programs that have been compiled before (cache.h). */
#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache_folder.h"
#include "cache_request.h"
#include "cache_size.h"
#include "files.h"

/* ---- The folder ---------------------------------------------------------------------------- */

void cache_open(struct cache *c, const struct build *b) {
  *c = (struct cache){.folder = cache_folder()};
  clock_gettime(CLOCK_REALTIME, &c->begin);
  if (!c->folder) return;
  cache_request(b, &c->request);
  cache_hash(&c->request, c->name);
}

void cache_close(struct cache *c) {
  free(c->folder);
  text_free(&c->request);
}

/* ---- The manifest ---------------------------------------------------------------------------
 *
 * Parts "name length\n bytes \n": program, request, and for each file "user" or "system". */

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

/* "path\nbytes" of a user's file, "path\nsize time" of any other. */
static bool file_part(const char *path, bool user, struct text *out) {
  if (!user) return files_stamp(path, out, NULL);
  text_add_format(out, "%s\n", path);
  return files_read(path, out);
}

static bool is_current(const struct part *p) {
  const char *newline = memchr(p->data, '\n', p->length);
  if (!newline) return false;
  char *path = text_copy(p->data, (size_t)(newline - p->data));
  struct text now = {0};
  const bool same = file_part(path, !strcmp(p->name, "user"), &now) && now.length == p->length &&
                    !memcmp(now.data, p->data, p->length);
  text_free(&now);
  free(path);
  return same;
}

char *cache_find(const struct cache *c) {
  if (!c->folder) return NULL;
  char *path = text_format("%s/%s.manifest", c->folder, c->name);
  struct text manifest = {0};
  char *program = NULL;
  bool current = files_read(path, &manifest), request = false;
  struct text rest = manifest;
  struct part p;
  while (current && next_part(&rest, &p)) {
    if (!strcmp(p.name, "program")) {
      free(program);
      program = text_format("%s/%.*s", c->folder, (int)p.length, p.data);
    } else if (!strcmp(p.name, "request")) {
      request = p.length == c->request.length && !memcmp(p.data, c->request.data, p.length);
    } else {
      current = is_current(&p);
    }
  }
  if (!current || !request || rest.length || !program || access(program, X_OK)) {
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

/* ---- A new entry ------------------------------------------------------------------------------ */

static bool changed_since(const struct cache *c, const char *path) {
  struct stat s;
  if (stat(path, &s)) return true;
  return s.st_mtim.tv_sec > c->begin.tv_sec ||
         (s.st_mtim.tv_sec == c->begin.tv_sec && s.st_mtim.tv_nsec > c->begin.tv_nsec);
}

/* False: a file changed while the compiler read it, so nobody knows what it read. */
static bool make_manifest(const struct cache *c, const struct build *b, const char *program,
                          struct text *out) {
  add_part(out, "program", program, strlen(program));
  add_part(out, "request", c->request.data, c->request.length);
  const size_t own = strlen(b->home.include);
  for (size_t i = 0; i < b->files.count; ++i) {
    const char *path = b->files.all[i] + 1;
    const bool user = b->files.all[i][0] == FILES_USER && strncmp(path, b->home.include, own) != 0;
    struct stat s;
    if (!stat(path, &s) && S_ISDIR(s.st_mode)) continue; /* -g names the folder */
    struct text part = {0};
    const bool fine = !changed_since(c, path) && file_part(path, user, &part);
    if (fine) add_part(out, user ? "user" : "system", part.data, part.length);
    text_free(&part);
    if (!fine) return false;
  }
  return true;
}

/* The program of the entry that a new one replaces. */
static void remove_old_program(const struct cache *c, const char *manifest) {
  struct text old = {0};
  if (files_read(manifest, &old)) {
    struct text rest = old;
    struct part p;
    if (next_part(&rest, &p) && !strcmp(p.name, "program") && !memchr(p.data, '/', p.length)) {
      char *path = text_format("%s/%.*s", c->folder, (int)p.length, p.data);
      unlink(path);
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

char *cache_store(const struct cache *c, const struct build *b, const char *path) {
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
  bool fine = make_manifest(c, b, strrchr(program, '/') + 1, &made) &&
              (!rename(path, program) || copy_file(path, program)) &&
              files_write(temporary, made.data, made.length);
  if (fine) {
    remove_old_program(c, manifest);
    fine = !rename(temporary, manifest);
  }
  if (!fine) {
    unlink(temporary);
    if (!access(path, X_OK)) unlink(program);
  } else {
    cache_bound(c->folder, CACHE_BYTES);
  }
  const bool moved = !access(program, X_OK);
  free(temporary);
  free(manifest);
  text_free(&made);
  if (moved) return program;
  free(program);
  return NULL;
}
