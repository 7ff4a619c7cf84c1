// All-pairs n-body with float4 bodies and shared-memory tiles against a serial run.
// expect: pass
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define EPSILON 1e-3f
#define BLOCK 64

typedef struct {
  float4 *pos, *vel;
} Bodies;

__host__ __device__ inline float3 pull(float3 ai, float4 bi, float4 bj) {
  float3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  float d2 = r.x * r.x + r.y * r.y + r.z * r.z + EPSILON;
  float inv = 1.0f / sqrtf(d2);
  float s = bj.w * inv * inv * inv;
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  return ai;
}

__device__ float3 sum_tile(float4 me, float3 a) {
  extern __shared__ float4 tile[];
#pragma unroll 8
  for (int i = 0; i < BLOCK; i++) a = pull(a, me, tile[i]);
  return a;
}

__global__ void forces(const float4 *__restrict__ x, float3 *acc, int n) {
  extern __shared__ float4 tile[];
  int me_id = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = x[me_id];
  float3 a = {0.0f, 0.0f, 0.0f};
  for (int i = 0, step = 0; i < n; i += BLOCK, step++) {
    tile[threadIdx.x] = x[step * blockDim.x + threadIdx.x];
    __syncthreads();
    a = sum_tile(me, a);
    __syncthreads();
  }
  acc[me_id] = a;
}

__global__ void integrate(Bodies p, const float3 *acc, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = p.vel[i], x = p.pos[i];
  v.x += dt * acc[i].x, v.y += dt * acc[i].y, v.z += dt * acc[i].z;
  x.x += dt * v.x, x.y += dt * v.y, x.z += dt * v.z;
  p.vel[i] = v;
  p.pos[i] = x;
}

int main() {
  const int n = 4 * BLOCK, steps = 3;
  std::vector<float4> pos(n), vel(n), got(n);
  srand(7);
  for (int i = 0; i < n; ++i) {
    pos[i] = make_float4(rand() / (float)RAND_MAX - .5f, rand() / (float)RAND_MAX - .5f,
                         rand() / (float)RAND_MAX - .5f, 1.0f / n);
    vel[i] = make_float4(0, 0, 0, 0);
  }
  Bodies d;
  float3 *acc;
  cudaMalloc(&d.pos, n * sizeof(float4));
  cudaMalloc(&d.vel, n * sizeof(float4));
  cudaMalloc(&acc, n * sizeof(float3));
  cudaMemcpy(d.pos, pos.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
  cudaMemcpy(d.vel, vel.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
  for (int s = 0; s < steps; ++s) {
    forces<<<n / BLOCK, BLOCK, BLOCK * sizeof(float4)>>>(d.pos, acc, n);
    integrate<<<n / BLOCK, BLOCK>>>(d, acc, 0.01f);
  }
  cudaMemcpy(got.data(), d.pos, n * sizeof(float4), cudaMemcpyDeviceToHost);

  std::vector<float3> a(n);
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < n; ++i) {
      a[i] = make_float3(0, 0, 0);
      for (int j = 0; j < n; ++j) a[i] = pull(a[i], pos[i], pos[j]);
    }
    for (int i = 0; i < n; ++i) {
      vel[i].x += 0.01f * a[i].x, vel[i].y += 0.01f * a[i].y, vel[i].z += 0.01f * a[i].z;
      pos[i].x += 0.01f * vel[i].x, pos[i].y += 0.01f * vel[i].y, pos[i].z += 0.01f * vel[i].z;
    }
  }
  float worst = 0;
  for (int i = 0; i < n; ++i)
    worst = fmaxf(worst, fabsf(got[i].x - pos[i].x) + fabsf(got[i].y - pos[i].y) +
                             fabsf(got[i].z - pos[i].z));
  printf("worst %g -> %s\n", worst, worst < 1e-4f ? "PASSED" : "FAILED");
  cudaFree(d.pos); cudaFree(d.vel); cudaFree(acc);
  return worst < 1e-4f ? 0 : 1;
}
