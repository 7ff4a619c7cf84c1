// After every form of branch and loop the lanes of a warp are together again: on lines that say
// so, all of them.
#include <cstdio>

__device__ volatile int sink[64];

__device__ int first_multiple(int n, int of) {
  for (int i = 1;; ++i) {
    if (i % 3 == 2) continue;
    if (i * of >= n) return i * of;
  }
}

__device__ bool is_prime(int n) {
  if (n < 2) return false;
  if (n % 2 == 0) return n == 2;
  for (int d = 3; d * d <= n; d += 2) {
    if (n % d == 0) return false;
  }
  return true;
}

template <class F> __device__ int apply(F f, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += f(i);
  return sum;
}

__global__ void loops(int *out) {
  int t = threadIdx.x, x = 0;
  for (int i = 0; i < t; ++i) {
    if (i % 7 == 5) continue;
    if (i * t > 200) break;
    x += i;
  }
  sink[t] = x; // line: joined 1
  int i = 0;
  do {
    x ^= i << t % 3;
  } while (++i < t % 6);
  sink[t] = x; // line: joined 2
  for (int a = 0; a < t % 5; ++a) {
    for (int b = 0; b < a; ++b) {
      if ((a + b + t) % 4 == 0) break;
      x += a * b;
    }
    x -= a;
  }
  sink[t] = x; // line: joined 3
  while (true) {
    x = x * 5 + 1;
    if (x % 8 == t % 8) break;
    if (++i > 40) {
      x = -x;
      break;
    }
  }
  out[t] = x + i; // line: joined 4
}

__global__ void branches(int *out) {
  int t = threadIdx.x, x = 0;
  if (t & 1) {
    if (t & 2)
      x = out[t];
    else
      x = out[t + 1];
  } else if (t & 4) {
    x = t * 3;
  }
  sink[t] = x; // line: joined 5
  if ((t > 3 && sink[t] != 9) || t % 5 == 1) x += 2;
  sink[t] = x; // line: joined 6
  switch (t % 5) {
  case 0: x += 1;
  case 1: x *= 3; break;
  case 2: break;
  case 3: x = t > 10 ? sink[t - 1] : -1; break;
  default: x = 0;
  }
  sink[t] = x; // line: joined 7
  x = t % 3 == 0 ? sink[t] : t % 3 == 1 ? sink[0] + 1 : 7;
  out[t] = x; // line: joined 8
}

__global__ void calls(int *out) {
  int t = threadIdx.x;
  int x = first_multiple(t * 7, t % 4 + 1);
  sink[t] = x; // line: joined 9
  if (is_prime(t)) x += 100;
  sink[t] = x; // line: joined 10
  x += apply([=](int i) { return i % 2 ? t : -i; }, t % 9);
  sink[t] = x; // line: joined 11
  if (t % 2) x += __shfl_xor_sync(0xaaaaaaaa, x, 2);
  __syncwarp();
  sink[t] = x; // line: joined 12
  if (t < 20) printf(t == 7 ? "seven\n" : "");
  out[t] = atomicMax(&out[64 + t % 2], x); // line: joined 13
}

int main() {
  int *out;
  cudaMalloc(&out, 4096);
  cudaMemset(out, 0, 4096);
  loops<<<1, 32>>>(out);
  branches<<<1, 32>>>(out);
  calls<<<1, 32>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  puts("PASSED");
}
