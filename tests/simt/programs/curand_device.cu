// cuRAND's device API: Philox against published values, sequences and skips for all three
// engines, moments of every distribution.
#include <cmath>
#include <cstdio>
#include <curand_kernel.h>

__device__ int failures;

#define CHECK(condition) note(condition, #condition)
__device__ void note(bool ok, const char *what) {
  if (ok) return;
  atomicAdd(&failures, 1);
  printf("not so: %s\n", what);
}

// Salmon et al.'s known answer for a zero key and counter, and what follows from the counter.
__global__ void philox() {
  curandStatePhilox4_32_10_t s;
  curand_init(0, 0, 0, &s);
  const uint4 first = curand4(&s);
  CHECK(first.x == 0x6627e8d5u && first.y == 0xe169c58du);
  CHECK(first.z == 0xbc57ac4cu && first.w == 0x9b00dbd8u);
  curand_init(0, 0, 1, &s);
  CHECK(curand(&s) == first.y && curand(&s) == first.z && curand(&s) == first.w);
  const unsigned fifth = curand(&s);
  curand_init(0, 0, 4, &s);
  CHECK(curand(&s) == fifth);
  curand_init(7, 3, 9, &s);
  CHECK(curand_uniform(&s) > 0);
}

template <class State> __global__ void sequences() {
  State a, b, c;
  curand_init(1234, 5, 0, &a);
  curand_init(1234, 5, 1001, &b);
  for (int i = 0; i < 1001; ++i) curand(&a);
  const unsigned x = curand(&a);
  CHECK(x == curand(&b));
  curand_init(1234, 5, 2, &c);
  skipahead(1000ull, &c);
  const unsigned y = curand(&a);
  CHECK(y == curand(&c));
  State d, e;
  curand_init(1234, 6, 0, &d);
  curand_init(1235, 5, 0, &e);
  curand_init(1234, 5, 0, &a);
  int equal = 0;
  for (int i = 0; i < 64; ++i) {
    const unsigned p = curand(&a), q = curand(&d), r = curand(&e);
    equal += p == q || p == r || q == r;
  }
  CHECK(equal == 0);
}

enum { THREADS = 4096, DRAWS = 256, SUMS = 10 };

template <class State> __global__ void draw(double *sums) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  State s;
  curand_init(42, i, 0, &s);
  double t[SUMS] = {0};
  for (int k = 0; k < DRAWS; ++k) {
    const double u = curand_uniform(&s), v = curand_uniform_double(&s), n = curand_normal(&s);
    const double m = curand_normal_double(&s), l = curand_log_normal(&s, 0.5f, 0.25f);
    const double few = curand_poisson(&s, 3.5), many = curand_poisson(&s, 120.0);
    CHECK(u > 0 && u <= 1 && v > 0 && v <= 1);
    t[0] += u, t[1] += u * u, t[2] += v, t[3] += n, t[4] += n * n, t[5] += m * m, t[6] += l;
    t[7] += few, t[8] += many, t[9] += (many - 120) * (many - 120);
  }
  for (int k = 0; k < SUMS; ++k) atomicAdd(sums + k, t[k]);
}

// Within six standard errors for about a million draws.
template <class State> int check_moments(const char *name) {
  const double want[SUMS] = {0.5, 1 / 3.0, 0.5, 0, 1, 1, exp(0.5 + 0.03125), 3.5, 120, 120};
  const double error[SUMS] = {0.29, 0.3, 0.29, 1, 1.42, 1.42, 0.44, 1.88, 11, 171};
  double *device, sums[SUMS];
  cudaMalloc(&device, sizeof sums);
  cudaMemset(device, 0, sizeof sums);
  draw<State><<<THREADS / 128, 128>>>(device);
  if (cudaMemcpy(sums, device, sizeof sums, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  cudaFree(device);
  const double n = double(THREADS) * DRAWS;
  int bad = 0;
  for (int k = 0; k < SUMS; ++k)
    if (fabs(sums[k] / n - want[k]) > 6 * error[k] / sqrt(n)) {
      ++bad;
      printf("%s, moment %d: %.6f, not %.6f\n", name, k, sums[k] / n, want[k]);
    }
  return bad;
}

__global__ void four_at_a_time() {
  curandStatePhilox4_32_10_t s, t;
  curand_init(9, 1, 2, &s);
  curand_init(9, 1, 2, &t);
  const float4 u = curand_uniform4(&s);
  CHECK(u.x == curand_uniform(&t) && u.y == curand_uniform(&t));
  CHECK(u.z == curand_uniform(&t) && u.w == curand_uniform(&t));
  const float4 n = curand_normal4(&s);
  const float2 p = curand_normal2(&t), q = curand_normal2(&t);
  CHECK(n.x == p.x && n.y == p.y && n.z == q.x && n.w == q.y);
  const double2 d = curand_uniform2_double(&s);
  CHECK(d.x > 0 && d.x <= 1 && d.y > 0 && d.y <= 1 && d.x != d.y);
  const uint4 k = curand_poisson4(&s, 5.0);
  CHECK(k.x < 40 && k.y < 40 && k.z < 40 && k.w < 40);
}

int main() {
  philox<<<1, 1>>>();
  four_at_a_time<<<1, 1>>>();
  sequences<curandState><<<1, 1>>>();
  sequences<curandStatePhilox4_32_10_t><<<1, 1>>>();
  sequences<curandStateMRG32k3a_t><<<1, 1>>>();
  int bad = check_moments<curandState>("XORWOW");
  bad += check_moments<curandStatePhilox4_32_10_t>("Philox");
  bad += check_moments<curandStateMRG32k3a_t>("MRG32k3a");
  int noted = -1;
  if (cudaMemcpyFromSymbol(&noted, failures, sizeof noted) != cudaSuccess) return 1;
  bad += noted;
  puts(bad ? "FAILED" : "PASSED");
  return bad != 0;
}
