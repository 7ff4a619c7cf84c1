// find: race global
// Shortest paths after Bellman and Ford: compare and store are two plain accesses, and a longer
// path may overwrite a shorter one.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Edge {
  int from, to, weight;
};

__global__ void relax(const Edge *edges, int count, const int *distance, int *updated) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int d = distance[edges[i].from];
  if (d == INT_MAX) return;
  int candidate = d + edges[i].weight;
#ifdef FIXED
  atomicMin(&updated[edges[i].to], candidate);
#else
  if (candidate < updated[edges[i].to]) { // BUG
    updated[edges[i].to] = candidate;     // BUG
  }
#endif
}

__global__ void take_over(int *distance, int *updated, int n, int *changed) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  if (updated[v] < distance[v]) {
    distance[v] = updated[v];
    atomicExch(changed, 1);
  }
}

static std::vector<int> on_host(const std::vector<Edge> &edges, int n) {
  std::vector<int> d(n, INT_MAX);
  d[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Edge &e : edges)
      if (d[e.from] != INT_MAX && d[e.from] + e.weight < d[e.to]) {
        d[e.to] = d[e.from] + e.weight;
        changed = true;
      }
  }
  return d;
}

int main() {
  const int n = 200;
  std::vector<Edge> edges;
  for (int i = 0; i < n; i++)
    for (int k = 1; k <= 4; k++) edges.push_back({i, (i + k * k) % n, 1 + (i * k) % 9});
  const int count = (int)edges.size();
  std::vector<int> h(n, INT_MAX), expected = on_host(edges, n);
  h[0] = 0;
  Edge *d_edges;
  int *distance, *updated, *changed, h_changed = 1, rounds = 0;
  cudaMalloc(&d_edges, count * sizeof(Edge));
  cudaMalloc(&distance, n * sizeof(int));
  cudaMalloc(&updated, n * sizeof(int));
  cudaMalloc(&changed, sizeof(int));
  cudaMemcpy(d_edges, edges.data(), count * sizeof(Edge), cudaMemcpyHostToDevice);
  cudaMemcpy(distance, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(updated, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  while (h_changed && rounds < n) {
    cudaMemset(changed, 0, sizeof(int));
    relax<<<(count + 127) / 128, 128>>>(d_edges, count, distance, updated);
    take_over<<<(n + 127) / 128, 128>>>(distance, updated, n, changed);
    cudaMemcpy(&h_changed, changed, sizeof(int), cudaMemcpyDeviceToHost);
    rounds++;
  }
  cudaMemcpy(h.data(), distance, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int v = 0; v < n; v++) wrong += h[v] != expected[v];
  printf("%d rounds, %d wrong, %s\n", rounds, wrong, cudaGetErrorString(cudaGetLastError()));
  cudaFree(d_edges);
  cudaFree(distance);
  cudaFree(updated);
  cudaFree(changed);
  return 0;
}
