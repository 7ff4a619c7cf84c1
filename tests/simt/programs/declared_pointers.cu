// Arrays of pointers are declared, not multiplied; objects of a class are.
// expect: pass
#include <cstdio>
struct P {
  float v;
  P() : v(0) {}
  P(float x) : v(x) {}
  P operator*(const P &o) const { return P(v * o.v); }
};
namespace ns {
struct Q {
  int n;
};
} // namespace ns
__global__ void k(int *out, const P *in) {
  int t = threadIdx.x;
  int x = t, y = 2;
  int *p[2] = {&x, &y};
  int *q[2];
  q[0] = &x;
  q[1] = p[1];
  const ns::Q *r[2];
  ns::Q own{3};
  r[1] = &own;
  P a(2.f);
  P s[2];
  s[0] = a * in[1];
  a = a * s[0];
  *p[0] += 5;
  out[t] = x + *q[1] + r[1]->n + (int)a.v;
}
int main() {
  int *o;
  P *in;
  cudaMallocManaged(&o, 256);
  cudaMallocManaged(&in, 64);
  in[1].v = 3;
  k<<<1, 64>>>(o, in);
  cudaDeviceSynchronize();
  printf("%s\n", o[3] == 25 ? "PASSED" : "FAILED");
  cudaFree(o);
  cudaFree(in);
}
