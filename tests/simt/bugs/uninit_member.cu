// find: uninitialised
// One member of every struct is left out when they are filled.
#include <cstdio>

struct Body {
  float x, v, mass;
};

__global__ void place(Body *b) {
  int i = threadIdx.x;
  b[i].x = i;
  b[i].v = 0;
#ifdef FIXED
  b[i].mass = 1;
#endif
}

__global__ void energy(const Body *b, float *out) {
  int i = threadIdx.x;
  out[i] = 0.5f * b[i].mass * b[i].v * b[i].v; // BUG
}

int main() {
  Body *b;
  float *out;
  cudaMalloc(&b, 32 * sizeof(Body));
  cudaMalloc(&out, 32 * sizeof(float));
  place<<<1, 32>>>(b);
  energy<<<1, 32>>>(b, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(b);
  cudaFree(out);
}
