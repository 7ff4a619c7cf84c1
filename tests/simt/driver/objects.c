/* The driver API's objects: devices, contexts, memory, streams, events. */
#include "libraries.h"

#include <sys/wait.h>
#include <unistd.h>

static void entries(void) {
  static const char *const names[] = {
#define NAME(name, arguments) #name,
      DRIVER_ENTRIES(NAME)};
  int status;
  void *found = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    char plain[128];
    snprintf(plain, sizeof plain, "%s", names[i]);
    char *version = strstr(plain, "_v");
    if (version) *version = 0;
    OK(cuGetProcAddress_v2(plain, &found, 13000, 0, &status));
    EXPECT(status, 0);
    EXPECT(found != NULL, 1);
  }
  OK(cuGetProcAddress_v2("cuMemAlloc", &found, 13000, 0, NULL));
  EXPECT(found == (void *)cuMemAlloc_v2, 1);
  EXPECT(cuGetProcAddress_v2("cuNoSuchEntry", &found, 13000, 0, &status), 500);
  EXPECT(found == NULL && status == 1, 1);
  EXPECT(cuGetProcAddress_v2("cudaMalloc", &found, 13000, 0, &status), 500);
}

static void before_init(void) {
  handle context;
  int count = 0;
  pointer memory;
  EXPECT(cuDeviceGetCount(&count), 3);
  EXPECT(cuDevicePrimaryCtxRetain(&context, 0), 3);
  EXPECT(cuMemAlloc_v2(&memory, 4), 3);
  EXPECT(cuInit(1), 1);
  OK(cuInit(0));
  OK(cuDeviceGetCount(&count));
  EXPECT(count, 1);
  EXPECT(cuMemAlloc_v2(&memory, 4), 201);
  EXPECT(cuCtxSynchronize(), 201);
}

static void device(void) {
  char name[64];
  size_t bytes;
  int value, version;
  const char *text;
  OK(cuInit(0));
  OK(cuDriverGetVersion(&version));
  EXPECT(version, 13000);
  EXPECT(cuDeviceGet(&value, 1), 101);
  OK(cuDeviceGet(&value, 0));
  OK(cuDeviceGetName(name, 5, 0));
  EXPECT(strcmp(name, "simt"), 0);
  OK(cuDeviceTotalMem_v2(&bytes, 0));
  EXPECT(bytes, 64 << 20);
  OK(cuDeviceGetUuid_v2(name, 0));
  OK(cuDeviceGetAttribute(&value, 75, 0));
  EXPECT(value, 8);
  OK(cuDeviceGetAttribute(&value, 76, 0));
  EXPECT(value, 6);
  OK(cuDeviceGetAttribute(&value, 16, 0));
  EXPECT(value, 7);
  OK(cuDeviceGetAttribute(&value, 10, 0));
  EXPECT(value, 32);
  OK(cuDeviceGetAttribute(&value, 97, 0));
  EXPECT(value, 232448);
  EXPECT(cuDeviceGetAttribute(&value, 100000, 0), 1);
  EXPECT(cuDeviceGetAttribute(&value, 10, 1), 101);
  EXPECT(cuDeviceGetAttribute(NULL, 10, 0), 1);
  OK(cuGetErrorName(719, &text));
  EXPECT(strcmp(text, "CUDA_ERROR_LAUNCH_FAILED"), 0);
  OK(cuGetErrorString(2, &text));
  EXPECT(strcmp(text, "out of memory"), 0);
  EXPECT(cuGetErrorName(12345, &text), 1);
}

static void contexts(void) {
  handle primary, own, current, other;
  unsigned flags;
  int active, dev;
  unsigned long long id, id2;
  pointer memory;
  OK(cuInit(0));
  OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active, 0);
  OK(cuDevicePrimaryCtxRetain(&primary, 0));
  OK(cuDevicePrimaryCtxRetain(&other, 0));
  EXPECT(primary == other, 1);
  OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active, 1);
  OK(cuCtxGetCurrent(&current));
  EXPECT(current == NULL, 1);
  EXPECT(cuCtxGetDevice(&dev), 201);
  EXPECT(cuCtxSetCurrent((handle)0x1234), 201);
  OK(cuCtxCreate_v2(&own, 0, 0)); /* becomes current */
  OK(cuCtxGetCurrent(&current));
  EXPECT(current == own, 1);
  OK(cuCtxPushCurrent_v2(primary));
  OK(cuCtxGetId(NULL, &id));
  OK(cuCtxGetId(own, &id2));
  EXPECT(id != id2, 1);
  OK(cuCtxPopCurrent_v2(&current));
  EXPECT(current == primary, 1);
  OK(cuMemAlloc_v2(&memory, 1 << 20));
  OK(cuPointerGetAttribute(&current, 1, memory));
  EXPECT(current == own, 1);
  size_t before, after, all;
  OK(cuMemGetInfo_v2(&before, &all));
  EXPECT(cuCtxDestroy_v2(primary), 201);
  OK(cuCtxDestroy_v2(own)); /* with its memory */
  EXPECT(cuCtxDestroy_v2(own), 709);
  EXPECT(cuMemAlloc_v2(&memory, 4), 201);
  OK(cuCtxSetCurrent(primary));
  OK(cuMemGetInfo_v2(&after, &all));
  EXPECT(after - before, 1 << 20);
  OK(cuDevicePrimaryCtxRelease_v2(0));
  OK(cuCtxSynchronize());
  OK(cuDevicePrimaryCtxRelease_v2(0));
  EXPECT(cuCtxSynchronize(), 709);
  EXPECT(cuDevicePrimaryCtxRelease_v2(0), 201);
  OK(cuCtxCreate_v4(&own, NULL, 0, 0));
  OK(cuCtxDestroy_v2(own));
}

