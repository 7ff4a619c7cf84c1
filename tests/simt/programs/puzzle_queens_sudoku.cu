// N queens by bit masks with an explicit stack, primes by sieve, Collatz records, subset sums; long long atomics.
// expect: pass
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void queens(int n, const uint3 *starts, int count, unsigned long long *solutions) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count) return;
  unsigned cols[20], left[20], right[20], open[20];
  const unsigned full = (1u << n) - 1;
  int depth = 0;
  cols[0] = starts[id].x, left[0] = starts[id].y, right[0] = starts[id].z;
  open[0] = full & ~(cols[0] | left[0] | right[0]);
  unsigned long long found = 0;
  while (depth >= 0) {
    if (cols[depth] == full) {
      ++found;
      --depth;
      continue;
    }
    if (!open[depth]) {
      --depth;
      continue;
    }
    const unsigned bit = open[depth] & -open[depth];
    open[depth] ^= bit;
    cols[depth + 1] = cols[depth] | bit;
    left[depth + 1] = (left[depth] | bit) << 1;
    right[depth + 1] = (right[depth] | bit) >> 1;
    ++depth;
    open[depth] = full & ~(cols[depth] | left[depth] | right[depth]);
  }
  if (found) atomicAdd(solutions, found);
}

__global__ void sieve(unsigned char *composite, int n, int p) {
  for (long long i = (long long)p * p + (long long)p * (blockIdx.x * blockDim.x + threadIdx.x);
       i <= n; i += (long long)p * gridDim.x * blockDim.x)
    composite[i] = 1;
}

__global__ void collatz(unsigned long long *record, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i > n) return;
  unsigned long long v = i, steps = 0;
  for (; v != 1; ++steps) v = v & 1 ? 3 * v + 1 : v >> 1;
  atomicMax(record, steps << 32 | (0xffffffffu - i));
}

int main() {
  const int n = 9;
  std::vector<uint3> starts;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      unsigned x = 1u << a, y = 1u << b, c = x, l = x << 1, r = x >> 1;
      if (y & (c | l | r)) continue;
      starts.push_back(make_uint3(c | y, (l | y) << 1, (r | y) >> 1));
    }
  uint3 *ds;
  unsigned long long *sum, h = 0;
  cudaMalloc(&ds, starts.size() * sizeof(uint3)), cudaMalloc(&sum, 16), cudaMemset(sum, 0, 16);
  cudaMemcpy(ds, starts.data(), starts.size() * sizeof(uint3), cudaMemcpyHostToDevice);
  queens<<<((int)starts.size() + 15) / 16, 16>>>(n, ds, (int)starts.size(), sum);
  cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost);
  bool ok = h == 352;
  const int limit = 100000;
  unsigned char *composite;
  cudaMalloc(&composite, limit + 1), cudaMemset(composite, 0, limit + 1);
  for (int p : {2, 3}) sieve<<<4, 128>>>(composite, limit, p);
  for (int p = 5; p * p <= limit; p += 2) sieve<<<4, 128>>>(composite, limit, p);
  std::vector<unsigned char> c(limit + 1);
  cudaMemcpy(c.data(), composite, limit + 1, cudaMemcpyDeviceToHost);
  const long primes = std::count(c.begin() + 2, c.end(), 0);
  collatz<<<(10000 + 127) / 128, 128>>>(sum + 1, 10000);
  unsigned long long rec;
  cudaMemcpy(&rec, sum + 1, sizeof rec, cudaMemcpyDeviceToHost);
  const unsigned number = 0xffffffffu - (unsigned)rec;
  printf("%llu solutions, %ld primes, %u takes %llu steps\n", h, primes, number, rec >> 32);
  ok = ok && primes == 9592 && number == 6171 && rec >> 32 == 261;
  puts(ok ? "PASSED" : "FAILED");
  cudaFree(ds); cudaFree(sum); cudaFree(composite);
  return ok ? 0 : 1;
}
