/* A memfd of fixed size; what points outside of it is dropped (figures_file.h). */
#include "figures_file.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int profile_file_make(void) {
  const int fd = memfd_create("heddle-profile", 0);
  if (fd < 0) return -1;
  const struct figures head = {.magic = FIGURES_MAGIC,
                               .version = FIGURES_VERSION,
                               .kernel_bytes = sizeof(struct figures_kernel),
                               .record_bytes = sizeof(struct figures_record),
                               .barrier_bytes = sizeof(struct figures_barrier)};
  const size_t first = offsetof(struct figures, kernels);
  if (ftruncate(fd, sizeof head) == 0 && write(fd, &head, first) == (ssize_t)first) return fd;
  const int reason = errno;
  close(fd);
  errno = reason;
  return -1;
}

static void end_string(char *text, size_t bytes) { text[bytes - 1] = 0; }

static uint64_t at_most(uint64_t count, uint64_t room) { return count < room ? count : room; }

/* A record of what the file does not have, or of no kind, goes. */
static void mend(struct figures *f) {
  f->kernel_count = at_most(f->kernel_count, FIGURES_KERNELS);
  f->barrier_count = at_most(f->barrier_count, FIGURES_BARRIERS);
  f->record_count = at_most(f->record_count, FIGURES_RECORDS);
  end_string(f->limits, sizeof f->limits);
  for (uint64_t i = 0; i < f->kernel_count; i++) {
    end_string(f->kernels[i].name, FIGURES_NAME);
    end_string(f->kernels[i].file, FIGURES_NAME);
  }
  uint64_t kept = 0;
  for (uint64_t i = 0; i < f->barrier_count; i++) {
    end_string(f->barriers[i].file, FIGURES_NAME);
    if (f->barriers[i].kernel < f->kernel_count) f->barriers[kept++] = f->barriers[i];
  }
  f->barrier_count = kept;
  kept = 0;
  for (uint64_t i = 0; i < f->record_count; i++)
    if (f->records[i].kernel < f->kernel_count && f->records[i].kind <= FIGURES_SHARED)
      f->records[kept++] = f->records[i];
  f->record_count = kept;
}

struct figures *profile_file_read(int fd) {
  struct stat status;
  struct figures *f = malloc(sizeof *f);
  if (!f || fstat(fd, &status) || (size_t)status.st_size != sizeof *f) {
    free(f);
    return NULL;
  }
  size_t done = 0;
  while (done < sizeof *f) {
    const ssize_t got = pread(fd, (char *)f + done, sizeof *f - done, (off_t)done);
    if (got <= 0) break;
    done += (size_t)got;
  }
  if (done < sizeof *f || f->magic != FIGURES_MAGIC || f->version != FIGURES_VERSION) {
    free(f);
    return NULL;
  }
  mend(f);
  return f;
}
