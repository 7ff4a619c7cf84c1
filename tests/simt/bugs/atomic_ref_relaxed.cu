// find: race global read/write fence
// flags: -std=c++17
// cuda::atomic_ref with relaxed order publishes data: the reader may see the flag and old data.
// Fixed: cuda::atomic_ref: release by the writer, acquire by the reader.
#include <cstdio>
#include <cuda/atomic>

__global__ void mail(const int *in, int *out, int *box) {
  cuda::atomic_ref<int, cuda::thread_scope_device> full(box[0]);
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    box[1] = in[3]; // BUG
#ifdef FIXED
    full.store(1, cuda::memory_order_release);
  } else {
    while (full.load(cuda::memory_order_acquire) == 0) {
#else
    full.store(1, cuda::memory_order_relaxed);
  } else {
    while (full.load(cuda::memory_order_relaxed) == 0) {
#endif
    }
    out[0] = box[1]; // BUG
  }
}

__device__ int letters[2];

__global__ void start(const int *in, int *out) {
  letters[0] = letters[1] = 0;
  out[1] = in[1];
}

void run(const int *in, int *out) {
  int *box = nullptr;
  start<<<1, 1>>>(in, out);
  cudaGetSymbolAddress(reinterpret_cast<void **>(&box), letters);
  mail<<<2, 32>>>(in, out, box);
}

int main() {
  constexpr int n = 16;
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>(i * 31 % 101);
    out[i] = 0;
  }
  run(in, out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}
