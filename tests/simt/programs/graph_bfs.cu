// Breadth-first search with frontier flags (level loop until no change) and with a queue.
// expect: pass
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>

struct Node {
  int first;
  int degree;
};

__global__ void expand(Node *nodes, int *edges, bool *frontier_flag, bool *next_flag, bool *visited,
                       int *cost, int n) {
  int tid = blockIdx.x * 256 + threadIdx.x;
  if (tid < n && frontier_flag[tid]) {
    frontier_flag[tid] = false;
    for (int i = nodes[tid].first; i < (nodes[tid].degree + nodes[tid].first); i++) {
      int id = edges[i];
      if (!visited[id]) {
        cost[id] = cost[tid] + 1;
        next_flag[id] = true;
      }
    }
  }
}

__global__ void commit(bool *frontier_flag, bool *next_flag, bool *visited, bool *more, int n) {
  int tid = blockIdx.x * 256 + threadIdx.x;
  if (tid < n && next_flag[tid]) {
    frontier_flag[tid] = true;
    visited[tid] = true;
    *more = true;
    next_flag[tid] = false;
  }
}

__global__ void queue_step(const Node *nodes, const int *edges, int *level, const int *frontier,
                           int count, int *next, int *next_count, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int v = frontier[i];
  for (int e = 0; e < nodes[v].degree; ++e) {
    int w = edges[nodes[v].first + e];
    if (atomicCAS(&level[w], INT_MAX, depth) == INT_MAX) next[atomicAdd(next_count, 1)] = w;
  }
}

template <typename T> T *toDevice(const std::vector<T> &v) {
  T *p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int main() {
  const int n = 1500;
  std::vector<Node> nodes(n);
  std::vector<int> edges, want(n, -1), cost(n, -1), level(n, INT_MAX);
  srand(11);
  for (int v = 0; v < n; ++v) {
    nodes[v] = {(int)edges.size(), rand() % 4};
    for (int e = 0; e < nodes[v].degree; ++e) edges.push_back(rand() % n);
  }
  std::queue<int> q;
  q.push(5);
  want[5] = 0;
  while (!q.empty()) {
    int v = q.front();
    q.pop();
    for (int e = 0; e < nodes[v].degree; ++e) {
      int w = edges[nodes[v].first + e];
      if (want[w] < 0) want[w] = want[v] + 1, q.push(w);
    }
  }
  Node *d_nodes = toDevice(nodes);
  int *d_edges = toDevice(edges);
  cost[5] = 0;
  int *d_cost = toDevice(cost);
  bool *frontier_flag, *next_flag, *visited, *more, yes = true, stop;
  cudaMalloc(&frontier_flag, n), cudaMalloc(&next_flag, n), cudaMalloc(&visited, n),
      cudaMalloc(&more, sizeof(bool));
  cudaMemset(frontier_flag, 0, n), cudaMemset(next_flag, 0, n), cudaMemset(visited, 0, n);
  cudaMemcpy(frontier_flag + 5, &yes, 1, cudaMemcpyHostToDevice);
  cudaMemcpy(visited + 5, &yes, 1, cudaMemcpyHostToDevice);
  dim3 grid((n + 255) / 256, 1, 1), threads(256, 1, 1);
  do {
    stop = false;
    cudaMemcpy(more, &stop, sizeof(bool), cudaMemcpyHostToDevice);
    expand<<<grid, threads, 0>>>(d_nodes, d_edges, frontier_flag, next_flag, visited, d_cost, n);
    commit<<<grid, threads, 0>>>(frontier_flag, next_flag, visited, more, n);
    cudaMemcpy(&stop, more, sizeof(bool), cudaMemcpyDeviceToHost);
  } while (stop);
  cudaMemcpy(cost.data(), d_cost, n * sizeof(int), cudaMemcpyDeviceToHost);

  level[5] = 0;
  int *d_level = toDevice(level), *a, *b, *count, size = 1, zero = 0, first = 5;
  cudaMalloc(&a, n * sizeof(int)), cudaMalloc(&b, n * sizeof(int)), cudaMalloc(&count, sizeof(int));
  cudaMemcpy(a, &first, sizeof(int), cudaMemcpyHostToDevice);
  for (int depth = 1; size > 0; ++depth) {
    cudaMemcpy(count, &zero, sizeof(int), cudaMemcpyHostToDevice);
    queue_step<<<(size + 31) / 32, 32>>>(d_nodes, d_edges, d_level, a, size, b, count, depth);
    cudaMemcpy(&size, count, sizeof(int), cudaMemcpyDeviceToHost);
    std::swap(a, b);
  }
  cudaMemcpy(level.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost);
  int bad = 0, reached = 0;
  for (int v = 0; v < n; ++v) {
    bad += cost[v] != want[v];
    bad += (level[v] == INT_MAX ? -1 : level[v]) != want[v];
    reached += want[v] >= 0;
  }
  printf("%d reached, %d wrong\n%s\n", reached, bad, bad ? "FAILED" : "PASSED");
  cudaFree(frontier_flag); cudaFree(next_flag); cudaFree(visited); cudaFree(a); cudaFree(b);
  cudaFree(count); cudaFree(more); cudaFree(d_nodes); cudaFree(d_edges); cudaFree(d_cost); cudaFree(d_level);
  return bad != 0;
}
