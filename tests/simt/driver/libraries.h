/* What the programs of this folder share: the two libraries, found at run time, and a few helpers.
 *
 * Method   each program has cases by name: `prog FOLDER CASE` runs one and ends with 0, or says which
 *          line was not as expected and ends with 1
 * Limits   our own declarations, so that nothing of simt's is compiled in
 */
#ifndef TEST_LIBRARIES_H
#define TEST_LIBRARIES_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int result;
typedef unsigned long long pointer;
typedef void *handle;

/* clang-format off */
#define DRIVER_ENTRIES(X) \
  X(cuInit, (unsigned)) X(cuDriverGetVersion, (int *)) X(cuGetErrorName, (int, const char **)) \
  X(cuGetErrorString, (int, const char **)) \
  X(cuGetProcAddress_v2, (const char *, void **, int, uint64_t, int *)) X(cuDeviceGet, (int *, int)) \
  X(cuDeviceGetCount, (int *)) X(cuDeviceGetName, (char *, int, int)) \
  X(cuDeviceGetAttribute, (int *, int, int)) X(cuDeviceTotalMem_v2, (size_t *, int)) \
  X(cuDeviceGetUuid_v2, (char *, int)) X(cuDevicePrimaryCtxRetain, (handle *, int)) \
  X(cuDevicePrimaryCtxRelease_v2, (int)) X(cuDevicePrimaryCtxGetState, (int, unsigned *, int *)) \
  X(cuCtxGetCurrent, (handle *)) X(cuCtxSetCurrent, (handle)) X(cuCtxPushCurrent_v2, (handle)) \
  X(cuCtxPopCurrent_v2, (handle *)) X(cuCtxGetDevice, (int *)) \
  X(cuCtxGetId, (handle, unsigned long long *)) X(cuCtxCreate_v2, (handle *, unsigned, int)) \
  X(cuCtxCreate_v4, (handle *, void *, unsigned, int)) X(cuCtxDestroy_v2, (handle)) \
  X(cuCtxSynchronize, (void)) X(cuMemGetInfo_v2, (size_t *, size_t *)) \
  X(cuMemAlloc_v2, (pointer *, size_t)) X(cuMemFree_v2, (pointer)) \
  X(cuMemAllocAsync, (pointer *, size_t, handle)) X(cuMemFreeAsync, (pointer, handle)) \
  X(cuMemHostAlloc, (void **, size_t, unsigned)) X(cuMemAllocHost_v2, (void **, size_t)) \
  X(cuMemFreeHost, (void *)) X(cuMemHostRegister_v2, (void *, size_t, unsigned)) \
  X(cuMemHostUnregister, (void *)) X(cuMemHostGetDevicePointer_v2, (pointer *, void *, unsigned)) \
  X(cuMemcpy, (pointer, pointer, size_t)) X(cuMemcpyAsync, (pointer, pointer, size_t, handle)) \
  X(cuMemcpyHtoD_v2, (pointer, const void *, size_t)) X(cuMemcpyDtoH_v2, (void *, pointer, size_t)) \
  X(cuMemcpyDtoD_v2, (pointer, pointer, size_t)) \
  X(cuMemcpyHtoDAsync_v2, (pointer, const void *, size_t, handle)) \
  X(cuMemcpyDtoHAsync_v2, (void *, pointer, size_t, handle)) \
  X(cuMemcpyDtoDAsync_v2, (pointer, pointer, size_t, handle)) \
  X(cuMemsetD8_v2, (pointer, unsigned char, size_t)) \
  X(cuMemsetD8Async, (pointer, unsigned char, size_t, handle)) \
  X(cuMemsetD32_v2, (pointer, unsigned, size_t)) X(cuMemsetD32Async, (pointer, unsigned, size_t, handle)) \
  X(cuPointerGetAttribute, (void *, int, pointer)) \
  X(cuPointerGetAttributes, (unsigned, int *, void **, pointer)) X(cuStreamCreate, (handle *, unsigned)) \
  X(cuStreamCreateWithPriority, (handle *, unsigned, int)) X(cuStreamDestroy_v2, (handle)) \
  X(cuStreamSynchronize, (handle)) X(cuStreamQuery, (handle)) \
  X(cuStreamWaitEvent, (handle, handle, unsigned)) X(cuStreamGetCtx, (handle, handle *)) \
  X(cuStreamGetDevice, (handle, int *)) X(cuStreamIsCapturing, (handle, int *)) \
  X(cuStreamGetCaptureInfo_v2, (handle, int *, uint64_t *, handle *, void *, size_t *)) \
  X(cuStreamBeginCapture_v2, (handle, int)) X(cuStreamEndCapture, (handle, handle *)) \
  X(cuThreadExchangeStreamCaptureMode, (int *)) \
  X(cuGraphInstantiateWithFlags, (handle *, handle, unsigned long long)) \
  X(cuGraphLaunch, (handle, handle)) X(cuGraphExecDestroy, (handle)) X(cuGraphDestroy, (handle)) \
  X(cuEventCreate, (handle *, unsigned)) X(cuEventRecord, (handle, handle)) \
  X(cuEventSynchronize, (handle)) X(cuEventQuery, (handle)) \
  X(cuEventElapsedTime, (float *, handle, handle)) X(cuEventDestroy_v2, (handle)) \
  X(cuModuleLoadData, (handle *, const void *)) \
  X(cuModuleLoadDataEx, (handle *, const void *, unsigned, int *, void **)) X(cuModuleUnload, (handle)) \
  X(cuModuleGetFunction, (handle *, handle, const char *)) \
  X(cuModuleGetGlobal_v2, (pointer *, size_t *, handle, const char *)) \
  X(cuFuncGetAttribute, (int *, int, handle)) X(cuFuncSetAttribute, (handle, int, int)) \
  X(cuFuncSetCacheConfig, (handle, int)) \
  X(cuLaunchKernel, (handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
                     handle, void **, void **)) \
  X(cuLaunchKernelEx, (const void *, handle, void **, void **)) \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, handle, int, size_t)) \
  X(cuLaunchHostFunc, (handle, void (*)(void *), void *)) X(cuDeviceCanAccessPeer, (int *, int, int)) \
  X(cuDeviceGetP2PAttribute, (int *, int, int, int)) X(cuCtxEnablePeerAccess, (handle, unsigned)) \
  X(cuCtxDisablePeerAccess, (handle)) \
  X(cuMemcpyPeer, (pointer, handle, pointer, handle, size_t)) \
  X(cuMemcpyPeerAsync, (pointer, handle, pointer, handle, size_t, handle)) \
  X(cuModuleLoad, (handle *, const char *)) X(cuModuleLoadFatBinary, (handle *, const void *)) \
  X(cuModuleGetLoadingMode, (int *)) \
  X(cuLinkCreate_v2, (unsigned, int *, void **, handle *)) X(cuLinkDestroy, (handle)) \
  X(cuLibraryLoadData, (handle *, const void *, int *, void **, unsigned, int *, void **, unsigned)) \
  X(cuLibraryLoadFromFile, (handle *, const char *, int *, void **, unsigned, int *, void **, unsigned)) \
  X(cuLibraryUnload, (handle)) X(cuLibraryGetKernel, (handle *, handle, const char *)) \
  X(cuLibraryGetModule, (handle *, handle)) \
  X(cuLibraryGetGlobal, (pointer *, size_t *, handle, const char *)) \
  X(cuKernelGetFunction, (handle *, handle)) X(cuKernelGetLibrary, (handle *, handle)) \
  X(cuKernelGetName, (const char **, handle)) X(cuKernelGetAttribute, (int *, int, handle, int)) \
  X(cuKernelSetAttribute, (int, int, handle, int)) \
  X(cuKernelGetParamInfo, (handle, size_t, size_t *, size_t *)) \
  X(cuKernelGetParamCount, (handle, size_t *)) X(cuFuncGetName, (const char **, handle)) \
  X(cuMemAllocFromPoolAsync, (pointer *, size_t, handle, handle)) \
  X(cuDeviceGetDefaultMemPool, (handle *, int)) X(cuDeviceGetMemPool, (handle *, int)) \
  X(cuDeviceSetMemPool, (int, handle)) X(cuMemPoolCreate, (handle *, const void *)) \
  X(cuMemGetMemPool, (handle *, const int *, int)) X(cuMemPoolDestroy, (handle)) X(cuMemPoolTrimTo, (handle, size_t)) \
  X(cuUserObjectCreate, (handle *, void *, void (*)(void *), unsigned, unsigned)) \
  X(cuUserObjectRetain, (handle, unsigned)) X(cuUserObjectRelease, (handle, unsigned)) \
  X(cuGraphRetainUserObject, (handle, handle, unsigned, unsigned)) \
  X(cuGraphReleaseUserObject, (handle, handle, unsigned)) \
  X(cuGraphInstantiateWithParams, (handle *, handle, void *)) X(cuGraphUpload, (handle, handle)) \
  X(cuOccupancyMaxPotentialBlockSize, (int *, int *, handle, size_t (*)(int), size_t, int)) \
  X(cuMemPoolGetAttribute, (handle, int, void *)) X(cuMemPoolSetAttribute, (handle, int, void *))
