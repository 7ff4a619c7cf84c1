/* nvrtc_find.c - where NVIDIA's run-time compiler may lie
 *
 * Result   candidate paths, best first: one that the process has loaded already (beside PyTorch or
 *          CuPy there should be one compiler only), NVIDIA's wheels of the Python environment,
 *          conda, the loader's own search, CUDA's folders
 * Method   names by version, newest first. Folders are read, never searched in depth.
 * Safety   Nobody has named the folders around libheddle. A compiler there is taken only if
 *          libheddle is in a Python package itself, and only from owners with the right to change
 *          libheddle. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "beside.h"
#include "host/environment.h"
#include "nvrtc.h"

static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"};
enum { NAMES = sizeof names / sizeof *names };

static bool in_folder(const char *folder, hd_cuda_nvrtc_visit *visit, void *arg) {
  char path[1024];
  struct stat found;
  for (size_t i = 0; i < NAMES; i++) {
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, names[i]) >= sizeof path) return false;
    if (!stat(path, &found) && visit(arg, path, false)) return true;
  }
  return false;
}

/* Every folder that a pattern of the shell stands for. */
static bool in_folders(const char *pattern, hd_cuda_nvrtc_visit *visit, void *arg) {
  glob_t found = {0};
  bool done = false;
  if (!glob(pattern, GLOB_NOSORT, NULL, &found))
    for (size_t i = 0; i < found.gl_pathc && !done; i++)
      done = in_folder(found.gl_pathv[i], visit, arg);
  globfree(&found);
  return done;
}

/* Folders below another, by look (in_folder or in_folders). */
typedef bool look_in(const char *folder, hd_cuda_nvrtc_visit *visit, void *arg);
static bool in_each(const char *root, const char *const *below, size_t count, look_in *look,
                    hd_cuda_nvrtc_visit *visit, void *arg) {
  char folder[1024];
  for (size_t i = 0; i < count; i++) {
    if ((size_t)snprintf(folder, sizeof folder, "%s/%s", root, below[i]) >= sizeof folder)
      return false;
    if (look(folder, visit, arg)) return true;
  }
  return false;
}

/* NVIDIA's wheels in the folder that packages of a Python are in, or a pattern of such. */
static bool in_packages(const char *packages, hd_cuda_nvrtc_visit *visit, void *arg) {
  static const char *const wheels[] = {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"};
  return in_each(packages, wheels, sizeof wheels / sizeof *wheels, in_folders, visit, arg);
}

/* What is beside libheddle, and who else may have written it. */
struct beside {
  hd_cuda_nvrtc_visit *visit;
  void *arg;
  uid_t owner; /* of libheddle's folder */
};

static bool is_safe(const struct beside *beside, const char *path) {
  struct stat found;
  return !stat(path, &found) && !(found.st_mode & S_IWOTH) &&
         (found.st_uid == 0 || found.st_uid == geteuid() || found.st_uid == beside->owner);
}

/* The file, and the three folders between it and the packages. */
static bool visit_safe(void *arg, const char *path, bool loaded) {
  const struct beside *beside = arg;
  char at[1024];
  if ((size_t)snprintf(at, sizeof at, "%s", path) >= sizeof at) return false;
  for (int up = 0; up < 5; up++) {
    char *slash = strrchr(at, '/');
    if (!slash || !is_safe(beside, at)) return false;
    *slash = 0;
  }
  return beside->visit(beside->arg, path, loaded);
}

static bool is_name(const char *path, const char *name) {
  size_t all = strlen(path), n = strlen(name);
  return all >= n && !strcmp(path + all - n, name);
}

bool hd_cuda_nvrtc_beside(char *own, hd_cuda_nvrtc_visit *visit, void *arg) {
  struct stat folder;
  struct beside beside = {visit, arg, 0};
  if (stat(own, &folder)) return false;
  beside.owner = folder.st_uid;
  for (int up = 0; up < 3; up++) {
    if (is_name(own, "/site-packages") || is_name(own, "/dist-packages"))
      return in_packages(own, visit_safe, &beside);
    char *slash = strrchr(own, '/');
    if (!slash || !(is_name(own, "/heddle") || is_name(own, "/lib") || is_name(own, ".libs")))
      return false;
    *slash = 0;
  }
  return false;
}

/* A Python's own folder, of which there may be none. */
static bool in_environment(const char *root, hd_cuda_nvrtc_visit *visit, void *arg) {
  char packages[1024];
  if (!root) return false;
  snprintf(packages, sizeof packages, "%.700s/lib/python3*/site-packages", root);
  return in_packages(packages, visit, arg);
}

static bool in_wheels(hd_cuda_nvrtc_visit *visit, void *arg) {
  char own[768];
  return in_environment(hd_environment(HD_ENV_VIRTUAL_ENV), visit, arg) ||
         (hd_cuda_own_folder(own, sizeof own) && hd_cuda_nvrtc_beside(own, visit, arg)) ||
         in_environment(hd_environment(HD_ENV_CONDA_PREFIX), visit, arg) ||
         in_packages("/usr/local/lib/python3*/*-packages", visit, arg) ||
         in_packages("/usr/lib/python3*/*-packages", visit, arg);
}

/* A toolkit's folder, in the layouts that NVIDIA, conda and distributions use. */
static bool in_toolkit(const char *root, hd_cuda_nvrtc_visit *visit, void *arg) {
#ifdef __aarch64__
  static const char *const below[] = {"lib64", "lib", "targets/sbsa-linux/lib"};
#else
  static const char *const below[] = {"lib64", "lib", "targets/x86_64-linux/lib"};
#endif
  return in_each(root, below, sizeof below / sizeof *below, in_folder, visit, arg);
}

bool hd_cuda_nvrtc_search(hd_cuda_nvrtc_visit *visit, void *arg) {
  for (size_t i = 0; i < NAMES; i++)
    if (visit(arg, names[i], true)) return true;
  if (in_wheels(visit, arg)) return true;
  const char *conda = hd_environment(HD_ENV_CONDA_PREFIX);
  if (conda && in_toolkit(conda, visit, arg)) return true;
  for (size_t i = 0; i < NAMES; i++)
    if (visit(arg, names[i], false)) return true;
  const char *cuda = hd_environment(HD_ENV_CUDA_PATH);
  if (cuda && in_toolkit(cuda, visit, arg)) return true;
  return in_toolkit("/usr/local/cuda", visit, arg);
}

bool hd_cuda_nvrtc_given(const char *given, hd_cuda_nvrtc_visit *visit, void *arg) {
  struct stat found;
  if (stat(given, &found)) return false;
  if (!S_ISDIR(found.st_mode)) {
    char *full =
        realpath(given, NULL); /* a name without a slash would be another file's to dlopen */
    const bool done = full && visit(arg, full, false);
    free(full);
    return done;
  }
  return in_folder(given, visit, arg) || in_toolkit(given, visit, arg) ||
         in_packages(given, visit, arg);
}
