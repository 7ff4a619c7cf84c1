// The runtime API as C++ programs use it: typed pointers, symbols by name, kernels by name.
//
// Method   thin templates over the C functions. A kernel's address is made known to the library
//          when it is first used by address, since an instance of a kernel template has no other
//          moment to do so
// Source   CUDA Runtime API 13.0, section C++ API Routines
#ifndef SIMT_RUNTIME_HPP
#define SIMT_RUNTIME_HPP

#include "../cuda_runtime_api.h"
#include "internal.h"
#include "launch.hpp"

namespace simt {

// The sections into which the rewriter puts variables of the device; absent if there are none.
#define SIMT_END(name, symbol) \
  extern "C" char name[] __asm__(symbol) __attribute__((weak, visibility("hidden")))
SIMT_END(begin_of_symbols, "__start_simt_device");
SIMT_END(end_of_symbols, "__stop_simt_device");
SIMT_END(begin_of_zeroed_symbols, "__start_simt_device_zero");
SIMT_END(end_of_zeroed_symbols, "__stop_simt_device_zero");
SIMT_END(begin_of_constants, "__start_simt_device_constant");
SIMT_END(end_of_constants, "__stop_simt_device_constant");
SIMT_END(begin_of_inline_symbols, "__start_simt_device_inline");
SIMT_END(end_of_inline_symbols, "__stop_simt_device_inline");
#undef SIMT_END
struct symbols {
  symbols() {
    simt_register_symbols(begin_of_inline_symbols, end_of_inline_symbols);
    simt_register_symbols(begin_of_symbols, end_of_symbols);
    simt_register_symbols(begin_of_zeroed_symbols, end_of_zeroed_symbols);
    simt_register_constants(begin_of_constants, end_of_constants);
  }
};
static const symbols symbols_of_this_file;

// A variable of the device in a program that is built to be checked.
struct device_variable {
  template <class T> device_variable(T &object, const char *name, int managed) {
    simt_device_variable(const_cast<const char *>(&reinterpret_cast<const volatile char &>(object)),
                         sizeof object, name, managed);
  }
};

// device_object - an instance of a variable template, which does not lie among the others: the
// library learns where it lies when the host uses it, and in instrumented programs when a kernel
// does
template <class T> SIMT_QUIET inline T &device_object(T &object) {
  const volatile char *at = &reinterpret_cast<const volatile char &>(object);
  if (SIMT_INSTRUMENTED || !simt_on_device())
    simt_register_symbols(const_cast<const char *>(at), const_cast<const char *>(at + sizeof(T)));
  return object;
}

// address_of - a kernel's address, after the library has been told how to call it
template <class... P> inline const void *address_of(void (*kernel)(P...)) {
  const void *address = reinterpret_cast<const void *>(kernel);
  if (kernel && !simt_find_kernel(address)) new registered(kernel, "kernel");
  return address;
}
inline const void *address_of(const void *kernel) { return kernel; }

template <class T> struct same { typedef T type; };

// Whatever it is a pointer to, const or not: what memory is allocated for.
template <class T> inline void **untyped(T **pointer) {
  return static_cast<void **>(static_cast<void *>(pointer));
}

} // namespace simt

// ---- Memory --------------------------------------------------------------------------------

