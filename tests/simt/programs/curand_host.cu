// cuRAND's host API: moments of every distribution, repeatability by seed and offset, the
// generators for host memory, and the errors.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <curand.h>
#include <vector>

static int bad;
static void check(bool ok, const char *what) {
  if (ok) return;
  ++bad;
  printf("not so: %s\n", what);
}
#define CHECK(condition) check(condition, #condition)

template <class T> static void moments(const T *device, size_t n, double *mean, double *variance) {
  std::vector<T> v(n);
  CHECK(cudaMemcpy(v.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < n; ++i) sum += static_cast<double>(v[i]);
  *mean = sum / n;
  for (size_t i = 0; i < n; ++i) squares += (v[i] - *mean) * (v[i] - *mean);
  *variance = squares / n;
}

static void distributions(curandRngType_t type) {
  const size_t n = 1 << 18;
  curandGenerator_t g;
  void *memory;
  CHECK(cudaMalloc(&memory, n * sizeof(double)) == cudaSuccess);
  float *f = static_cast<float *>(memory);
  double *d = static_cast<double *>(memory), mean, variance;
  unsigned *u = static_cast<unsigned *>(memory);
  CHECK(curandCreateGenerator(&g, type) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetPseudoRandomGeneratorSeed(g, 1234ull) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateUniform(g, f, n) == CURAND_STATUS_SUCCESS);
  moments(f, n, &mean, &variance);
  CHECK(fabs(mean - 0.5) < 0.004 && fabs(variance - 1 / 12.0) < 0.001);
  CHECK(curandGenerateUniformDouble(g, d, n) == CURAND_STATUS_SUCCESS);
  moments(d, n, &mean, &variance);
  CHECK(fabs(mean - 0.5) < 0.004 && fabs(variance - 1 / 12.0) < 0.001);
  CHECK(curandGenerateNormal(g, f, n, 2.0f, 3.0f) == CURAND_STATUS_SUCCESS);
  moments(f, n, &mean, &variance);
  CHECK(fabs(mean - 2) < 0.04 && fabs(variance - 9) < 0.16);
  CHECK(curandGenerateNormalDouble(g, d, n, -1.0, 0.5) == CURAND_STATUS_SUCCESS);
  moments(d, n, &mean, &variance);
  CHECK(fabs(mean + 1) < 0.006 && fabs(variance - 0.25) < 0.005);
  CHECK(curandGenerateLogNormal(g, f, n, 0.0f, 0.5f) == CURAND_STATUS_SUCCESS);
  moments(f, n, &mean, &variance);
  CHECK(fabs(mean - exp(0.125)) < 0.008);
  CHECK(curandGeneratePoisson(g, u, n, 7.5) == CURAND_STATUS_SUCCESS);
  moments(u, n, &mean, &variance);
  CHECK(fabs(mean - 7.5) < 0.035 && fabs(variance - 7.5) < 0.14);
  CHECK(curandGeneratePoisson(g, u, n, 200.0) == CURAND_STATUS_SUCCESS);
  moments(u, n, &mean, &variance);
  CHECK(fabs(mean - 200) < 0.2 && fabs(variance - 200) < 3.5);
  CHECK(curandGenerate(g, u, n) == CURAND_STATUS_SUCCESS);
  moments(u, n, &mean, &variance);
  CHECK(fabs(mean / 4294967296.0 - 0.5) < 0.004);
  CHECK(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS);
  cudaFree(memory);
}

static void repeatability() {
  const size_t n = 1000;
  float a[n], b[n];
  curandGenerator_t g;
  CHECK(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetPseudoRandomGeneratorSeed(g, 99) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateUniform(g, a, n) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetPseudoRandomGeneratorSeed(g, 99) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetGeneratorOffset(g, 0) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateUniform(g, b, n) == CURAND_STATUS_SUCCESS);
  bool same = true;
  for (size_t i = 0; i < n; ++i) same = same && a[i] == b[i];
  CHECK(same);
  CHECK(curandSetPseudoRandomGeneratorSeed(g, 100) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerateUniform(g, b, n) == CURAND_STATUS_SUCCESS);
  int equal = 0;
  for (size_t i = 0; i < n; ++i) equal += a[i] == b[i];
  CHECK(equal < 5);
  CHECK(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS);
}

static void errors() {
  curandGenerator_t g;
  float *f;
  int version = 0;
  CHECK(curandGetVersion(&version) == CURAND_STATUS_SUCCESS && version == CURAND_VERSION);
  CHECK(curandCreateGenerator(&g, static_cast<curandRngType_t>(7)) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
  CHECK(cudaMalloc(&f, 16) == cudaSuccess);
  CHECK(curandGenerateNormal(g, f, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(curandGenerateNormal(g, f, 4, 0, 1) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS);
  cudaFree(f);
}

int main() {
  distributions(CURAND_RNG_PSEUDO_DEFAULT);
  distributions(CURAND_RNG_PSEUDO_MRG32K3A);
  distributions(CURAND_RNG_PSEUDO_MT19937);
  distributions(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  repeatability();
  errors();
  puts(bad ? "FAILED" : "PASSED");
  return bad != 0;
}
