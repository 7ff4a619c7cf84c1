// find: race global
// Breadth-first search with a queue: "seen already?" and "now it is" are two plain accesses, so
// two threads may both find a vertex new and both queue it.
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t status, int line) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(status));
  exit(EXIT_FAILURE);
}
#define CHECK(call) check(call, __LINE__)

// A graph in compressed rows.
struct Graph {
  std::vector<int> begin, target;
  int vertices() const { return (int)begin.size() - 1; }
};

static Graph make_graph(int n, int degree) {
  Graph g;
  unsigned state = 12345;
  for (int v = 0; v < n; v++) {
    g.begin.push_back((int)g.target.size());
    for (int k = 0; k < degree; k++) {
      state = state * 1664525u + 1013904223u;
      g.target.push_back((v + 1 + (state >> 16) % (n / 4)) % n);
    }
  }
  g.begin.push_back((int)g.target.size());
  return g;
}

static std::vector<int> search_on_host(const Graph &g, int source) {
  std::vector<int> level(g.vertices(), -1), queue{source};
  level[source] = 0;
  for (size_t i = 0; i < queue.size(); i++) {
    int v = queue[i];
    for (int e = g.begin[v]; e < g.begin[v + 1]; e++)
      if (level[g.target[e]] < 0) {
        level[g.target[e]] = level[v] + 1;
        queue.push_back(g.target[e]);
      }
  }
  return level;
}

__global__ void expand(const int *begin, const int *target, int *level, const int *queue,
                       int length, int *next, int *next_length, int capacity, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  int v = queue[i];
  for (int e = begin[v]; e < begin[v + 1]; e++) {
    int w = target[e];
#ifdef FIXED
    if (atomicCAS(&level[w], -1, depth) == -1) {
#else
    if (level[w] < 0) { // BUG
      level[w] = depth; // BUG
#endif
      int at = atomicAdd(next_length, 1);
      if (at < capacity) next[at] = w;
    }
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 600, degree = 4;
  Graph g = make_graph(n, degree);
  int capacity = n * degree, length = 1, source = 0, zero = 0;
  int *begin, *target, *level, *queue, *next, *next_length;
  CHECK(cudaMalloc(&begin, g.begin.size() * sizeof(int)));
  CHECK(cudaMalloc(&target, g.target.size() * sizeof(int)));
  CHECK(cudaMalloc(&level, n * sizeof(int)));
  CHECK(cudaMalloc(&queue, capacity * sizeof(int)));
  CHECK(cudaMalloc(&next, capacity * sizeof(int)));
  CHECK(cudaMalloc(&next_length, sizeof(int)));
  CHECK(cudaMemcpy(begin, g.begin.data(), g.begin.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(target, g.target.data(), g.target.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(level, 0xff, n * sizeof(int)));
  CHECK(cudaMemcpy(level + source, &zero, sizeof zero, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(queue, &source, sizeof source, cudaMemcpyHostToDevice));
  for (int depth = 1; length > 0; depth++) {
    CHECK(cudaMemset(next_length, 0, sizeof(int)));
    expand<<<(length + 31) / 32, 32>>>(begin, target, level, queue, length, next, next_length,
                                       capacity, depth);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&length, next_length, sizeof length, cudaMemcpyDeviceToHost));
    if (length > capacity) length = capacity;
    int *t = queue;
    queue = next;
    next = t;
  }
  std::vector<int> result(n), expected = search_on_host(g, source);
  CHECK(cudaMemcpy(result.data(), level, n * sizeof(int), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int v = 0; v < n; v++) wrong += result[v] != expected[v];
  printf("%d vertices, %d wrong\n", n, wrong);
  CHECK(cudaFree(begin));
  CHECK(cudaFree(target));
  CHECK(cudaFree(level));
  CHECK(cudaFree(queue));
  CHECK(cudaFree(next));
  CHECK(cudaFree(next_length));
  return 0;
}
