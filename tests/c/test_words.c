/* test_words.c - every word of src/order/device/intrinsics.h and src/kernels/base/device*.h on the
 * device against its plain C meaning
 *
 * Method   tests/gpu/words.cu is compiled twice, as it is and with __SIMT__ defined, and both run on
 *          the same data: the same bytes. On the software device both are the plain meaning. */
#include <dlfcn.h>
#include <link.h>

#include "gpu.h"

enum { BYTES = 1 << 20, THREADS = 256, BLOCKS = 4 };
typedef void *program;

static struct {
  int (*create)(program *, const char *, const char *, int, const char *const *,
                const char *const *);
  int (*compile)(program, int, const char *const *);
  int (*destroy)(program *);
  int (*bytes)(program, size_t *);
  int (*cubin)(program, char *);
  int (*log_bytes)(program, size_t *);
  int (*log)(program, char *);
} nvrtc;
static struct {
  int (*attribute)(int *value, int attribute, int device);
  int (*load)(gpu_handle *module, const void *image);
  int (*function)(gpu_handle *function, gpu_handle module, const char *name);
  int (*launch)(gpu_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                gpu_handle, void **, void **);
} cu;

static const struct {
  const char *library, *symbol;
  void *place;
} entries[] = {{"_nvrtc.so", "nvrtcCreateProgram", &nvrtc.create},
               {"_nvrtc.so", "nvrtcCompileProgram", &nvrtc.compile},
               {"_nvrtc.so", "nvrtcDestroyProgram", &nvrtc.destroy},
               {"_nvrtc.so", "nvrtcGetCUBINSize", &nvrtc.bytes},
               {"_nvrtc.so", "nvrtcGetCUBIN", &nvrtc.cubin},
               {"_nvrtc.so", "nvrtcGetProgramLogSize", &nvrtc.log_bytes},
               {"_nvrtc.so", "nvrtcGetProgramLog", &nvrtc.log},
               {"_cuda.so", "cuDeviceGetAttribute", &cu.attribute},
               {"_cuda.so", "cuModuleLoadData", &cu.load},
               {"_cuda.so", "cuModuleGetFunction", &cu.function},
               {"_cuda.so", "cuLaunchKernel", &cu.launch}};

struct wanted {
  char name[40], path[1024];
};

static int is_wanted(struct dl_phdr_info *info, size_t size, void *arg) {
  struct wanted *wanted = arg;
  (void)size;
  if (!strstr(info->dlpi_name, wanted->name)) return 0;
  (void)snprintf(wanted->path, sizeof wanted->path, "%s", info->dlpi_name);
  return 1;
}

/* The library has opened its compiler once it has compiled something that no cache holds. */
static int setup(void **state) {
  float zero[4] = {0}, sum;
  char folder[] = "/tmp/heddle-words-XXXXXX";
  if (!gpu_device()) return 0;
  if (!mkdtemp(folder)) return 1;
  setenv("HEDDLE_CACHE_DIR", folder, 1);
  if (gpu_setup(state)) return 1;
  if (heddle_reduce(gpu_ctx, HEDDLE_SUM, HEDDLE_F32, zero, 4, &sum, NULL)) return 1;
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    struct wanted wanted;
    (void)snprintf(wanted.name, sizeof wanted.name, "lib%s%s", gpu_is_software() ? "simt" : "",
                   entries[i].library + (gpu_is_software() ? 0 : 1));
    void *library = dl_iterate_phdr(is_wanted, &wanted) ? dlopen(wanted.path, RTLD_NOW) : NULL;
    void *found = library ? dlsym(library, entries[i].symbol) : NULL;
    if (!found) {
      print_error("no %s in %s\n", entries[i].symbol, wanted.name);
      return 1;
    }
    memcpy(entries[i].place, &found, sizeof found);
  }
  return 0;
}

/* ---- the text ---------------------------------------------------------------------------------- */

/* A file of the source tree, from here or from where it was built, without its own includes. */
static size_t append(char *text, size_t at, size_t most, const char *name) {
  char path[1024], line[1024];
  FILE *file = fopen(name, "r");
  (void)snprintf(path, sizeof path, "%s/../../%s", HEDDLE_TEST_GOLDEN, name);
  if (!file) file = fopen(path, "r");
  if (!file) fail_msg("cannot open %s", path);
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, "#include \"", 10) == 0) continue;
    const size_t length = strlen(line);
    assert_true(at + length < most);
    memcpy(text + at, line, length + 1);
    at += length;
  }
  (void)fclose(file);
  return at;
}

