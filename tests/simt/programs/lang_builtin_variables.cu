// Built-in variables in the roles that authors give them; host variables of the same names; macros over them.
// expect: pass
#include <cstdio>
#include <type_traits>

#define tx threadIdx.x
#define ty threadIdx.y
#define bx blockIdx.x
#define GID (blockIdx.x * blockDim.x + threadIdx.x)
#define CUDA_KERNEL_LOOP(i, n) \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

__device__ unsigned volume(dim3 d) { return d.x * d.y * d.z; }
__device__ unsigned volume3(uint3 v) { return v.x + 10 * v.y + 100 * v.z; }
__device__ __forceinline__ int global_id() { return blockDim.x * blockIdx.x + threadIdx.x; }
__host__ __device__ int either() {
#ifdef __CUDA_ARCH__
  return threadIdx.x;
#else
  return -1;
#endif
}
struct Grid {
  int id, size;
  __device__ Grid() : id(GID), size(gridDim.x * blockDim.x) {}
};
template <class F> __device__ void each(int n, F f) { CUDA_KERNEL_LOOP(i, n) f(i); }

__global__ void use(int *out) {
  const uint3 t = threadIdx;
  auto copy = blockDim;
  dim3 shape = blockDim, grid = gridDim;
  const dim3 &ref = blockDim;
  uint3 index(blockIdx);
  static_assert(std::is_same<decltype(threadIdx.x), unsigned int>::value, "unsigned");
  if (tx == 1 && ty == 2 && bx == 1 && threadIdx.z == 1) {
    out[0] = volume(blockDim);
    out[1] = volume3(threadIdx);
    out[2] = volume(gridDim) + copy.x + shape.y + grid.x + ref.z + index.x + t.y;
    out[3] = either();
    out[4] = warpSize;
    out[5] = (threadIdx.y * blockDim.x + threadIdx.x) % warpSize;
    int rest = -1 * (int)threadIdx.x;
    out[6] = rest;
  }
}
__global__ void loops(int *out, int n) {
  CUDA_KERNEL_LOOP(i, n) out[i] = i;
  Grid g;
  for (int i = g.id; i < n; i += g.size) out[i] += 1000;
  each(n, [=](int i) { out[i] += global_id() * 0 + (int)(gridDim.x > 0); });
}

int main() {
  int bad = 0, *p;
  cudaMallocManaged(&p, 1000 * sizeof(int));
  dim3 blockDim(4, 3, 2), gridDim(2);
  use<<<gridDim, blockDim>>>(p);
  cudaDeviceSynchronize();
  // only the upper layer along z stores
  const int want[] = {24, -1, 2 + 4 + 3 + 2 + 2 + 1 + 2, 1, 32, 9, -1};
  for (int i = 0; i < 7; i++)
    if (i != 1) bad += p[i] != want[i];
  bad += p[1] != 21 && p[1] != 121;
  for (int blockIdx = 0; blockIdx < 2; blockIdx++) {
    int threadIdx = 128;
    loops<<<blockIdx + 1, threadIdx>>>(p, 700);
    cudaDeviceSynchronize();
    for (int i = 0; i < 700; i++) bad += p[i] != i + 1001;
  }
  bad += either() != -1 || blockDim.x * blockDim.y * blockDim.z != 24;
  printf("%d wrong\n%s\n", bad, bad ? "FAILED" : "PASSED");
  cudaFree(p);
  return bad;
}
