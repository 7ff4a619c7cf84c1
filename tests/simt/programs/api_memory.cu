// Allocation, release, copies and fills of linear memory: which calls succeed and which error the
// others give.
// expect: pass
#include <cstdio>
#include <cstdlib>
#include <cstring>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)
#define BAD(call) EXPECT((call) == cudaErrorInvalidValue)

__global__ void add(int *v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] += i;
}

static void allocation() {
  char *p = (char *)8, *q;
  size_t before, after, total;
  OK(cudaMalloc(&p, 0));
  EXPECT(p == nullptr);
  EXPECT(cudaMalloc(&p, (size_t)1 << 46) == cudaErrorMemoryAllocation);
  BAD(cudaMalloc((char **)nullptr, 16));
  OK(cudaFree(nullptr));
  OK(cudaMalloc(&p, 64 << 20));
  OK(cudaMemGetInfo(&before, &total));
  OK(cudaMalloc(&q, 64 << 20));
  OK(cudaMemGetInfo(&after, &total));
  EXPECT(before > after && after < total && before - after >= 64u << 20);
  BAD(cudaFree(q + 256));
  OK(cudaFree(q));
  BAD(cudaFree(q));
  OK(cudaFree(p));
  int host = 0;
  BAD(cudaFree(&host));
}

static void kinds() {
  char *d, *e, h[100] = {1}, g[100];
  OK(cudaMalloc(&d, 100));
  OK(cudaMalloc(&e, 100));
  OK(cudaMemcpy(d, h, 100, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(e, d, 100, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(g, e, 100, cudaMemcpyDeviceToHost));
  EXPECT(memcmp(g, h, 100) == 0);
  OK(cudaMemcpy(g, h, 100, cudaMemcpyHostToHost));
  OK(cudaMemcpy(d, g, 100, cudaMemcpyDefault));
  OK(cudaMemcpy(e, d, 100, cudaMemcpyHostToDevice)); // a host side may be the device's
  OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  BAD(cudaMemcpy(h, d, 100, cudaMemcpyHostToDevice)); // the wrong way round
  BAD(cudaMemcpy(d, h, 100, cudaMemcpyDeviceToHost));
  BAD(cudaMemcpyAsync(h, d, 100, cudaMemcpyHostToDevice));
  BAD(cudaMemcpy(h, g, 100, cudaMemcpyDeviceToDevice));
  BAD(cudaMemcpy(d, h, 1 << 24, cudaMemcpyHostToDevice)); // too long
  BAD(cudaMemcpy(d, nullptr, 4, cudaMemcpyHostToDevice));
  BAD(cudaMemcpy(nullptr, h, 4, cudaMemcpyHostToDevice));
  EXPECT(cudaMemcpy(d, h, 4, (cudaMemcpyKind)77) == cudaErrorInvalidMemcpyDirection);
  OK(cudaFree(e));
  BAD(cudaMemcpy(e, h, 100, cudaMemcpyHostToDevice)); // freed
  BAD(cudaMemcpy(h, e, 100, cudaMemcpyDeviceToHost));
  BAD(cudaMemset(e, 0, 100));
  OK(cudaFree(d));
}

static void fills() {
  int *d, h[1000];
  OK(cudaMalloc(&d, sizeof h));
  OK(cudaMemset(d, 0, sizeof h));
  OK(cudaMemset(d, 0x01, 400));
  add<<<4, 256>>>(d, 1000);
  OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 1000; ++i) EXPECT(h[i] == i + (i < 100 ? 0x01010101 : 0));
  BAD(cudaMemset(h, 0, 4));
  BAD(cudaMemset(d, 0, 1 << 24));
  OK(cudaMemset(nullptr, 0, 0));
  OK(cudaMemsetAsync(d, 0xff, 8, cudaStreamPerThread));
  OK(cudaMemcpy(h, d, 12, cudaMemcpyDeviceToHost));
  EXPECT(h[0] == -1 && h[1] == -1 && h[2] == 0x01010101 + 2);
  OK(cudaFree(d));
}

static void rows() {
  unsigned char *d, h[6][10], g[6][7];
  size_t pitch = 0;
  OK(cudaMallocPitch(&d, &pitch, 10, 6));
  EXPECT(pitch >= 10 && pitch % 32 == 0);
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 10; ++x) h[y][x] = (unsigned char)(y * 16 + x);
  OK(cudaMemset2D(d, pitch, 0xee, 10, 6));
  OK(cudaMemcpy2D(d, pitch, h, 10, 10, 6, cudaMemcpyHostToDevice));
  OK(cudaMemset2D(d + pitch + 3, pitch, 0x77, 2, 2));
  OK(cudaMemcpy2D(g, 7, d + 2, pitch, 7, 6, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 7; ++x) {
      const bool filled = (y == 1 || y == 2) && (x == 1 || x == 2);
      EXPECT(g[y][x] == (filled ? 0x77 : y * 16 + x + 2));
    }
  EXPECT(cudaMemcpy2D(d, pitch, h, 5, 10, 6, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
  EXPECT(cudaMemcpy2D(d, 5, h, 10, 10, 6, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
  BAD(cudaMemcpy2D(h, 10, d, pitch, 10, 6, cudaMemcpyHostToDevice));
  BAD(cudaMemcpy2D(d, pitch, h, 10, 10, 100000, cudaMemcpyHostToDevice));
  OK(cudaFree(d));
}

int main() {
  allocation();
  kinds();
  fills();
  rows();
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}