#define NVRTC_ENTRIES(X) \
  X(nvrtcVersion, (int *, int *)) \
  X(nvrtcCreateProgram, (handle *, const char *, const char *, int, const char *const *, \
                         const char *const *)) \
  X(nvrtcDestroyProgram, (handle *)) X(nvrtcCompileProgram, (handle, int, const char *const *)) \
  X(nvrtcGetCUBINSize, (handle, size_t *)) X(nvrtcGetCUBIN, (handle, char *)) \
  X(nvrtcGetPTXSize, (handle, size_t *)) X(nvrtcGetPTX, (handle, char *)) \
  X(nvrtcGetProgramLogSize, (handle, size_t *)) X(nvrtcGetProgramLog, (handle, char *)) \
  X(nvrtcGetNumSupportedArchs, (int *)) X(nvrtcGetSupportedArchs, (int *)) \
  X(nvrtcAddNameExpression, (handle, const char *)) \
  X(nvrtcGetLoweredName, (handle, const char *, const char **)) \
  X(nvrtcSetFlowCallback, (handle, int (*)(void *, void *), void *)) \
  X(nvrtcGetLTOIRSize, (handle, size_t *)) X(nvrtcGetOptiXIRSize, (handle, size_t *)) \
  X(nvrtcGetPCHCreateStatus, (handle))
