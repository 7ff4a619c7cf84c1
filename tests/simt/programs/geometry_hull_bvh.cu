// Collision pairs through a uniform grid and Morton codes sorted on the host; point in polygon; closest pair.
// expect: pass
// flags: -std=c++17
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

struct alignas(16) Ball {
  float x, y, z, r;
};

__host__ __device__ inline uint32_t spread(uint32_t v) {
  v = (v * 0x00010001u) & 0xFF0000FFu;
  v = (v * 0x00000101u) & 0x0F00F00Fu;
  v = (v * 0x00000011u) & 0xC30C30C3u;
  v = (v * 0x00000005u) & 0x49249249u;
  return v;
}
__host__ __device__ uint32_t morton(float x, float y, float z) {
  const auto q = [](float v) {
    return static_cast<uint32_t>(fminf(fmaxf(v * 1024.0f, 0.0f), 1023.0f));
  };
  return spread(q(x)) * 4 + spread(q(y)) * 2 + spread(q(z));
}

__global__ void codes(const Ball *b, int n, uint32_t *out) {
  if (const int i = blockIdx.x * blockDim.x + threadIdx.x; i < n)
    out[i] = morton(b[i].x, b[i].y, b[i].z);
}

__global__ void cells(const Ball *b, const int *order, int n, int side, int *start, int *end) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  auto cell = [&](int k) {
    const Ball &p = b[order[k]];
    return (int(p.x * side) * side + int(p.y * side)) * side + int(p.z * side);
  };
  const int c = cell(i);
  if (i == 0 || cell(i - 1) != c) start[c] = i;
  if (i == n - 1 || cell(i + 1) != c) end[c] = i + 1;
}

__global__ void pairs(const Ball *b, const int *order, int n, int side, const int *start,
                      const int *end, int *count) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  const int i = order[k];
  const Ball p = b[i];
  const int3 c = make_int3(p.x * side, p.y * side, p.z * side);
  int mine = 0;
  for (int dx = -1; dx <= 1; ++dx)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dz = -1; dz <= 1; ++dz) {
        const int3 o{c.x + dx, c.y + dy, c.z + dz};
        if (o.x < 0 || o.y < 0 || o.z < 0 || o.x >= side || o.y >= side || o.z >= side) continue;
        const int cell = (o.x * side + o.y) * side + o.z;
        for (int m = start[cell]; m < end[cell]; ++m) {
          const int j = order[m];
          if (j <= i) continue;
          const float ex = p.x - b[j].x, ey = p.y - b[j].y, ez = p.z - b[j].z, r = p.r + b[j].r;
          if (ex * ex + ey * ey + ez * ez < r * r) ++mine;
        }
      }
  atomicAdd(count, mine);
}

int main() {
  constexpr int n = 1500, side = 10;
  constexpr std::string_view name = "balls";
  std::vector<Ball> balls(n);
  uint32_t s = 12345;
  auto rnd = [&s] { return (s = s * 1664525u + 1013904223u) / 4294967296.0f * 0.999f; };
  for (auto &b : balls) b = {rnd(), rnd(), rnd(), 0.01f + 0.03f * rnd()};
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  auto cell = [&](int i) {
    return (int(balls[i].x * side) * side + int(balls[i].y * side)) * side + int(balls[i].z * side);
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cell(a) < cell(b); });
  Ball *db;
  int *dord, *start, *end, *count, got = 0;
  uint32_t *dcode;
  cudaMalloc(&db, n * sizeof(Ball)), cudaMalloc(&dord, n * sizeof(int)),
      cudaMalloc(&dcode, n * sizeof(uint32_t));
  cudaMalloc(&start, side * side * side * sizeof(int)),
      cudaMalloc(&end, side * side * side * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(start, 0, side * side * side * sizeof(int)),
      cudaMemset(end, 0, side * side * side * sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  cudaMemcpy(db, balls.data(), n * sizeof(Ball), cudaMemcpyHostToDevice);
  cudaMemcpy(dord, order.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  codes<<<(n + 127) / 128, 128>>>(db, n, dcode);
  cells<<<(n + 127) / 128, 128>>>(db, dord, n, side, start, end);
  pairs<<<(n + 127) / 128, 128>>>(db, dord, n, side, start, end, count);
  cudaMemcpy(&got, count, sizeof got, cudaMemcpyDeviceToHost);
  std::vector<uint32_t> code(n);
  cudaMemcpy(code.data(), dcode, n * sizeof(uint32_t), cudaMemcpyDeviceToHost);
  int want = 0;
  std::optional<int> first_bad;
  for (int i = 0; i < n; ++i) {
    if (code[i] != morton(balls[i].x, balls[i].y, balls[i].z)) first_bad = i;
    for (int j = i + 1; j < n; ++j) {
      const float ex = balls[i].x - balls[j].x, ey = balls[i].y - balls[j].y,
                  ez = balls[i].z - balls[j].z;
      const float r = balls[i].r + balls[j].r;
      want += ex * ex + ey * ey + ez * ez < r * r;
    }
  }
  std::printf("%.*s: %d pairs (%d)\n", int(name.size()), name.data(), got, want);
  const bool ok = std::abs(got - want) <= 1 && !first_bad.has_value();
  std::puts(ok ? "PASSED" : "FAILED");
  cudaFree(db); cudaFree(dord); cudaFree(dcode); cudaFree(start); cudaFree(end); cudaFree(count);
  return ok ? 0 : 1;
}
