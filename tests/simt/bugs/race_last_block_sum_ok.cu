// find: nothing
// Sums by atomics of several types in global and shared memory, read plainly only in the next
// kernel or behind a barrier.
#include <cstdio>

struct Totals {
  int count;
  unsigned least;
  unsigned long long sum;
  float weight;
  double mean;
};

__device__ Totals totals;

__global__ void gather(const int *in) {
  __shared__ int most;
  __shared__ unsigned long long sum;
  if (threadIdx.x == 0) {
    most = 0;
    sum = 0;
  }
  __syncthreads();
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicMax(&most, v);
  atomicAdd(&sum, static_cast<unsigned long long>(v));
  atomicMin(&totals.least, static_cast<unsigned>(v));
  __syncthreads();
  if (v == most) atomicAdd(&totals.count, 1);
  if (threadIdx.x == 1) {
    atomicAdd(&totals.sum, sum);
    atomicAdd(&totals.weight, 0.5f);
    atomicAdd(&totals.mean, static_cast<double>(sum) / blockDim.x);
  }
}

__global__ void show(int *out) {
  out[0] = totals.count + static_cast<int>(totals.sum);
  out[255] = static_cast<int>(totals.weight + totals.mean) + static_cast<int>(totals.least);
}

void run(const int *in, int *out) {
  gather<<<4, 64>>>(in);
  show<<<1, 1>>>(out);
}

int main() {
  constexpr int n = 256;
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
