// Lattice Boltzmann D2Q9 channel with a struct of pointers, swap by value, constant tables; mass is conserved.
// expect: pass
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#ifdef USE_DOUBLE
typedef double real;
#else
typedef float real;
#endif

constexpr int Q = 9;
__constant__ int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ real weight[Q] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                               1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

struct Lattice {
  int nx, ny;
  real *f;
  __host__ __device__ size_t at(int x, int y, int q) const { return (size_t(q) * ny + y) * nx + x; }
  size_t bytes() const { return sizeof(real) * Q * nx * ny; }
};

__device__ inline real equilibrium(int q, real rho, real ux, real uy) {
  real cu = 3 * (cx[q] * ux + cy[q] * uy);
  return weight[q] * rho * (1 + cu + real(0.5) * cu * cu - real(1.5) * (ux * ux + uy * uy));
}

__global__ void initialise(Lattice l) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= l.nx) return;
  for (int q = 0; q < Q; ++q)
    l.f[l.at(x, y, q)] = equilibrium(q, 1 + real(0.01) * (x == l.nx / 2), real(0.05), 0);
}

__global__ void step(const Lattice from, Lattice to, const unsigned char *__restrict__ solid,
                     real omega) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= from.nx) return;
  real f[Q], rho = 0, ux = 0, uy = 0;
#pragma unroll
  for (int q = 0; q < Q; ++q) {
    int sx = (x - cx[q] + from.nx) % from.nx, sy = (y - cy[q] + from.ny) % from.ny;
    f[q] =
        solid[sy * from.nx + sx] ? from.f[from.at(x, y, opposite[q])] : from.f[from.at(sx, sy, q)];
    rho += f[q], ux += f[q] * cx[q], uy += f[q] * cy[q];
  }
  if (solid[y * from.nx + x]) {
    for (int q = 0; q < Q; ++q) to.f[to.at(x, y, q)] = from.f[from.at(x, y, q)];
    return;
  }
  ux /= rho, uy /= rho;
  for (int q = 0; q < Q; ++q)
    to.f[to.at(x, y, q)] = f[q] - omega * (f[q] - equilibrium(q, rho, ux, uy));
}

static double mass(const Lattice &l, const unsigned char *solid) {
  real *h = (real *)malloc(l.bytes());
  cudaMemcpy(h, l.f, l.bytes(), cudaMemcpyDeviceToHost);
  double m = 0;
  for (int q = 0; q < Q; ++q)
    for (int i = 0; i < l.nx * l.ny; ++i)
      if (!solid[i]) m += h[size_t(q) * l.nx * l.ny + i];
  free(h);
  return m;
}

int main(int argc, char **argv) {
  const int steps = argc > 1 ? std::stoi(argv[1]) : 30;
  Lattice a = {70, 30, nullptr}, b = a;
  unsigned char solid[70 * 30], *d_solid;
  for (int i = 0; i < 70 * 30; ++i) {
    int x = i % 70, y = i / 70;
    solid[i] = y == 0 || y == 29 || (x - 20) * (x - 20) + (y - 15) * (y - 15) < 16;
  }
  cudaMalloc(&a.f, a.bytes()), cudaMalloc(&b.f, b.bytes()), cudaMalloc(&d_solid, sizeof solid);
  cudaMemcpy(d_solid, solid, sizeof solid, cudaMemcpyHostToDevice);
  dim3 block(32), grid((a.nx + 31) / 32, a.ny);
  initialise<<<grid, block>>>(a);
  const double before = mass(a, solid);
  for (int s = 0; s < steps; ++s) {
    step<<<grid, block>>>(a, b, d_solid, real(1.2));
    std::swap(a, b);
  }
  const double after = mass(a, solid);
  const bool ok = std::isfinite(after) && std::fabs(after - before) < 1e-3 * before &&
                  cudaDeviceSynchronize() == cudaSuccess;
  std::printf("mass %.6f -> %.6f\n%s\n", before, after, ok ? "PASSED" : "FAILED");
  cudaFree(a.f); cudaFree(b.f); cudaFree(d_solid);
  return ok ? 0 : 1;
}
