/* Entries by name.
 *
 * Method   the library's own symbol table: the plain name stands for its newest version here
 * Source   CUDA Driver API 13.0, section Driver Entry Point Access
 */
#include "entry.h"

#include <dlfcn.h>
#include <stdio.h>

enum { FOUND, NOT_FOUND, NEWEST = 4 };

static void *entry_of(const char *symbol) {
  Dl_info own;
  char name[128];
  void *entry = NULL;
  if (!dladdr((const void *)(uintptr_t)entry_of, &own)) return NULL;
  void *library = dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return NULL;
  for (int version = NEWEST; version >= 1 && !entry; version--) {
    snprintf(name, sizeof name, version > 1 ? "%s_v%d" : "%s", symbol, version);
    entry = dlsym(library, name);
  }
  /* Of another library that this one needs: that is none of the driver's. */
  Dl_info found;
  if (entry && (!dladdr(entry, &found) || found.dli_fbase != own.dli_fbase)) entry = NULL;
  dlclose(library);
  return entry;
}

API_EXPORT CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version,
                                        uint64_t flags, int *status) {
  if (status) *status = NOT_FOUND;
  if (!symbol || !function || flags > 7 || version < 0) return CUDA_ERROR_INVALID_VALUE;
  *function = entry_of(symbol);
  if (!*function) return CUDA_ERROR_NOT_FOUND;
  if (status) *status = FOUND;
  return CUDA_SUCCESS;
}
