/* stub_driver.c - a libcuda.so.1 without a GPU: every call succeeds and nothing runs
 *
 * Result   device "cuda" opens on it, so that ask.c can make the library ask for every kernel
 * Method   device memory is addresses that nobody touches; $STUB_CC (75, 80, 90, 100) is the
 *          device's compute capability, with the processors and the memory of a GPU of that kind
 * Limits   what kernels would have written is not there: results mean nothing */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t pointer;
typedef void *handle;
#define STUB __attribute__((visibility("default"))) int

enum { SUCCESS = 0, NO_SUCH_DEVICE = 101 };
static const pointer first = (pointer)1 << 44, last = (pointer)1 << 45;
static pointer next = (pointer)1 << 44;
static handle current;

static const struct chip {
  int cc, sms, threads, shared, optin;
} chips[] = {{75, 40, 1024, 64 << 10, 64 << 10},
             {80, 108, 2048, 164 << 10, 163 << 10},
             {90, 132, 2048, 228 << 10, 227 << 10},
             {100, 148, 2048, 228 << 10, 227 << 10}};

static const struct chip *chip(void) {
  const char *cc = getenv("STUB_CC");
  for (size_t i = 0; cc && i < sizeof chips / sizeof *chips; i++)
    if (chips[i].cc == atoi(cc)) return &chips[i];
  return &chips[2];
}

/* ---- devices and contexts -------------------------------------------------------------------- */

STUB cuInit(unsigned flags) { return (int)flags; }
STUB cuDriverGetVersion(int *version) { return *version = 13000, SUCCESS; }
STUB cuGetErrorName(int error, const char **name) { return *name = "an error", error * 0; }
STUB cuGetErrorString(int error, const char **text) { return *text = "of the stub", error * 0; }
STUB cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? SUCCESS : NO_SUCH_DEVICE;
}
STUB cuDeviceGetCount(int *count) { return *count = 1, SUCCESS; }
STUB cuDeviceGetName(char *name, int bytes, int device) {
  return snprintf(name, (size_t)bytes, "no GPU %d", device) < 0;
}
STUB cuDeviceGetAttribute(int *value, int attribute, int device) {
  const struct chip *c = chip();
  const int values[][2] = {{1, 1024},        {10, 32},         {16, c->sms},
                           {38, 50 << 20},   {39, c->threads}, {75, c->cc / 10},
                           {76, c->cc % 10}, {81, c->shared},  {97, c->optin}};
  *value = 0;
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (values[i][0] == attribute) *value = values[i][1];
  return device;
}
STUB cuDeviceTotalMem_v2(size_t *bytes, int device) { return *bytes = (size_t)1 << 37, device; }
STUB cuDevicePrimaryCtxRetain(handle *context, int device) {
  return *context = (handle)(uintptr_t)&chips, device;
}
STUB cuDevicePrimaryCtxRelease_v2(int device) { return device; }
STUB cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  return *flags = 0, *active = 1, device;
}
STUB cuCtxGetCurrent(handle *context) { return *context = current, SUCCESS; }
STUB cuCtxPushCurrent_v2(handle context) { return current = context, SUCCESS; }
STUB cuCtxPopCurrent_v2(handle *context) {
  if (context) *context = current;
  return current = NULL, SUCCESS;
}
STUB cuCtxGetDevice(int *device) { return *device = 0, SUCCESS; }

/* ---- memory ------------------------------------------------------------------------------------ */

STUB cuMemGetInfo_v2(size_t *left, size_t *all) { return *left = *all = (size_t)1 << 37, SUCCESS; }
STUB cuMemAlloc_v2(pointer *out, size_t bytes) {
  *out = next;
  next += (bytes + 511) / 256 * 256;
  return SUCCESS;
}
STUB cuMemFree_v2(pointer memory) { return (int)(memory & 0); }
STUB cuMemHostAlloc(void **out, size_t bytes, unsigned flags) {
  (void)flags;
  return (*out = calloc(1, bytes)) ? SUCCESS : 2;
}
STUB cuMemFreeHost(void *memory) { return free(memory), SUCCESS; }
STUB cuMemcpyHtoDAsync_v2(pointer to, const void *from, size_t bytes, handle stream) {
  return (void)to, (void)from, (void)bytes, (void)stream, SUCCESS;
}
/* $STUB_REPLY: two numbers in hexadecimal, as words 1 and 2 of every copy of four. */
STUB cuMemcpyDtoHAsync_v2(void *to, pointer from, size_t bytes, handle stream) {
  const char *reply = getenv("STUB_REPLY");
  if (reply && bytes == 4 * sizeof(uint64_t)) {
    char *end;
    uint64_t *words = to;
    words[1] = strtoull(reply, &end, 16);
    words[2] = strtoull(end, NULL, 16);
  }
  return (void)from, (void)stream, SUCCESS;
}
STUB cuMemcpyDtoDAsync_v2(pointer to, pointer from, size_t bytes, handle stream) {
  return (void)to, (void)from, (void)bytes, (void)stream, SUCCESS;
}
STUB cuMemcpyAsync(pointer to, pointer from, size_t bytes, handle stream) {
  return (void)to, (void)from, (void)bytes, (void)stream, SUCCESS;
}
STUB cuMemsetD8Async(pointer to, unsigned char value, size_t count, handle stream) {
  return (void)to, (void)value, (void)count, (void)stream, SUCCESS;
}

