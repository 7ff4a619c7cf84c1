// Inline PTX of the common kind: special registers, bit fields, cache hints, wide products, carries, votes.
// expect: pass
#include <cstdio>
#include <stdint.h>
__device__ __forceinline__ unsigned lane_id() {
  unsigned r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}
__device__ __forceinline__ unsigned lt() {
  unsigned m;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(m));
  return m;
}
__device__ unsigned ge() {
  unsigned m;
  asm("mov.u32 %0, %lanemask_ge;" : "=r"(m));
  return m;
}
__device__ unsigned bfe(unsigned x, unsigned b, unsigned n) {
  unsigned r;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(b), "r"(n));
  return r;
}
__device__ unsigned bfi(unsigned x, unsigned y, unsigned b, unsigned n) {
  unsigned r;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(y), "r"(x), "r"(b), "r"(n));
  return r;
}
__device__ unsigned prmt(unsigned a, unsigned b, unsigned s) {
  unsigned r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(s));
  return r;
}
__device__ unsigned long long globaltimer() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
__device__ unsigned smid() {
  unsigned r;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(r));
  return r;
}
__device__ unsigned warpid() {
  unsigned r;
  asm volatile("mov.u32 %0, %warpid;" : "=r"(r));
  return r;
}
__device__ float ldcg(const float *p) {
  float v;
  asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(p));
  return v;
}
__device__ float ldnc(const float *p) {
  float v;
  asm("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p) : "memory");
  return v;
}
__device__ float4 ld4(const float4 *p) {
  float4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(p));
  return v;
}
__device__ void stcs(float *p, float v) {
  asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(p), "f"(v));
}
__device__ void st4(float4 *p, float4 v) {
  asm volatile("st.global.v4.f32 [%0], {%1,%2,%3,%4};" ::"l"(p), "f"(v.x), "f"(v.y), "f"(v.z),
               "f"(v.w)
               : "memory");
}
__device__ void red(int *p, int v) {
  asm volatile("red.global.add.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ int atom(int *p, int v) {
  int o;
  asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(o) : "l"(p), "r"(v) : "memory");
  return o;
}
__device__ uint64_t madwide(uint32_t a, uint32_t b, uint64_t c) {
  uint64_t r;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(c));
  return r;
}
__device__ uint32_t mulhi(uint32_t a, uint32_t b) {
  uint32_t r;
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ void add128(uint32_t *r, const uint32_t *a, const uint32_t *b) {
  asm("add.cc.u32 %0, %4, %8;\n\t"
      "addc.cc.u32 %1, %5, %9;\n\t"
      "addc.cc.u32 %2, %6, %10;\n\t"
      "addc.u32 %3, %7, %11;\n\t"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
}
__device__ int shfl(int v, int l) {
  int r;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r) : "r"(v), "r"(l));
  return r;
}
__device__ unsigned vote(int p) {
  unsigned r;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(r)
               : "r"(p));
  return r;
}
__device__ int popc(unsigned v) {
  int r;
  asm("popc.b32 %0, %1;" : "=r"(r) : "r"(v));
  return r;
}
__device__ int clz(unsigned v) {
  int r;
  asm("clz.b32 %0, %1;" : "=r"(r) : "r"(v));
  return r;
}
__device__ unsigned brev(unsigned v) {
  unsigned r;
  asm("brev.b32 %0, %1;" : "=r"(r) : "r"(v));
  return r;
}
__device__ unsigned lop3(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
__device__ unsigned shf(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
__device__ float ex2(float x) {
  float r;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
__device__ float rsq(float x) {
  float r;
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
__device__ float fma_(float a, float b, float c) {
  float r;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
  return r;
}
__device__ unsigned smem_u32(const void *p) {
  unsigned a;
  asm("{ .reg .u64 u; cvta.to.shared.u64 u, %1; cvt.u32.u64 %0, u; }" : "=r"(a) : "l"(p));
  return a;
}
__device__ uint64_t pack(uint32_t lo, uint32_t hi) {
  uint64_t r;
  asm("mov.b64 %0, {%1, %2};" : "=l"(r) : "r"(lo), "r"(hi));
  return r;
}
__device__ void unpack(uint64_t v, uint32_t &lo, uint32_t &hi) {
  asm("mov.b64 {%0, %1}, %2;" : "=r"(lo), "=r"(hi) : "l"(v));
}
__device__ int dp4a(int a, int b, int c) {
  int r;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
__device__ unsigned vabs(unsigned a, unsigned b, unsigned c) {
  unsigned r;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
__device__ int ldvol(volatile int *p) {
  int r;
  asm volatile("ld.volatile.global.s32 %0, [%1];" : "=r"(r) : "l"(p));
  return r;
}
__device__ int ldacq(int *p) {
  int r;
  asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(r) : "l"(p) : "memory");
  return r;
}
__device__ void strel(int *p, int v) {
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
#define BAD(c)                                   \
  do {                                           \
    if (!(c)) {                                  \
      atomicAdd(bad, 1);                         \
      if (i == 0) printf("line %d\n", __LINE__); \
    }                                            \
  } while (0)
__global__ void k(float *f, int *cnt, int *bad) {
  int i = threadIdx.x;
  __shared__ float sm[32];
  BAD(lane_id() == (i & 31));
  BAD(lt() == (1u << i) - 1);
  BAD(ge() == ~((1u << i) - 1));
  BAD(bfe(0xabcd1234, 8, 8) == 0x12);
  BAD(bfi(0, 0xff, 4, 8) == 0xff0);
  BAD(prmt(0x03020100, 0x07060504, 0x5410) == 0x05040100);
  BAD(globaltimer() > 0);
  BAD(smid() < 132);
  BAD(warpid() < 64);
  BAD(ldcg(f + i) == i);
  BAD(ldnc(f + i) == i);
  float4 v = ld4((float4 *)f);
  BAD(v.x == 0 && v.w == 3);
  stcs(f + 64 + i, i * 2.f);
  BAD(f[64 + i] == i * 2.f);
  if (i == 0) st4((float4 *)(f + 128), v);
  red(cnt, 1);
  atom(cnt + 1, 2);
  BAD(madwide(0xffffffffu, 2, 5) == 0x1fffffffeull + 5);
  BAD(mulhi(0xffffffffu, 16) == 15);
  uint32_t a[4] = {0xffffffffu, 0xffffffffu, 0, 1}, b[4] = {1, 0, 0, 1}, r[4];
  add128(r, a, b);
  BAD(r[0] == 0 && r[1] == 0 && r[2] == 1 && r[3] == 2);
  BAD(shfl(i * 3, 5) == 15);
  BAD(vote(i & 1) == 0xaaaaaaaau);
  BAD(popc(0xff0) == 8);
  BAD(clz(1) == 31);
  BAD(brev(1) == 0x80000000u);
  BAD(lop3(1, 2, 4) == 7);
  BAD(shf(0x80000000u, 1, 1) == 3);
  BAD(ex2(3) == 8);
  BAD(rsq(4) == 0.5f);
  BAD(fma_(2, 3, 4) == 10);
  sm[i] = 1;
  BAD(pack(1, 2) == 0x200000001ull);
  uint32_t lo, hi;
  unpack(0x300000004ull, lo, hi);
  BAD(lo == 4 && hi == 3);
  BAD(dp4a(0x01010101, 0x02020202, 1) == 9);
  BAD(vabs(3, 5, 1) == 3);
  asm volatile("bar.sync 0;");
  asm volatile("membar.gl;");
  asm volatile("membar.cta;" ::: "memory");
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  asm volatile("" ::: "memory");
  __asm__ __volatile__("bar.warp.sync 0xffffffff;");
  BAD(ldvol(cnt) == 32);
  BAD(ldacq(cnt) == 32);
  strel(cnt + 2, 7);
  asm("prefetch.global.L2 [%0];" ::"l"(f));
  asm volatile("nanosleep.u32 20;");
  (void)smem_u32;
}
int main() {
  float *f;
  int *c;
  cudaMallocManaged(&f, 1024);
  cudaMallocManaged(&c, 16);
  for (int i = 0; i < 64; i++) f[i] = i;
  c[0] = c[1] = c[2] = c[3] = 0;
  k<<<1, 32>>>(f, c, c + 3);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  printf("%d %d %d %d\n", c[0], c[1], c[2], c[3]);
  bool ok = c[0] == 32 && c[1] == 64 && c[3] == 0 && f[131] == 3;
  puts(ok ? "PASSED" : "FAILED");
  cudaFree(f); cudaFree(c);
  return !ok;
}
