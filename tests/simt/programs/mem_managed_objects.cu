// Managed base class, kernels by reference, pointer and value, deep copies, tables of device pointers.
// expect: pass
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
class Managed {
public:
  void *operator new(size_t len) {
    void *p;
    cudaMallocManaged(&p, len);
    cudaDeviceSynchronize();
    return p;
  }
  void *operator new[](size_t len) {
    void *p;
    cudaMallocManaged(&p, len);
    return p;
  }
  void operator delete(void *p) {
    cudaDeviceSynchronize();
    cudaFree(p);
  }
  void operator delete[](void *p) { cudaFree(p); }
};
struct String : public Managed {
  int length;
  char *data;
  String() : length(0), data(0) {}
  String(const char *s) : length(strlen(s)) {
    cudaMallocManaged(&data, length + 1);
    strcpy(data, s);
  }
  String(const String &s) : length(s.length) {
    cudaMallocManaged(&data, length + 1);
    strcpy(data, s.data);
  }
  ~String() { cudaFree(data); }
  __host__ __device__ char &operator[](int i) { return data[i]; }
};
struct Elem : public Managed {
  String name;
  int value;
  Elem(const char *n, int v) : name(n), value(v) {}
};
__global__ void byref(Elem &e) {
  e.name[0] = 'X';
  e.value++;
}
__global__ void byptr(Elem *e) { e->value += 10; }
__global__ void byval(Elem e) {
  e.name[1] = 'Y';
  e.value = 99;
}
struct Tree {
  int v;
  Tree *l, *r;
};
__device__ int sumt(const Tree *t) { return t ? t->v + sumt(t->l) + sumt(t->r) : 0; }
__global__ void ts(Tree *t, int *o) { *o = sumt(t); }
__global__ void rows(float **a, int n, int m) {
  int i = threadIdx.x;
  if (i < n)
    for (int j = 0; j < m; j++) a[i][j] = i * m + j;
}
struct Deep {
  int n;
  float *p;
  struct Inner {
    int *q;
  } in;
};
__global__ void deep(Deep *d) {
  int i = threadIdx.x;
  if (i < d->n) d->p[i] *= d->in.q[0];
}
__constant__ float *cptr;
__device__ int *gptr;
__global__ void useptr() {
  cptr[threadIdx.x] = 1;
  gptr[threadIdx.x] = 2;
}
__global__ void arr3(int (*a)[4][5]) { a[blockIdx.x][threadIdx.y][threadIdx.x] = 1; }
__global__ void chars(char *s, int n) {
  int i = threadIdx.x;
  if (i < n && s[i] >= 'a' && s[i] <= 'z') s[i] -= 'a' - 'A';
}
__global__ void boolk(const bool *b, unsigned long long *o) {
  if (b[threadIdx.x]) atomicAdd(o, 1ULL);
}
int main() {
  int bad = 0;
  Elem *e = new Elem("abc", 1);
  byref<<<1, 1>>>(*e);
  cudaDeviceSynchronize();
  byptr<<<1, 1>>>(e);
  cudaDeviceSynchronize();
  byval<<<1, 1>>>(*e);
  cudaDeviceSynchronize();
  if (e->value != 12 || strcmp(e->name.data, "Xbc"))
    bad++, printf("e %d %s\n", e->value, e->name.data);
  delete e;
  cudaGetLastError();
  Tree *t;
  cudaMallocManaged(&t, 7 * sizeof(Tree));
  for (int i = 0; i < 7; i++)
    t[i] = {i, 2 * i + 1 < 7 ? t + 2 * i + 1 : nullptr, 2 * i + 2 < 7 ? t + 2 * i + 2 : nullptr};
  int *o;
  cudaMallocManaged(&o, 4);
  ts<<<1, 1>>>(t, o);
  cudaDeviceSynchronize();
  if (*o != 21) bad++;
  const int n = 5, m = 7;
  float **da, *ha[n];
  for (int i = 0; i < n; i++) cudaMalloc((void **)&ha[i], m * sizeof(float));
  cudaMalloc((void ***)&da, n * sizeof(float *));
  cudaMemcpy(da, ha, n * sizeof(float *), cudaMemcpyHostToDevice);
  rows<<<1, 32>>>(da, n, m);
  float row[m];
  cudaMemcpy(row, ha[4], m * 4, cudaMemcpyDeviceToHost);
  if (row[6] != 34) bad++;
  Deep hd, *dd;
  hd.n = 4;
  cudaMalloc(&hd.p, 16);
  cudaMalloc(&hd.in.q, 4);
  float f[4] = {1, 2, 3, 4};
  int q = 3;
  cudaMemcpy(hd.p, f, 16, cudaMemcpyHostToDevice);
  cudaMemcpy(hd.in.q, &q, 4, cudaMemcpyHostToDevice);
  cudaMalloc(&dd, sizeof(Deep));
  cudaMemcpy(dd, &hd, sizeof hd, cudaMemcpyHostToDevice);
  deep<<<1, 32>>>(dd);
  cudaMemcpy(f, hd.p, 16, cudaMemcpyDeviceToHost);
  if (f[3] != 12) bad++;
  float *tmp;
  int *ti;
  cudaMalloc(&tmp, 128);
  cudaMalloc(&ti, 128);
  cudaMemcpyToSymbol(cptr, &tmp, sizeof(tmp));
  cudaMemcpyToSymbol(gptr, &ti, sizeof(int *));
  useptr<<<1, 32>>>();
  int hi[32];
  cudaMemcpy(hi, ti, 128, cudaMemcpyDeviceToHost);
  if (hi[31] != 2) bad++;
  int(*a3)[4][5];
  cudaMallocManaged((void **)&a3, sizeof(int) * 3 * 4 * 5);
  arr3<<<3, dim3(5, 4)>>>(a3);
  cudaDeviceSynchronize();
  if (a3[2][3][4] != 1) bad++;
  char *s;
  cudaMallocManaged(&s, 16);
  strcpy(s, "hello World");
  chars<<<1, 16>>>(s, 11);
  cudaDeviceSynchronize();
  if (strcmp(s, "HELLO WORLD")) bad++;
  bool *b;
  cudaMallocManaged(&b, 32);
  for (int i = 0; i < 32; i++) b[i] = i % 2;
  unsigned long long *u;
  cudaMallocManaged(&u, 8);
  *u = 0;
  boolk<<<1, 32>>>(b, u);
  cudaDeviceSynchronize();
  if (*u != 16) bad++;
  if (cudaGetLastError()) bad++, puts("err");
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(t); cudaFree(o); cudaFree(da);
  for (auto p : ha) cudaFree(p);
  cudaFree(hd.p); cudaFree(hd.in.q); cudaFree(dd);
  cudaFree(tmp); cudaFree(ti); cudaFree(a3); cudaFree(s); cudaFree(b); cudaFree(u);
  return bad;
}
