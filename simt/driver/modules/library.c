/* Libraries: images of no context, and their kernels.
 *
 * Method   a library keeps a copy of its image and makes a module of it in each context in which
 *          one of its kernels or variables is used. A kernel is a name; where a function is wanted
 *          it stands for the one of the current context
 * Limits   without a context a kernel's name is looked for in the image only; one that is no
 *          kernel's is then found out at its launch
 * Source   CUDA Driver API 13.0, section Library Management
 */
#include "modules.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct loaded { /* of one context */
  struct loaded *next;
  struct context *context;
  struct module *module;
};

struct kernel {
  struct kernel *next; /* of its library */
  struct library *library;
  char name[];
};

struct library {
  struct library *next, *before; /* among all */
  void *image;                   /* a copy, mapped */
  size_t bytes;
  struct loaded *loaded;
  struct kernel *kernels;
};

static struct library *all;

/* ---- Modules of the contexts ----------------------------------------------------------------- */

void library_forget(const struct module *module) {
  for (struct library *l = all; l; l = l->next)
    for (struct loaded **at = &l->loaded; *at; at = &(*at)->next) {
      struct loaded *gone = *at;
      if (gone->module != module) continue;
      *at = gone->next;
      free(gone);
      break;
    }
}

/* The library as it is in the current context. */
static CUresult module_of(struct library *l, struct module **out) {
  static const struct jit_options none;
  struct context *context = context_current();
  const CUresult state = context_state();
  if (state) return state;
  for (const struct loaded *i = l->loaded; i; i = i->next)
    if (i->context == context) {
      *out = i->module;
      return CUDA_SUCCESS;
    }
  struct loaded *fresh = calloc(1, sizeof *fresh);
  if (!fresh) return CUDA_ERROR_OUT_OF_MEMORY;
  const CUresult result = module_make(&fresh->module, l->image, &none);
  if (result) {
    free(fresh);
    return result;
  }
  fresh->context = context;
  fresh->next = l->loaded;
  l->loaded = fresh;
  *out = fresh->module;
  return CUDA_SUCCESS;
}

CUresult function_of(CUfunction handle, struct function **out) {
  struct module *module;
  *out = handle;
  if (object_find(handle, OBJECT_FUNCTION)) return CUDA_SUCCESS;
  if (!object_find(handle, OBJECT_KERNEL)) return CUDA_ERROR_INVALID_HANDLE;
  const struct kernel *k = (const struct kernel *)(const void *)handle;
  const CUresult result = module_of(k->library, &module);
  return result ? result : module_function(out, module, k->name);
}

/* ---- Loading --------------------------------------------------------------------------------- */

