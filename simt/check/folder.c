/* One file for each process (folder.h).
 *
 * Method   a name of the process's number and a count, since a process that becomes another
 *          program keeps its number; made only if it is not there yet. The file's size costs
 *          nothing: it is sparse
 */
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 1000 };

static bool mentions(const char *strings, size_t bytes, const char *name) {
  return memmem(strings, bytes, name, strlen(name) + 1) != NULL;
}

/* Names that the object takes from others stand in its table of strings. */
static int look(struct dl_phdr_info *info, size_t size, void *user) {
  const ElfW(Dyn) *d = NULL;
  uintptr_t strings = 0;
  size_t bytes = 0;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      d = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  for (; d && d->d_tag != DT_NULL; d++) {
    if (d->d_tag == DT_STRTAB) strings = d->d_un.d_ptr;
    if (d->d_tag == DT_STRSZ) bytes = d->d_un.d_val;
  }
  if (!strings || !bytes) return 0;
  if (strings < info->dlpi_addr) strings += info->dlpi_addr;
  const char *names = (const char *)strings;
  const bool needs = mentions(names, bytes, "libsimt.so"); /* or a path that ends so */
  if (!needs || !mentions(names, bytes, "__tsan_init") ||
      mentions(names, bytes, "__sanitizer_cov_trace_pc"))
    return 0;
  *(bool *)user = true;
  return 1;
}

bool ck_is_instrumented(void) {
  bool is = false;
  dl_iterate_phdr(look, &is);
  return is;
}

/* Makes PID.N.END, for the first N that is free; its descriptor. */
static int make(const char *folder, const char *end, char *path, size_t room) {
  for (int n = 0; n < MOST; n++) {
    const int length = snprintf(path, room, "%s/%d.%d.%s", folder, (int)getpid(), n, end);
    if (length < 0 || (size_t)length >= room) break;
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0 || errno != EEXIST) return file;
  }
  errno = ENAMETOOLONG;
  return -1;
}

/* The program's path and the words that it was called by. */
static void describe(int file) {
  char text[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", text, sizeof text - 1);
  text[length > 0 ? length : 0] = 0;
  if (write(file, text, strlen(text) + 1) < 0) return;
  const int words = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (words < 0) return;
  const ssize_t got = read(words, text, sizeof text);
  if (got > 0 && write(file, text, (size_t)got) < 0) errno = 0; /* named by its path alone */
  close(words);
}

struct findings *ck_file_in(const char *folder) {
  const uint32_t head[] = {FINDINGS_MAGIC, FINDINGS_VERSION, sizeof(struct finding), FINDINGS};
  char path[PATH_MAX];
  void *memory = MAP_FAILED;
  const int file = make(folder, "findings", path, sizeof path);
  if (file < 0) return NULL;
  if (!ftruncate(file, sizeof(struct findings)) &&
      pwrite(file, head, sizeof head, 0) == (ssize_t)sizeof head)
    memory = mmap(NULL, sizeof(struct findings), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) {
    unlink(path);
    return NULL;
  }
  memcpy(path + strlen(path) - strlen("findings"), "program", sizeof "program");
  const int words = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (words >= 0) describe(words);
  if (words >= 0) close(words);
  return memory;
}

void ck_note_unchecked(const char *folder) {
  char path[PATH_MAX];
  const int file = make(folder, "unchecked", path, sizeof path);
  if (file < 0) return;
  describe(file);
  close(file);
}
