// find: race global
// Greedy colouring by priorities after Jones and Plassmann: colours are read and written in place
// in one launch, so a vertex may see a neighbour's colour of this round or of the last.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

struct DeviceGraph {
  int n;
  const int *begin;
  const int *neighbour;
  const unsigned *priority;
};

static std::vector<int> h_begin, h_neighbour;
static std::vector<unsigned> h_priority;

static void make_graph(int n) {
  std::vector<std::vector<int>> lists(n);
  for (int i = 0; i < n; i++)
    for (int step : {1, 17, 40}) {
      int j = (i + step) % n;
      lists[i].push_back(j);
      lists[j].push_back(i);
    }
  h_begin.push_back(0);
  for (int i = 0; i < n; i++) {
    h_neighbour.insert(h_neighbour.end(), lists[i].begin(), lists[i].end());
    h_begin.push_back((int)h_neighbour.size());
    h_priority.push_back((i * 2654435761u) ^ 0x9e3779b9u);
  }
}

__device__ int smallest_free(unsigned long long used) { return __ffsll(~used) - 1; }

#ifdef FIXED
__global__ void colour_round(DeviceGraph g, const int *before, int *colour, int *left) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= g.n) return;
  colour[v] = before[v];
  if (before[v] >= 0) return;
#else
__global__ void colour_round(DeviceGraph g, int *colour, int *left) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= g.n || colour[v] >= 0) return;
#endif
  unsigned long long used = 0;
  for (int e = g.begin[v]; e < g.begin[v + 1]; e++) {
    int w = g.neighbour[e];
#ifdef FIXED
    int c = before[w];
#else
    int c = colour[w]; // BUG
#endif
    if (c < 0 && g.priority[w] > g.priority[v]) {
      atomicAdd(left, 1);
      return;
    }
    if (c >= 0) used |= 1ull << c;
  }
  colour[v] = smallest_free(used); // BUG
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 384;
  make_graph(n);
  DeviceGraph g = {n, nullptr, nullptr, nullptr};
  int *begin, *neighbour, *colour, *other, *left, h_left = 1;
  unsigned *priority;
  cudaMalloc(&begin, h_begin.size() * sizeof(int));
  cudaMalloc(&neighbour, h_neighbour.size() * sizeof(int));
  cudaMalloc(&priority, n * sizeof(unsigned));
  cudaMalloc(&colour, n * sizeof(int));
  cudaMalloc(&other, n * sizeof(int));
  cudaMalloc(&left, sizeof(int));
  cudaMemcpy(begin, h_begin.data(), h_begin.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(neighbour, h_neighbour.data(), h_neighbour.size() * sizeof(int),
             cudaMemcpyHostToDevice);
  cudaMemcpy(priority, h_priority.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemset(colour, 0xff, n * sizeof(int));
  g.begin = begin;
  g.neighbour = neighbour;
  g.priority = priority;
  int rounds = 0;
  while (h_left > 0) {
    cudaMemset(left, 0, sizeof(int));
#ifdef FIXED
    colour_round<<<(n + 63) / 64, 64>>>(g, colour, other, left);
    std::swap(colour, other);
#else
    colour_round<<<(n + 63) / 64, 64>>>(g, colour, left);
#endif
    cudaMemcpy(&h_left, left, sizeof(int), cudaMemcpyDeviceToHost);
    rounds++;
  }
  std::vector<int> result(n);
  cudaMemcpy(result.data(), colour, n * sizeof(int), cudaMemcpyDeviceToHost);
  int conflicts = 0, colours = 0;
  for (int v = 0; v < n; v++) {
    if (result[v] >= colours) colours = result[v] + 1;
    for (int e = h_begin[v]; e < h_begin[v + 1]; e++)
      conflicts += h_neighbour[e] != v && result[h_neighbour[e]] == result[v];
  }
  printf("%d rounds, %d colours, %d conflicts, %s\n", rounds, colours, conflicts,
         cudaGetErrorString(cudaGetLastError()));
  cudaFree(begin);
  cudaFree(neighbour);
  cudaFree(priority);
  cudaFree(colour);
  cudaFree(other);
  cudaFree(left);
  return 0;
}
