// Structs that need less than their size, copied where a larger one could not be: by pointer, by
// reference, by value, in arrays, in global, shared, constant and local memory; bytes by memcpy.
// expect: pass
#include <cstdint>
#include <cstdio>
#include <cstring>

struct Pair {
  double a, b;
}; // 16 bytes that need 8
struct Quad {
  unsigned a, b, c, d;
}; // that need 4
struct Eight {
  short s[8];
}; // that need 2
struct Bytes {
  unsigned char c[16];
}; // that need 1
struct Two {
  int x, y;
}; // 8 bytes that need 4
struct Four {
  short a, b, c, d;
}; // that need 2
struct Three {
  float x, y, z;
};                                      // 12 bytes
struct __attribute__((packed)) Packed { // 16 bytes that need 1, with members that lie anywhere
  char kind;
  int value;
  double real;
  char rest[3];
};
union Either {
  Pair pair;
  unsigned char bytes[16];
};

// Copies whose first element lies `Shift` bytes behind a multiple of 16 in each memory.
template <class T, int Shift> struct alignas(16) At {
  char gap[Shift];
  T e[4];
};
template <class T> struct alignas(16) At<T, 0> { T e[4]; };

template <class T> __device__ T by_value(T v) { return v; }
template <class T> __device__ T from(const T *p) { return *p; }
template <class T> __device__ void into(T &to, const T &from) { to = from; }
template <class T> struct Array { T e[2]; };

template <class T, int Shift> __global__ void copy(const T *in, T *out, const At<T, Shift> given) {
  __shared__ At<T, Shift> s;
  At<T, Shift> local;
  s.e[0] = in[0];
  s.e[1] = from(in + 1);
  into(s.e[2], in[2]);
  s.e[3] = by_value(in[3]);
  T *p = s.e;
  for (int i = 0; i < 4; i++) local.e[i] = p[i];
  const T *volatile q = local.e;
  for (int i = 0; i < 4; i++) out[i] = *(q + i);
  *(Array<T> *)(out + 4) = *(const Array<T> *)s.e;
  out[6] = given.e[2];
  out[7] = __ldg(in + 3);
  memcpy(out + 8, in, sizeof *in);
}

static int failed;

// The elements in device memory, from `shift` bytes behind a multiple of 256 on.
template <class T, int Shift> static void check() {
  char *d, *o;
  T in[4], out[9];
  At<T, Shift> given;
  for (size_t i = 0; i < sizeof in; i++) ((unsigned char *)in)[i] = (unsigned char)(i * 7 + 1);
  memcpy(given.e, in, sizeof in);
  cudaMalloc(&d, sizeof in + Shift), cudaMalloc(&o, sizeof out + Shift);
  cudaMemcpy(d + Shift, in, sizeof in, cudaMemcpyHostToDevice);
  copy<T, Shift><<<1, 1>>>((const T *)(d + Shift), (T *)(o + Shift), given);
  cudaMemcpy(out, o + Shift, sizeof out, cudaMemcpyDeviceToHost);
  const int order[9] = {0, 1, 2, 3, 0, 1, 2, 3, 0};
  for (int i = 0; i < 9; i++) failed += memcmp(&out[i], &in[order[i]], sizeof *in) != 0;
  cudaFree(d), cudaFree(o);
}

struct Table {
  unsigned long long n;
  Pair pairs[4];
};
__constant__ Table table = {4, {{1, 2}, {3, 4}, {5, 6}, {7, 8}}};
__device__ Table result;

__global__ void constants(int i) {
  result.pairs[i] = table.pairs[3 - i];
  volatile double *d = &result.pairs[i].b;
  *d = *d + 1;
}

// A member of a packed struct, and what memcpy reads, lie anywhere.
__global__ void anywhere(Packed *p, const char *text, unsigned *words) {
  const int i = threadIdx.x;
  Packed q = {'x', i, i * 0.5, {1, 2, 3}};
  ((Packed *)((char *)p + 1))[i] = q;
  ((Packed *)((char *)p + 1))[i].value += 1;
  ((Packed *)((char *)p + 1))[i].real += 1;
  memcpy(&words[i], text + 3 * i + 1, 4);
}

static void check_rest() {
  Table t;
  for (int i = 0; i < 4; i++) constants<<<1, 1>>>(i);
  cudaMemcpyFromSymbol(&t, result, sizeof t);
  for (int i = 0; i < 4; i++) failed += t.pairs[i].a != 7 - 2 * i || t.pairs[i].b != 9 - 2 * i;
  char *p, *text, host[16 * 8 + 1];
  unsigned *words, h[8];
  cudaMalloc(&p, sizeof host), cudaMalloc(&text, 32), cudaMalloc(&words, sizeof h);
  cudaMemset(text, 5, 32);
  anywhere<<<1, 8>>>((Packed *)p, text, words);
  cudaMemcpy(host + 1, p + 1, sizeof host - 1, cudaMemcpyDeviceToHost);
  cudaMemcpy(h, words, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; i++) {
    Packed q;
    memcpy(&q, host + 1 + 16 * i, sizeof q);
    failed += q.value != i + 1 || q.real != i * 0.5 + 1 || h[i] != 0x05050505;
  }
  cudaFree(p), cudaFree(text), cudaFree(words);
}

int main() {
  check<Pair, 8>(), check<Pair, 0>(), check<Either, 8>();
  check<Quad, 4>(), check<Quad, 8>(), check<Quad, 12>();
  check<Eight, 2>(), check<Eight, 8>(), check<Bytes, 1>(), check<Bytes, 8>();
  check<Two, 4>(), check<Two, 8>(), check<Four, 2>(), check<Four, 4>(), check<Three, 4>();
  check<Packed, 1>(), check<Packed, 8>();
  check<float4, 0>(), check<double2, 0>(), check<int2, 8>(), check<double, 8>();
  check_rest();
  printf(failed ? "FAILED %d\n" : "PASSED\n", failed);
  return failed != 0;
}
