// expect: pass
// Barriers in uniform control flow, in many shapes: such kernels run as loops over the threads of a
// block, in other schedules thread by thread. And kernels that look alike, but must not.
#include <cstdio>
#include <vector>

static int failures;

static void compare(const char *what, const std::vector<int> &got, const std::vector<int> &want) {
  for (size_t i = 0; i < want.size(); i++)
    if (got[i] != want[i]) {
      printf("%s: element %zu is %d, not %d\n", what, i, got[i], want[i]);
      failures++;
      return;
    }
}

enum { N = 256, BLOCKS = 3 };

// ---- uniform loops and variables ----

__global__ void tree(int *out, const int *in) {
  __shared__ int s[N];
  const int tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  int steps = blockDim.x / 2;
  while (steps != 0) {
    __syncthreads();
    if (tid < steps) s[tid] += s[tid + steps];
    steps /= 2;
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

// Blelloch's scan: `offset` changes in the block's own statements.
__global__ void scan(int *out, const int *in) {
  extern __shared__ int t[];
  int i = threadIdx.x, offset = 1;
  const int n = 2 * blockDim.x;
  t[2 * i] = in[blockIdx.x * n + 2 * i];
  t[2 * i + 1] = in[blockIdx.x * n + 2 * i + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (i < d) t[offset * (2 * i + 2) - 1] += t[offset * (2 * i + 1) - 1];
    offset *= 2;
  }
  if (i == 0) t[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (i < d) {
      int a = offset * (2 * i + 1) - 1, b = offset * (2 * i + 2) - 1, x = t[a];
      t[a] = t[b];
      t[b] += x;
    }
  }
  __syncthreads();
  out[blockIdx.x * n + 2 * i] = t[2 * i];
  out[blockIdx.x * n + 2 * i + 1] = t[2 * i + 1];
}

// Two halves of shared memory that change places.
__global__ void halves(int *out, const int *in) {
  __shared__ int s[2][N];
  int from = 0, to = 1;
  s[from][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned offset = 1; offset < blockDim.x; offset <<= 1) {
    if (threadIdx.x >= offset)
      s[to][threadIdx.x] = s[from][threadIdx.x] + s[from][threadIdx.x - offset];
    else
      s[to][threadIdx.x] = s[from][threadIdx.x];
    __syncthreads();
    to = 1 - to;
    from = 1 - from;
  }
  out[threadIdx.x] = s[from][threadIdx.x];
}

__global__ void pointers(int *out, const int *in) {
  __shared__ int a[N], b[N];
  int *now = a, *next = b;
  now[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 5; k++) {
    next[threadIdx.x] = now[(threadIdx.x + 1) % blockDim.x] + k;
    __syncthreads();
    int *t = now;
    now = next;
    next = t;
  }
  out[threadIdx.x] = now[threadIdx.x];
}

template <int Tile> __global__ void rotate(int *out, const int *in, int rounds) {
  __shared__ int s[Tile];
  int sum = 0;
  do {
    if (Tile >= 32) {
      s[threadIdx.x] = in[threadIdx.x] + rounds;
      __syncthreads();
      sum += s[(threadIdx.x + rounds) % Tile];
      __syncthreads();
    } else {
      __syncthreads();
    }
    rounds--;
  } while (rounds > 0);
  out[threadIdx.x] = sum;
}

// Shared variables of the file; a loop in a branch has a break of its own.
extern __shared__ int of_file[];

__device__ int next_of_file(int v) {
  of_file[threadIdx.x] += v;
  __syncthreads();
  const int next = of_file[(threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  return next;
}

__global__ void outer(int *out, const int *in) {
  of_file[threadIdx.x] = in[threadIdx.x];
  int sum = 0;
  for (int k = 0; k < 3; k++) {
    if (threadIdx.x > 7) {
      for (;;) {
        if (++sum % 4 == k) break;
      }
    }
    sum += next_of_file(k);
  }
  out[threadIdx.x] = sum;
}

// ---- what threads keep from phase to phase ----

struct pair {
  int a, b;
};

__device__ int place() { return threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y; }
__device__ void doubled(int &x) { x *= 2; }

__global__ void kept(int *out, const int *in, int n) {
  __shared__ int s[N];
  int few[3] = {1, 2, 3}, at = place();
  pair p = {at, 2 * at};
  const pair q = {3, 4};
  unsigned char small = (unsigned char)(at * 7);
  long long wide = (long long)at << 33;
  int later;
  s[at] = in[at];
  few[at % 3] += s[at];
  in += at;
  n += at;
  __syncthreads();
  p.a += s[(at + 1) % blockDim.x];
  doubled(p.b);
  later = few[0] + 10 * few[1] + 100 * few[2];
  __syncthreads();
  s[at] = p.a;
  few[1] = in[0];
  __syncthreads();
  out[at] = s[(at + 3) % 64] + p.b + q.a * q.b + small + (int)(wide >> 33) + later + few[1] + n;
}

__global__ void cast(int *out, const int *in) {
  __shared__ int s[N];
  int2 v;
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  reinterpret_cast<long long &>(v) = s[threadIdx.x] * 3LL;
  __syncthreads();
  out[threadIdx.x] = v.x + s[(threadIdx.x + 1) % blockDim.x];
}

__global__ void referred(int *out, const int *in) {
  __shared__ int s[N];
  int a = 5, b = 6;
  s[threadIdx.x] = in[threadIdx.x];
  int &r = threadIdx.x % 2 ? a : b;
  r = s[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = 100 * a + b + s[(threadIdx.x + 1) % blockDim.x];
}

__global__ void shadowed(int *out, const int *in, int n) {
  __shared__ int s[N];
  int i = threadIdx.x;
  s[i] = in[i];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    int n = i * 2;
    n++;
    sum += n * s[(threadIdx.x + i) % blockDim.x];
  }
  __syncthreads();
  out[i] = sum + n + i;
}

__global__ void returns(int *out, const int *in, int n) {
  __shared__ int s[N];
  const int i = threadIdx.x;
  s[i] = in[i];
  out[i] = -1;
  __syncthreads();
  if (i >= n) return;
  out[i] = s[n - 1 - i];
}

// ---- loops that stride over the data go by rounds ----

__global__ void strided(int *out, const int *in, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int sum = 0, least = 1 << 30;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  unsigned i = t;
  while (i < n) {
    if (in[i] < least) least = in[i];
    i += blockDim.x;
  }
  for (int i = t; i < n; i += blockDim.x) {
    int x = in[i];
    for (int k = 0; k < 3; k++) x ^= k;
    sum += x & 1;
  }
  s[t] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
  out[gridDim.x + blockIdx.x * blockDim.x + t] = least + (int)i;
}

__global__ void strided_until(int *out, const int *in, int n) {
  __shared__ int s[64];
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (in[i] > 1000) break;
    sum += in[i];
  }
  s[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

// ---- not the same for all threads ----

__global__ void leaves_before(int *out, const int *in, int n) {
  __shared__ int s[N];
  const int i = threadIdx.x;
  out[i] = -1;
  if (i >= n) return;
  s[i] = in[i];
  __syncthreads();
  out[i] = s[n - 1 - i];
}

__global__ void breaks(int *out, const int *in) {
  __shared__ int s[N], done;
  const int i = threadIdx.x;
  int rounds = 0;
  if (i == 0) done = 0;
  s[i] = in[i];
  __syncthreads();
  for (int k = 0; k < 100; k++) {
    if (done) break;
    __syncthreads();
    if (i == k && k == 7) done = 1;
    rounds++;
    __syncthreads();
  }
  out[i] = rounds + s[i];
}

__global__ void by_memory(int *out, const int *in, const int *rounds) {
  __shared__ int s[N];
  const int i = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < rounds[0]; k++) {
    s[i] = in[i] + k;
    __syncthreads();
    sum += s[(i + 1) % blockDim.x];
    __syncthreads();
  }
  out[i] = sum;
}

int main() {
  std::vector<int> in(2 * N * BLOCKS), got(2 * N * BLOCKS), want;
  int *a, *b, *rounds, three = 3;
  for (size_t i = 0; i < in.size(); i++) in[i] = (int)(i * 7919 % 1013);
  const size_t bytes = in.size() * sizeof(int);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&rounds, sizeof(int));
  cudaMemcpy(a, in.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(rounds, &three, sizeof three, cudaMemcpyHostToDevice);
#define RUN(what, ...)                                         \
  cudaMemset(b, 0, bytes);                                     \
  what<<<__VA_ARGS__;                                          \
  cudaMemcpy(got.data(), b, bytes, cudaMemcpyDeviceToHost);    \
  compare(#what, got, want)

  want.assign(BLOCKS, 0);
  for (int i = 0; i < N * BLOCKS; i++) want[i / N] += in[i];
  RUN(tree, BLOCKS, N>>>(b, a));
  want.assign(2 * N * BLOCKS, 0);
  for (int i = 0; i < 2 * N * BLOCKS; i++)
    want[i] = i % (2 * N) ? want[i - 1] + in[i - 1] : 0;
  RUN(scan, BLOCKS, N, 2 * N * sizeof(int)>>>(b, a));
  want.assign(N, 0);
  for (int i = 0; i < N; i++) want[i] = (i ? want[i - 1] : 0) + in[i];
  RUN(halves, 1, N>>>(b, a));
  for (int i = 0; i < N; i++) want[i] = in[(i + 5) % N] + 10;
  RUN(pointers, 1, N>>>(b, a));
  for (int i = 0; i < N; i++) {
    want[i] = 0;
    for (int r = 4; r > 0; r--) want[i] += in[(i + r) % N] + r;
  }
  RUN(rotate<N>, 1, N>>>(b, a, 4));
  want.assign(N, 0);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++) {
      while (i > 7 && ++want[i] % 4 != k) {
      }
      want[i] += in[(i + 1) % N] + k * (k + 1) / 2;
    }
  RUN(outer, 1, N, N * sizeof(int)>>>(b, a));
  want.assign(64, 0);
  for (int i = 0; i < 64; i++) {
    int few[3] = {1, 2, 3}, k = (i + 3) % 64;
    few[i % 3] += in[i];
    const int s = k + in[(k + 1) % 8], later = few[0] + 10 * few[1] + 100 * few[2];
    want[i] = s + 4 * i + 12 + (unsigned char)(i * 7) + i + later + in[i] + 1000 + i;
  }
  RUN(kept, 1, dim3(8, 4, 2)>>>(b, a, 1000));
  want.assign(N, 0);
  for (int i = 0; i < N; i++) want[i] = in[i] * 3 + in[(i + 1) % N];
  RUN(cast, 1, N>>>(b, a));
  for (int i = 0; i < N; i++)
    want[i] = (i % 2 ? 100 * in[i] + 6 : 500 + in[i]) + in[(i + 1) % N];
  RUN(referred, 1, N>>>(b, a));
  for (int i = 0; i < N; i++) {
    want[i] = 77 + i;
    for (int k = 0; k < 4; k++) want[i] += (2 * k + 1) * in[(i + k) % N];
  }
  RUN(shadowed, 1, N>>>(b, a, 77));
  for (int i = 0; i < N; i++) want[i] = i < 100 ? in[99 - i] : -1;
  RUN(returns, 1, N>>>(b, a, 100));
  RUN(leaves_before, 1, N>>>(b, a, 100));
  for (int i = 0; i < N; i++) want[i] = 8 + in[i];
  RUN(breaks, 1, N>>>(b, a));
  for (int i = 0; i < N; i++) want[i] = 3 * in[(i + 1) % N] + 3;
  RUN(by_memory, 1, N>>>(b, a, rounds));
  const int n = 777;
  want.assign(2 + 128, 0);
  for (int t = 0; t < 128; t++) want[2 + t] = 1 << 30;
  for (int i = 0; i < n; i++) {
    want[i % 128 / 64] += in[i];
    for (int b = 0; b < 2; b++) {
      want[b] += (in[i] ^ 1 ^ 2) & 1;
      int &least = want[2 + 64 * b + i % 64];
      if (in[i] < least) least = in[i];
    }
  }
  for (int t = 0; t < 128; t++) want[2 + t] += t % 64 + (n - t % 64 + 63) / 64 * 64;
  RUN(strided, 2, 64>>>(b, a, n));
  want.assign(64, 0);
  for (int t = 0; t < 64; t++)
    for (int i = t; i < n && in[i] <= 1000; i += 64) want[63 - t] += in[i];
  RUN(strided_until, 1, 64>>>(b, a, n));
  if (cudaDeviceSynchronize() != cudaSuccess) failures++;
  cudaFree(a), cudaFree(b), cudaFree(rounds);
  puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}