/* A copy of the image, whose memory may end too early. */
static CUresult copy_image(struct library *l, const void *image, const struct jit_options *jit) {
  CUresult result = module_image_bytes(image, jit, &l->bytes);
  if (result) return result;
  const int file = memfd_create("library", MFD_CLOEXEC);
  if (file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  result = module_write_memory(file, image, l->bytes) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
  if (!result) l->image = mmap(NULL, l->bytes, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (!result && l->image == MAP_FAILED) result = CUDA_ERROR_OUT_OF_MEMORY;
  if (result) l->image = NULL;
  return result;
}

static void destroy(struct library *l) {
  while (l->loaded) {
    struct module *module = l->loaded->module;
    object_remove(module, OBJECT_MODULE);
    module_destroy(module); /* takes it off the list */
  }
  while (l->kernels) {
    struct kernel *k = l->kernels;
    l->kernels = k->next;
    object_remove(k, OBJECT_KERNEL);
    free(k);
  }
  if (l->next) l->next->before = l->before;
  if (l->before) l->before->next = l->next;
  if (all == l) all = l->next;
  if (l->image) munmap(l->image, l->bytes);
  free(l);
}

static CUresult load(CUlibrary *out, const void *image, const struct jit_options *jit) {
  struct module *module;
  struct library *l = calloc(1, sizeof *l);
  if (!l) return CUDA_ERROR_OUT_OF_MEMORY;
  l->next = all;
  if (all) all->before = l;
  all = l;
  CUresult result = copy_image(l, image, jit);
  /* What is wrong with it is told now, if there is a context. */
  if (!result && !context_state()) result = module_of(l, &module);
  if (!result && !object_add_free(l, OBJECT_LIBRARY)) result = CUDA_ERROR_OUT_OF_MEMORY;
  if (result)
    destroy(l);
  else
    *out = l;
  return result;
}

static CUresult check_options(const struct jit_options *jit, const struct jit_options *own) {
  if ((jit->count && (!jit->options || !jit->values)) || (own->count && !own->options))
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < own->count; i++)
    if (own->options[i] < 0 || own->options[i] > CU_LIBRARY_KEEPS_IMAGE)
      return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

API_EXPORT CUresult cuLibraryLoadData(CUlibrary *library, const void *image, const int *jit_options,
                                      void **jit_values, unsigned jit_count, const int *options,
                                      void **values, unsigned count) {
  const struct jit_options jit = {jit_count, jit_options, jit_values},
                           own = {count, options, values};
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  CUresult result = library && image ? check_options(&jit, &own) : CUDA_ERROR_INVALID_VALUE;
  if (!result) result = load(library, image, &jit);
  return api_leave(result);
}

API_EXPORT CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path,
                                          const int *jit_options, void **jit_values,
                                          unsigned jit_count, const int *options, void **values,
                                          unsigned count) {
  const struct jit_options jit = {jit_count, jit_options, jit_values},
                           own = {count, options, values};
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  CUresult result = library && path ? check_options(&jit, &own) : CUDA_ERROR_INVALID_VALUE;
  if (result) return api_leave(result);
  size_t bytes = 0;
  void *image = module_map_file(path, &bytes);
  if (!image) return api_leave(CUDA_ERROR_FILE_NOT_FOUND);
  result = load(library, image, &jit);
  munmap(image, bytes);
  return api_leave(result);
}

/* ---- What is in it --------------------------------------------------------------------------- */

static CUresult enter(const char *name, const void *out, const void *handle,
                      enum object_kind kind) {
  const CUresult refused = api_enter(name, API_INITIALISED);
  if (refused) return refused;
  if (!object_find(handle, kind)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  return out ? CUDA_SUCCESS : api_leave(CUDA_ERROR_INVALID_VALUE);
}

API_EXPORT CUresult cuLibraryUnload(CUlibrary library) {
  const CUresult refused = enter(__func__, library, library, OBJECT_LIBRARY);
  if (refused) return refused;
  object_remove(library, OBJECT_LIBRARY);
  destroy(library);
  return api_leave(CUDA_SUCCESS);
}

/* Whether there is such a kernel. */
static CUresult look_for(struct library *l, const char *name) {
  struct module *module;
  CUfunction function;
  if (context_state())
    return memmem(l->image, l->bytes, name, strlen(name) + 1) ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
  const CUresult result = module_of(l, &module);
  return result ? result : module_function(&function, module, name);
}

static CUresult get_kernel(CUkernel *out, struct library *l, const char *name) {
  if (!name || !*name) return CUDA_ERROR_INVALID_VALUE;
  for (struct kernel *k = l->kernels; k; k = k->next) {
    if (strcmp(k->name, name) != 0) continue;
    *out = k;
    return CUDA_SUCCESS;
  }
  const CUresult result = look_for(l, name);
  if (result) return result;
  const size_t bytes = strlen(name) + 1;
  struct kernel *k = calloc(1, sizeof *k + bytes);
  if (!k || !object_add_free(k, OBJECT_KERNEL)) {
    free(k);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  memcpy(k->name, name, bytes);
  k->library = l;
  k->next = l->kernels;
  l->kernels = k;
  *out = k;
  return CUDA_SUCCESS;
}

API_EXPORT CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  const CUresult refused = enter(__func__, kernel, library, OBJECT_LIBRARY);
  return refused ? refused : api_leave(get_kernel(kernel, library, name));
}

API_EXPORT CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  const CUresult refused = enter(__func__, module, library, OBJECT_LIBRARY);
  return refused ? refused : api_leave(module_of(library, module));
}

static CUresult get_variable(CUdeviceptr *address, size_t *bytes, struct library *l,
                             const char *name) {
  struct module *module;
  const CUresult result = module_of(l, &module);
  return result ? result : module_variable(address, bytes, module, name);
}

API_EXPORT CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                                       const char *name) {
  const CUresult refused = enter(__func__, library, library, OBJECT_LIBRARY);
  return refused ? refused : api_leave(get_variable(address, bytes, library, name));
}

API_EXPORT CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                                        const char *name) {
  const CUresult refused = enter(__func__, library, library, OBJECT_LIBRARY);
  return refused ? refused : api_leave(get_variable(address, bytes, library, name));
}

/* ---- Kernels --------------------------------------------------------------------------------- */

API_EXPORT CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  const CUresult refused = enter(__func__, function, kernel, OBJECT_KERNEL);
  if (refused) return refused;
  return api_leave(function_of((CUfunction)(void *)kernel, function));
}

API_EXPORT CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  const CUresult refused = enter(__func__, library, kernel, OBJECT_KERNEL);
  if (refused) return refused;
  *library = kernel->library;
  return api_leave(CUDA_SUCCESS);
}

API_EXPORT CUresult cuKernelGetName(const char **name, CUkernel kernel) {
  const CUresult refused = enter(__func__, name, kernel, OBJECT_KERNEL);
  if (refused) return refused;
  *name = kernel->name;
  return api_leave(CUDA_SUCCESS);
}
