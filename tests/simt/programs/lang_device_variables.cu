// Device variables: constexpr tables, inline, static in namespaces, classes with constant members, structs, atomics on them.
// expect: pass
// flags: -std=c++17
#include <cstdio>

__device__ __constant__ int both_words = 3;
__constant__ __device__ int swapped_words = 4;
static __constant__ float gauss[5] = {1, 4, 6, 4, 1};
static constexpr __device__ int powers[] = {1, 2, 4, 8, 16};
constexpr __constant__ double halves[] = {0.5, 0.25, 0.125};
static inline __device__ int inlined = 6;
__device__ const float kPi = 3.25f;
constexpr float kHost = 1.5f;
const int kCount = 5;
static const double kDouble = 2.5;
enum { kEnum = 7 };

struct Material {
  float colour[3];
  int kind;
};
__constant__ Material materials[2] = {{{1, 0, 0}, 1}, {{0, 1, 0.5f}, 2}};
__device__ Material *current = nullptr;
__device__ struct { int hits, misses; } statistics;
__device__ int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ volatile int flag = 1;
__device__ unsigned int histogram[16];
__device__ float3 origin = {1.0f, 2.0f, 3.0f};
__constant__ dim3 shape;

template <class T> struct Limits { static constexpr T top = T(100); };
template <int N> __device__ int table_of[N];

namespace ns {
static __device__ int hidden = 11;
__device__ int &reference() { return hidden; }
} // namespace ns

__global__ void use(float *out) {
  int i = threadIdx.x;
  atomicAdd(&histogram[i % 16], 1u);
  atomicAdd(&statistics.hits, 1);
  if (i == 0 && blockIdx.x == 0) {
    out[0] = both_words + swapped_words + gauss[2] + powers[3] + (float)halves[1];
    out[1] = inlined + kPi + kHost + kCount + (float)kDouble + kEnum;
    out[2] = materials[1].colour[2] + materials[1].kind;
    current = (Material *)&materials[0];
    out[3] = current->colour[0] + matrix[1][2] + flag + origin.z;
    out[4] = Limits<float>::top + ns::reference() + shape.y;
    ns::reference() = 12;
    table_of<4>[2] = 9;
    out[5] = table_of<4>[2];
  }
}

int main() {
  float *out;
  dim3 s(1, 20, 1);
  cudaMallocManaged(&out, 6 * sizeof(float));
  cudaMemcpyToSymbol(shape, &s, sizeof s);
  Material m[2];
  cudaMemcpyFromSymbol(m, materials, sizeof m);
  use<<<2, 32>>>(out);
  cudaDeviceSynchronize();
  int bad = m[1].kind != 2, hits, hidden;
  const float want[] = {
      3 + 4 + 6 + 8 + 0.25f, 6 + 3.25f + 1.5f + 5 + 2.5f + 7, 2.5f, 1 + 6 + 1 + 3, 0, 9};
  for (int i = 0; i < 6; i++)
    if (i != 4 && out[i] != want[i]) printf("%d: %f, not %f\n", i, out[i], want[i]), bad++;
  bad += out[4] != 131.0f;
  cudaFree(out);
  unsigned h[16];
  cudaMemcpyFromSymbol(h, histogram, sizeof h);
  for (unsigned v : h) bad += v != 4;
  cudaMemcpyFromSymbol(&hits, statistics, sizeof hits);
  cudaMemcpyFromSymbol(&hidden, ns::hidden, sizeof hidden);
  bad += hits != 64 || hidden != 12 || kCount != 5;
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}