static gpu_handle module_of(const char *text, int cc, int plain) {
  char arch[32], compute[32];
  (void)snprintf(arch, sizeof arch, "-arch=sm_%d", cc);
  (void)snprintf(compute, sizeof compute, "-DHEDDLE_CC=%d", cc);
  const char *options[] = {arch, compute, "-std=c++17", "--fmad=false", "-D__SIMT__=1"};
  program p = NULL;
  size_t bytes = 0;
  gpu_handle module = NULL;
  assert_int_equal(nvrtc.create(&p, text, "words.cu", 0, NULL, NULL), 0);
  const int failed = nvrtc.compile(p, plain && !gpu_is_software() ? 5 : 4, options);
  if (failed) {
    static char log[4096];
    if (nvrtc.log_bytes(p, &bytes) == 0 && bytes < sizeof log) (void)nvrtc.log(p, log);
    fail_msg("words.cu does not compile: %s", log);
  }
  assert_int_equal(nvrtc.bytes(p, &bytes), 0);
  char *image = allocate(bytes);
  assert_int_equal(nvrtc.cubin(p, image), 0);
  assert_int_equal(nvrtc.destroy(&p), 0);
  gpu_must(cu.load(&module, image), "cuModuleLoadData");
  free(image);
  return module;
}

/* ---- the kernels ------------------------------------------------------------------------------- */

typedef struct words {
  void *in, *out, *slots, *ticket;
  unsigned step;
} words;

static void launch(gpu_handle module, const char *name, void **arguments) {
  gpu_handle function = NULL;
  gpu_must(cu.function(&function, module, name), name);
  gpu_must(cu.launch(function, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL), name);
  gpu_must(gpu.stream_sync(NULL), name);
}

static void clear(void *memory) {
  gpu_must(gpu.fill((gpu_address)(uintptr_t)memory, 0, BYTES), "cuMemsetD8");
}

/* Everything that kernel number `which` writes, by this module. */
static const char *run(gpu_handle module, int which, words *w, unsigned char *result) {
  static const char *const names[] = {"words_memory", "words_shared",     "words_between_blocks",
                                      "words_fault",  "words_f32_of_f16", "words_f16_of_f32",
                                      "words_bulk"};
  void *memory[] = {&w->in, &w->out}, *blocks[] = {&w->ticket, &w->slots, &w->in, &w->out};
  void *fault[] = {&w->slots, &w->out}, *out[] = {&w->out}, *step[] = {&w->step, &w->out};
  void **const arguments[] = {memory, memory, blocks, fault, out, step, memory};
  clear(w->out);
  clear(w->slots);
  clear(w->ticket);
  launch(module, names[which], arguments[which]);
  gpu_down(result, w->out, BYTES);
  return names[which];
}

static void plain_meanings(void **state) {
  (void)state;
  if (!gpu_device()) skip();
  enum { MOST = 1 << 18 };
  char *text = allocate(MOST);
  size_t at = append(text, 0, MOST, "src/order/basic.h");
  at = append(text, at, MOST, "src/order/device/intrinsics.h");
  at = append(text, at, MOST, "src/kernels/base/faults.h");
  at = append(text, at, MOST, "src/kernels/base/device.h");
  at = append(text, at, MOST, "src/kernels/base/device_bulk.h");
  (void)append(text, at, MOST, "tests/gpu/words.cu");
  int major = 0, minor = 0;
  gpu_must(cu.attribute(&major, 75, 0), "cuDeviceGetAttribute");
  gpu_must(cu.attribute(&minor, 76, 0), "cuDeviceGetAttribute");
  const int cc = 10 * major + minor;
  const gpu_handle own = module_of(text, cc, 0), plain = module_of(text, cc, 1);
  words w = {gpu_memory(BYTES), gpu_memory(BYTES), gpu_memory(BYTES), gpu_memory(BYTES),
             gpu_is_software() ? 100003 : 61};
  unsigned char *data = data_new(DATA_WIDE, HEDDLE_U8, 5, BYTES);
  unsigned char *expected = allocate(BYTES), *got = allocate(BYTES);
  gpu_up(w.in, data, BYTES);
  for (int which = 0; which < (cc >= 90 ? 7 : 6); which++) {
    const char *name = run(plain, which, &w, expected);
    (void)run(own, which, &w, got);
    same_array(HEDDLE_U8, expected, got, BYTES, "%s", name);
    size_t written = 0;
    for (size_t i = 0; i < BYTES; i++) written += expected[i] != 0;
    assert_true(written > 2000); /* it did something */
  }
  void *const memory[] = {w.in, w.out, w.slots, w.ticket};
  for (size_t i = 0; i < 4; i++) gpu_forget(memory[i]);
  free(data);
  free(expected);
  free(got);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(plain_meanings)};
  return cmocka_run_group_tests_name("words", tests, setup, gpu_teardown);
}
