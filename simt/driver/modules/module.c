/* Modules: images of NVRTC's library, loaded.
 *
 * Method   the image goes into a file without a name by the system's own write, which says where
 *          memory ends; there its length and checksum are verified, and from there the loader takes
 *          it. In a checked process the file gets a name in the folder that heddle-check gave
 *          (SIMT_MODULES), so that lines can be found when the process has ended
 * Limits   no PTX, no fat binaries
 * Source   CUDA Driver API 13.0, section Module Management
 */
#include "modules.h"

#include "driver/image.h"

#include "cuda_runtime_api.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct module {
  struct module *next, *before; /* among all */
  char path[240];               /* of its file, "" if that has no name */
  void *library;
  struct simt_module *known;
  struct function *functions;
};

enum { MOST_BYTES = 1 << 30 };

static struct module *all;

/* ---- The image's bytes ----------------------------------------------------------------------- */

/* The system call itself: a wrapper of a sanitizer's would look at the memory first. */
bool module_write_memory(int file, const char *from, size_t bytes) {
  while (bytes) {
    const long written = syscall(SYS_write, file, from, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    from += written;
    bytes -= (size_t)written;
  }
  return true;
}

void *module_map_file(const char *path, size_t *bytes) {
  struct stat about;
  void *memory = MAP_FAILED;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  if (!fstat(file, &about) && S_ISREG(about.st_mode) && about.st_size > 0) {
    *bytes = (size_t)about.st_size;
    memory = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE, file, 0);
  }
  close(file);
  return memory == MAP_FAILED ? NULL : memory;
}

/* The head, read through a pipe: the memory may be shorter. */
static bool read_head(const void *memory, struct image *head) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return false;
  const bool fine = module_write_memory(ends[1], memory, sizeof *head) &&
                    read(ends[0], head, sizeof *head) == (ssize_t)sizeof *head;
  close(ends[0]);
  close(ends[1]);
  return fine && image_head_ok(head);
}

static CUresult check_image(const struct image *head) {
  uint8_t build[IMAGE_BUILD];
  const unsigned device = (unsigned)settings_architecture();
  image_build(build);
  if (memcmp(build, head->build, sizeof build) != 0) return CUDA_ERROR_INVALID_IMAGE;
  if (simt_instrumented_for() != SIMT_UNINSTRUMENTED && head->watch != simt_instrumented_for())
    return CUDA_ERROR_INVALID_IMAGE;
  if (head->architecture / 10 != device / 10 || head->architecture > device)
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  return head->bytes > MOST_BYTES ? CUDA_ERROR_INVALID_IMAGE : CUDA_SUCCESS;
}

static bool is_whole(int file, const struct image *head) {
  void *memory = mmap(NULL, head->bytes, PROT_READ, MAP_PRIVATE, file, 0);
  if (memory == MAP_FAILED) return false;
  const bool whole = image_checksum(memory, head->bytes) == head->checksum;
  munmap(memory, head->bytes);
  return whole;
}

/* ---- The file -------------------------------------------------------------------------------- */

struct source {
  int file;
  char path[240]; /* by which the loader opens it */
  bool named;     /* it stays, for who reads it later */
};

/* A file without a name, as the loader can open it. It takes two of one name for the same object,
 * and numbers of files are used again: so a path is written in one of many ways, "//" for a bit of
 * the serial number that is 0, "/." for one that is 1. */
static void name_memory_file(struct source *s) {
  enum { BITS = 24 };
  static atomic_uint serials;
  const unsigned serial = atomic_fetch_add(&serials, 1);
  size_t n = (size_t)snprintf(s->path, sizeof s->path, "/proc/self/fd");
  for (unsigned bit = 0; bit < BITS; bit++) {
    s->path[n++] = '/';
    if (serial >> bit & 1) s->path[n++] = '.';
  }
  snprintf(s->path + n, sizeof s->path - n, "/%d", s->file);
}

static bool is_loaded(const char *path) {
  for (const struct module *m = all; m; m = m->next)
    if (!strcmp(m->path, path)) return true;
  return false;
}

/* The same image gets the same name again, unless that is in use: two modules of one image have
 * variables of their own. */
