// expect: pass
// Functions of a warp in control flow that is uniform in the block or in the warp: such kernels run as loops
// over lanes, in other schedules thread by thread. And kernels that look alike, but must not.
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

#define FULL_MASK 0xffffffffu
constexpr int WARP_SIZE = 32;
enum { N = 512 };

__inline__ __device__ int warp_sum(int v) {
#pragma unroll
  for (int o = WARP_SIZE / 2; o > 0; o >>= 1) v += __shfl_down_sync(FULL_MASK, v, o);
  return v;
}

template <typename T, int Width = 32> static __device__ __forceinline__ T all_most(T v) {
  for (int o = Width / 2; o > 0; o /= 2) {
    const T w = __shfl_xor_sync(FULL_MASK, v, o, Width);
    v = w > v ? w : v;
  }
  return v;
}

__device__ int prefix(int v, int lane) {
  for (int o = 1; o < 32; o <<= 1) {
    int w = __shfl_up_sync(~0u, v, o);
    if (lane >= o) v += w;
  }
  return v;
}

// The usual sum of a block: warps, their sums, the first warp.
__inline__ __device__ int block_sum(int v) {
  static __shared__ int partials[32];
  const int lane = threadIdx.x % WARP_SIZE, wid = threadIdx.x / WARP_SIZE;
  v = warp_sum(v);
  if (lane == 0) partials[wid] = v;
  __syncthreads();
  v = (threadIdx.x < blockDim.x / WARP_SIZE) ? partials[lane] : 0;
  if (wid == 0) v = warp_sum(v);
  return v;
}

__global__ void sums(int *out, const int *in, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// A row of a matrix for each warp.
__global__ void rows(int *out, const int *in, int height, int width) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (warp >= height) return;
  int sum = 0;
  for (int k = lane; k < width; k += 32) sum += in[warp * width + k];
  sum = warp_sum(sum);
  const int top = all_most<int>(in[warp * width + lane % width]);
  if (lane == 0) out[warp] = sum * 3 + top;
}

__global__ void strided_rows(int *out, const int *in, int height, int width) {
  const int warps = gridDim.x * blockDim.x / warpSize, lane = threadIdx.x % warpSize;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize; row < height; row += warps) {
    int least = 1 << 30;
    for (int k = lane; k < width; k += warpSize) least = min(least, in[row * width + k]);
    for (int o = 16; o > 0; o >>= 1) least = min(least, __shfl_xor_sync(FULL_MASK, least, o));
    if (lane == 0) out[row] = least;
  }
}

// Blocks of several warps: sums of all in front, and how many in front are odd.
__global__ void prefixes(int *out, const int *in) {
  __shared__ int total[32];
  const int tid = threadIdx.x, lane = tid & 31, wid = tid >> 5;
  const int v = in[tid];
  int sum = prefix(v, lane);
  const unsigned odd = __ballot_sync(FULL_MASK, v & 1);
  const int before = __popc(odd & ((1u << lane) - 1));
  if (lane == 31) total[wid] = sum;
  __syncthreads();
  if (wid == 0) {
    int t = lane < blockDim.x / 32 ? total[lane] : 0;
    t = prefix(t, lane);
    total[lane] = t;
  }
  __syncthreads();
  if (wid > 0) sum += total[wid - 1];
  out[tid] = sum * 64 + before;
}

// Lanes that are not there bring 0.
__global__ void partial(int *out, const int *in) {
  const int t = threadIdx.x;
  int v = in[t];
  out[t] = __shfl_down_sync(FULL_MASK, v, 3) + 1000 * __shfl_sync(FULL_MASK, v, 31);
  out[t] += __any_sync(FULL_MASK, v > 1011) + 2 * __all_sync(FULL_MASK, v >= 0) +
            4 * (__ballot_sync(FULL_MASK, 1) == FULL_MASK);
  out[t] ^= __reduce_max_sync(FULL_MASK, v);
}

__global__ void returned(int *out, const int *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = in[i];
  v += __shfl_down_sync(FULL_MASK, v, 1);
  out[i] = v;
}

// Through shared memory, lane to lane.
__global__ void turned(int *out, const int *in) {
  __shared__ int s[N];
  const int t = threadIdx.y * blockDim.x + threadIdx.x, first = t & ~31;
  s[t] = in[t];
  __syncwarp();
  int v = s[first + (t + 5) % 32];
  __syncwarp();
  s[t] = v * 2;
  __syncwarp(FULL_MASK);
  out[t] = s[first + (t ^ 7) % 32] + __shfl_xor_sync(FULL_MASK, t, 16) + 7 * threadIdx.y;
}

__global__ void wide(long long *out, const int *in) {
  double d = in[threadIdx.x] * 0.5;
  long long l = (long long)in[threadIdx.x] << 33;
  short s = (short)in[threadIdx.x];
  bool b = in[threadIdx.x] & 1;
  for (int o = 16; o > 0; o >>= 1) {
    d += __shfl_xor_sync(FULL_MASK, d, o);
    l ^= __shfl_xor_sync(FULL_MASK, l, o);
    s += __shfl_xor_sync(FULL_MASK, s, o);
    b ^= (bool)__shfl_xor_sync(FULL_MASK, b, o);
  }
  out[threadIdx.x] = (long long)(d * 2) + l + s + b;
}

