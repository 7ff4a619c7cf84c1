/* cuda_runtime_api.h - of CUDA's runtime what heddle_nccl.h calls, for ranks that are threads of a host */
#ifndef STAND_IN_CUDA_RUNTIME_API_H
#define STAND_IN_CUDA_RUNTIME_API_H

#include <stdlib.h>
#include <string.h>

typedef enum cudaError { cudaSuccess = 0, cudaErrorMemoryAllocation = 2 } cudaError_t;
typedef struct stand_in_stream *cudaStream_t;
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
enum cudaMemoryType { cudaMemoryTypeUnregistered = 0, cudaMemoryTypeDevice = 2 };
struct cudaPointerAttributes {
  enum cudaMemoryType type;
};

static inline const char *cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess ? "no error" : "out of memory";
}
static inline cudaError_t cudaGetLastError(void) { return cudaSuccess; }
static inline cudaError_t cudaMalloc(void **out, size_t bytes) {
  *out = malloc(bytes);
  return *out ? cudaSuccess : cudaErrorMemoryAllocation;
}
static inline cudaError_t cudaMallocHost(void **out, size_t bytes) {
  return cudaMalloc(out, bytes);
}
static inline cudaError_t cudaFree(void *memory) { return free(memory), cudaSuccess; }
static inline cudaError_t cudaFreeHost(void *memory) { return free(memory), cudaSuccess; }
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                          enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)kind, (void)stream;
  return memcpy(to, from, bytes), cudaSuccess;
}
static inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                            size_t from_pitch, size_t width, size_t height,
                                            enum cudaMemcpyKind kind, cudaStream_t stream) {
  for (size_t i = 0; i < height; i++)
    (void)cudaMemcpyAsync((char *)to + i * to_pitch, (const char *)from + i * from_pitch, width,
                          kind, stream);
  return cudaSuccess;
}
static inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return (void)stream, cudaSuccess;
}
static inline cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out,
                                                   const void *memory) {
  (void)memory;
  out->type = cudaMemoryTypeUnregistered;
  return cudaSuccess;
}
static inline cudaError_t cudaSetDevice(int device) { return (void)device, cudaSuccess; }
static inline cudaError_t cudaGetDeviceCount(int *count) { return *count = 4, cudaSuccess; }

#endif