/* clang-format on */

#define DECLARE(name, arguments) static result(*name) arguments;
DRIVER_ENTRIES(DECLARE)
NVRTC_ENTRIES(DECLARE)
static const char *(*nvrtcGetErrorString)(int);

/* Ends the program where a call does not give what it should. */
static inline void expect_at(int line, const char *what, long long got, long long wanted) {
  if (got == wanted) return;
  fprintf(stderr, "line %d: %s is %lld, not %lld\n", line, what, got, wanted);
  exit(1);
}
#define EXPECT(got, wanted) expect_at(__LINE__, #got, (long long)(got), (long long)(wanted))
#define OK(call) EXPECT(call, 0)

static inline void *entry(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (found) return found;
  fprintf(stderr, "no entry %s\n", name);
  exit(1);
}

static inline void load(const char *folder) {
  char path[2048];
  snprintf(path, sizeof path, "%s/libsimt_cuda.so", folder);
  void *driver = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  snprintf(path, sizeof path, "%s/libsimt_nvrtc.so", folder);
  void *nvrtc = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!driver || !nvrtc) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
#define FIND_DRIVER(name, arguments) name = entry(driver, #name);
#define FIND_NVRTC(name, arguments) name = entry(nvrtc, #name);
  DRIVER_ENTRIES(FIND_DRIVER)
  NVRTC_ENTRIES(FIND_NVRTC)
  nvrtcGetErrorString = entry(nvrtc, "nvrtcGetErrorString");
}

/* The log, for a caller who may free it. */
static inline char *log_of(handle program) {
  size_t bytes = 0;
  OK(nvrtcGetProgramLogSize(program, &bytes));
  char *log = malloc(bytes);
  OK(nvrtcGetProgramLog(program, log));
  return log;
}

/* An image of a text that must compile. */
static inline char *image_of(const char *text, size_t *bytes) {
  static const char *const options[] = {"--gpu-architecture=sm_90", "--fmad=false"};
  handle program;
  OK(nvrtcCreateProgram(&program, text, "case.cu", 0, NULL, NULL));
  if (nvrtcCompileProgram(program, 2, options)) {
    fprintf(stderr, "%s", log_of(program));
    exit(1);
  }
  OK(nvrtcGetCUBINSize(program, bytes));
  char *image = malloc(*bytes);
  OK(nvrtcGetCUBIN(program, image));
  OK(nvrtcDestroyProgram(&program));
  return image;
}

static inline handle module_of(const char *text) {
  size_t bytes;
  handle module;
  char *image = image_of(text, &bytes);
  OK(cuModuleLoadData(&module, image));
  free(image);
  return module;
}

static inline handle function_of(handle module, const char *name) {
  handle function;
  OK(cuModuleGetFunction(&function, module, name));
  return function;
}

static inline handle start(void) {
  handle context;
  OK(cuInit(0));
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxPushCurrent_v2(context));
  return context;
}

static inline pointer device_memory(size_t bytes) {
  pointer memory;
  OK(cuMemAlloc_v2(&memory, bytes));
  return memory;
}

struct test_case {
  const char *name;
  void (*run)(void);
};

static inline int run_case(const struct test_case *cases, int argc, char **argv) {
  if (argc < 3) return 2;
  load(argv[1]);
  for (; cases->name; ++cases) {
    if (strcmp(cases->name, argv[2]) != 0) continue;
    cases->run();
    return 0;
  }
  return 2;
}

#endif
