// goto, switch with fall-through, Duff's device, do-while, labels, comma, nested ternaries, early returns.
// expect: pass
#include <stdio.h>

__device__ __host__ int collatz(int n) {
  int steps = 0;
again:
  if (n == 1) goto done;
  n = n % 2 ? 3 * n + 1 : n / 2;
  steps++;
  goto again;
done:
  return steps;
}

__device__ __host__ int fallthrough(int k) {
  int v = 0;
  switch (k & 7) {
  case 0: v += 1;
  case 1: v += 10;
  case 2: {
    v += 100;
    break;
  }
  case 3:
  case 4: return -k;
  default:
    if (k > 20) {
      v = 7;
      break;
    }
    v = 8;
  }
  return v;
}

__device__ __host__ int duff(const int *p, int count) {
  int sum = 0, n = (count + 3) / 4;
  switch (count % 4) {
  case 0: do { sum += *p++;
    case 3: sum += *p++;
    case 2: sum += *p++;
    case 1: sum += *p++;
    } while (--n > 0);
  }
  return sum;
}

__global__ void run(int *out, const int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = 0;
  if (i % 5 == 0) {
    v = collatz(i + 1);
    goto store;
  }
  if (i % 5 == 1) {
    v = fallthrough(i);
    goto store;
  }
  if (i % 5 == 2) {
    do {
      v += duff(data, i % 30 + 1);
      if (v > 1000000) return;
    } while (0);
  } else {
    for (int a = 0, b = i; a < b; a++, b--) {
      if (a == 3) continue;
      if (a > 20) break;
      v += a ^ b;
    }
    v = i % 2 ? v : i % 3 ? -v : v * 2, v++;
  }
store:
  out[i] = v;
}

int expected(int i, const int *data) {
  int v = 0;
  if (i % 5 == 0) return collatz(i + 1);
  if (i % 5 == 1) return fallthrough(i);
  if (i % 5 == 2) return duff(data, i % 30 + 1);
  for (int a = 0, b = i; a < b; a++, b--) {
    if (a == 3) continue;
    if (a > 20) break;
    v += a ^ b;
  }
  v = i % 2 ? v : i % 3 ? -v : v * 2;
  return v + 1;
}

int main(void) {
  int data[64], out[300], *d, *o, bad = 0;
  for (int i = 0; i < 64; i++) data[i] = i * 3 - 20;
  cudaMalloc((void **)&d, sizeof data);
  cudaMalloc((void **)&o, sizeof out);
  cudaMemcpy(d, data, sizeof data, cudaMemcpyHostToDevice);
  run<<<5, 64>>>(o, d, 300);
  cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 300; i++)
    if (out[i] != expected(i, data)) bad++;
  printf("%d wrong\n%s\n", bad, bad ? "FAILED" : "PASSED");
  cudaFree(d); cudaFree(o);
  return bad;
}