static void open_named(struct source *s, const struct image *head, const char *folder) {
  for (unsigned copy = 0; copy < 256 && s->file < 0; copy++) {
    snprintf(s->path, sizeof s->path, "%s/%016llx-%u.so", folder,
             (unsigned long long)head->checksum, copy);
    if (is_loaded(s->path)) continue;
    s->file = open(s->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
    if (s->file < 0) return;
    s->named = true;
  }
}

static bool open_source(struct source *s, const struct image *head) {
  const char *folder = getenv("SIMT_MODULES");
  *s = (struct source){.file = -1};
  if (folder && *folder && simt_instrumented_for() != SIMT_UNINSTRUMENTED)
    open_named(s, head, folder);
  if (s->file < 0) {
    s->file = memfd_create("module", MFD_CLOEXEC);
    name_memory_file(s);
  }
  return s->file >= 0;
}

/* ---- Loading --------------------------------------------------------------------------------- */

/* A process that has a sanitizer's runtime of its own would take the module's calls for its. That
 * of the address sanitizer does not allow the remedy, and has no such calls but for bounds and
 * alignment. */
static int how_to_open(void) {
  const bool others = dlsym(RTLD_DEFAULT, "__tsan_read4") && !dlsym(RTLD_DEFAULT, "__asan_init");
  return RTLD_NOW | RTLD_LOCAL | (others ? RTLD_DEEPBIND : 0);
}

static CUresult open_library(struct module *m, const struct source *s) {
  m->library = dlopen(s->path, how_to_open());
  if (!m->library) return CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
  const void *inside = dlsym(m->library, "simt_module_begin");
  m->known = inside ? simt_module_open(inside, s->path, s->named) : NULL;
  if (m->known) {
    if (s->named) memcpy(m->path, s->path, sizeof m->path);
    return CUDA_SUCCESS;
  }
  dlclose(m->library);
  return inside ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_IMAGE;
}

/* Its head, if this device can run it; else the result that says why not. */
static CUresult take_head(const void *memory, struct image *head, const struct jit_options *jit) {
  return read_head(memory, head) ? check_image(head) : foreign_refuse(memory, jit);
}

CUresult module_image_bytes(const void *memory, const struct jit_options *jit, size_t *bytes) {
  struct image head;
  const CUresult result = take_head(memory, &head, jit);
  if (!result) *bytes = sizeof head + head.bytes;
  return result;
}

static CUresult load(struct module *m, const void *memory, const struct jit_options *jit) {
  struct image head;
  struct source source;
  CUresult result = take_head(memory, &head, jit);
  if (result) return result;
  if (!open_source(&source, &head)) return CUDA_ERROR_OPERATING_SYSTEM;
  const bool written =
      module_write_memory(source.file, (const char *)memory + sizeof head, head.bytes);
  result = written && is_whole(source.file, &head) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
  if (!result) result = open_library(m, &source);
  close(source.file);
  return result;
}

CUresult module_make(struct module **out, const void *memory, const struct jit_options *jit) {
  if (!out || !memory) return CUDA_ERROR_INVALID_VALUE;
  struct module *m = calloc(1, sizeof *m);
  if (!m) return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult result = load(m, memory, jit);
  if (!result && !object_add(m, OBJECT_MODULE)) {
    module_destroy(m);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  if (result) {
    free(m);
    return result;
  }
  m->next = all;
  if (all) all->before = m;
  all = m;
  *out = m;
  return CUDA_SUCCESS;
}

void module_destroy(struct module *m) {
  library_forget(m);
  while (m->functions) {
    struct function *f = m->functions;
    m->functions = f->next;
    object_remove(f, OBJECT_FUNCTION);
    free(f);
  }
  if (m->next) m->next->before = m->before;
  if (m->before) m->before->next = m->next;
  if (all == m) all = m->next;
  simt_module_close(m->known);
  dlclose(m->library);
  free(m);
}

API_EXPORT CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  static const struct jit_options none;
  const CUresult refused = api_enter(__func__, API_UNSAFE);
  return refused ? refused : api_leave(module_make(module, image, &none));
}

/* There is nothing that the options of the linker could change; its log is written. */
API_EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                                       const int *options, void **values) {
  const CUresult refused = api_enter(__func__, API_UNSAFE);
  if (refused) return refused;
  if (count && (!options || !values)) return api_leave(CUDA_ERROR_INVALID_VALUE);
  const struct jit_options jit = {count, options, values};
  return api_leave(module_make(module, image, &jit));
}

