// Kernels by address: every way to launch one, attributes, occupancy.
// expect: pass
#include <cooperative_groups.h>
#include <cstdio>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)

struct scale {
  float factor, offset;
};

__global__ void plain(float *out, int n, scale s) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * s.factor + s.offset;
}
template <class T, int N> __global__ void of_type(T *out, T value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = value * N;
}
__global__ void together(int *sum) {
  const auto grid = cooperative_groups::this_grid();
  atomicAdd(sum, 1);
  grid.sync();
  if (grid.thread_rank() == 0) sum[1] = sum[0];
}
__global__ void nothing() {}
__global__ void dynamic(float *out) {
  extern __shared__ float s[];
  if (out) out[0] = s[0];
}

__global__ void both(float *out) {
  __shared__ float fixed[256];
  extern __shared__ float s[];
  fixed[threadIdx.x] = s[threadIdx.x] = 1;
  if (out) out[0] = fixed[0] + s[0];
}

static bool right(const float *device, float factor, float offset) {
  float h[100];
  OK(cudaMemcpy(h, device, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 100; ++i)
    if (h[i] != i * factor + offset) return false;
  OK(cudaMemset((void *)device, 0, sizeof h));
  return true;
}

static void launches() {
  float *d;
  int n = 100;
  OK(cudaMalloc(&d, 100 * sizeof(float)));
  scale s = {2, 1};
  void *arguments[] = {&d, &n, &s};
  OK(cudaLaunchKernel((const void *)plain, dim3(4), dim3(32), arguments, 0, 0));
  EXPECT(right(d, 2, 1));
  s.factor = 3;
  OK(cudaLaunchKernel(plain, dim3(4), dim3(32), arguments));
  EXPECT(right(d, 3, 1));

  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(4);
  config.blockDim = dim3(32);
  OK(cudaLaunchKernelEx(&config, plain, d, n, scale{4, 5}));
  EXPECT(right(d, 4, 5));
  OK(cudaLaunchKernelExC(&config, (const void *)plain, arguments));
  EXPECT(right(d, 3, 1));

  void (*pointer)(float *, int, scale) = plain;
  pointer<<<4, 32>>>(d, n, scale{1, 7});
  EXPECT(right(d, 1, 7));

  float value = 1.5f;
  void *two[] = {&d, &value};
  OK(cudaLaunchKernel((void *)of_type<float, 4>, dim3(1), dim3(100), two, 0, 0));
  EXPECT(right(d, 0, 6));
  OK(cudaFree(d));

  EXPECT(cudaLaunchKernel((const void *)nothing, dim3(0), dim3(1), nullptr, 0, 0) ==
         cudaErrorInvalidValue);
  EXPECT(cudaLaunchKernel((const void *)nullptr, dim3(1), dim3(1), nullptr, 0, 0) ==
         cudaErrorInvalidDeviceFunction);
  config.blockDim = dim3(2000);
  EXPECT(cudaLaunchKernelEx(&config, nothing) == cudaErrorInvalidValue);
  cudaGetLastError();
}

static void cooperative() {
  int *sum, h[2] = {0, 0}, processors = 0, each = 0;
  OK(cudaMalloc(&sum, sizeof h));
  OK(cudaMemset(sum, 0, sizeof h));
  void *arguments[] = {&sum};
  OK(cudaLaunchCooperativeKernel((void *)together, dim3(8), dim3(64), arguments, 0, 0));
  OK(cudaMemcpy(h, sum, sizeof h, cudaMemcpyDeviceToHost));
  EXPECT(h[0] == 512 && h[1] == 512);
  OK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, nothing, 1024, 0));
  const unsigned int most = each * processors;
  OK(cudaLaunchCooperativeKernel((void *)nothing, dim3(most), dim3(1024), nullptr, 0, 0));
  EXPECT(cudaLaunchCooperativeKernel((void *)nothing, dim3(most + 1), dim3(1024), nullptr, 0, 0) ==
         cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
  OK(cudaFree(sum));
}

static void occupancy() {
  static const int expected[][2] = {{1, 32},   {32, 32},  {64, 32},  {96, 21}, {128, 16},
                                    {192, 10}, {256, 8},  {384, 5},  {512, 4}, {768, 2},
                                    {1000, 2}, {1024, 2}, {2048, 0}, {33, 32}};
  int blocks = 0, grid = 0, size = 0;
  for (const auto &e : expected) {
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, e[0], 0));
    EXPECT(blocks == e[1]);
  }
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 128, 48000));
  EXPECT(blocks == 4);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, 60000));
  EXPECT(blocks == 0);
  EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 0, 0) ==
         cudaErrorInvalidValue);
  cudaGetLastError();
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &size, nothing, 0, 0));
  EXPECT(grid == 264 && size == 1024);
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &size, nothing, 0, 300));
  EXPECT(grid == 1056 && size == 256);
  OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &size, dynamic,
                                                    [](int block) { return block * 40; }));
  EXPECT(size == 1024 && grid == 264);
  size_t bytes = 0;
  OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 2, 1024));
  EXPECT(bytes == 49152);
  OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 8, 64));
  EXPECT(bytes == 29184);
}

static void attributes() {
  cudaFuncAttributes a;
  OK(cudaFuncGetAttributes(&a, plain));
  EXPECT(a.maxThreadsPerBlock == 1024 && a.binaryVersion == 90);
  EXPECT(a.maxDynamicSharedSizeBytes == 49152 && a.numRegs > 0);
  OK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  OK(cudaFuncGetAttributes(&a, dynamic));
  EXPECT(a.maxDynamicSharedSizeBytes == 100000);
  OK(cudaFuncGetAttributes(&a, both)); /* what a block has of its own is taken off, until more is allowed */
  EXPECT(a.sharedSizeBytes == 1024 && a.maxDynamicSharedSizeBytes == 49152 - 1024);
  both<<<1, 32, 49152 - 1023>>>(nullptr);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  both<<<1, 32, 49152 - 1024>>>(nullptr);
  OK(cudaGetLastError());
  OK(cudaFuncSetAttribute(both, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152));
  both<<<1, 32, 49152>>>(nullptr);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
  OK(cudaFuncGetAttributes(&a, of_type<double, 2>));
  OK(cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1));
  const auto attribute = cudaFuncAttributePreferredSharedMemoryCarveout;
  OK(cudaFuncSetAttribute(plain, attribute, cudaSharedmemCarveoutMaxShared));
  EXPECT(cudaFuncSetAttribute(plain, attribute, 101) == cudaErrorInvalidValue);
  cudaGetLastError();
}

int main() {
  launches();
  cooperative();
  occupancy();
  attributes();
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}
