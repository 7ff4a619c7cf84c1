// Host threads that each own a stream and launch at the same time; std::thread, mutex, atomic, per-thread last errors.
// expect: pass
// flags: -std=c++17 -Xcompiler -pthread
#include <atomic>
#include <cstdio>
#include <future>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

__global__ void square(int *p, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    p[i] *= p[i];
}
__global__ void block_sum(const int *p, int n, int *out) {
  __shared__ int s[64];
  int v = 0;
  for (int i = threadIdx.x; i < n; i += 64) v += p[i];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int k = 32; k; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = s[0];
}

static int work(int id) {
  cudaSetDevice(0);
  cudaStream_t s;
  cudaStreamCreate(&s);
  const int n = 100 + id;
  std::vector<int> h(n);
  std::iota(h.begin(), h.end(), 1);
  int *d, *o, sum = 0;
  cudaMalloc(&d, n * sizeof(int)), cudaMalloc(&o, sizeof(int));
  cudaMemcpyAsync(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice, s);
  for (int round = 0; round < 3; ++round) {
    cudaMemcpyAsync(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice, s);
    square<<<2, 32, 0, s>>>(d, n);
    block_sum<<<1, 64, 0, s>>>(d, n, o);
  }
  cudaMemcpyAsync(&sum, o, sizeof sum, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
  cudaFree(d), cudaFree(o);
  return sum == n * (n + 1) * (2 * n + 1) / 6 ? 0 : 1;
}

int main() {
  std::atomic<int> bad{0};
  std::mutex m;
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&, t] {
      int wrong = work(t);
      if (t == 2) {
        square<<<1, 5000>>>(nullptr, 0);
        if (cudaGetLastError() == cudaSuccess) ++wrong;
      } else if (cudaGetLastError() != cudaSuccess) {
        ++wrong;
      }
      std::lock_guard<std::mutex> lock(m);
      bad += wrong;
    });
  for (auto &t : threads) t.join();
  auto later = std::async(std::launch::async, work, 50);
  bad += later.get();
  bad += cudaDeviceSynchronize() != cudaSuccess;
  printf("%d wrong\n%s\n", bad.load(), bad ? "FAILED" : "PASSED");
  return bad;
}
