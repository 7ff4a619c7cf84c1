/* module.c - kernels: compiled, kept, loaded, found again
 *
 * Result   a kernel that is ready to be launched
 * Method   A context keeps its kernels in a table by key: file, defines, custom text, name and
 *          launch shape, compared by address where strings live for ever. A kernel that is not
 *          there comes from a module of the same text; a module from this process's images, the
 *          cache folder, or the compiler. The compiler runs under this context's lock only.
 * Limits   names of files and defines are compared by address: string literals of this library */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "cuda/core/inside.h"
#include "cuda/core/record.h"
#include "custom.h"
#include "host/status.h"
#include "nvrtc.h"
#include "text.h"

struct module {
  struct module *next;
  u64 hash;
  struct hd_cuda_kernel_key key; /* custom is a copy */
  cu_module module;
};

struct loaded {
  u64 hash; /* 0: an empty place */
  const struct module *module;
  const char *name;
  unsigned threads, shared_bytes;
  struct hd_cuda_kernel kernel;
};

struct hd_cuda_kernels {
  struct module *modules;
  struct loaded *table; /* open addressing, at most half full */
  size_t places, used;
};

/* ---- keys ------------------------------------------------------------------------------------ */

static u64 mix(u64 hash, u64 word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

/* Eight bytes at a time: texts of operators are long. */
static u64 mix_text(u64 hash, const char *text) {
  size_t left = strlen(text);
  hash = mix(hash, left);
  for (; left >= sizeof hash; left -= sizeof hash, text += sizeof hash) {
    u64 word;
    memcpy(&word, text, sizeof word);
    hash = mix(hash, word);
  }
  u64 last = 0;
  memcpy(&last, text, left);
  return mix(hash, last);
}

/* A sum of products, which do not wait for each other: this runs at every call. */
static u64 hash_key(const struct hd_cuda_kernel_key *key) {
  u64 hash = (u64)(uintptr_t)key->file + key->element_bytes;
  for (unsigned i = 0; i < key->defines; i++)
    hash += ((u64)(uintptr_t)key->define[i].name | 1) * ((u64)key->define[i].value + i + 1);
  hash = mix(hash, key->defines);
  return key->custom ? mix_text(hash, key->custom) : hash;
}

static bool same_key(const struct hd_cuda_kernel_key *a, const struct hd_cuda_kernel_key *b) {
  if (a->file != b->file || a->defines != b->defines || !a->custom != !b->custom ||
      a->element_bytes != b->element_bytes || a->tested != b->tested)
    return false;
  for (unsigned i = 0; i < a->defines; i++)
    if (a->define[i].name != b->define[i].name || a->define[i].value != b->define[i].value)
      return false;
  return !a->custom || !strcmp(a->custom, b->custom);
}

/* ---- text and options ------------------------------------------------------------------------ */

enum { OPTION_BYTES = 96, FIXED_OPTIONS = 6, MOST_OPTIONS = FIXED_OPTIONS + HD_DEFINES };
struct options {
  char text[MOST_OPTIONS][OPTION_BYTES];
  const char *at[MOST_OPTIONS];
  int count;
};

static void add_option(struct options *options, const char *name, const char *value) {
  char *text = options->text[options->count];
  assert(strlen(name) + strlen(value) < OPTION_BYTES);
  strcpy(text, name);
  strcat(text, value);
  options->at[options->count++] = text;
}

/* --fmad=false and --ftz=false are part of the contract: the same bits as on a CPU. --minimal
 * leaves out what no kernel here needs, 2 to 3% of the work of compiling; a caller's operator may
 * need it. */
static void make_options(const struct hd_cuda_kernel_key *key, int arch, bool ptx, int cc,
                         bool minimal, struct options *options) {
  char value[OPTION_BYTES / 2];
  options->count = 0;
  snprintf(value, sizeof value, "%s_%d", ptx ? "compute" : "sm", arch);
  add_option(options, "--gpu-architecture=", value);
  add_option(options, "--std=c++17", "");
  add_option(options, "--fmad=false", "");
  add_option(options, "--ftz=false", "");
  if (minimal) add_option(options, "--minimal", "");
  snprintf(value, sizeof value, "%d", cc);
  add_option(options, "-DHEDDLE_CC=", value);
  for (unsigned i = 0; i < key->defines; i++) {
    snprintf(value, sizeof value, "%s=%lld", key->define[i].name, (long long)key->define[i].value);
    add_option(options, "-D", value);
  }
}

static const struct hd_cuda_text *text_of(const char *file) {
  for (unsigned i = 0; i < hd_cuda_text_count; i++)
    if (!strcmp(hd_cuda_texts[i].name, file)) return &hd_cuda_texts[i];
  return NULL;
}

/* The caller's operator or test, then the file; malloc'ed if there is one. */
static heddle_status whole_text(const char *entry, const struct hd_cuda_kernel_key *key,
                                const char **text, char **owned) {
  const struct hd_cuda_text *file = text_of(key->file);
  assert(file);
  *owned = NULL;
  *text = file->text;
  if (!key->custom) return HEDDLE_OK;
  char *custom;
  if (key->tested)
    HD_TRY(hd_cuda_test_text(entry, key->custom, key->tested, &custom));
  else
    HD_TRY(hd_cuda_custom_text(entry, key->custom, key->element_bytes, &custom));
  size_t head = strlen(custom);
  char *joined = realloc(custom, head + file->bytes + 1);
  if (!joined) {
    free(custom);
    return hd_fail(HEDDLE_OUT_OF_MEMORY, "%s: no memory for a kernel's text", entry);
  }
  memcpy(joined + head, file->text, file->bytes);
  joined[head + file->bytes] = 0;
  *text = *owned = joined;
  return HEDDLE_OK;
}

/* Everything that an image depends on: the text, the options, the library, and the compiler down
 * to its file, since two builds may give themselves one version. */
static struct hd_cuda_cache_key cache_key(const struct hd_cuda_driver *cu,
                                          const struct hd_cuda_nvrtc *nvrtc, const char *text,
                                          const struct options *options) {
  struct hd_cuda_cache_key key;
  struct hd_cuda_sha256 hash;
  const int version[2] = {nvrtc->major, nvrtc->minor};
  const u64 build[2] = {nvrtc->file_bytes, nvrtc->file_ns};
  hd_cuda_sha256_begin(&hash);
  hd_cuda_sha256_add(&hash, heddle_version_string(), strlen(heddle_version_string()) + 1);
  hd_cuda_sha256_add(&hash, cu->pair->device, strlen(cu->pair->device) + 1);
  hd_cuda_sha256_add(&hash, version, sizeof version);
  hd_cuda_sha256_add(&hash, build, sizeof build);
  for (int i = 0; i < options->count; i++)
    hd_cuda_sha256_add(&hash, options->at[i], strlen(options->at[i]) + 1);
  hd_cuda_sha256_add(&hash, text, strlen(text) + 1);
  hd_cuda_sha256_end(&hash, key.hash);
  return key;
}

/* ---- images ---------------------------------------------------------------------------------- */

struct source {
  const struct hd_cuda_nvrtc *nvrtc;
  struct options options;
  bool ptx;
  const char *text;
  char *owned;
  struct hd_cuda_cache_key key;
};

static heddle_status make_source(struct hd_cuda_call *call, const struct hd_cuda_kernel_key *key,
                                 struct source *source) {
  int cc = call->cuda->limits.cc;
  HD_TRY(hd_cuda_nvrtc_load(call->entry, call->cu, cc, &source->nvrtc));
  int arch = hd_cuda_nvrtc_arch(source->nvrtc, cc, &source->ptx);
  const bool minimal = !call->cu->pair->software && source->nvrtc->major >= 13 && !key->custom;
  make_options(key, arch, source->ptx, arch, minimal, &source->options);
  HD_TRY(whole_text(call->entry, key, &source->text, &source->owned));
  source->key = cache_key(call->cu, source->nvrtc, source->text, &source->options);
  return HEDDLE_OK;
}

static heddle_status compile(struct hd_cuda_call *call, const struct hd_cuda_kernel_key *key,
                             const struct source *source, struct hd_cuda_image *image) {
  const enum hd_cuda_own own = !key->custom  ? HD_CUDA_OWN_NONE
                               : key->tested ? HD_CUDA_OWN_TEST
                                             : HD_CUDA_OWN_OPERATOR;
  HD_TRY(hd_cuda_nvrtc_compile(call->entry, source->nvrtc, key->file, source->text, own,
                               source->options.at, source->options.count, source->ptx, image));
  hd_cuda_cache_write(&source->key, image);
  *image = hd_cuda_cache_remember(&source->key, *image);
  return HEDDLE_OK;
}

/* An image that the driver does not take may have come from a file: once more from the text. */
static heddle_status load_image(struct hd_cuda_call *call, const struct hd_cuda_kernel_key *key,
                                const struct source *source, cu_module *out) {
  struct hd_cuda_image image;
  bool compiled = false;
  if (!hd_cuda_cache_recall(&source->key, &image)) {
    if (hd_cuda_cache_read(&source->key, &image)) {
      if (!call->cu->module_load(out, image.data)) {
        (void)hd_cuda_cache_remember(&source->key, image);
        return HEDDLE_OK;
      }
      free(image.data);
    }
    HD_TRY(compile(call, key, source, &image));
    compiled = true;
  }
  cu_result result = call->cu->module_load(out, image.data);
  if (!result) return HEDDLE_OK;
  char what[160];
  snprintf(what, sizeof what, "loading %.60s as %s %s NVRTC %d.%d", key->file,
           compiled ? "compiled" : "kept", "by", source->nvrtc->major, source->nvrtc->minor);
  return hd_cuda_check(call, result, what);
}

static heddle_status load_module(struct hd_cuda_call *call, const struct hd_cuda_kernel_key *key,
                                 u64 hash, const struct module **out) {
  struct hd_cuda_kernels *kernels = call->cuda->kernels;
  for (struct module *at = kernels->modules; at; at = at->next)
    if (at->hash == hash && same_key(&at->key, key)) {
      *out = at;
      return HEDDLE_OK;
    }
  HD_TRY(hd_cuda_no_capture(call, "loading a kernel"));
  struct source source = {0};
  struct module *fresh = calloc(1, sizeof *fresh);
  char *custom = key->custom ? strdup(key->custom) : NULL;
  heddle_status status = HEDDLE_OK;
  if (!fresh || (key->custom && !custom))
    status = hd_fail(HEDDLE_OUT_OF_MEMORY, "%s: no memory for a table of kernels", call->entry);
  if (!status) status = make_source(call, key, &source);
  if (!status) status = load_image(call, key, &source, &fresh->module);
  free(source.owned);
  if (status) {
    free(custom);
    free(fresh);
    return status;
  }
  fresh->hash = hash;
  fresh->key = *key;
  fresh->key.custom = custom;
  fresh->next = kernels->modules;
  kernels->modules = fresh;
  *out = fresh;
  return HEDDLE_OK;
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Asking for the occupancy has the driver load the code now, not at the first launch, which may be
 * in a capture. */
static heddle_status set_up(struct hd_cuda_call *call, const struct module *module,
                            const char *name, struct hd_cuda_kernel *kernel) {
  const struct hd_cuda_driver *cu = call->cu;
  int blocks = 0, most = 0;
  HD_TRY(hd_cuda_check(call, cu->module_function(&kernel->function, module->module, name), name));
  HD_TRY(hd_cuda_check(call, cu->function_get(&most, CU_FUNC_DYNAMIC_SHARED, kernel->function),
                       "asking for shared memory"));
  if (kernel->shared_bytes >= (unsigned)most)
    HD_TRY(hd_cuda_check(
        call, cu->function_set(kernel->function, CU_FUNC_DYNAMIC_SHARED, (int)kernel->shared_bytes),
        "asking for shared memory"));
  HD_TRY(hd_cuda_check(
      call, cu->occupancy(&blocks, kernel->function, (int)kernel->threads, kernel->shared_bytes),
      "asking how many blocks fit"));
  if (blocks < 1)
    return hd_fail(HEDDLE_DEVICE_ERROR,
                   "%s: kernel %s with %u threads and %u bytes of shared memory does not fit on %s",
                   call->entry, name, kernel->threads, kernel->shared_bytes, call->ctx->device);
  kernel->blocks_per_sm = (unsigned)blocks;
  return HEDDLE_OK;
}

static bool grow(struct hd_cuda_kernels *kernels) {
  if (kernels->used * 2 < kernels->places) return true;
  size_t places = kernels->places ? kernels->places * 2 : 128;
  struct loaded *table = calloc(places, sizeof *table);
  if (!table) return false;
  for (size_t i = 0; i < kernels->places; i++) {
    if (!kernels->table[i].hash) continue;
    size_t at = kernels->table[i].hash & (places - 1);
    while (table[at].hash) at = (at + 1) & (places - 1);
    table[at] = kernels->table[i];
  }
  free(kernels->table);
  kernels->table = table;
  kernels->places = places;
  return true;
}

static struct loaded *find(const struct hd_cuda_kernels *kernels, u64 hash,
                           const struct hd_cuda_kernel_key *key, const char *name, unsigned threads,
                           unsigned shared_bytes) {
  if (!kernels->places) return NULL;
  for (size_t at = hash & (kernels->places - 1); kernels->table[at].hash;
       at = (at + 1) & (kernels->places - 1)) {
    struct loaded *l = &kernels->table[at];
    if (l->hash == hash && l->threads == threads && l->shared_bytes == shared_bytes &&
        (l->name == name || !strcmp(l->name, name)) && same_key(&l->module->key, key))
      return l;
  }
  return NULL;
}

heddle_status hd_cuda_kernel(struct hd_cuda_call *call, const struct hd_cuda_kernel_key *key,
                             const char *name, unsigned threads, unsigned shared_bytes,
                             struct hd_cuda_kernel *out) {
  struct hd_cuda_context *cuda = call->cuda;
  if (call->record) {
    hd_cuda_record_kernel(call->record, key->file, name, threads, shared_bytes, out);
    return HEDDLE_OK;
  }
  const u64 module_hash = hash_key(key);
  u64 hash = mix(mix(module_hash, (u64)(uintptr_t)name), (u64)threads << 32 | shared_bytes);
  hash += !hash;
  if (!cuda->kernels) cuda->kernels = calloc(1, sizeof *cuda->kernels);
  if (cuda->kernels) {
    struct loaded *known = find(cuda->kernels, hash, key, name, threads, shared_bytes);
    if (known) {
      *out = known->kernel;
      return HEDDLE_OK;
    }
  }
  if (!cuda->kernels || !grow(cuda->kernels))
    return hd_fail(HEDDLE_OUT_OF_MEMORY, "%s: no memory for a table of kernels", call->entry);
  struct hd_cuda_kernels *kernels = cuda->kernels;
  struct loaded fresh = {.hash = hash,
                         .name = name,
                         .threads = threads,
                         .shared_bytes = shared_bytes,
                         .kernel = {.threads = threads, .shared_bytes = shared_bytes}};
  HD_TRY(load_module(call, key, module_hash, &fresh.module));
  HD_TRY(set_up(call, fresh.module, name, &fresh.kernel));
  size_t at = hash & (kernels->places - 1);
  while (kernels->table[at].hash) at = (at + 1) & (kernels->places - 1);
  kernels->table[at] = fresh;
  kernels->used++;
  *out = fresh.kernel;
  return HEDDLE_OK;
}

void hd_cuda_kernels_close(struct hd_cuda_context *cuda, bool alive) {
  struct hd_cuda_kernels *kernels = cuda->kernels;
  if (!kernels) return;
  while (kernels->modules) {
    struct module *module = kernels->modules;
    kernels->modules = module->next;
    if (alive) (void)cuda->cu->module_unload(module->module);
    free((void *)(uintptr_t)module->key.custom);
    free(module);
  }
  free(kernels->table);
  free(kernels);
}

/* ---- launching ------------------------------------------------------------------------------- */

u64 hd_cuda_blocks_at_once(const struct hd_cuda_call *call, const struct hd_cuda_kernel *kernel) {
  const u64 sms = (u64)hd_cuda_limits(call->cuda)->sms;
  if (call->record) return hd_cuda_record_at_once(kernel);
  return sms * (kernel->blocks_per_sm ? kernel->blocks_per_sm : 1);
}

heddle_status hd_cuda_launch(struct hd_cuda_call *call, const struct hd_cuda_kernel *kernel,
                             u64 blocks, const void *args, size_t bytes) {
  void *arguments[] = {(void *)(uintptr_t)args};
  assert(bytes <= HD_ARGUMENT_BYTES);
  (void)bytes;
  if (call->record) hd_cuda_record_launch(call->record, kernel, blocks);
  if (call->preparing || !blocks) return HEDDLE_OK;
  if (blocks > INT32_MAX)
    return hd_fail(HEDDLE_UNSUPPORTED,
                   "%s: the arrays take %llu blocks of a grid, more than the 2^31 - 1 that a GPU "
                   "starts; cut them and call several times",
                   call->entry, (unsigned long long)blocks);
  return hd_cuda_check(call,
                       call->cu->launch(kernel->function, (unsigned)blocks, 1, 1, kernel->threads,
                                        1, 1, kernel->shared_bytes, call->stream, arguments, NULL),
                       "launching a kernel");
}
