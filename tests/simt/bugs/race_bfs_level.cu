// find: race global same-value blocks
// find: race global read/write blocks
// Breadth-first search: blocks give a vertex its level at once. The same value, but plain stores.
// Fixed: Breadth-first search: the first to reach a vertex is found by atomicCAS, levels are
// read by atomics.
#include <cstdio>
#include <vector>

__global__ void step(const int *first, const int *edges, int *level, int n, int depth) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
#ifdef FIXED
  const int mine = atomicAdd(&level[v], 0);
#else
  const int mine = level[v];                   // BUG 2
#endif
  if (mine != depth) return;
  for (int e = first[v]; e < first[v + 1]; ++e) {
    const int w = edges[e];
#ifdef FIXED
    atomicCAS(&level[w], -1, depth + 1);
#else
    if (w % 16 > v % 16) level[w] = depth + 1; // BUG 1 2
#endif
  }
}

int main() {
  // Layers of 16 vertices side by side: each one is joined to all of the next layer.
  const int n = 64;
  std::vector<int> first(1, 0), edges, level(n, -1);
  for (int v = 0; v < n; ++v) {
    if (v % 16 < 2)
      for (int w = 0; w < n; ++w)
        if (w % 16 == v % 16 + 1) edges.push_back(w);
    first.push_back(static_cast<int>(edges.size()));
  }
  for (int v = 0; v < n; v += 16) level[v] = 0;
  int *d_first, *d_edges, *d_level;
  cudaMalloc(&d_first, first.size() * sizeof(int));
  cudaMalloc(&d_edges, edges.size() * sizeof(int));
  cudaMalloc(&d_level, n * sizeof(int));
  cudaMemcpy(d_first, first.data(), first.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_edges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_level, level.data(), n * sizeof(int), cudaMemcpyHostToDevice);
#ifdef FIXED
  for (int depth = 0; depth < 2; ++depth) step<<<4, 16>>>(d_first, d_edges, d_level, n, depth);
#else
  step<<<4, 16>>>(d_first, d_edges, d_level, n, 0);
#endif
  cudaMemcpy(level.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d %s\n", level[1], level[2], cudaGetErrorString(cudaGetLastError()));
  cudaFree(d_first);
  cudaFree(d_edges);
  cudaFree(d_level);
}
