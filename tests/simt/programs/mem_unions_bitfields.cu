// Unions, bit-fields, packed structures, type punning and byte-wise copies in kernels.
// expect: pass
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

typedef union {
  float f;
  uint32_t u;
  struct {
    uint32_t mantissa : 23;
    uint32_t exponent : 8;
    uint32_t sign : 1;
  } parts;
} float_bits;

struct Flags {
  unsigned ready : 1;
  unsigned level : 3;
  signed delta : 4;
  unsigned : 0;
  unsigned id : 20;
};

#pragma pack(push, 1)
struct Record {
  char kind;
  int value;
  short extra;
};
#pragma pack(pop)
static_assert(sizeof(Record) == 7, "packed");

struct Variant {
  enum Kind : uint8_t { INT, FLOAT, BYTES } kind;
  union {
    int i;
    float f;
    unsigned char bytes[4];
  };
};

__global__ void decode(const float *in, uint32_t *exponent, bool *negative, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float_bits b;
  b.f = in[i];
  exponent[i] = b.parts.exponent;
  negative[i] = b.parts.sign;
}

__global__ void pack(Flags *f, Record *r, Variant *v) {
  int i = threadIdx.x;
  f[i].ready = i & 1;
  f[i].level = i;
  f[i].delta = i % 8 - 4;
  f[i].id = 1000 * i;
  r[i].kind = 'a' + i % 26;
  r[i].value = i * i;
  r[i].extra = -i;
  v[i].kind = static_cast<Variant::Kind>(i % 3);
  switch (v[i].kind) {
  case Variant::INT: v[i].i = i; break;
  case Variant::FLOAT: v[i].f = i * 0.5f; break;
  case Variant::BYTES:
    v[i].bytes[0] = v[i].bytes[1] = v[i].bytes[2] = v[i].bytes[3] = (unsigned char)i;
  }
}

int main() {
  const int n = 200;
  float h[n];
  for (int i = 0; i < n; i++) h[i] = (i % 2 ? -1.0f : 1.0f) * (1 + i) * 0.37f;
  float *d;
  uint32_t *e, he[n];
  bool *s, hs[n];
  cudaMalloc(&d, sizeof h), cudaMalloc(&e, sizeof he), cudaMalloc(&s, sizeof hs);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  decode<<<2, 128>>>(d, e, s, n);
  cudaMemcpy(he, e, sizeof he, cudaMemcpyDeviceToHost);
  cudaMemcpy(hs, s, sizeof hs, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < n; i++) {
    uint32_t u;
    memcpy(&u, &h[i], 4);
    bad += he[i] != ((u >> 23) & 255) || hs[i] != (h[i] < 0);
  }
  Flags *f;
  Record *r;
  Variant *v;
  cudaMallocManaged(&f, 100 * sizeof *f), cudaMallocManaged(&r, 100 * sizeof *r),
      cudaMallocManaged(&v, 100 * sizeof *v);
  pack<<<1, 100>>>(f, r, v);
  cudaDeviceSynchronize();
  for (int i = 0; i < 100; i++) {
    bad += f[i].ready != (i & 1) || f[i].level != (i & 7) || f[i].delta != i % 8 - 4 ||
           f[i].id != 1000u * i;
    bad += r[i].kind != 'a' + i % 26 || r[i].value != i * i || r[i].extra != -i;
    if (v[i].kind == Variant::FLOAT) bad += v[i].f != i * 0.5f;
    if (v[i].kind == Variant::BYTES) bad += v[i].i != i * 0x01010101;
  }
  cudaFree(d), cudaFree(e), cudaFree(s), cudaFree(f), cudaFree(r), cudaFree(v);
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}
