/* Entries by name.
 *
 * Method   the library's own symbol table: the plain name stands for its newest version here
 * Source   CUDA Driver API 13.0, section Driver Entry Point Access
 */
#include "entry.h"

#include <dlfcn.h>
#include <stdatomic.h>
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

/* Tables of NVIDIA's own, by which a runtime that is linked into a program or a package reaches the
 * inside of its driver. There are none here, and the program should say more than that a symbol is
 * missing. */
API_EXPORT CUresult cuGetExportTable(const void **table, const void *id) {
  static atomic_flag told = ATOMIC_FLAG_INIT;
  if (!table || !id) return CUDA_ERROR_INVALID_VALUE;
  *table = NULL;
  if (!atomic_flag_test_and_set(&told))
    fputs(
        "simt: NVIDIA's CUDA runtime, which is linked into this program or a package of it (CuPy, "
        "cuda.bindings.runtime), needs the inside of NVIDIA's driver: calls of the driver API and "
        "NVRTC are what runs on the software device\n",
        stderr);
  return CUDA_ERROR_NOT_FOUND;
}
