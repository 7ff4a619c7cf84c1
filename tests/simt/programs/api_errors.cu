// Errors: names and texts, the thread's last error, refused launches, errors that are no launch's.
// expect: pass
#include <cstdio>
#include <cstring>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)

__global__ void nothing() {}
__global__ void with_shared(float *out) {
  extern __shared__ float s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

static void texts() {
  static const struct {
    cudaError_t code;
    const char *name, *text;
  } all[] = {
      {cudaSuccess, "cudaSuccess", "no error"},
      {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
      {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
      {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
       "invalid configuration argument"},
      {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
      {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
       "invalid copy direction for memcpy"},
      {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
      {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
       "an illegal memory access was encountered"},
      {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
       "too many resources requested for launch"},
      {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
      {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
      {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
      {cudaErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
       "too many blocks in cooperative launch"},
      {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
      {(cudaError_t)12345, "unrecognized error code", "unrecognized error code"},
  };
  for (const auto &e : all) {
    EXPECT(strcmp(cudaGetErrorName(e.code), e.name) == 0);
    EXPECT(strcmp(cudaGetErrorString(e.code), e.text) == 0);
  }
  EXPECT(cudaErrorIllegalAddress == 700 && cudaErrorLaunchFailure == 719);
  EXPECT(cudaErrorInvalidConfiguration == 9 && cudaErrorInvalidDevice == 101);
}

static cudaError_t try_launch(dim3 grid, dim3 block, size_t shared = 0) {
  nothing<<<grid, block, shared>>>();
  const cudaError_t error = cudaGetLastError();
  EXPECT(cudaGetLastError() == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return error;
}

static void launches() {
  EXPECT(try_launch(1, 1024) == cudaSuccess);
  EXPECT(try_launch(dim3(1, 65535, 1), 1) == cudaSuccess);
  EXPECT(try_launch(1, dim3(1, 1, 64)) == cudaSuccess);
  EXPECT(try_launch(1, 33 * 1024) != cudaSuccess);
  EXPECT(try_launch(1, 1025) != cudaSuccess);
  EXPECT(try_launch(1, dim3(1024, 2)) != cudaSuccess);
  EXPECT(try_launch(1, dim3(1, 1, 65)) != cudaSuccess);
  EXPECT(try_launch(0, 32) != cudaSuccess);
  EXPECT(try_launch(1, 0) != cudaSuccess);
  EXPECT(try_launch(127 / 128, 128) != cudaSuccess);
  EXPECT(try_launch(dim3(1, 65536), 1) != cudaSuccess);
  EXPECT(try_launch(dim3(1, 1, 65536), 1) != cudaSuccess);
  EXPECT(try_launch(1, 1, 49152) == cudaSuccess);
  EXPECT(try_launch(1, 1, 49153) == cudaErrorInvalidValue);
}

static void shared_opt_in() {
  float *out, host[32];
  cudaMalloc(&out, sizeof host);
  with_shared<<<1, 32, 100000>>>(out);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  EXPECT(cudaFuncSetAttribute(with_shared, attribute, 1 << 24) == cudaErrorInvalidValue);
  EXPECT(cudaFuncSetAttribute(with_shared, attribute, -1) == cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT(cudaFuncSetAttribute(with_shared, attribute, 100000) == cudaSuccess);
  with_shared<<<1, 32, 100000>>>(out);
  EXPECT(cudaGetLastError() == cudaSuccess);
  EXPECT(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < 32; ++i) EXPECT(host[i] == 31 - i);
  cudaFree(out);
}

static void last_error() {
  EXPECT(cudaGetLastError() == cudaSuccess);
  EXPECT(cudaSetDevice(99) == cudaErrorInvalidDevice);
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess); // success does not wipe it out
  nothing<<<1, 1>>>();
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  EXPECT(cudaMalloc((void **)nullptr, 4) == cudaErrorInvalidValue); // a later one replaces it
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaSuccess);
}

int main() {
  texts();
  launches();
  shared_opt_in();
  last_error();
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}
