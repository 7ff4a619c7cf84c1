// find: race global
// Connected components by union-find: the root of one tree is hung below another by a plain write,
// which another thread may overwrite at the same time.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Edge {
  int a, b;
};

#ifdef FIXED
__device__ int parent_of(int *parent, int v) { return atomicAdd(&parent[v], 0); }
#else
__device__ int parent_of(int *parent, int v) {
  return parent[v]; // BUG
}
#endif

__device__ int find_root(int *parent, int v) {
  int p = parent_of(parent, v);
  while (p != v) {
    v = p;
    p = parent_of(parent, v);
  }
  return v;
}

__global__ void init(int *parent, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) parent[v] = v;
}

__global__ void hook(int *parent, const Edge *edges, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int a = find_root(parent, edges[i].a);
  int b = find_root(parent, edges[i].b);
  while (a != b) {
    int high = a > b ? a : b;
    int low = a > b ? b : a;
#ifdef FIXED
    int old = atomicCAS(&parent[high], high, low);
    if (old == high) break;
    a = find_root(parent, old);
    b = find_root(parent, low);
#else
    parent[high] = low; // BUG
    break;
#endif
  }
}

__global__ void flatten(int *parent, int *label, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  int root = v;
  while (parent[root] != root) root = parent[root];
  label[v] = root;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 500;
  std::vector<Edge> edges;
  for (int i = 0; i + 5 < n; i++) {
    if (i % 50 < 45) edges.push_back({i, i + 5});
    if (i % 3 == 0) edges.push_back({i, i / 50 * 50});
  }
  const int count = (int)edges.size();
  int *parent, *label;
  Edge *d_edges;
  if (cudaMalloc(&parent, n * sizeof(int)) != cudaSuccess ||
      cudaMalloc(&label, n * sizeof(int)) != cudaSuccess ||
      cudaMalloc(&d_edges, count * sizeof(Edge)) != cudaSuccess) {
    fprintf(stderr, "no memory\n");
    return 1;
  }
  cudaMemcpy(d_edges, edges.data(), count * sizeof(Edge), cudaMemcpyHostToDevice);
  const int threads = 128;
  init<<<(n + threads - 1) / threads, threads>>>(parent, n);
  hook<<<(count + threads - 1) / threads, threads>>>(parent, d_edges, count);
  flatten<<<(n + threads - 1) / threads, threads>>>(parent, label, n);
  std::vector<int> result(n);
  cudaMemcpy(result.data(), label, n * sizeof(int), cudaMemcpyDeviceToHost);
  int components = 0, broken = 0;
  for (int v = 0; v < n; v++) components += result[v] == v;
  for (const Edge &e : edges) broken += result[e.a] != result[e.b];
  printf("%d components, %d edges between components, %s\n", components, broken,
         cudaGetErrorString(cudaGetLastError()));
  cudaFree(parent);
  cudaFree(label);
  cudaFree(d_edges);
  return 0;
}
