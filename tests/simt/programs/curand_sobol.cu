// Sobol' sequences: known first points, a device walk with skips, an integral over a square by
// quasi-random points on the device, the host API's order of dimensions and its errors.
#include <cmath>
#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>

static int bad;
static void check(bool ok, const char *what) {
  if (ok) return;
  ++bad;
  printf("not so: %s\n", what);
}
#define CHECK(condition) check(condition, #condition)

enum { THREADS = 128, POINTS = 64 };

// Every thread takes POINTS points of its own stretch of the same sequence.
__global__ void integrate(curandDirectionVectors32_t *vectors, float *sums, unsigned *firsts) {
  const unsigned t = threadIdx.x;
  curandStateSobol32_t x, y;
  curand_init(vectors[0], t * POINTS, &x);
  curand_init(vectors[1], t * POINTS, &y);
  if (t == 0) {
    curandStateSobol32_t z = y;
    for (int i = 0; i < 4; ++i) firsts[i] = curand(&z);
    skipahead(12u, &z);
    firsts[4] = curand(&z);
  }
  float sum = 0;
  for (int i = 0; i < POINTS; ++i) {
    const float u = curand_uniform(&x), v = curand_uniform(&y);
    sum += u * v * v;
  }
  sums[t] = sum;
}

static void device_side() {
  curandDirectionVectors32_t *host_vectors, *vectors;
  CHECK(curandGetDirectionVectors32(&host_vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6) ==
        CURAND_STATUS_SUCCESS);
  float *device_sums, sums[THREADS];
  unsigned *device_firsts, firsts[5];
  cudaMalloc(&vectors, 2 * sizeof *vectors);
  cudaMalloc(&device_sums, sizeof sums);
  cudaMalloc(&device_firsts, sizeof firsts);
  cudaMemcpy(vectors, host_vectors, 2 * sizeof *vectors, cudaMemcpyHostToDevice);
  integrate<<<1, THREADS>>>(vectors, device_sums, device_firsts);
  cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost);
  CHECK(cudaMemcpy(firsts, device_firsts, sizeof firsts, cudaMemcpyDeviceToHost) == cudaSuccess);
  cudaFree(vectors);
  cudaFree(device_sums);
  cudaFree(device_firsts);
  double sum = 0;
  for (int t = 0; t < THREADS; ++t) sum += sums[t];
  // 8,192 points: a random sample would be off by 0.002.
  CHECK(fabs(sum / (THREADS * POINTS) - 1 / 6.0) < 2e-4);
  CHECK(firsts[0] == 0 && firsts[1] == 0x80000000u && firsts[2] == 0x40000000u);
  CHECK(firsts[3] == 0xc0000000u && firsts[4] == 0x78000000u); // point 16: v[3] ^ v[4]
}

static void host_side() {
  const int n = 4096;
  float *device, values[3 * n];
  curandGenerator_t g;
  CHECK(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetQuasiRandomGeneratorDimensions(g, 3) == CURAND_STATUS_SUCCESS);
  CHECK(cudaMalloc(&device, sizeof values) == cudaSuccess);
  CHECK(curandGenerateUniform(g, device, 3 * n) == CURAND_STATUS_SUCCESS);
  cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost);
  for (int d = 0; d < 3; ++d) {
    // Any 4,096 points from a multiple of 4,096 on hit each of 4,096 intervals once.
    static int hits[n];
    for (int i = 0; i < n; ++i) hits[i] = 0;
    bool once = true;
    for (int i = 0; i < n; ++i) {
      const int at = static_cast<int>(values[d * n + i] * n);
      if (at < 0 || at >= n || hits[at]++) once = false;
    }
    CHECK(once);
  }
  CHECK(values[1] == 0.5f && fabsf(values[n + 2] - 0.25f) < 1e-6f);
  CHECK(curandGenerateUniform(g, device, 3 * n + 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS);
  cudaFree(device);
}

int main() {
  device_side();
  host_side();
  puts(bad ? "FAILED" : "PASSED");
  return bad != 0;
}
