// find: race global
// Union-find: roots are joined by plain stores; of two joins at once one is lost.
// Fixed: Union-find: roots are joined by atomicCAS, parents are read through atomics.
#include <cstdio>

__device__ int parent[64];

__device__ int find_root(int v) {
  int p;
#ifdef FIXED
  while ((p = atomicAdd(&parent[v], 0)) != v) v = p;
#else
  while ((p = parent[v]) != v) v = p; // BUG
#endif
  return v;
}

__global__ void start() { parent[threadIdx.x] = threadIdx.x; }

__global__ void join(const int2 *edges) {
  const int2 edge = edges[blockIdx.x * blockDim.x + threadIdx.x];
  int a = find_root(edge.x), b = find_root(edge.y);
  while (a != b) {
    if (a < b) {
      const int keep = a;
      a = b;
      b = keep;
    }
#ifdef FIXED
    const int old = atomicCAS(&parent[a], a, b);
    if (old == a) break;
    a = find_root(old);
    b = find_root(b);
#else
    parent[a] = b;                    // BUG
    break;
#endif
  }
}

int main() {
  int2 *edges;
  cudaMallocManaged(&edges, 64 * sizeof(int2));
  for (int i = 0; i < 64; ++i) edges[i] = make_int2(i, i % 2 ? i : (i * 7 + 2) % 64);
  start<<<1, 64>>>();
  join<<<4, 16>>>(edges);
  int host[64];
  cudaMemcpyFromSymbol(host, parent, sizeof host);
  std::printf("%d %s\n", host[63], cudaGetErrorString(cudaGetLastError()));
  cudaFree(edges);
}
