// Vector types: float4 loads through casts, make_ functions, alignment, arithmetic on all of them.
// expect: pass
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <vector_types.h>

static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "float3");
static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "float4");
static_assert(sizeof(double2) == 16 && alignof(double2) == 16, "double2");
static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4, "uchar4");
static_assert(sizeof(short3) == 6, "short3");
static_assert(sizeof(int2) == 8 && alignof(int2) == 8, "int2");

__global__ void copy1(const float *in, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    out[i] = in[i];
}

__global__ void copy2(const int *src, int *dst, int N) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = idx; i < N / 2; i += blockDim.x * gridDim.x)
    reinterpret_cast<int2 *>(dst)[i] = reinterpret_cast<const int2 *>(src)[i];
  if (idx == N / 2 && N % 2 == 1) dst[N - 1] = src[N - 1];
}

__global__ void scale4(float *data, int n4, float s) {
  float4 *v = (float4 *)data;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n4) {
    float4 t = v[i];
    t.x *= s, t.y *= s, t.z *= s, t.w *= s;
    v[i] = t;
  }
}

struct __align__(16) Packed {
  float3 position;
  unsigned int colour;
};

__global__ void mixed(Packed *p, double2 *d, uchar4 *c, short2 *s, longlong2 *l, ulonglong2 *u,
                      char3 *c3, float1 *f1) {
  int i = threadIdx.x;
  p[i].position = make_float3(i, 2 * i, 3 * i);
  p[i].colour = (0xffu << 24) | i;
  d[i] = make_double2(i / 3.0, -i);
  c[i] = make_uchar4(i, i + 1, i + 2, i + 3);
  s[i] = make_short2(-i, i);
  l[i] = make_longlong2(1LL << i, -(1LL << i));
  u[i] = make_ulonglong2(~0ull, i);
  c3[i] = make_char3(-1, -2, -3);
  f1[i] = make_float1(0.5f * i);
  dim3 shape(1, 2);
  uint3 copy = shape;
  int4 all = {(int)copy.x, (int)copy.y, (int)copy.z, i};
  s[i].y += all.z + (all.w - i);
}

int main() {
  const int n = 1023;
  float h[n + 1], back[n + 1];
  for (int i = 0; i <= n; i++) h[i] = i * 0.25f;
  float *a, *b;
  cudaMalloc(&a, sizeof h), cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  int bad = 0;
  copy1<<<2, 64>>>(a, b, n);
  cudaMemcpy(back, b, n * sizeof(float), cudaMemcpyDeviceToHost);
  bad += memcmp(h, back, n * sizeof(float)) != 0;
  cudaMemset(b, 0, sizeof h);
  copy2<<<4, 128>>>((int *)a, (int *)b, n);
  cudaMemcpy(back, b, n * sizeof(float), cudaMemcpyDeviceToHost);
  bad += memcmp(h, back, n * sizeof(float)) != 0;
  scale4<<<2, 128>>>(a, (n + 1) / 4, 4.0f);
  cudaMemcpy(back, a, sizeof back, cudaMemcpyDeviceToHost);
  for (int i = 0; i <= n; i++) bad += back[i] != (float)i;

  struct Everything {
    Packed p[16];
    double2 d[16];
    uchar4 c[16];
    short2 s[16];
    longlong2 l[16];
    ulonglong2 u[16];
    char3 c3[16];
    float1 f1[16];
  } * e;
  cudaMallocManaged(&e, sizeof *e);
  mixed<<<1, 16>>>(e->p, e->d, e->c, e->s, e->l, e->u, e->c3, e->f1);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; i++) {
    bad +=
        e->p[i].position.z != 3 * i || e->p[i].colour != (0xff000000u | i) || e->d[i].x != i / 3.0;
    bad += e->c[i].w != i + 3 || e->s[i].x != -i || e->s[i].y != i + 1 || e->l[i].y != -(1LL << i);
    bad += e->u[i].x != UINT64_MAX || e->c3[i].z != -3 || e->f1[i].x != 0.5f * i;
  }
  cudaFree(e);
  printf("%d wrong %s\n", bad, bad ? "FAILED" : "PASSED");
  cudaFree(a); cudaFree(b);
  return bad;
}
