/* machine.c - the processor's name and cache, and how many threads this process may use
 *
 * Result   threads: the smaller of the affinity mask and the cgroup's CPU quota: a container is limited by
 *          quota, which the affinity mask does not show.
 * Source   cgroup v2: cpu.max of the process's group and every group above it; v1: cfs quota. */
#include "machine.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/* The first bytes of a small file as a string; false if it cannot be read. */
static bool read_text(const char *path, char *text, size_t bytes) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  size_t used = 0;
  ssize_t n;
  while (used + 1 < bytes && (n = read(fd, text + used, bytes - 1 - used)) > 0) used += (size_t)n;
  close(fd);
  text[used] = 0;
  return used > 0;
}

/* Processors that "quota period" allows, rounded up; 0 for "max" or nonsense. */
static unsigned quota_of(const char *text) {
  long long quota, period;
  if (sscanf(text, "%lld %lld", &quota, &period) != 2 || quota <= 0 || period <= 0) return 0;
  long long whole = (quota - 1) / period + 1;
  return whole > 1024 ? 1024 : (unsigned)whole;
}

static unsigned lesser_limit(unsigned a, unsigned b) { return !a || (b && b < a) ? b : a; }

/* The least quota from `group` up to the root; group is cut in place. */
static unsigned quota_v2(char *group) {
  char path[4200], text[64];
  unsigned limit = 0;
  for (;;) {
    int n = snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
    if (n > 0 && (size_t)n < sizeof path && read_text(path, text, sizeof text))
      limit = lesser_limit(limit, quota_of(text));
    char *slash = strrchr(group, '/');
    if (!slash) return limit;
    *slash = 0;
  }
}

static unsigned quota_v1(void) {
  char quota[32], period[32], both[66];
  if (!read_text("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota, sizeof quota)) return 0;
  if (!read_text("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period, sizeof period)) return 0;
  snprintf(both, sizeof both, "%s %s", quota, period);
  return quota_of(both);
}

static unsigned quota(void) {
  char text[4096];
  if (!read_text("/proc/self/cgroup", text, sizeof text)) return 0;
  for (char *line = text; line && *line;) {
    char *end = strchr(line, '\n');
    if (end) *end = 0;
    if (!strncmp(line, "0::", 3)) return lesser_limit(quota_v2(line + 3), quota_v1());
    line = end ? end + 1 : NULL;
  }
  return quota_v1();
}

unsigned hd_machine_threads(void) {
  cpu_set_t set;
  long allowed = 0;
  if (!sched_getaffinity(0, sizeof set, &set)) allowed = CPU_COUNT(&set);
  if (allowed < 1) allowed = sysconf(_SC_NPROCESSORS_ONLN);
  if (allowed < 1) allowed = 1;
  return lesser_limit((unsigned)allowed, quota());
}

size_t hd_machine_cache(void) {
  long bytes = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
  bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
  return bytes > 0 ? (size_t)bytes : 0;
}

size_t hd_machine_near_cache(void) {
  enum { GUESS = 512 << 10, LEAST = 128 << 10, MOST = 2 << 20 };
  static atomic_size_t
      known; /* the system asks the processor, which takes long in a virtual machine */
  size_t found = atomic_load_explicit(&known, memory_order_relaxed);
  if (found) return found;
  long bytes = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
  bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
  found = bytes <= 0 ? GUESS : bytes < LEAST ? LEAST : bytes > MOST ? MOST : (size_t)bytes;
  atomic_store_explicit(&known, found, memory_order_relaxed);
  return found;
}

void hd_machine_name(char *out, size_t bytes) {
  snprintf(out, bytes, "unknown processor");
#if defined(__x86_64__) || defined(__i386__)
  unsigned words[12];
  for (unsigned leaf = 0; leaf < 3; leaf++) {
    unsigned *w = words + 4 * leaf;
    if (!__get_cpuid(0x80000002u + leaf, w, w + 1, w + 2, w + 3)) return;
  }
  char name[sizeof words + 1];
  memcpy(name, words, sizeof words);
  name[sizeof words] = 0;
  const char *start = name + strspn(name, " ");
  if (*start) snprintf(out, bytes, "%s", start);
#endif
}
