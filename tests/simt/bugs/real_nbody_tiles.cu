// find: race shared read/write barrier|syncwarp
// N bodies in tiles of shared memory: the next tile is loaded while others still use the last one.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

const float SOFTENING = 1e-2f;

struct Body {
  float4 position; // w: mass
  float4 velocity;
};

__device__ float3 interact(float3 acceleration, float4 a, float4 b) {
  float3 r;
  r.x = b.x - a.x;
  r.y = b.y - a.y;
  r.z = b.z - a.z;
  float d2 = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
  float inverse = rsqrtf(d2);
  float s = b.w * inverse * inverse * inverse;
  acceleration.x += r.x * s;
  acceleration.y += r.y * s;
  acceleration.z += r.z * s;
  return acceleration;
}

__global__ void accelerate(const float4 *position, float3 *acceleration, int n) {
  extern __shared__ float4 tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 mine = position[i];
  float3 sum = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += blockDim.x) {
    tile[threadIdx.x] = position[first + threadIdx.x]; // BUG
    __syncthreads();
    for (unsigned k = 0; k < blockDim.x; k++) {
      float4 other = tile[k]; // BUG
      sum = interact(sum, mine, other);
    }
#ifdef FIXED
    __syncthreads();
#endif
  }
  acceleration[i] = sum;
}

__global__ void advance(float4 *position, float3 *velocity, const float3 *acceleration, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  velocity[i].x += acceleration[i].x * dt;
  velocity[i].y += acceleration[i].y * dt;
  velocity[i].z += acceleration[i].z * dt;
  position[i].x += velocity[i].x * dt;
  position[i].y += velocity[i].y * dt;
  position[i].z += velocity[i].z * dt;
}

int main(int argc, char **argv) {
  const int block = 64, n = argc > 1 ? atoi(argv[1]) / block * block : 192, steps = 2;
  std::vector<float4> h(n);
  for (int i = 0; i < n; i++)
    h[i] = make_float4(cosf(i * 0.7f), sinf(i * 0.3f), 0.01f * i, 1.0f / n);
  float4 *position;
  float3 *velocity, *acceleration;
  cudaMalloc(&position, n * sizeof(float4));
  cudaMalloc(&velocity, n * sizeof(float3));
  cudaMalloc(&acceleration, n * sizeof(float3));
  cudaMemcpy(position, h.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
  cudaMemset(velocity, 0, n * sizeof(float3));
  for (int step = 0; step < steps; step++) {
    accelerate<<<n / block, block, block * sizeof(float4)>>>(position, acceleration, n);
    advance<<<n / block, block>>>(position, velocity, acceleration, 0.01f);
  }
  cudaError_t e = cudaDeviceSynchronize();
  cudaMemcpy(h.data(), position, n * sizeof(float4), cudaMemcpyDeviceToHost);
  double x = 0;
  for (const float4 &p : h) x += p.x * p.w;
  printf("centre of mass %.6f, %s\n", x, cudaGetErrorString(e));
  cudaFree(position);
  cudaFree(velocity);
  cudaFree(acceleration);
  return 0;
}
