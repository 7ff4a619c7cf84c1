/* memory.c - how much memory a sort takes
 *
 * Method  By default half of the machine's memory, of the limit of this process's control group, or of its
 *         address space, whichever is least. What an item costs is asked of the library.
 *         With --head so few elements are gathered at a time that most of the input is dropped as it is read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/resource.h>

#include "commands/command.h"
#include "sort.h"

static size_t least(size_t a, uint64_t b) { return b < a ? (size_t)b : a; }

/* What a file of control groups says; "max", and no file, is no limit. */
static uint64_t group_limit(const char *path) {
  unsigned long long limit = UINT64_MAX;
  FILE *const file = fopen(path, "re");
  if (!file) return UINT64_MAX;
  const int found = fscanf(file, "%llu", &limit);
  (void)fclose(file);
  return found == 1 ? limit : UINT64_MAX;
}

/* Memory of the machine that this process may have. */
static size_t machine_memory(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  size_t bytes = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : (size_t)1 << 30;
  struct rlimit space;
  bytes = least(bytes, group_limit("/sys/fs/cgroup/memory.max"));
  bytes = least(bytes, group_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
    bytes = least(bytes, space.rlim_cur);
  return bytes;
}

int sort_memory(const char *size, size_t *bytes, struct failure *why) {
  static const struct {
    char letter;
    unsigned shift;
  } units[] = {{'\0', 0}, {'K', 10}, {'M', 20}, {'G', 30}, {'T', 40}};
  enum { LEAST = 1 << 12 };
  const size_t machine = machine_memory();
  *bytes = machine / 2;
  if (!size) return 0;
  char *end = NULL;
  const unsigned long long n = *size >= '0' && *size <= '9' ? strtoull(size, &end, 10) : 0;
  if (n > 0 && n <= 100 && end[0] == '%' && end[1] == '\0') {
    *bytes = (size_t)((double)machine * (double)n / 100);
    return 0;
  }
  for (size_t u = 0; n > 0 && u < sizeof units / sizeof *units; u++) {
    if (units[u].letter != *end || (*end != '\0' && end[1] != '\0')) continue;
    if (n > (SIZE_MAX / 4) >> units[u].shift || n << units[u].shift < LEAST) break;
    *bytes = (size_t)n << units[u].shift;
    return 0;
  }
  return fail(why, EXIT_USAGE,
              "--memory takes bytes such as 200M, 4G or 25%%, at least %d, not '%s'", LEAST, size);
}

int sort_capacity(const struct sorting *g, heddle_sort_verb verb, heddle_type type,
                  size_t value_bytes, size_t item_bytes, size_t *capacity, struct failure *why) {
  enum { MANY = 1 << 20, HEAD_LEAST = 1 << 16 };
  size_t scratch;
  if (command_check(heddle_sort_scratch(g->ctx, verb, type, value_bytes, MANY, NULL, &scratch),
                    g->src.path, why) != 0)
    return -1;
  const size_t each = item_bytes + (scratch + MANY - 1) / MANY;
  *capacity = g->memory / each < 2 ? 2 : g->memory / each;
  if (g->head < HEAD_LEAST / 2 && *capacity > HEAD_LEAST)
    *capacity = HEAD_LEAST;
  else if (g->head < *capacity / 2 && g->head >= HEAD_LEAST / 2)
    *capacity = 2 * (size_t)g->head;
  return 0;
}

int sort_scratch(const struct sorting *g, heddle_sort_verb verb, heddle_type type,
                 size_t value_bytes, size_t count, size_t *bytes, struct failure *why) {
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  *bytes = 0;
  if (command_check(heddle_info(g->ctx, &info), NULL, why) != 0) return -1;
  if (strncmp(info.device, "cpu", 3) != 0) return 0;
  return command_check(heddle_sort_scratch(g->ctx, verb, type, value_bytes, count, NULL, bytes),
                       g->src.path, why);
}
