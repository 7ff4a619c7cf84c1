// The host's part: no CUDA syntax, but its API.
#include "body.h"
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifdef __CUDACC__
#error this file is plain C++
#endif

static void check(cudaError_t e) {
  if (e != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
    std::exit(1);
  }
}

int main() {
  std::vector<Body> bodies(50), back(50);
  for (int i = 0; i < 50; ++i) bodies[i] = {make_float3(i, 0, 0), make_float3(1, 2, static_cast<float>(i))};
  Body *d = nullptr;
  cudaStream_t s;
  cudaDeviceProp prop;
  check(cudaGetDeviceProperties(&prop, 0));
  check(cudaStreamCreate(&s));
  check(cudaMalloc(reinterpret_cast<void **>(&d), bodies.size() * sizeof(Body)));
  check(cudaMemcpyAsync(d, bodies.data(), bodies.size() * sizeof(Body), cudaMemcpyHostToDevice, s));
  for (int k = 0; k < 4; ++k) launch_advance(d, 50, 0.25f, s);
  check(cudaMemcpyAsync(back.data(), d, bodies.size() * sizeof(Body), cudaMemcpyDeviceToHost, s));
  check(cudaStreamSynchronize(s));
  int bad = 0;
  for (int i = 0; i < 50; ++i) bad += back[i].x.x != i + 1 || back[i].x.y != 2 || back[i].x.z != i;
  check(cudaFree(d));
  std::puts(bad ? "FAILED" : "PASSED");
  return bad;
}
