// find: out-of-bounds
// One particle more than there are is moved.
#include <cstdio>

struct Particle {
  float x, y, z;
  float vx, vy, vz;
  int kind;
};

__global__ void move(Particle *p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i >= n) return;
#else
  if (i > n) return;
#endif
  p[i].x += p[i].vx * dt; // BUG
  p[i].y += p[i].vy * dt; // BUG?
  p[i].z += p[i].vz * dt; // BUG?
}

int main() {
  const int n = 777;
  Particle *p;
  cudaMalloc(&p, n * sizeof(Particle));
  cudaMemset(p, 0, n * sizeof(Particle));
  move<<<(n + 127) / 128, 128>>>(p, n, 0.1f);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(p);
}
