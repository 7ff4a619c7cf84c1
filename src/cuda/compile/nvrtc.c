/* nvrtc.c - NVIDIA's run-time compiler, or the software device's in its place
 *
 * Result   kernel text to cubin (to PTX for a chip that the compiler does not know)
 * Method   dlopen(RTLD_LOCAL) of the first candidate of nvrtc_find.c that fits. The compiler opens
 *          its table of built-ins, libnvrtc-builtins.so.X.Y, by bare name, which fails outside of
 *          the loader's folders: it is opened here first, by its full path, and the loader then
 *          knows it by name.
 * Limits   candidates that were opened stay open: at most HD_COMPILERS */
#include "nvrtc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "beside.h"
#include "cuda/core/inside.h"
#include "host/environment.h"
#include "host/status.h"

enum { HD_COMPILERS = 8, HD_LOG_BYTES = 1400 };

static struct {
  pthread_mutex_t lock; /* held while libraries are opened, never while one compiles */
  struct hd_cuda_nvrtc *compiler[2][HD_COMPILERS];
  unsigned count[2];
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const struct hd_cuda_symbol symbols[] = {
#define X(member, symbol, arguments) {symbol, offsetof(struct hd_cuda_nvrtc, member)},
    HD_NVRTC_ENTRIES(X)
#undef X
};

/* ---- loading ------------------------------------------------------------------------------ */

static void know_file(struct hd_cuda_nvrtc *nvrtc) {
  Dl_info info;
  void *code;
  struct stat file;
  memcpy(&code, (char *)nvrtc + symbols[0].offset, sizeof code);
  char *full = dladdr(code, &info) && info.dli_fname ? realpath(info.dli_fname, NULL) : NULL;
  if (full) snprintf(nvrtc->path, sizeof nvrtc->path, "%s", full);
  free(full);
  if (stat(nvrtc->path, &file)) return;
  nvrtc->file_bytes = (u64)file.st_size;
  nvrtc->file_ns = (u64)file.st_mtim.tv_sec * 1000000000u + (u64)file.st_mtim.tv_nsec;
}

static void open_builtins(struct hd_cuda_nvrtc *nvrtc) {
  char path[1200];
  const char *slash = strrchr(nvrtc->path, '/');
  if (!slash) return;
  snprintf(path, sizeof path, "%.*s/libnvrtc-builtins.so.%d.%d", (int)(slash - nvrtc->path),
           nvrtc->path, nvrtc->major, nvrtc->minor);
  nvrtc->builtins = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* none: the compiler will say so */
}

/* A compiler out of an open library; NULL if it is too old to make cubins. Owns the handle. */
static struct hd_cuda_nvrtc *compiler_of(void *handle) {
  struct hd_cuda_nvrtc *nvrtc = calloc(1, sizeof *nvrtc);
  if (!nvrtc) {
    dlclose(handle);
    return NULL;
  }
  nvrtc->handle = handle;
  int count = 0;
  if (hd_cuda_find_symbols(handle, symbols, sizeof symbols / sizeof *symbols, nvrtc) ||
      nvrtc->version(&nvrtc->major, &nvrtc->minor) || nvrtc->arch_count(&count) || count < 1 ||
      count > 64 || nvrtc->archs(nvrtc->arch)) {
    dlclose(handle);
    free(nvrtc);
    return NULL;
  }
  nvrtc->arch_count_known = count;
  know_file(nvrtc);
  open_builtins(nvrtc);
  return nvrtc;
}

static bool knows(const struct hd_cuda_nvrtc *nvrtc, int cc) {
  for (int i = 0; i < nvrtc->arch_count_known; i++)
    if (nvrtc->arch[i] == cc) return true;
  return false;
}

/* What a compiler of a later major version than the driver's makes may not load. */
static bool is_later(const struct hd_cuda_nvrtc *nvrtc, const struct hd_cuda_driver *cu) {
  return !cu->pair->software && nvrtc->major > cu->version / 1000;
}

static bool fits(const struct hd_cuda_nvrtc *nvrtc, const struct hd_cuda_driver *cu, int cc) {
  return knows(nvrtc, cc) && !is_later(nvrtc, cu);
}

struct search {
  const struct hd_cuda_driver *cu;
  int cc;
  bool software;
  const struct hd_cuda_nvrtc *found;
  char why[600]; /* the last candidate was not opened */
};

static bool try_handle(struct search *search, void *handle) {
  unsigned *count = &known.count[search->software];
  struct hd_cuda_nvrtc **table = known.compiler[search->software];
  for (unsigned i = 0; i < *count; i++)
    if (table[i]->handle == handle) {
      dlclose(handle); /* it was looked at before */
      return false;
    }
  if (*count == HD_COMPILERS) {
    dlclose(handle);
    return true;
  }
  struct hd_cuda_nvrtc *nvrtc = compiler_of(handle);
  if (!nvrtc) {
    snprintf(search->why, sizeof search->why, "a libnvrtc is older than CUDA 11.2");
    return false;
  }
  table[(*count)++] = nvrtc;
  if (!fits(nvrtc, search->cu, search->cc)) return false;
  search->found = nvrtc;
  return true;
}

static bool try_path(void *arg, const char *path, bool loaded) {
  struct search *search = arg;
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | (loaded ? RTLD_NOLOAD : 0));
  if (handle) return try_handle(search, handle);
  if (!loaded) snprintf(search->why, sizeof search->why, "%s", dlerror());
  return false;
}