/* What is none of simt's own is refused as such, so that nothing of its form needs to be known. */
API_EXPORT CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
  return cuModuleLoadData(module, image);
}

API_EXPORT CUresult cuModuleLoad(CUmodule *module, const char *path) {
  static const struct jit_options none;
  const CUresult refused = api_enter(__func__, API_UNSAFE);
  if (refused) return refused;
  if (!module || !path) return api_leave(CUDA_ERROR_INVALID_VALUE);
  size_t bytes = 0;
  void *image = module_map_file(path, &bytes);
  if (!image) return api_leave(CUDA_ERROR_FILE_NOT_FOUND);
  const CUresult result = module_make(module, image, &none);
  munmap(image, bytes);
  return api_leave(result);
}

API_EXPORT CUresult cuModuleUnload(CUmodule module) {
  const CUresult refused = api_enter(__func__, API_UNSAFE);
  if (refused) return refused;
  if (!object_find(module, OBJECT_MODULE)) return api_leave(CUDA_ERROR_INVALID_HANDLE);
  object_remove(module, OBJECT_MODULE);
  module_destroy(module);
  return api_leave(CUDA_SUCCESS);
}

/* ---- What is in it --------------------------------------------------------------------------- */

static CUresult add_function(struct module *m, const char *name, const struct simt_stub *table,
                             CUfunction *out) {
  struct function *f = calloc(1, sizeof *f + strlen(name) + 1);
  if (!f || !object_add(f, OBJECT_FUNCTION)) {
    free(f);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  f->module = m;
  f->stub = table->address;
  f->table = table;
  memcpy(f->name, name, strlen(name) + 1);
  f->next = m->functions;
  m->functions = f;
  *out = f;
  return CUDA_SUCCESS;
}

CUresult module_function(CUfunction *out, struct module *m, const char *name) {
  if (!out || !name || !*name) return CUDA_ERROR_INVALID_VALUE;
  if (!object_find(m, OBJECT_MODULE)) return CUDA_ERROR_INVALID_HANDLE;
  for (struct function *f = m->functions; f; f = f->next) {
    if (strcmp(f->name, name) != 0) continue;
    *out = f;
    return CUDA_SUCCESS;
  }
  const void *address = dlsym(m->library, name);
  const struct simt_stub *table = address ? simt_find_kernel(address) : NULL;
  return table ? add_function(m, name, table, out) : CUDA_ERROR_NOT_FOUND;
}

API_EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  return refused ? refused : api_leave(module_function(function, module, name));
}

CUresult module_variable(CUdeviceptr *address, size_t *bytes, struct module *m, const char *name) {
  if (!name || (!address && !bytes)) return CUDA_ERROR_INVALID_VALUE;
  if (!object_find(m, OBJECT_MODULE)) return CUDA_ERROR_INVALID_HANDLE;
  const void *found = dlsym(m->library, name);
  const size_t size = found ? simt_variable_bytes(found) : 0;
  if (!size) return CUDA_ERROR_NOT_FOUND;
  if (address) *address = (CUdeviceptr)(uintptr_t)found;
  if (bytes) *bytes = size;
  return CUDA_SUCCESS;
}

API_EXPORT CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                                         const char *name) {
  const CUresult refused = api_enter(__func__, API_CONTEXT);
  return refused ? refused : api_leave(module_variable(address, bytes, module, name));
}

/* All kernels of a module are there as soon as it is. */
API_EXPORT CUresult cuModuleGetLoadingMode(int *mode) {
  const CUresult refused = api_enter(__func__, API_INITIALISED);
  if (refused) return refused;
  if (!mode) return api_leave(CUDA_ERROR_INVALID_VALUE);
  *mode = CU_MODULE_EAGER;
  return api_leave(CUDA_SUCCESS);
}