// ---- not the same for all lanes ----

__global__ void halves(int *out, const int *in) {
  int v = in[threadIdx.x];
  if (threadIdx.x % 32 < 16)
    v += __shfl_xor_sync(0x0000ffffu, v, 1);
  else
    v -= __shfl_xor_sync(0xffff0000u, v, 2);
  out[threadIdx.x] = v;
}

__global__ void until(int *out, const int *in) {
  int v = in[threadIdx.x], rounds = 0;
  while (__any_sync(FULL_MASK, v > 10)) v /= 2, rounds++;
  out[threadIdx.x] = rounds * 100 + v;
}

static int warp_total(const std::vector<int> &in, int from) {
  int sum = 0;
  for (int i = from; i < from + 32; i++) sum += in[i];
  return sum;
}

int main() {
  std::vector<int> in(64 * N), got(64 * N), want;
  int *a, *b;
  for (size_t i = 0; i < in.size(); i++) in[i] = (int)(i * 7919 % 1013);
  const size_t bytes = in.size() * sizeof(int);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMemcpy(a, in.data(), bytes, cudaMemcpyHostToDevice);
#define RUN(what, ...)                                         \
  cudaMemset(b, 0, bytes);                                     \
  what<<<__VA_ARGS__;                                          \
  cudaMemcpy(got.data(), b, bytes, cudaMemcpyDeviceToHost);    \
  compare(#what, got, want)

  for (int threads : {32, 96, 256}) {
    want.assign(3, 0);
    for (int i = 0; i < 7000; i++) want[i / threads % 3] += in[i];
    RUN(sums, 3, threads>>>(b, a, 7000));
  }
  for (int width : {7, 100}) {
    want.assign(50, 0);
    for (int r = 0; r < 50; r++) {
      int top = 0;
      for (int k = 0; k < width; k++) want[r] += 3 * in[r * width + k];
      for (int k = 0; k < 32; k++) top = std::max(top, in[r * width + k % width]);
      want[r] += top;
    }
    RUN(rows, 7, 256>>>(b, a, 50, width));
    for (int r = 0; r < 50; r++) {
      want[r] = 1 << 30;
      for (int k = 0; k < width; k++) want[r] = std::min(want[r], in[r * width + k]);
    }
    RUN(strided_rows, 3, 64>>>(b, a, 50, width));
  }
  want.assign(N, 0);
  for (int i = 0, sum = 0, odd = 0; i < N; i++) {
    if (i % 32 == 0) odd = 0;
    sum += in[i];
    want[i] = sum * 64 + odd;
    odd += in[i] & 1;
  }
  RUN(prefixes, 1, N>>>(b, a));
  for (int threads : {64, 50}) {
    want.assign(N, 0);
    for (int i = 0; i < threads; i++) {
      const int first = i & ~31, end = std::min(first + 32, threads);
      const int down = i % 32 >= 29 ? in[i] : i + 3 < end ? in[i + 3] : 0;
      int most = 0;
      for (int k = first; k < end; k++) most = std::max(most, in[k]);
      want[i] = down + (first + 31 < end ? 1000 * in[first + 31] : 0) + (most > 1011) + 2 + 4 * (end == first + 32);
      want[i] ^= most;
    }
    RUN(partial, 1, threads>>>(b, a));
  }
  want.assign(N, 0);
  for (int i = 0; i < 300; i++) want[i] = in[i] + (i % 32 == 31 ? in[i] : i + 1 < 300 ? in[i + 1] : 0);
  RUN(returned, 2, N / 2>>>(b, a, 300));
  for (dim3 block : {dim3(N), dim3(32, 16), dim3(16, 32)}) {
    want.assign(N, 0);
    for (int i = 0; i < N; i++) want[i] = 2 * in[(i & ~31) + ((i ^ 7) % 32 + 5) % 32] + (i ^ 16) + 7 * (i / (int)block.x);
    RUN(turned, 1, block>>>(b, a));
  }
  want.assign(N, 0);
  for (int i = 0; i < N; i++) {
    const int x = in[i];
    want[i] = i % 32 < 16 ? x + in[i ^ 1] : x - in[i ^ 2];
  }
  RUN(halves, 1, N>>>(b, a));
  for (int i = 0; i < N; i++) {
    int most = 0, rounds = 0;
    for (int k = i & ~31; k < (i & ~31) + 32; k++) most = std::max(most, in[k]);
    for (; most > 10; most /= 2) rounds++;
    want[i] = rounds * 100 + (in[i] >> rounds);
  }
  RUN(until, 1, N>>>(b, a));

  std::vector<long long> results(32);
  wide<<<1, 32>>>((long long *)b, a);
  cudaMemcpy(results.data(), b, 32 * sizeof results[0], cudaMemcpyDeviceToHost);
  long long l = 0;
  int odd = 0;
  for (int i = 0; i < 32; i++) l ^= (long long)in[i] << 33, odd ^= in[i] & 1;
  for (int i = 0; i < 32; i++)
    if (results[i] != warp_total(in, 0) + l + (short)warp_total(in, 0) + odd) failures++;

  if (cudaDeviceSynchronize() != cudaSuccess) failures++;
  puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}
