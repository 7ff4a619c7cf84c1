/* A memfd, read with distrust (findings_file.h).
 *
 * Method   memory without a name (memfd), or an unlinked file in $TMPDIR; sparse, so that its
 *          size costs nothing. It is read by pread and not mapped: the program, or what it
 *          left running, may cut it short or write to it meanwhile. Entries are copied first
 *          and made sane afterwards
 * Limits   no number, offset or string in it is trusted: offsets in the file come from
 *          findings.h alone
 */
#include "findings_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "device/observer.h"

enum { FILE_BYTES = sizeof(struct findings), HIGH_FD = 200 };

static int unlinked_file(void) {
  const char *folder = getenv("TMPDIR");
  char *name = text_format("%s/heddle-check-XXXXXX", folder && *folder ? folder : "/tmp");
  const int fd = mkstemp(name);
  if (fd >= 0) unlink(name);
  free(name);
  return fd;
}

/* Programs count on getting the first free numbers. */
static int move_up(int fd) {
  const int high = fcntl(fd, F_DUPFD, HIGH_FD);
  if (high < 0) return fd;
  close(fd);
  return high;
}

int check_file_make(void) {
  int fd = memfd_create("heddle-check", 0);
  if (fd < 0) fd = unlinked_file();
  if (fd < 0) return -1;
  fd = move_up(fd);
  const uint32_t head[] = {FINDINGS_MAGIC, FINDINGS_VERSION, sizeof(struct finding), FINDINGS};
  if (fchmod(fd, 0600) || ftruncate(fd, FILE_BYTES) ||
      pwrite(fd, head, sizeof head, 0) != (ssize_t)sizeof head) {
    const int reason = errno;
    close(fd);
    errno = reason;
    return -1;
  }
  return fd;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* As much as there is; what is missing is zero. */
static size_t read_some(int fd, void *to, size_t bytes, off_t offset) {
  size_t done = 0;
  memset(to, 0, bytes);
  while (done < bytes) {
    const ssize_t got = pread(fd, (char *)to + done, bytes - done, offset + (off_t)done);
    if (got <= 0 && !(got < 0 && errno == EINTR)) break;
    if (got > 0) done += (size_t)got;
  }
  return done;
}

static void end_text(char *text, size_t size) { text[size - 1] = 0; }

static void tame_side(struct finding_side *s) {
  end_text(s->file, sizeof s->file);
  end_text(s->kernel, sizeof s->kernel);
  end_text(s->stream, sizeof s->stream);
  if (s->access > FINDING_CALL) s->access = FINDING_NO_ACCESS;
  if (s->line > 1000000000) s->line = 0;
}

static bool tame(struct finding *f) {
  end_text(f->kind, sizeof f->kind);
  end_text(f->space, sizeof f->space);
  end_text(f->reason, sizeof f->reason);
  end_text(f->object, sizeof f->object);
  end_text(f->text, sizeof f->text);
  for (size_t i = 0; i < FINDING_SIDES; i++) tame_side(&f->sides[i]);
  if (!f->count) f->count = 1;
  return f->class < SD_CLASSES;
}

static int by_order(const void *a, const void *b) {
  const struct finding *x = a, *y = b;
  if (x->order != y->order) return x->order < y->order ? -1 : 1;
  return (x->used > y->used) - (x->used < y->used); /* here: its number */
}

/* The counters, in front of the list; false: it is not the head of such a file. */
static bool read_head(int fd, struct check_log *log, struct findings *head) {
  const size_t bytes = offsetof(struct findings, list);
  if (read_some(fd, head, bytes, 0) < bytes) return false;
  log->lost = head->lost;
  log->total = head->total;
  log->launches = head->launches;
  log->blocks = head->blocks;
  log->threads = head->threads;
  log->accesses = head->accesses;
  log->launches_skipped = head->launches_skipped;
  log->blocks_skipped = head->blocks_skipped;
  memcpy(log->limits, head->limits, sizeof log->limits);
  end_text(log->limits, sizeof log->limits);
  return head->magic == FINDINGS_MAGIC && head->version == FINDINGS_VERSION &&
         head->size == sizeof(struct finding) && head->capacity == FINDINGS;
}

static void read_modules(int fd, struct check_log *log) {
  struct finding_module one;
  size_t room = 0;
  for (size_t i = 1; i < FINDING_MODULES; i++) {
    const off_t offset = (off_t)(offsetof(struct findings, modules) + i * sizeof one);
    if (read_some(fd, &one, sizeof one, offset) < sizeof one) break;
    end_text(one.path, sizeof one.path);
    if (!one.path[0] || one.begin >= one.end || one.end > UINT32_MAX) continue;
    log->modules = array_room(log->modules, log->module_count, &room, sizeof *log->modules);
    log->modules[log->module_count++] = one;
  }
}

bool check_file_read(int fd, struct check_log *log) {
  *log = (struct check_log){0};
  struct findings *head = text_allocate(sizeof *head);
  const bool fine = read_head(fd, log, head);
  free(head);
  if (!fine) return false;
  read_modules(fd, log);
  size_t room = 0;
  struct finding one;
  for (uint32_t i = 0; i < FINDINGS; i++) {
    const off_t offset = (off_t)(offsetof(struct findings, list) + i * sizeof one);
    if (!read_some(fd, &one.used, sizeof one.used, offset)) break; /* it was cut short */
    if (!one.used || !read_some(fd, &one, sizeof one, offset)) continue;
    if (!tame(&one)) {
      log->damaged++;
      continue;
    }
    one.used = i + 1;
    log->list = array_room(log->list, log->count, &room, sizeof *log->list);
    log->list[log->count++] = one;
  }
  if (log->count) qsort(log->list, log->count, sizeof *log->list, by_order);
  return true;
}

void check_log_free(struct check_log *log) {
  free(log->list);
  free(log->modules);
  *log = (struct check_log){0};
}
