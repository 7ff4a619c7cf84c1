// Static variables of functions of the device: one for all threads and blocks, in functions, kernels, members and
// templates of either.
// expect: pass
#include <cstdio>

__device__ int number() {
  static int next = 5;
  return atomicAdd(&next, 1);
}
inline __device__ int *table() {
  static __device__ int squares[4];
  for (int i = 0; i < 4; i++) squares[i] = i * i;
  return squares;
}
__device__ int chosen(int i) {
  static const int odd[4] = {1, 3, 5, 7};
  static __constant__ int even[4] = {2, 4, 6, 8};
  return odd[i & 3] + even[i & 3];
}
template <class T> __device__ T counted() {
  static T calls;
  return atomicAdd(&calls, 1) + 1;
}
template <class T> struct sum {
  __device__ static T add(T v) {
    static T all[2];
    all[1] += v;
    return all[1];
  }
};
struct turns {
  __device__ int take() {
    static int taken;
    return taken += 2;
  }
};

template <int Step> __global__ void steps(int *out) {
  static int runs;
  *out = atomicAdd(&runs, Step) + Step;
}
__global__ void all(int *out) {
  static int runs = 3;
  turns t;
  if (threadIdx.x == 0) {
    out[0] = number();
    out[1] = table()[3];
    out[2] = chosen(2);
    out[3] = counted<int>() + 10 * counted<unsigned>();
    out[4] = sum<int>::add(4) + sum<long>::add(5);
    out[5] = t.take();
    out[6] = runs++;
  }
}

int main() {
  int *out, h[8], wrong = 0;
  if (cudaMalloc(&out, sizeof h) != cudaSuccess) return 1;
  for (int run = 0; run < 3; run++) {
    all<<<1, 32>>>(out);
    steps<1><<<1, 1>>>(out + 7);
    steps<5><<<1, 1>>>(out + 7);
    if (cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    const int want[8] = {5 + run,       9,       5 + 6,        11 * (run + 1), 9 * (run + 1),
                         2 * (run + 1), 3 + run, 5 * (run + 1)};
    for (int i = 0; i < 8; i++)
      if (h[i] != want[i]) wrong++, printf("run %d, %d: %d, not %d\n", run, i, h[i], want[i]);
  }
  cudaFree(out);
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}
