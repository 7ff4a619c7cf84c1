/* beside.c - files of this project's own that lie beside libheddle
 *
 * Result   the software device's libraries
 * Method   dladdr of this code gives libheddle's place, so a tree may be moved. Installed, they
 *          are in heddle/ below the library's folder; in a build tree in ../lib/heddle; in a
 *          static build the code lies in a program, whose library folder is a neighbour. */
#include "beside.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/environment.h"

bool hd_cuda_own_folder(char *out, size_t bytes) {
  Dl_info info;
  union {
    bool (*code)(char *, size_t);
    void *data;
  } here = {hd_cuda_own_folder};
  if (!dladdr(here.data, &info) || !info.dli_fname) return false;
  char *full = realpath(info.dli_fname, NULL);
  char *slash = full ? strrchr(full, '/') : NULL;
  if (slash) *slash = 0;
  bool fits = slash && (size_t)snprintf(out, bytes, "%s", full) < bytes;
  free(full);
  return fits;
}

static void *open_in(const char *folder, const char *below, const char *name, char *path,
                     size_t bytes, bool *there) {
  char full[1024];
  if ((size_t)snprintf(full, sizeof full, "%s%s/%s", folder, below, name) >= sizeof full)
    return NULL;
  if (access(full, R_OK)) return NULL;
  *there = true;
  void *handle = dlopen(full, RTLD_NOW | RTLD_LOCAL);
  snprintf(path, bytes, "%s", handle ? full : dlerror());
  return handle;
}

void *hd_cuda_open_beside(const char *name, char *path, size_t bytes) {
  static const char *const below[] = {"/heddle", "/../lib/heddle", "/../lib64/heddle",
                                      "/../../lib/heddle", ""};
  const char *given = hd_environment(HD_ENV_SIMT);
  char folder[768];
  bool there = false;
  if (given) {
    void *handle = open_in(given, "", name, path, bytes, &there);
    if (!handle && !there) snprintf(path, bytes, "HEDDLE_SIMT=%s has no %s", given, name);
    return handle;
  }
  if (!hd_cuda_own_folder(folder, sizeof folder)) {
    snprintf(path, bytes, "its own place is unknown");
    return NULL;
  }
  for (size_t i = 0; i < sizeof below / sizeof *below && !there; i++) {
    void *handle = open_in(folder, below[i], name, path, bytes, &there);
    if (handle) return handle;
  }
  if (!there) snprintf(path, bytes, "no %s in or below %s", name, folder);
  return NULL;
}