static void look(struct search *search) {
  const char *given = search->software ? NULL : hd_environment(HD_ENV_NVRTC);
  if (search->software) {
    void *handle = hd_cuda_open_beside("libsimt_nvrtc.so", search->why, sizeof search->why);
    if (handle) (void)try_handle(search, handle);
  } else if (given) {
    if (!hd_cuda_nvrtc_given(given, try_path, search) && !search->why[0])
      snprintf(search->why, sizeof search->why, "HEDDLE_NVRTC=%.300s has no libnvrtc", given);
  } else {
    (void)hd_cuda_nvrtc_search(try_path, search);
  }
}

/* Among those that are open: one that fits; else one whose output the driver takes; else any.
 * Locked. */
static const struct hd_cuda_nvrtc *choose(const struct hd_cuda_driver *cu, int cc, bool fitting) {
  const unsigned software = cu->pair->software;
  const struct hd_cuda_nvrtc *best = NULL;
  for (unsigned i = 0; i < known.count[software]; i++) {
    const struct hd_cuda_nvrtc *nvrtc = known.compiler[software][i];
    if (fits(nvrtc, cu, cc)) return nvrtc;
    if (!best || (is_later(best, cu) && !is_later(nvrtc, cu))) best = nvrtc;
  }
  return fitting ? NULL : best;
}

heddle_status hd_cuda_nvrtc_load(const char *entry, const struct hd_cuda_driver *cu, int cc,
                                 const struct hd_cuda_nvrtc **out) {
  struct search search = {.cu = cu, .cc = cc, .software = cu->pair->software};
  pthread_mutex_lock(&known.lock);
  *out = choose(cu, cc, true);
  if (!*out) {
    look(&search);
    *out = search.found ? search.found : choose(cu, cc, false);
  }
  pthread_mutex_unlock(&known.lock);
  if (*out) return HEDDLE_OK;
  return hd_fail(HEDDLE_NO_DEVICE,
                 "%s: %s was not found: %.500s; install NVIDIA's wheel (pip install "
                 "nvidia-cuda-nvrtc) or a CUDA toolkit, or set HEDDLE_NVRTC to the file or its "
                 "folder",
                 entry, search.software ? "libsimt_nvrtc.so" : "NVRTC, NVIDIA's compiler",
                 search.why[0] ? search.why : "none in any known place");
}

int hd_cuda_nvrtc_arch(const struct hd_cuda_nvrtc *nvrtc, int cc, bool *ptx) {
  int best = 0;
  for (int i = 0; i < nvrtc->arch_count_known; i++)
    if (nvrtc->arch[i] <= cc && nvrtc->arch[i] > best) best = nvrtc->arch[i];
  *ptx = best != cc;
  return best ? best : cc; /* older than it knows: let the compiler say so */
}

