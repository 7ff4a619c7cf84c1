/* staged.c - O_TMPFILE and linkat where they work, else a temporary name and rename
 *
 * Method    O_TMPFILE: a file that has no name disappears with the process, however that ends. At
 *           the end it is synced and linked to the target's name; where that is taken, to a name
 *           beside it, which is renamed over the target at once. All signals wait meanwhile, and
 *           the folder is synced. Where the file system or the kernel has no such files, or /proc
 *           is not there to link by, the file has the temporary name from the start.
 * Limits    a temporary name, .heddle-PID-N-N.tmp, stays behind where the process is killed or the
 *           machine stops between link and rename; without O_TMPFILE, at any time before.
 *           A file system that cannot sync is believed.
 * Source    open(2) on O_TMPFILE, linkat(2) on /proc/self/fd */
#define _GNU_SOURCE
#include "staged.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>
#include <sys/stat.h>

enum { MAX_OPEN = 8, MAX_TRIES = 100, FD_PATH = 40 };

/* Names of temporary files, where a signal handler finds them; "" is free. */
static char temporaries[MAX_OPEN][PATH_MAX];

void staged_drop_all(void) {
  for (size_t i = 0; i < MAX_OPEN; i++)
    if (temporaries[i][0] != '\0') (void)unlink(temporaries[i]);
}

static void forget_name(struct staged_file *staged) {
  if (staged->slot < MAX_OPEN) temporaries[staged->slot][0] = '\0';
  staged->slot = MAX_OPEN;
}

static void unlink_name(struct staged_file *staged) {
  if (staged->slot < MAX_OPEN) (void)unlink(temporaries[staged->slot]);
  forget_name(staged);
}

/* What `take` does with a name that may be there already: a descriptor or 0, else -1 and errno. */
typedef int taking(const char *path, int fd);

static int take_new(const char *path, int fd) {
  (void)fd;
  return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static int take_link(const char *path, int fd) {
  char link[FD_PATH];
  (void)snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* Bytes of the folder in front of the target's name, its slash included. */
static size_t folder_bytes(const struct staged_file *staged) {
  const char *const slash = strrchr(staged->target, '/');
  return slash ? (size_t)(slash - staged->target) + 1 : 0;
}

/* A name beside the target that nobody has: what take gave for it, or -1 and errno. */
static int take_temporary(struct staged_file *staged, taking *take, int fd) {
  char path[PATH_MAX];
  size_t slot = 0;
  while (slot < MAX_OPEN && temporaries[slot][0] != '\0') slot++;
  if (slot == MAX_OPEN) {
    errno = EMFILE;
    return -1;
  }
  for (int attempt = 0; attempt < MAX_TRIES; attempt++) {
    const int length =
        snprintf(path, sizeof path, "%.*s.heddle-%ld-%zu-%d.tmp", (int)folder_bytes(staged),
                 staged->target, (long)getpid(), slot, attempt);
    if (length < 0 || (size_t)length >= sizeof path) {
      errno = ENAMETOOLONG;
      return -1;
    }
    const int result = take(path, fd);
    if (result >= 0) {
      memcpy(temporaries[slot], path, (size_t)length + 1);
      staged->slot = slot;
      return result;
    }
    if (errno != EEXIST) return -1;
  }
  return -1;
}

static void folder_path(const struct staged_file *staged, char path[PATH_MAX]) {
  const size_t bytes = folder_bytes(staged);
  memcpy(path, staged->target, bytes);
  strcpy(path + bytes, bytes == 0 ? "." : "");
}

static int make_without_name(const struct staged_file *staged) {
#ifdef O_TMPFILE
  char path[PATH_MAX];
  folder_path(staged, path);
  const int fd = open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (fd < 0) return -1;
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (access(path, F_OK) == 0) return fd;
  close(fd);
#else
  (void)staged;
#endif
  return -1;
}

int staged_make(struct staged_file *staged) {
  staged->slot = MAX_OPEN;
  const int fd = make_without_name(staged);
  return fd >= 0 ? fd : take_temporary(staged, take_new, -1);
}

/* ---- the end ------------------------------------------------------------------------------- */

static int sync_descriptor(int fd) {
  while (fsync(fd) != 0) {
    if (errno == EINTR) continue;
    return errno == EINVAL || errno == ENOSYS || errno == ENOTSUP ? 0 : -1;
  }
  return 0;
}

/* The target has its content whether or not the folder can be synced, so that no error is left to
 * report. */
static void sync_folder(const struct staged_file *staged) {
  char path[PATH_MAX];
  folder_path(staged, path);
  const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  (void)sync_descriptor(fd);
  close(fd);
}

static int rename_to_target(struct staged_file *staged) {
  if (rename(temporaries[staged->slot], staged->target) != 0) return -1;
  forget_name(staged);
  return 0;
}

/* Network file systems report a full disk when the file is closed, so before it is renamed. */
static int finish_named(struct staged_file *staged, int *fd) {
  const int status = close(*fd);
  *fd = -1;
  return status != 0 ? -1 : rename_to_target(staged);
}

static int finish_without_name(struct staged_file *staged, int fd) {
  sigset_t all, before;
  if (take_link(staged->target, fd) == 0) return 0;
  if (errno != EEXIST) return -1;
  sigfillset(&all);
  (void)sigprocmask(SIG_SETMASK, &all, &before);
  int status = take_temporary(staged, take_link, fd);
  if (status == 0) status = rename_to_target(staged);
  const int error = errno;
  if (status != 0) unlink_name(staged);
  (void)sigprocmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return status;
}

static int copy_content(int from, int to) {
  static char block[1 << 16];
  off_t offset = 0;
  for (;;) {
    const ssize_t got = pread(from, block, sizeof block, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return (int)got;
    offset += got;
    for (ssize_t done = 0; done < got;) {
      const ssize_t n = write(to, block + done, (size_t)(got - done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return -1;
      done += n;
    }
  }
}

/* Where a file without a name may not be linked (a sandbox, a security module), its content goes
 * into one that has a name. */
static int finish_copied(struct staged_file *staged, int *fd) {
  struct stat st;
  const int copy = take_temporary(staged, take_new, -1);
  if (copy < 0) return -1;
  int status = fstat(*fd, &st);
  if (status == 0) status = fchmod(copy, st.st_mode & 07777);
  if (status == 0) status = copy_content(*fd, copy);
  if (status == 0) status = sync_descriptor(copy);
  const int error = errno;
  close(*fd);
  *fd = copy;
  errno = error;
  return status == 0 ? finish_named(staged, fd) : -1;
}

int staged_finish(struct staged_file *staged, int fd) {
  int status = sync_descriptor(fd);
  if (status == 0 && staged->slot < MAX_OPEN)
    status = finish_named(staged, &fd);
  else if (status == 0 && finish_without_name(staged, fd) != 0)
    status = finish_copied(staged, &fd);
  const int error = errno;
  if (status == 0) sync_folder(staged);
  if (fd >= 0) close(fd);
  unlink_name(staged);
  errno = error;
  return status;
}

void staged_drop(struct staged_file *staged, int fd) {
  close(fd);
  unlink_name(staged);
}