STUB cuPointerGetAttributes(unsigned count, const int *attributes, void **values, pointer at) {
  const int device = at >= first && at < last;
  for (unsigned i = 0; i < count; i++) switch (attributes[i]) {
    case 1: *(handle *)values[i] = device ? (handle)(uintptr_t)&chips : NULL; break;
    case 2: *(int *)values[i] = device ? 2 : 0; break;
    case 3: *(pointer *)values[i] = device ? at : 0; break;
    case 8: *(int *)values[i] = 0; break;
    case 9: *(int *)values[i] = device ? 0 : -2; break;
    case 11: *(pointer *)values[i] = device ? first : 0; break;
    case 12: *(size_t *)values[i] = device ? (size_t)(last - first) : 0; break;
    default: return 1;
    }
  return SUCCESS;
}

/* ---- streams, events, modules -------------------------------------------------------------------- */

STUB cuStreamCreate(handle *out, unsigned flags) {
  return *out = (handle)(uintptr_t)&next, (int)(flags & 0);
}
STUB cuStreamDestroy_v2(handle stream) { return (void)stream, SUCCESS; }
STUB cuStreamSynchronize(handle stream) { return (void)stream, SUCCESS; }
STUB cuStreamQuery(handle stream) { return (void)stream, SUCCESS; }
STUB cuStreamWaitEvent(handle stream, handle event, unsigned flags) {
  return (void)stream, (void)event, (void)flags, SUCCESS;
}
STUB cuStreamGetCtx(handle stream, handle *context) {
  return (void)stream, *context = (handle)(uintptr_t)&chips, SUCCESS;
}
STUB cuStreamIsCapturing(handle stream, int *status) { return (void)stream, *status = 0, SUCCESS; }
STUB cuEventCreate(handle *out, unsigned flags) {
  return *out = (handle)(uintptr_t)&next, (int)(flags & 0);
}
STUB cuEventDestroy_v2(handle event) { return (void)event, SUCCESS; }
STUB cuEventRecord(handle event, handle stream) { return (void)event, (void)stream, SUCCESS; }
STUB cuEventQuery(handle event) { return (void)event, SUCCESS; }
STUB cuEventSynchronize(handle event) { return (void)event, SUCCESS; }
STUB cuModuleLoadData(handle *out, const void *image) {
  return (void)image, *out = (handle)(uintptr_t)&next, SUCCESS;
}
STUB cuModuleUnload(handle module) { return (void)module, SUCCESS; }
STUB cuModuleGetFunction(handle *out, handle module, const char *name) {
  return (void)module, (void)name, *out = (handle)(uintptr_t)&next, SUCCESS;
}
STUB cuFuncGetAttribute(int *value, int attribute, handle function) {
  (void)function;
  *value = attribute == 0 ? 1024 : attribute == 4 ? 32 : 0; /* threads, registers */
  return SUCCESS;
}
STUB cuFuncSetAttribute(handle function, int attribute, int value) {
  return (void)function, (void)attribute, (void)value, SUCCESS;
}
STUB cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, handle function, int threads,
                                                 size_t shared) {
  (void)function, (void)shared;
  *blocks = chip()->threads / (threads > 0 ? threads : 1);
  return SUCCESS;
}
STUB cuLaunchKernel(handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                    unsigned by, unsigned bz, unsigned shared, handle stream, void **arguments,
                    void **extra) {
  (void)function, (void)shared, (void)stream, (void)arguments, (void)extra;
  return gx && gy && gz && bx && by && bz && bx * by * bz <= 1024 ? SUCCESS : 1;
}
