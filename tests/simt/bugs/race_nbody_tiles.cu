// find: race shared read/write barrier
// All bodies by tiles in shared memory: the next tile is loaded while slower warps use this one.
// Fixed: All bodies by tiles in shared memory, a barrier before and after the use of each tile.
#include <cstdio>
#include <cstdlib>
#include <vector>

static const int BLOCK = 64;

__device__ float3 interact(float3 acceleration, float4 me, float4 other) {
  const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
  const float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
  const float f = other.w * rsqrtf(d2 * d2 * d2);
  acceleration.x += dx * f;
  acceleration.y += dy * f;
  acceleration.z += dz * f;
  return acceleration;
}

__global__ void forces(const float4 *bodies, float4 *out, int n) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = bodies[i];
  float3 a = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += blockDim.x) {
    tile[threadIdx.x] = bodies[first + threadIdx.x]; // BUG
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) {
      const float4 other = tile[k]; // BUG
      a = interact(a, me, other);
    }
#ifdef FIXED
    __syncthreads();
#endif
  }
  const float4 result = {a.x, a.y, a.z, 0};
  out[i] = result;
}

int main() {
  const int n = 128;
  std::vector<float4> bodies(n);
  for (int i = 0; i < n; ++i) bodies[i] = {i % 7 * 1.0f, i % 5 * 1.0f, i % 3 * 1.0f, 1.0f};
  float4 *in, *out;
  cudaMalloc(&in, n * sizeof(float4));
  cudaMalloc(&out, n * sizeof(float4));
  cudaMemcpy(in, bodies.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
  forces<<<n / BLOCK, BLOCK, BLOCK * sizeof(float4)>>>(in, out, n);
  if (cudaGetLastError() != cudaSuccess) return EXIT_FAILURE;
  cudaMemcpy(bodies.data(), out, n * sizeof(float4), cudaMemcpyDeviceToHost);
  std::printf("%g %g\n", bodies[0].x, bodies[n - 1].z);
  cudaFree(in);
  cudaFree(out);
}