template <class T> inline cudaError_t cudaMalloc(T **devPtr, size_t size) {
  return ::cudaMalloc(simt::untyped(devPtr), size);
}
template <class T> inline cudaError_t cudaMallocHost(T **ptr, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc(simt::untyped(ptr), size, flags);
}
template <class T> inline cudaError_t cudaHostAlloc(T **ptr, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(simt::untyped(ptr), size, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T **devPtr, void *hostPtr, unsigned int flags) {
  return ::cudaHostGetDevicePointer(simt::untyped(devPtr), hostPtr, flags);
}
template <class T>
inline cudaError_t cudaMallocManaged(T **devPtr, size_t size,
                                     unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(simt::untyped(devPtr), size, flags);
}
template <class T>
inline cudaError_t cudaMallocPitch(T **devPtr, size_t *pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(simt::untyped(devPtr), pitch, width, height);
}
template <class T>
inline cudaError_t cudaMallocAsync(T **devPtr, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync(simt::untyped(devPtr), size, stream);
}
template <class T>
inline cudaError_t cudaMallocAsync(T **devPtr, size_t size, cudaMemPool_t pool,
                                   cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(simt::untyped(devPtr), size, pool, stream);
}
inline cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaMemPool_t pool,
                                   cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(devPtr, size, pool, stream);
}
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T **devPtr, size_t size, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(simt::untyped(devPtr), size, pool, stream);
}
template <class T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *devPtr, size_t length = 0,
                                            unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void *>(devPtr), length, flags);
}

// The signatures that CUDA 12 had: a device number instead of a location.
inline cudaMemLocation simt_location(int device) {
  cudaMemLocation l;
  l.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  l.id = device == cudaCpuDeviceId ? 0 : device;
  return l;
}
inline cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count, int dstDevice,
                                        cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync(devPtr, count, simt_location(dstDevice), 0u, stream);
}
inline cudaError_t cudaMemAdvise(const void *devPtr, size_t count, cudaMemoryAdvise advice,
                                 int device) {
  return ::cudaMemAdvise(devPtr, count, advice, simt_location(device));
}

// ---- Symbols --------------------------------------------------------------------------------

template <class T> inline const void *simt_symbol(const T &symbol) {
  return reinterpret_cast<const void *>(
      &const_cast<char &>(reinterpret_cast<const volatile char &>(symbol)));
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  const void *address = simt_symbol(symbol);
  const cudaError_t error = simt_check_symbol(address, sizeof(T), offset, count);
  return error ? error : ::cudaMemcpyToSymbol(address, src, count, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  const void *address = simt_symbol(symbol);
  const cudaError_t error = simt_check_symbol(address, sizeof(T), offset, count);
  return error ? error : ::cudaMemcpyFromSymbol(dst, address, count, offset, kind);
}
template <class T>
inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                        cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  const void *address = simt_symbol(symbol);
  const cudaError_t error = simt_check_symbol(address, sizeof(T), offset, count);
  return error ? error : ::cudaMemcpyToSymbolAsync(address, src, count, offset, kind, stream);
}
template <class T>
inline cudaError_t
cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  const void *address = simt_symbol(symbol);
  const cudaError_t error = simt_check_symbol(address, sizeof(T), offset, count);
  return error ? error : ::cudaMemcpyFromSymbolAsync(dst, address, count, offset, kind, stream);
}
template <class T> inline cudaError_t cudaGetSymbolAddress(void **devPtr, const T &symbol) {
  return ::cudaGetSymbolAddress(devPtr, simt_symbol(symbol));
}
template <class T> inline cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol) {
  const cudaError_t error = simt_check_symbol(simt_symbol(symbol), sizeof(T), 0, 0);
  if (!error) *size = sizeof(T);
  return error;
}

// ---- Graphs: the signature that CUDA 11 had --------------------------------------------------

inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                        cudaGraphNode_t *errorNode, char *log, size_t bytes) {
  if (errorNode) *errorNode = nullptr;
  if (log && bytes) *log = 0;
  return ::cudaGraphInstantiate(exec, graph, 0);
}

inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                       cudaGraphNode_t *errorNode,
                                       cudaGraphExecUpdateResult *result) {
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t error = ::cudaGraphExecUpdate(exec, graph, &info);
  if (errorNode) *errorNode = info.errorNode;
  if (result) *result = info.result;
  return error;
}

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to, size_t number) {
  return ::cudaGraphAddDependencies(graph, from, to, nullptr, number);
}

// ---- Events ---------------------------------------------------------------------------------

inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

// ---- Kernels by name ------------------------------------------------------------------------

