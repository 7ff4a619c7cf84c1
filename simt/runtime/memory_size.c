/* How much memory the device has.
 *
 * Result   half of what the process may use of the machine's memory (the control group's limit
 *          counts), in whole MiB, at least 256 MiB; SIMT_MEMORY=MiB says otherwise
 */
#include "runtime.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
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
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
    const size_t limit = number_in(limits[i]);
    if (limit && limit < bytes) bytes = limit;
  }
  atomic_store(&known, bytes);
  return bytes;
}

size_t rt_device_bytes_total(void) {
  static atomic_size_t known;
  size_t bytes = atomic_load(&known);
  if (bytes) return bytes;
  const char *wish = getenv("SIMT_MEMORY");
  bytes = wish ? (size_t)strtoull(wish, NULL, 10) << 20 : 0;
  if (!bytes) bytes = rt_machine_bytes() / 2;
  bytes &= ~(((size_t)1 << 20) - 1);
  if (bytes < (size_t)256 << 20) bytes = (size_t)256 << 20;
  atomic_store(&known, bytes);
  return bytes;
}
