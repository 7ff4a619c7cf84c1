// find: nothing
// flags: -std=c++17
// cuda::latch and cuda::counting_semaphore order threads as barriers and locks do.
#include <cstdio>
#include <cuda/latch>
#include <cuda/semaphore>
#include <new>

__global__ void ordered(const int *in, int *out) {
  using Latch = cuda::latch<cuda::thread_scope_block>;
  using Mutex = cuda::binary_semaphore<cuda::thread_scope_block>;
  __shared__ alignas(Latch) char latch_memory[sizeof(Latch)];
  __shared__ alignas(Mutex) char mutex_memory[sizeof(Mutex)];
  __shared__ int s[64], sum;
  Latch &filled = *reinterpret_cast<Latch *>(latch_memory);
  Mutex &mutex = *reinterpret_cast<Mutex *>(mutex_memory);
  const int t = threadIdx.x;
  if (t == 0) {
    new (&filled) Latch(64);
    new (&mutex) Mutex(1);
    sum = 0;
  }
  __syncthreads();
  s[t] = in[t];
  filled.arrive_and_wait();
  const int v = s[63 - t];
  mutex.acquire();
  sum += v;
  mutex.release();
  __syncthreads();
  out[t] = sum - v;
}

int main() {
  constexpr int n = 64;
  int *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, n * sizeof *out);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>(i * 31 % 101);
    out[i] = 0;
  }
  ordered<<<1, 64>>>(in, out);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%g %g\n", static_cast<double>(out[0]), static_cast<double>(out[n - 1]));
  cudaFree(in);
  cudaFree(out);
}