template <class T>
inline cudaError_t cudaLaunchKernel(T *func, dim3 grid, dim3 block, void **args, size_t shared = 0,
                                    cudaStream_t stream = 0) {
  return ::cudaLaunchKernel(simt::address_of(func), grid, block, args, shared, stream);
}
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 grid, dim3 block, void **args,
                                               size_t shared = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel(simt::address_of(func), grid, block, args, shared, stream);
}
template <class... P>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                      typename simt::same<P>::type... args) {
  const cudaError_t error = simt_configure_ex(config);
  if (error) return error;
  kernel(static_cast<P &&>(args)...);
  return simt_launch_result();
}
template <class T>
inline cudaError_t cudaFuncSetAttribute(T *func, cudaFuncAttribute attr, int value) {
  return ::cudaFuncSetAttribute(simt::address_of(func), attr, value);
}
template <class T> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attr, T *func) {
  return ::cudaFuncGetAttributes(attr, simt::address_of(func));
}
template <class T> inline cudaError_t cudaFuncSetCacheConfig(T *func, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig(simt::address_of(func), config);
}
template <class T>
inline cudaError_t cudaFuncSetSharedMemConfig(T *func, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig(simt::address_of(func), config);
}
template <class T> inline cudaError_t cudaFuncGetName(const char **name, T *func) {
  return ::cudaFuncGetName(name, simt::address_of(func));
}

template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T func, int blockSize,
                                                                 size_t dynamicSMemSize) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, simt::address_of(func), blockSize,
                                                         dynamicSMemSize);
}
template <class T>
inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T func, int blockSize,
                                                       size_t dynamicSMemSize, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, simt::address_of(func), blockSize, dynamicSMemSize, flags);
}
template <class T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T func, int blocks,
                                                             int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, simt::address_of(func), blocks,
                                                     blockSize);
}

namespace simt {

// best_block - the block size with most threads a multiprocessor; of equals the largest
template <class T, class SharedOf>
inline cudaError_t best_block(int *grid, int *block, T func, SharedOf shared_of, int limit,
                              unsigned int flags) {
  if (!grid || !block) return cudaErrorInvalidValue;
  const void *address = address_of(func);
  cudaFuncAttributes attributes;
  int processors = 0, most = 0;
  cudaError_t error = ::cudaFuncGetAttributes(&attributes, address);
  if (error) return error;
  error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  if (error) return error;
  if (limit <= 0 || limit > attributes.maxThreadsPerBlock) limit = attributes.maxThreadsPerBlock;
  for (int upper = (limit + 31) / 32 * 32; upper > 0; upper -= 32) {
    const int size = upper < limit ? upper : limit;
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, address, size,
                                                                     shared_of(size), flags);
    if (error) return error;
    if (blocks * size > most) most = blocks * size, *block = size, *grid = blocks * processors;
  }
  return cudaSuccess;
}

struct constant_shared {
  size_t bytes;
  size_t operator()(int) const { return bytes; }
};

} // namespace simt

template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
                                                               T func, size_t dynamicSMemSize = 0,
                                                               int blockSizeLimit = 0,
                                                               unsigned int flags = 0) {
  return simt::best_block(minGridSize, blockSize, func, simt::constant_shared{dynamicSMemSize},
                          blockSizeLimit, flags);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T func,
                                                      size_t dynamicSMemSize = 0,
                                                      int blockSizeLimit = 0) {
  return simt::best_block(minGridSize, blockSize, func, simt::constant_shared{dynamicSMemSize},
                          blockSizeLimit, 0);
}
template <class SharedOf, class T>
inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T func,
                                               SharedOf blockSizeToDynamicSMemSize,
                                               int blockSizeLimit = 0) {
  return simt::best_block(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, blockSizeLimit,
                          0);
}
template <class SharedOf, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *minGridSize, int *blockSize, T func, SharedOf blockSizeToDynamicSMemSize,
    int blockSizeLimit = 0, unsigned int flags = 0) {
  return simt::best_block(minGridSize, blockSize, func, blockSizeToDynamicSMemSize, blockSizeLimit,
                          flags);
}

#endif
