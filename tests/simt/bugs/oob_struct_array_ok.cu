// find: nothing
// oob_struct_array.cu without its bug, which is: one particle more than there are is moved.
#include <cstdio>

struct Particle {
  float x, y, z;
  float vx, vy, vz;
  int kind;
};

__global__ void move(Particle *p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  p[i].x += p[i].vx * dt;
  p[i].y += p[i].vy * dt;
  p[i].z += p[i].vz * dt;
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
