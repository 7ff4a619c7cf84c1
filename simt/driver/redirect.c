/* libsimt_redirect.so: a process that looks for NVIDIA's driver or NVRTC gets simt's.
 *
 * Method   the dynamic linker asks an auditing library (LD_AUDIT) where each object is that is
 *          loaded, by dlopen or because another one needs it. Of the answers two are ours: by the
 *          last part of its name, whatever the folder, since packages know theirs by its path.
 *          Children inherit the variable
 * Limits   programs of glibc; not those that are linked statically or have more rights than who
 *          starts them. Runs in a namespace of its own, beside the process's: nothing here may
 *          allocate, or be called by others
 * Source   rtld-audit(7)
 */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define REDIRECT_EXPORT __attribute__((visibility("default")))

static const struct {
  const char *name; /* up to where versions begin */
  const char *here; /* what stands for it, beside this library */
} instead[] = {
    {"libcuda.so", "libsimt_cuda.so"},
    {"libnvrtc.so", "libsimt_nvrtc.so"},
};
enum { COUNT = sizeof instead / sizeof *instead };

static char paths[COUNT][PATH_MAX]; /* "": not known */

/* Both begin where this library lies. */
static void find_paths(void) {
  Dl_info own;
  if (!dladdr((const void *)(uintptr_t)find_paths, &own) || !own.dli_fname) return;
  const char *slash = strrchr(own.dli_fname, '/');
  const size_t folder = slash ? (size_t)(slash - own.dli_fname) + 1 : 0;
  for (size_t i = 0; i < COUNT; i++) {
    const size_t length = strlen(instead[i].here);
    if (!folder || folder + length >= sizeof paths[i]) continue;
    memcpy(paths[i], own.dli_fname, folder);
    memcpy(paths[i] + folder, instead[i].here, length + 1);
  }
}

/* The name itself, or with numbers of a version behind it. */
static bool is_name(const char *file, const char *name) {
  const size_t length = strlen(name);
  return !strncmp(file, name, length) && (!file[length] || file[length] == '.');
}

REDIRECT_EXPORT unsigned la_version(unsigned version);
REDIRECT_EXPORT unsigned la_version(unsigned version) {
  find_paths();
  return version < LAV_CURRENT ? version : LAV_CURRENT;
}

REDIRECT_EXPORT char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag);
REDIRECT_EXPORT char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag) {
  (void)cookie;
  const char *slash = strrchr(name, '/');
  for (size_t i = 0; flag == LA_SER_ORIG && i < COUNT; i++)
    if (*paths[i] && is_name(slash ? slash + 1 : name, instead[i].name)) return paths[i];
  return (char *)(uintptr_t)name; /* the interface's own type: it is handed back as it came */
}
