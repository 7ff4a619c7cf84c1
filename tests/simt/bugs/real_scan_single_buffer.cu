// find: race shared read/write barrier|syncwarp
// Hillis and Steele's scan with one buffer: the sum is stored before all have read.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

const int BLOCK = 256;

__global__ void scan_blocks(const int *in, int *out, int *totals, int n) {
  __shared__ int s[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < BLOCK; offset <<= 1) {
#ifdef FIXED
    int add = t >= offset ? s[t - offset] : 0;
    __syncthreads();
    s[t] += add;
#else
    if (t >= offset) {
      s[t] += s[t - offset]; // BUG
    }
#endif
    __syncthreads();
  }
  if (i < n) out[i] = s[t];
  if (t == BLOCK - 1) totals[blockIdx.x] = s[t];
}

__global__ void scan_totals(int *totals, int count) {
  int sum = 0;
  for (int b = 0; b < count; b++) {
    int mine = totals[b];
    totals[b] = sum;
    sum += mine;
  }
}

__global__ void add_offsets(int *out, const int *totals, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) out[i] += totals[blockIdx.x];
}

class Buffer {
public:
  explicit Buffer(size_t count) {
    if (cudaMalloc(&memory, count * sizeof(int)) != cudaSuccess) abort();
  }
  ~Buffer() { cudaFree(memory); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  operator int *() const { return memory; }

private:
  int *memory = nullptr;
};

int main() {
  const int n = 1500, blocks = (n + BLOCK - 1) / BLOCK;
  std::vector<int> host(n), expected(n), result(n);
  for (int i = 0; i < n; i++) host[i] = i % 9 - 3;
  std::partial_sum(host.begin(), host.end(), expected.begin());
  Buffer in(n), out(n), totals(blocks);
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scan_blocks<<<blocks, BLOCK>>>(in, out, totals, n);
  scan_totals<<<1, 1>>>(totals, blocks);
  add_offsets<<<blocks, BLOCK>>>(out, totals, n);
  cudaError_t e = cudaGetLastError();
  if (e == cudaSuccess) e = cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += result[i] != expected[i];
  printf("%d wrong, %s\n", wrong, cudaGetErrorString(e));
  return 0;
}
