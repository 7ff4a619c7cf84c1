// Inline PTX on shared addresses of 32 bits, asynchronous copies, carries, conversions, shuffles with predicates.
// expect: pass
#include <cstdint>
#include <cstdio>
__device__ __forceinline__ uint32_t cvta_shared(const void *ptr) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(ptr));
}
__device__ __forceinline__ void cp_async16(void *s, const void *g) {
  uint32_t a = cvta_shared(s);
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(a), "l"(g), "n"(16));
}
__device__ void commit() { asm volatile("cp.async.commit_group;\n" ::); }
__device__ void waitall() { asm volatile("cp.async.wait_group %0;\n" ::"n"(0)); }
__device__ __forceinline__ uint32_t rotl(uint32_t x, int n) {
  uint32_t r;
  asm("shf.l.wrap.b32 %0, %1, %1, %2;" : "=r"(r) : "r"(x), "r"(n));
  return r;
}
__device__ int isShared(void *p) {
  int r;
  asm("{ .reg .pred p; isspacep.shared p, %1; selp.s32 %0, 1, 0, p; }" : "=r"(r) : "l"(p));
  return r;
}
__device__ uint32_t ldsh(uint32_t a) {
  uint32_t v;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(a));
  return v;
}
__device__ void stsh(uint32_t a, uint32_t v) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(a), "r"(v));
}
__device__ uint64_t mul128hi(uint64_t a, uint64_t b) {
  uint64_t r;
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  return r;
}
__device__ void add256(uint64_t *r, const uint64_t *a, const uint64_t *b) {
  asm volatile("add.cc.u64 %0, %1, %2;" : "=l"(r[0]) : "l"(a[0]), "l"(b[0]));
  asm volatile("addc.cc.u64 %0, %1, %2;" : "=l"(r[1]) : "l"(a[1]), "l"(b[1]));
  asm volatile("addc.u64 %0, %1, %2;" : "=l"(r[2]) : "l"(a[2]), "l"(b[2]));
}
__device__ void sub(uint32_t *r, const uint32_t *a, const uint32_t *b) {
  asm("sub.cc.u32 %0, %2, %4; subc.u32 %1, %3, %5;"
      : "=r"(r[0]), "=r"(r[1])
      : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
}
__device__ uint64_t madcc(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t r;
  asm("mad.lo.cc.u64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "l"(b), "l"(c));
  return r;
}
__device__ float maxabs(float a) {
  float r;
  asm("abs.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
__device__ int vset(int a, int b) {
  int r;
  asm("{\n\t.reg .pred p;\n\tsetp.lt.s32 p, %1, %2;\n\tselp.b32 %0, %1, %2, p;\n\t}"
      : "=r"(r)
      : "r"(a), "r"(b));
  return r;
}
__device__ int f2i(float f) {
  int i;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(i) : "f"(f));
  return i;
}
__device__ double ddiv(double a, double b) {
  double r;
  asm("div.rn.f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b));
  return r;
}
__device__ float sn(float a) {
  float r;
  asm("sin.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
__device__ unsigned actmask() {
  unsigned r;
  asm volatile("activemask.b32 %0;" : "=r"(r));
  return r;
}
__device__ unsigned elect() {
  unsigned m;
  asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(m));
  return m;
}
__device__ uint4 ldg128(const void *p) {
  uint4 v;
  asm volatile("ld.global.cs.v4.u32 {%0,%1,%2,%3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p));
  return v;
}
__device__ int atomcas(int *p, int c, int v) {
  int o;
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
               : "=r"(o)
               : "l"(p), "r"(c), "r"(v)
               : "memory");
  return o;
}
__device__ float atomf(float *p, float v) {
  float o;
  asm volatile("atom.add.f32 %0, [%1], %2;" : "=f"(o) : "l"(p), "f"(v));
  return o;
}
__device__ int bfind(unsigned v) {
  int r;
  asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(v));
  return r;
}
__device__ int vmax4(int a, int b) {
  int r;
  asm("max.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ unsigned nid() {
  unsigned r;
  asm("mov.u32 %0, %%ntid.x;" : "=r"(r));
  unsigned t;
  asm("mov.u32 %0, %%tid.x;" : "=r"(t));
  unsigned c;
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(c));
  return r + 0 * t + c;
}
__device__ unsigned clk() {
  unsigned r;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(r));
  unsigned long long q;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(q));
  return r;
}
__device__ unsigned shfl_up(unsigned v, int d) {
  unsigned r;
  asm volatile("{ .reg .u32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, %2, 0, -1; @p add.u32 r0, "
               "r0, %1; mov.u32 %0, r0; }"
               : "=r"(r)
               : "r"(v), "r"(d));
  return r;
}
#define BAD(c)                                             \
  do {                                                     \
    if (!(c)) {                                            \
      atomicAdd(bad, 1);                                   \
      if (i == 0 || i == 7) printf("line %d\n", __LINE__); \
    }                                                      \
  } while (0)
__global__ void k(int *g, int *bad) {
  int i = threadIdx.x;
  __shared__ __align__(16) int s[256];
  cp_async16(&s[i * 4], g + i * 4);
  commit();
  waitall();
  __syncthreads();
  BAD(s[i] == i);
  BAD(rotl(0x80000001u, 1) == 3);
  BAD(isShared(s));
  BAD(!isShared(g));
  uint32_t a = cvta_shared(&s[i]);
  BAD(ldsh(a) == i);
  __syncthreads();
  stsh(a, i + 1);
  BAD(s[i] == i + 1);
  BAD(mul128hi(~0ull, 2) == 1);
  uint64_t x[3] = {~0ull, ~0ull, 1}, y[3] = {1, 0, 0}, r[3];
  add256(r, x, y);
  BAD(r[0] == 0 && r[1] == 0 && r[2] == 2);
  uint32_t p[2] = {0, 1}, q[2] = {1, 0}, w[2];
  sub(w, p, q);
  BAD(w[0] == ~0u && w[1] == 0);
  BAD(madcc(2, 3, 4) == 10);
  BAD(maxabs(-2) == 2);
  BAD(vset(5, 3) == 3);
  BAD(f2i(2.5f) == 2);
  BAD(ddiv(1, 4) == .25);
  BAD(sn(0) == 0);
  BAD(actmask() == ~0u);
  BAD(elect() == 1u << i);
  BAD(ldg128(g).w == 3);
  BAD(bfind(0x100) == 8);
  BAD(vmax4(-1, 2) == 2);
  BAD(nid() == 32);
  clk();
  BAD(shfl_up(1, 1) == (i ? 2 : 1));
  int old = atomcas(g + 200, 0, i + 1);
  (void)old;
  atomf((float *)(g + 201), 1.f);
  asm volatile(
      "{ .reg .b64 t; cvta.to.global.u64 t, %0; st.global.u32 [t], %1; }" ::"l"(g + 210 + i),
      "r"(i));
  BAD(g[210 + i] == i);
}
int main() {
  int *g, *b;
  cudaMallocManaged(&g, 2048);
  cudaMallocManaged(&b, 4);
  for (int i = 0; i < 200; i++) g[i] = i;
  g[200] = g[201] = 0;
  *b = 0;
  k<<<1, 32>>>(g, b);
  cudaDeviceSynchronize();
  bool ok = *b == 0 && *(float *)(g + 201) == 32 && g[200] == 1;
  puts(ok ? "PASSED" : "FAILED");
  cudaFree(g); cudaFree(b);
  return !ok;
}
