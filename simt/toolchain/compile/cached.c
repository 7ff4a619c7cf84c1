/* The program of a command line (cached.h). */
#include "cached.h"

#include <stdlib.h>

#include "toolchain/cache/cache.h"

int cached_build(struct build *b, bool afresh, char **path, bool *kept) {
  struct cache c = {0};
  cache_open(&c, b);
  *path = afresh || b->options->keep ? NULL : cache_find(&c);
  *kept = *path != NULL;
  int status = *path || b->folder || build_folder(b) ? 0 : 1;
  if (!*path && !status) {
    char *program = text_format("%s/program", b->folder);
    status = build_executable(b, program);
    if (!status) *path = cache_store(&c, b, program);
    *kept = *path != NULL;
    if (*kept) build_remove_folder(b);
    if (status || *kept) {
      free(program);
    } else {
      *path = program;
    }
  }
  cache_close(&c);
  return status;
}
