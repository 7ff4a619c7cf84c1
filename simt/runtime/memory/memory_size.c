/* How much memory the device has.
 *
 * Result   half of what the process may use of the machine's memory (the control group's limit
 *          counts), in whole MiB, at least 256 MiB; SIMT_MEMORY=MiB says otherwise, and with a unit
 *          (64M, 2G) also that it is less
 */
#include "runtime.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t number_in(const char *path) {
  char text[32] = {0};
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  return got > 0 && text[0] >= '0' && text[0] <= '9' ? strtoull(text, NULL, 10) : 0;
}

size_t rt_machine_bytes(void) {
  static atomic_size_t known;
  size_t bytes = atomic_load(&known);
  if (bytes) return bytes;
  static const char *const limits[] = {"/sys/fs/cgroup/memory.max",
                                       "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
  bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    const size_t limit = number_in(limits[i]);
    if (limit && limit < bytes) bytes = limit;
  }
  atomic_store(&known, bytes);
  return bytes;
}

static bool is_exact(const char *text) { return strpbrk(text, "KMG"); }

/* "512", in MiB, or "64K", "512M", "2G"; 0: nothing that makes sense. */
static size_t wished(const char *text) {
  char *end;
  if (!text) return 0;
  const unsigned long long number = strtoull(text, &end, 10);
  if (end == text || number > SIZE_MAX >> 31) return 0;
  switch (*end) {
  case 0:
  case 'M': return (size_t)number << 20;
  case 'K': return (size_t)number << 10;
  case 'G': return (size_t)number << 30;
  default: return 0;
  }
}

size_t rt_device_bytes_total(void) {
  static atomic_size_t known;
  size_t bytes = atomic_load(&known);
  if (bytes) return bytes;
  const size_t mebibyte = (size_t)1 << 20;
  bytes = wished(getenv("SIMT_MEMORY"));
  const bool small = bytes && bytes < 256 * mebibyte && is_exact(getenv("SIMT_MEMORY"));
  if (!bytes) bytes = rt_machine_bytes() / 2;
  bytes &= ~(mebibyte - 1);
  if (bytes < 256 * mebibyte && !small) bytes = 256 * mebibyte;
  if (bytes < mebibyte) bytes = mebibyte;
  atomic_store(&known, bytes);
  return bytes;
}
