// Shortest paths two ways: Bellman-Ford with atomicMin and Floyd-Warshall; both must agree.
// expect: pass
#include <algorithm>
#include <iostream>
#include <limits>
#include <vector>

struct Edge {
  int from, to, weight;
};

const int INF = std::numeric_limits<int>::max() / 4;

__global__ void relax(const Edge *e, int m, int *dist, int *changed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int from = i < m ? atomicAdd(dist + e[i].from, 0) : INF;
  if (i < m && from < 1000000000 / 4 * 2) {
    int d = from + e[i].weight;
    if (d < atomicMin(dist + e[i].to, d)) atomicExch(changed, 1);
  }
}

__global__ void floyd(int *d, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y;
  if (j < n) {
    int via = d[i * n + k] + d[k * n + j];
    if (via < d[i * n + j]) d[i * n + j] = via;
  }
}

int main() {
  const int n = 90, m = 400;
  std::vector<Edge> edges;
  unsigned s = 1;
  auto rnd = [&s](unsigned below) {
    s = s * 1103515245u + 12345u;
    return int((s >> 16) % below);
  };
  for (int i = 0; i < m; ++i) edges.push_back({rnd(n), rnd(n), 1 + rnd(100)});
  std::vector<int> all(n * n, INF), one(n, INF), got(n);
  for (int i = 0; i < n; ++i) all[i * n + i] = 0;
  for (const Edge &e : edges) all[e.from * n + e.to] = std::min(all[e.from * n + e.to], e.weight);

  Edge *de;
  int *dd, *dc, *dall;
  cudaMalloc(&de, m * sizeof(Edge));
  cudaMalloc(&dd, n * sizeof(int));
  cudaMalloc(&dc, sizeof(int));
  cudaMalloc(&dall, n * n * sizeof(int));
  cudaMemcpy(de, edges.data(), m * sizeof(Edge), cudaMemcpyHostToDevice);
  cudaMemcpy(dall, all.data(), n * n * sizeof(int), cudaMemcpyHostToDevice);
  for (int k = 0; k < n; ++k) floyd<<<dim3((n + 63) / 64, n), 64>>>(dall, n, k);
  cudaMemcpy(all.data(), dall, n * n * sizeof(int), cudaMemcpyDeviceToHost);

  bool ok = true;
  for (int source : {0, 17, 89}) {
    std::fill(one.begin(), one.end(), INF);
    one[source] = 0;
    cudaMemcpy(dd, one.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    int changed = 1, rounds = 0;
    while (changed && rounds++ < n) {
      cudaMemset(dc, 0, sizeof(int));
      relax<<<(m + 127) / 128, 128>>>(de, m, dd, dc);
      cudaMemcpy(&changed, dc, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(got.data(), dd, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int v = 0; v < n; ++v) ok &= std::min(got[v], INF) == std::min(all[source * n + v], INF);
    std::cout << "source " << source << ": " << rounds << " rounds\n";
  }
  std::cout << (ok ? "PASSED\n" : "FAILED\n");
  cudaFree(de); cudaFree(dd); cudaFree(dc); cudaFree(dall);
  return ok ? 0 : 1;
}
