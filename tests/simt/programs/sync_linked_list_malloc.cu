// Device heap: malloc, free, new, delete; a linked list pushed by compare-and-swap; a heap limit call.
// expect: pass
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Node {
  int value;
  Node *next;
  __device__ Node(int v) : value(v), next(nullptr) {}
};

__device__ Node *head;
__device__ int allocated, failed;

__global__ void push() {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  Node *n = new Node(id);
  if (n == NULL) {
    atomicAdd(&failed, 1);
    return;
  }
  atomicAdd(&allocated, 1);
  Node *old = head;
  do {
    n->next = old;
    __threadfence();
    unsigned long long seen =
        atomicCAS((unsigned long long *)&head, (unsigned long long)old, (unsigned long long)n);
    if (seen == (unsigned long long)old) break;
    old = (Node *)seen;
  } while (true);
}

__global__ void walk(long long *sum, int *count) {
  Node *p = head;
  while (p) {
    *sum += p->value;
    ++*count;
    Node *next = p->next;
    delete p;
    p = next;
  }
  head = 0;
}

__global__ void scratch(int *out) {
  size_t size = 40;
  int *mine = (int *)malloc(size * sizeof(int));
  memset(mine, 0, size * sizeof(int));
  for (int i = 0; i < 40; i++) mine[i] += i * threadIdx.x;
  int *copy = (int *)malloc(size * sizeof(int));
  memcpy(copy, mine, size * sizeof(int));
  out[threadIdx.x] = copy[39];
  free(mine);
  free(copy);
}

__global__ void shared_pointer(int *out) {
  __shared__ int *data;
  if (threadIdx.x == 0) data = new int[blockDim.x];
  __syncthreads();
  if (data == NULL) return;
  data[threadIdx.x] = threadIdx.x * 2;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = data[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) delete[] data;
}

int main() {
  size_t limit = 0;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 * 1024 * 1024);
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  long long *sum, hsum;
  int *out, host[256], count, bad = limit < 32 * 1024 * 1024;
  cudaMalloc(&sum, sizeof *sum), cudaMalloc(&out, sizeof host);
  cudaMemset(sum, 0, sizeof *sum), cudaMemset(out, 0, sizeof host);
  push<<<10, 100>>>();
  walk<<<1, 1>>>(sum, out);
  cudaMemcpy(&hsum, sum, sizeof hsum, cudaMemcpyDeviceToHost);
  cudaMemcpy(&count, out, sizeof count, cudaMemcpyDeviceToHost);
  printf("%d nodes, sum %lld\n", count, hsum);
  bad += count != 1000 || hsum != 999 * 500;
  scratch<<<1, 64>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++) bad += host[i] != 39 * i;
  shared_pointer<<<4, 64>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; i++) bad += host[i] != 2 * (63 - i % 64);
  bad += cudaDeviceSynchronize() != cudaSuccess;
  cudaFree(sum), cudaFree(out);
  puts(bad ? "FAILED" : "PASSED");
  return bad;
}
