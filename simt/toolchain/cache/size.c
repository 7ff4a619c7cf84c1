/* Files sorted by the time of their last use (size.h).
 *
 * Method  the time of a file is when it was last used. What goes is either half of an entry;
 *         the other half is then a miss, and grows old itself
 */
#include "size.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

struct entry {
  char *name;
  long long bytes, seconds;
};

static int older(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* Only names that the cache makes: 32 hexadecimal digits and more. */
static int is_ours(const char *name) {
  return strspn(name, "0123456789abcdef") == 32 && (name[32] == '.' || name[32] == '-');
}

void cache_bound(const char *folder, long long bytes) {
  DIR *d = opendir(folder);
  if (!d) return;
  struct entry *all = NULL;
  size_t count = 0, room = 0;
  long long sum = 0;
  for (const struct dirent *e; (e = readdir(d));) {
    struct stat s;
    if (!is_ours(e->d_name) || fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW)) continue;
    if (!S_ISREG(s.st_mode)) continue;
    all = array_room(all, count, &room, sizeof *all);
    all[count++] = (struct entry){text_copy(e->d_name, strlen(e->d_name)), s.st_size,
                                  (long long)s.st_mtim.tv_sec};
    sum += s.st_size;
  }
  if (sum > bytes) qsort(all, count, sizeof *all, older);
  for (size_t i = 0; i < count && sum > bytes; i++) {
    if (!unlinkat(dirfd(d), all[i].name, 0)) sum -= all[i].bytes;
  }
  for (size_t i = 0; i < count; i++) free(all[i].name);
  free(all);
  closedir(d);
}