/* ---- compiling ---------------------------------------------------------------------------- */

/* From the line of the first error on: warnings before it would only take its room. */
static const char *first_error(const char *log) {
  const char *at = strstr(log, "error");
  if (!at) return log;
  while (at > log && at[-1] != '\n') at--;
  return at;
}

/* Text of the caller's own: what the compiler calls it (custom.c), the argument, and what it must define. */
static const struct own {
  const char *file, *argument, *defines;
} owns[] = {
    [HD_CUDA_OWN_OPERATOR] = {"custom operator", "options->custom->cuda_source",
                              "heddle_combine and heddle_element, a type that can be assigned (no "
                              "const)"},
    [HD_CUDA_OWN_TEST] = {"custom test", "where->predicate->cuda_source",
                          "bool heddle_test(TYPE x), or be an expression of x"},
};

/* Whether an error is in a line of the caller's own text. */
static bool blames_caller(const struct own *own, const char *log) {
  for (const char *line = log; line && *line;) {
    const size_t length = strcspn(line, "\n");
    const char *at = strstr(line, own->file), *error = strstr(line, "error");
    if (at && error && at < line + length && error < line + length) return true;
    line += length + (line[length] == '\n');
  }
  return false;
}

static heddle_status failed(const char *entry, const struct hd_cuda_nvrtc *nvrtc,
                            nvrtc_program program, const char *name, enum hd_cuda_own whose,
                            nvrtc_result result) {
  const struct own *own = whose ? &owns[whose] : NULL;
  char *log = NULL, what[256] = ":";
  size_t bytes = 0;
  if (program && !nvrtc->log_bytes(program, &bytes) && bytes > 1) {
    log = calloc(1, bytes + 1);
    if (log && nvrtc->log(program, log)) log[0] = 0;
  }
  heddle_status status = HEDDLE_DEVICE_ERROR;
  if (result == NVRTC_OUT_OF_MEMORY) status = HEDDLE_OUT_OF_MEMORY;
  if (result == NVRTC_COMPILATION && own) status = HEDDLE_BAD_ARGUMENT;
  if (own && (!log || blames_caller(own, log)))
    snprintf(what, sizeof what, "; correct it:");
  else if (own)
    snprintf(what, sizeof what,
             " with the library's kernels; it must define %s. If it does, this is an error of the "
             "library:",
             own->defines);
  const char *mark = own ? "`" : "";
  status =
      hd_fail(status, "%s: %s%s%s does not compile (NVRTC %d.%d, error %d)%s\n%.*s", entry, mark,
              own ? own->argument : name, mark, nvrtc->major, nvrtc->minor, (int)result, what,
              HD_LOG_BYTES, log && log[0] ? first_error(log) : "the compiler said nothing");
  free(log);
  return status;
}

static nvrtc_result take(const struct hd_cuda_nvrtc *nvrtc, nvrtc_program program, bool ptx,
                         struct hd_cuda_image *out) {
  nvrtc_result result = (ptx ? nvrtc->ptx_bytes : nvrtc->cubin_bytes)(program, &out->bytes);
  if (result) return result;
  out->data = calloc(1, out->bytes + 1);
  if (!out->data) return NVRTC_OUT_OF_MEMORY;
  result = (ptx ? nvrtc->ptx : nvrtc->cubin)(program, out->data);
  if (result) free(out->data);
  return result;
}

heddle_status hd_cuda_nvrtc_compile(const char *entry, const struct hd_cuda_nvrtc *nvrtc,
                                    const char *name, const char *text, enum hd_cuda_own own,
                                    const char *const *options, int option_count, bool ptx,
                                    struct hd_cuda_image *out) {
  nvrtc_program program = NULL;
  nvrtc_result result = nvrtc->create(&program, text, name, 0, NULL, NULL);
  if (!result) result = nvrtc->compile(program, option_count, options);
  if (!result) result = take(nvrtc, program, ptx, out);
  heddle_status status = result ? failed(entry, nvrtc, program, name, own, result) : HEDDLE_OK;
  if (program) (void)nvrtc->destroy(&program);
  return status;
}
