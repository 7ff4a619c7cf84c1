// find: race shared read/write barrier
// Two sorted halves are merged by binary search before all of them are loaded.
// Fixed: Two sorted halves are merged by binary search behind a barrier.
#include <cstdio>
#include <vector>

__device__ int rank_of(int key, const int *sorted, int n, bool after_equals) {
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    const int other = sorted[middle]; // BUG
    if (other < key || (after_equals && other == key))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

__global__ void merge(const int *in, int *out, int half) {
  __shared__ int keys[128];
  const int t = threadIdx.x;
  keys[t] = t % half * 2 + in[t / half]; // BUG
#ifdef FIXED
  __syncthreads();
#endif
  const bool second = t >= half;
  const int mine = keys[t];
  const int place = t % half + rank_of(mine, second ? keys : keys + half, half, second);
  if (place < 2 * half) out[t] = place * 1000 + mine;
}

int main() {
  const int n = 128;
  std::vector<int> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 17);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  merge<<<1, 128>>>(in, out, 64);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
