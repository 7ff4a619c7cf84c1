/* gpu.c - the device under test as its driver sees it; see gpu.h */
#include "gpu.h"

#include <dlfcn.h>
#include <link.h>

struct gpu gpu;
heddle_context *gpu_ctx, *gpu_cpu;

static const struct {
  const char *symbol;
  void *place;
} entries[] = {
#define X(member, symbol, arguments) {symbol, &gpu.member},
    GPU_ENTRIES(X)
#undef X
};

const char *gpu_device(void) {
  static char device[64];
  const char *list = getenv("HEDDLE_TEST_DEVICES");
  if (!list || strncmp(list, "cpu", 3) == 0) return NULL;
  (void)snprintf(device, sizeof device, "%.*s", (int)strcspn(list, ","), list);
  return device;
}

int gpu_is_software(void) { return strncmp(gpu_device(), "simt", 4) == 0; }

void gpu_must(int code, const char *what) {
  if (code) fail_msg("%s: the driver's code %d", what, code);
}

/* The driver that is loaded already: simt's lies beside the library, wherever that is. */
static int is_driver(struct dl_phdr_info *info, size_t size, void *path) {
  (void)size;
  if (!strstr(info->dlpi_name, gpu_is_software() ? "libsimt_cuda.so" : "libcuda.so")) return 0;
  (void)snprintf(path, 1024, "%s", info->dlpi_name);
  return 1;
}

int gpu_setup(void **state) {
  (void)state;
  char path[1024];
  if (!gpu_device()) return 0;
  if (heddle_open(gpu_device(), &gpu_ctx) || heddle_open("cpu:2", &gpu_cpu)) {
    print_error("%s: %s\n", gpu_device(), heddle_message());
    return 1;
  }
  if (!dl_iterate_phdr(is_driver, path)) return 1;
  void *driver = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    void *found = driver ? dlsym(driver, entries[i].symbol) : NULL;
    if (!found) {
      print_error("%s has no %s\n", path, entries[i].symbol);
      return 1;
    }
    memcpy(entries[i].place, &found, sizeof found);
  }
  gpu_handle context;
  return gpu.primary_retain(&context, 0) || gpu.context_set(context);
}

int gpu_teardown(void **state) {
  (void)state;
  heddle_close(gpu_ctx);
  heddle_close(gpu_cpu);
  return gpu_ctx ? gpu.primary_release(0) : 0;
}

void *gpu_memory(size_t bytes) {
  gpu_address memory = 0;
  gpu_must(gpu.alloc(&memory, bytes + 64), "cuMemAlloc");
  return (void *)(uintptr_t)memory;
}

void gpu_forget(void *memory) {
  gpu_must(gpu.release((gpu_address)(uintptr_t)memory), "cuMemFree");
}

void gpu_up(void *to, const void *from, size_t bytes) {
  gpu_must(gpu.upload((gpu_address)(uintptr_t)to, from, bytes), "cuMemcpyHtoD");
}

void gpu_down(void *to, const void *from, size_t bytes) {
  gpu_must(gpu.download(to, (gpu_address)(uintptr_t)from, bytes), "cuMemcpyDtoH");
}

void gpu_fill(void *to, unsigned char byte, size_t bytes) {
  gpu_must(gpu.fill((gpu_address)(uintptr_t)to, byte, bytes), "cuMemsetD8");
  gpu_must(gpu.sync(), "cuCtxSynchronize");
}
