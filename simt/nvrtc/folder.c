/* Files of a compilation's own folder. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files.h"
#include "nvrtc.h"

bool nvrtc_write(const char *folder, const char *name, const char *data, size_t length) {
  char *path = text_format("%s/%s", folder, name);
  for (char *c = path + strlen(folder) + 1; *c; c++) { /* folders in names of headers */
    if (*c != '/') continue;
    *c = 0;
    mkdir(path, 0700);
    *c = '/';
  }
  const bool written = files_write(path, data, length);
  free(path);
  return written;
}