static void memory(void) {
  int data[1000], back[1000];
  pointer a, b;
  void *pinned;
  start();
  for (int i = 0; i < 1000; ++i) data[i] = i * 7;
  a = device_memory(sizeof data), b = device_memory(sizeof data);
  EXPECT(cuMemAlloc_v2(&a, 0), 1);
  EXPECT(cuMemAlloc_v2(NULL, 4), 1);
  OK(cuMemcpyHtoD_v2(a, data, sizeof data));
  OK(cuMemcpyDtoD_v2(b, a, sizeof data));
  OK(cuMemcpyDtoH_v2(back, b, sizeof back));
  EXPECT(memcmp(data, back, sizeof back), 0);
  EXPECT(cuMemcpyHtoD_v2(a, data, sizeof data + 1), 1);
  EXPECT(cuMemcpyHtoD_v2((pointer)(uintptr_t)back, data, 4), 1); /* not the device's */
  OK(cuMemcpy((pointer)(uintptr_t)back, a, 4));
  OK(cuMemsetD8_v2(a, 0xAB, 1000));
  OK(cuMemsetD32_v2(a + 1000, 0x01020304, 250));
  EXPECT(cuMemsetD32_v2(a + 1, 0, 1), 1);
  EXPECT(cuMemsetD32_v2(a, 0, 1001), 1);
  OK(cuMemcpyDtoH_v2(back, a, sizeof back));
  EXPECT((unsigned)back[249], 0xABABABABu);
  EXPECT(back[250], 0x01020304);
  EXPECT(back[499], 0x01020304);
  EXPECT(back[500], 3500);
  OK(cuMemHostAlloc(&pinned, 4096, 3));
  EXPECT(cuMemHostAlloc(&pinned, 4096, 64), 1);
  OK(cuMemHostGetDevicePointer_v2(&b, pinned, 0));
  EXPECT(b, (uintptr_t)pinned);
  OK(cuMemFreeHost(pinned));
  EXPECT(cuMemFreeHost(pinned), 1);
  OK(cuMemAllocHost_v2(&pinned, 100));
  OK(cuMemFreeHost(pinned));
  EXPECT(cuMemHostGetDevicePointer_v2(&b, data, 0), 1);
  OK(cuMemHostRegister_v2(data, sizeof data, 0));
  EXPECT(cuMemHostRegister_v2(data, sizeof data, 0), 712);
  OK(cuMemHostGetDevicePointer_v2(&b, data, 0));
  OK(cuMemHostUnregister(data));
  EXPECT(cuMemHostUnregister(data), 713);
  OK(cuMemFree_v2(a));
  EXPECT(cuMemFree_v2(a), 1);
  EXPECT(cuMemFree_v2(a + 16), 1);
  OK(cuMemFree_v2(0));
  EXPECT(cuMemAlloc_v2(&a, (size_t)1 << 30), 2); /* SIMT_MEMORY is less */
  OK(cuMemAlloc_v2(&a, 1 << 20));
}

static void alignment(void) {
  start();
  for (size_t bytes = 1; bytes < 1 << 22; bytes += bytes / 3 + 1) {
    pointer a, b;
    void *pinned;
    OK(cuMemAlloc_v2(&a, bytes));
    OK(cuMemAllocAsync(&b, bytes, NULL));
    OK(cuMemHostAlloc(&pinned, bytes, 0));
    EXPECT(a % 256, 0);
    EXPECT(b % 256, 0);
    EXPECT((uintptr_t)pinned % 256, 0);
    OK(cuMemsetD8_v2(a, 1, bytes));
    OK(cuMemFreeAsync(b, NULL));
    OK(cuMemFree_v2(a));
    OK(cuMemFreeHost(pinned));
  }
}

