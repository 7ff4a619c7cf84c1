/* cache.c - the folder that compiled kernels are kept in
 *
 * Result   images by key, from $HEDDLE_CACHE_DIR, else $XDG_CACHE_HOME/heddle, else ~/.cache/heddle
 * Method   One file an image: a head with magic number, version, key, size and SHA-256 of the
 *          image, then the image. Written under a name of its own and renamed, so a reader sees
 *          all of it or nothing, however many processes write at once. A file that is short, long,
 *          damaged or another's is not read; the kernel is compiled again and the file replaced.
 * Safety   Whoever can write to the folder could have this process run his code: folder and file
 *          must belong to the user and be writable by nobody else, or they are not used. Names
 *          are looked up from the folder's descriptor, and links are not followed.
 * Limits   nothing is ever deleted: 20 to 150 kB a kernel. A full disk or a file size limit means
 *          no cache, never a failure. */
#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host/environment.h"

enum { MAGIC_BYTES = 8, FORMAT = 1, NAME_BYTES = 2 * HD_SHA256_BYTES + 8 };
static const char magic[MAGIC_BYTES + 1] = "HEDDLEK\n";

struct head {
  char magic[MAGIC_BYTES];
  u32 format, head_bytes;
  u64 bytes;
  u8 key[HD_SHA256_BYTES], sum[HD_SHA256_BYTES];
};

/* ---- this process --------------------------------------------------------------------------- */

enum { SLOTS = 256 };
struct kept {
  struct kept *next;
  struct hd_cuda_cache_key key;
  struct hd_cuda_image image;
};
static struct kept *table[SLOTS];
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER; /* never held for long */

static struct kept *find(const struct hd_cuda_cache_key *key) {
  struct kept *at = table[key->hash[0] % SLOTS];
  while (at && memcmp(&at->key, key, sizeof *key)) at = at->next;
  return at;
}

bool hd_cuda_cache_recall(const struct hd_cuda_cache_key *key, struct hd_cuda_image *out) {
  pthread_mutex_lock(&table_lock);
  struct kept *found = find(key);
  if (found) *out = found->image;
  pthread_mutex_unlock(&table_lock);
  return found;
}

struct hd_cuda_image hd_cuda_cache_remember(const struct hd_cuda_cache_key *key,
                                            struct hd_cuda_image image) {
  struct kept *fresh = malloc(sizeof *fresh);
  pthread_mutex_lock(&table_lock);
  struct kept *found = find(key);
  if (!found && fresh) {
    struct kept **slot = &table[key->hash[0] % SLOTS];
    *fresh = (struct kept){*slot, *key, image};
    *slot = fresh;
  }
  struct hd_cuda_image kept = found ? found->image : image;
  pthread_mutex_unlock(&table_lock);
  if (found) {
    free(fresh);
    free(image.data);
  }
  return kept; /* without memory for the entry, the image alone stays allocated */
}

/* ---- the folder ------------------------------------------------------------------------------ */

static bool folder_name(char *out, size_t bytes) {
  const char *given = hd_environment(HD_ENV_CACHE_DIR), *below = "";
  if (!given) {
    given = hd_environment(HD_ENV_XDG_CACHE_HOME);
    below = "/heddle";
    if (given && given[0] != '/') given = NULL; /* the XDG specification: relative ones are void */
  }
  if (!given) {
    given = hd_environment(HD_ENV_HOME);
    below = "/.cache/heddle";
    struct stat home; /* of an account without one nothing is made */
    if (given && (stat(given, &home) || !S_ISDIR(home.st_mode))) given = NULL;
  }
  return given && (size_t)snprintf(out, bytes, "%s%s", given, below) < bytes;
}

static void make_folders(char *path) {
  for (char *at = path + 1; *at; at++) {
    if (*at != '/') continue;
    *at = 0;
    (void)mkdir(path, 0700);
    *at = '/';
  }
  (void)mkdir(path, 0700);
}

static bool mine_alone(const struct stat *found) {
  return found->st_uid == geteuid() && !(found->st_mode & (S_IWGRP | S_IWOTH));
}

/* A descriptor of the folder, or -1. */
static int open_folder(bool make) {
  char path[1024];
  struct stat found;
  if (!folder_name(path, sizeof path)) return -1;
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0 && make && errno == ENOENT) {
    make_folders(path);
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
  if (folder < 0) return -1;
  if (!fstat(folder, &found) && mine_alone(&found)) return folder;
  close(folder);
  return -1;
}

