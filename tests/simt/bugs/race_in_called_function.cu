// find: race shared barrier
// A device function in a class without a barrier: called twice, its scratch space is shared by
// both calls.
// Fixed: A device function in a class: a barrier before its scratch space is used again.
#include <cstdio>
#include <vector>

template <typename T, int N> class BlockExchange {
public:
  struct Storage {
    T data[N];
  };
  __device__ explicit BlockExchange(Storage &s) : storage(s) {}
  __device__ T from(int source, T mine) {
    storage.data[threadIdx.x] = mine; // BUG
    __syncthreads();
    T result = storage.data[source]; // BUG
#ifdef FIXED
    __syncthreads();
#endif
    return result;
  }

private:
  Storage &storage;
};

__global__ void shuffle_all(const long long *in, long long *out) {
  using Exchange = BlockExchange<long long, 96>;
  __shared__ Exchange::Storage storage;
  Exchange exchange(storage);
  const int t = threadIdx.x;
  long long v = in[t];
  v += exchange.from(95 - t, v);
  v += exchange.from((t + 7) % 96, v);
  out[t] = v;
}

int main() {
  const int n = 96;
  std::vector<long long> host(n), result(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<long long>(i % 17);
  long long *in, *out;
  cudaMalloc(&in, n * sizeof(long long));
  cudaMalloc(&out, n * sizeof(long long));
  cudaMemcpy(in, host.data(), n * sizeof(long long), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(long long));
  shuffle_all<<<1, 96>>>(in, out);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(result.data(), out, n * sizeof(long long), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(result[i]) * (i % 7 + 1);
  std::printf("%g\n", sum);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