static void pointers(void) {
  static int ordinary[4];
  handle context = start(), of = NULL;
  pointer a = device_memory(4000), start_of = 0, same = 0;
  void *pinned;
  size_t bytes = 0;
  int type = -1, ordinal = -1, managed = -1;
  int what[] = {2, 9, 1, 3, 11, 12, 8};
  void *where[] = {&type, &ordinal, &of, &same, &start_of, &bytes, &managed};
  OK(cuPointerGetAttributes(7, what, where, a + 100));
  EXPECT(type, 2);
  EXPECT(ordinal, 0);
  EXPECT(of == context, 1);
  EXPECT(same, a + 100);
  EXPECT(start_of, a);
  EXPECT(bytes, 4000);
  EXPECT(managed, 0);
  OK(cuMemAllocHost_v2(&pinned, 100));
  OK(cuPointerGetAttributes(7, what, where, (pointer)(uintptr_t)pinned));
  EXPECT(type, 1);
  EXPECT(ordinal, 0);
  OK(cuPointerGetAttributes(7, what, where, (pointer)(uintptr_t)ordinary));
  EXPECT(type, 0);
  EXPECT(ordinal, -2);
  EXPECT(of == NULL, 1);
  EXPECT(start_of == 0 && bytes == 0, 1);
  EXPECT(cuPointerGetAttribute(&type, 2, (pointer)(uintptr_t)ordinary), 1);
  EXPECT(cuPointerGetAttribute(&type, 77, a), 1);
  what[3] = 77;
  EXPECT(cuPointerGetAttributes(7, what, where, a), 1);
  OK(cuMemFree_v2(a));
  EXPECT(cuPointerGetAttribute(&type, 2, a), 1);
}

static void count_up(void *user) { ++*(int *)user; }

static void streams(void) {
  handle context = start(), s, t, e, f, of;
  int calls = 0, value = 5, back = 0, dev = -1, status = -1;
  float ms = -1;
  pointer a = device_memory(4), b;
  OK(cuStreamCreate(&s, 1));
  OK(cuStreamCreateWithPriority(&t, 0, -3));
  EXPECT(cuStreamCreate(&t, 8), 1);
  OK(cuStreamGetCtx(s, &of));
  EXPECT(of == context, 1);
  OK(cuStreamGetDevice(s, &dev));
  EXPECT(dev, 0);
  OK(cuEventCreate(&e, 0));
  OK(cuEventCreate(&f, 2));
  OK(cuMemcpyHtoDAsync_v2(a, &value, 4, s));
  OK(cuEventRecord(e, s));
  OK(cuStreamWaitEvent(t, e, 0));
  OK(cuMemcpyDtoHAsync_v2(&back, a, 4, t));
  OK(cuLaunchHostFunc(t, count_up, &calls));
  OK(cuStreamSynchronize(t));
  EXPECT(back, 5);
  EXPECT(calls, 1);
  OK(cuEventQuery(e));
  OK(cuEventSynchronize(e));
  OK(cuStreamQuery(s));
  EXPECT(cuEventElapsedTime(&ms, e, f), 400); /* without timing */
  OK(cuEventDestroy_v2(f));
  EXPECT(cuEventRecord(f, s), 400);
  OK(cuEventCreate(&f, 0));
  OK(cuEventRecord(f, s));
  OK(cuEventElapsedTime(&ms, e, f));
  EXPECT(ms >= 0, 1);
  OK(cuMemAllocAsync(&b, 4, s));
  OK(cuMemsetD8Async(b, 1, 4, s));
  OK(cuMemsetD32Async(b, 9, 1, s));
  OK(cuMemcpyDtoDAsync_v2(a, b, 4, s));
  OK(cuMemcpyAsync((pointer)(uintptr_t)&back, a, 4, s));
  OK(cuMemFreeAsync(b, s));
  OK(cuCtxSynchronize());
  EXPECT(back, 9);
  OK(cuStreamIsCapturing(s, &status));
  EXPECT(status, 0);
  OK(cuStreamDestroy_v2(s));
  EXPECT(cuStreamSynchronize(s), 400);
  EXPECT(cuStreamSynchronize((handle)0x12345670), 400);
  EXPECT(cuStreamDestroy_v2(NULL), 400);
}

/* A copy of a process that has used the device has none; one made before may use it. */
static void forks(void) {
  int status;
  if (fork() == 0) {
    start();
    _exit(42);
  }
  wait(&status);
  EXPECT(WEXITSTATUS(status), 42);
  start();
  if (fork() == 0) {
    pointer memory;
    handle context;
    const int ends = cuMemAlloc_v2(&memory, 4) == 3 && cuInit(0) == 3 &&
                     cuCtxGetCurrent(&context) == 3 && cuCtxSynchronize() == 3;
    _exit(ends ? 43 : 44);
  }
  wait(&status);
  EXPECT(WEXITSTATUS(status), 43);
  OK(cuCtxSynchronize());
}

int main(int argc, char **argv) {
  static const struct test_case cases[] = {{"entries", entries},     {"before_init", before_init},
                                           {"device", device},       {"contexts", contexts},
                                           {"alignment", alignment}, {"memory", memory},
                                           {"pointers", pointers},   {"streams", streams},
                                           {"forks", forks},         {NULL, NULL}};
  return run_case(cases, argc, argv);
}