static void file_name(const struct hd_cuda_cache_key *key, char out[NAME_BYTES]) {
  for (int i = 0; i < HD_SHA256_BYTES; i++) snprintf(out + 2 * i, 3, "%02x", key->hash[i]);
  snprintf(out + 2 * HD_SHA256_BYTES, 8, ".kernel");
}

static void sum_of(const struct hd_cuda_image *image, u8 out[HD_SHA256_BYTES]) {
  struct hd_cuda_sha256 hash;
  hd_cuda_sha256_begin(&hash);
  hd_cuda_sha256_add(&hash, image->data, image->bytes);
  hd_cuda_sha256_end(&hash, out);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_all(int file, void *to, size_t bytes) {
  char *at = to;
  while (bytes) {
    ssize_t n = read(file, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    bytes -= (size_t)n;
  }
  return true;
}

static bool read_image(int file, const struct hd_cuda_cache_key *key, struct hd_cuda_image *out) {
  struct stat found;
  struct head head;
  u8 sum[HD_SHA256_BYTES];
  if (fstat(file, &found) || !S_ISREG(found.st_mode) || !mine_alone(&found)) return false;
  if (!read_all(file, &head, sizeof head)) return false;
  if (memcmp(head.magic, magic, MAGIC_BYTES) || head.format != FORMAT ||
      head.head_bytes != sizeof head || memcmp(head.key, key->hash, sizeof head.key))
    return false;
  if (!head.bytes || head.bytes > HD_MOST_IMAGE_BYTES ||
      (u64)found.st_size != sizeof head + head.bytes)
    return false;
  *out = (struct hd_cuda_image){calloc(1, (size_t)head.bytes + 1), (size_t)head.bytes};
  if (!out->data) return false;
  if (read_all(file, out->data, out->bytes)) {
    sum_of(out, sum);
    if (!memcmp(sum, head.sum, sizeof sum)) return true;
  }
  free(out->data);
  return false;
}

bool hd_cuda_cache_read(const struct hd_cuda_cache_key *key, struct hd_cuda_image *out) {
  char name[NAME_BYTES];
  int folder = open_folder(false);
  if (folder < 0) return false;
  file_name(key, name);
  int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  bool read = file >= 0 && read_image(file, key, out);
  if (file >= 0) close(file);
  close(folder);
  return read;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool write_all(int file, const void *from, size_t bytes) {
  const char *at = from;
  while (bytes) {
    ssize_t n = write(file, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    bytes -= (size_t)n;
  }
  return true;
}

/* The system tells of a file size limit by a signal that ends the process: it is held back while
 * the image is written, and taken off again if it came. */
static bool write_image(int file, const struct head *head, const struct hd_cuda_image *image) {
  sigset_t limit, before, pending;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  sigpending(&pending);
  bool came_before = sigismember(&pending, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &limit, &before);
  bool written = write_all(file, head, sizeof *head) && write_all(file, image->data, image->bytes);
  if (!written && errno == EFBIG && !came_before) {
    const struct timespec at_once = {0, 0};
    while (sigtimedwait(&limit, NULL, &at_once) < 0 && errno == EINTR) continue;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return written;
}

void hd_cuda_cache_write(const struct hd_cuda_cache_key *key, const struct hd_cuda_image *image) {
  static atomic_uint number;
  char name[NAME_BYTES], temporary[64];
  struct timespec now;
  struct head head = {.format = FORMAT, .head_bytes = sizeof head, .bytes = image->bytes};
  if (!image->bytes || image->bytes > HD_MOST_IMAGE_BYTES) return;
  int folder = open_folder(true);
  if (folder < 0) return;
  memcpy(head.magic, magic, MAGIC_BYTES);
  memcpy(head.key, key->hash, sizeof head.key);
  sum_of(image, head.sum);
  file_name(key, name);
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(temporary, sizeof temporary, ".new.%ld.%u.%lx", (long)getpid(),
           atomic_fetch_add(&number, 1), (unsigned long)now.tv_nsec);
  int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file >= 0) {
    bool written = write_image(file, &head, image);
    if (close(file)) written = false;
    if (!written || renameat(folder, temporary, folder, name)) (void)unlinkat(folder, temporary, 0);
  }
  close(folder);
}
