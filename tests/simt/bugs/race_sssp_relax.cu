// find: race global blocks
// Shortest paths: a distance is compared and stored without an atomic, a smaller one can be lost.
// Fixed: Shortest paths: distances are lowered by atomicMin and read by an atomic.
#include <cstdio>
#include <vector>

struct Edge {
  int from, to, weight;
};

__global__ void relax(const Edge *edges, int m, int *distance) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m) return;
  const Edge edge = edges[e];
#ifdef FIXED
  const int through = atomicAdd(&distance[edge.from], 0) + edge.weight;
  atomicMin(&distance[edge.to], through);
#else
  const int through = distance[edge.from] + edge.weight; // BUG
  if (through < distance[edge.to])                       // BUG
    distance[edge.to] = through;                         // BUG
#endif
}

int main() {
  const int n = 32;
  std::vector<Edge> edges;
  for (int v = 0; v < n; ++v)
    for (int k = 1; k <= 4; ++k) edges.push_back({v, (v * 5 + k) % n, 1 + (v * k) % 7});
  std::vector<int> distance(n, 1 << 20);
  distance[0] = 0;
  Edge *d_edges;
  int *d_distance;
  cudaMalloc(&d_edges, edges.size() * sizeof(Edge));
  cudaMalloc(&d_distance, n * sizeof(int));
  cudaMemcpy(d_edges, edges.data(), edges.size() * sizeof(Edge), cudaMemcpyHostToDevice);
  cudaMemcpy(d_distance, distance.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int round = 0; round < n; ++round)
    relax<<<4, 32>>>(d_edges, static_cast<int>(edges.size()), d_distance);
  cudaMemcpy(distance.data(), d_distance, n * sizeof(int), cudaMemcpyDeviceToHost);
  long sum = 0;
  for (int d : distance) sum += d;
  std::printf("%ld %s\n", sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(d_edges);
  cudaFree(d_distance);
}
