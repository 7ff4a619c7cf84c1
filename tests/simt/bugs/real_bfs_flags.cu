// find: race global same-value
// Breadth-first search with a mask of vertices: neighbours in the frontier write the same cost and
// the same flag. Same values, but two writes without order.
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Node {
  int starting;
  int no_of_edges;
};

__global__ void visit(const Node *nodes, const int *edges, bool *mask, bool *updating,
                      const bool *visited, int *cost, int count) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < count && mask[tid]) {
    mask[tid] = false;
    for (int i = nodes[tid].starting; i < nodes[tid].starting + nodes[tid].no_of_edges; i++) {
      int id = edges[i];
      if (!visited[id]) {
#ifdef FIXED
        atomicExch(&cost[id], cost[tid] + 1);
#else
        cost[id] = cost[tid] + 1; // BUG
        updating[id] = true;      // BUG
#endif
      }
    }
  }
}

__global__ void update(bool *mask, bool *updating, bool *visited, int *cost, bool *over,
                       int count) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (tid < count && !visited[tid] && cost[tid] >= 0) {
#else
  if (tid < count && updating[tid]) {
#endif
    mask[tid] = true;
    visited[tid] = true;
#ifdef FIXED
    if (atomicAdd((int *)over, 0) == 0) atomicExch((int *)over, 1);
#else
    *over = true; // BUG
    updating[tid] = false;
#endif
  }
}

int main() {
  const int n = 512, degree = 6;
  Node *h_nodes = (Node *)malloc(n * sizeof(Node));
  int *h_edges = (int *)malloc(n * degree * sizeof(int));
  int *h_cost = (int *)malloc(n * sizeof(int));
  bool *h_flags = (bool *)calloc(n, sizeof(bool));
  srand(7);
  for (int i = 0; i < n; i++) {
    h_nodes[i].starting = i * degree;
    h_nodes[i].no_of_edges = degree;
    h_cost[i] = -1;
    for (int k = 0; k < degree; k++) h_edges[i * degree + k] = rand() % n;
  }
  h_cost[0] = 0;
  Node *d_nodes;
  int *d_edges, *d_cost;
  bool *d_mask, *d_updating, *d_visited, *d_over;
  cudaMalloc((void **)&d_nodes, n * sizeof(Node));
  cudaMalloc((void **)&d_edges, n * degree * sizeof(int));
  cudaMalloc((void **)&d_cost, n * sizeof(int));
  cudaMalloc((void **)&d_mask, n * sizeof(bool));
  cudaMalloc((void **)&d_updating, n * sizeof(bool));
  cudaMalloc((void **)&d_visited, n * sizeof(bool));
  cudaMalloc((void **)&d_over, sizeof(int));
  cudaMemcpy(d_nodes, h_nodes, n * sizeof(Node), cudaMemcpyHostToDevice);
  cudaMemcpy(d_edges, h_edges, n * degree * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_cost, h_cost, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_updating, h_flags, n * sizeof(bool), cudaMemcpyHostToDevice);
  h_flags[0] = true;
  cudaMemcpy(d_mask, h_flags, n * sizeof(bool), cudaMemcpyHostToDevice);
  cudaMemcpy(d_visited, h_flags, n * sizeof(bool), cudaMemcpyHostToDevice);
  int steps = 0, stop = 1;
  while (stop) {
    stop = 0;
    cudaMemcpy(d_over, &stop, sizeof(int), cudaMemcpyHostToDevice);
    visit<<<n / 128, 128>>>(d_nodes, d_edges, d_mask, d_updating, d_visited, d_cost, n);
    update<<<n / 128, 128>>>(d_mask, d_updating, d_visited, d_cost, d_over, n);
    cudaMemcpy(&stop, d_over, sizeof(int), cudaMemcpyDeviceToHost);
    steps++;
  }
  cudaMemcpy(h_cost, d_cost, n * sizeof(int), cudaMemcpyDeviceToHost);
  int reached = 0;
  for (int i = 0; i < n; i++) reached += h_cost[i] >= 0;
  printf("%d steps, %d reached, %s\n", steps, reached, cudaGetErrorString(cudaGetLastError()));
  cudaFree(d_nodes);
  cudaFree(d_edges);
  cudaFree(d_cost);
  cudaFree(d_mask);
  cudaFree(d_updating);
  cudaFree(d_visited);
  cudaFree(d_over);
  free(h_nodes);
  free(h_edges);
  free(h_cost);
  free(h_flags);
  return 0;
}
