// find: race global fence
// A hash table with a lock a bucket, taken and given back by atomics but without fences: what one
// holder of the lock wrote need not be seen by the next.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BUCKETS 16

struct Entry {
  unsigned key;
  int value;
  Entry *next;
};

struct Table {
  Entry **heads;
  Entry *pool;
  int *first_free;
  int *locks;
};

struct Lock {
  int *word;
  __device__ void take() {
    while (atomicCAS(word, 0, 1) != 0) {
    }
#ifdef FIXED
    __threadfence();
  }
  __device__ void give() {
    __threadfence();
    atomicExch(word, 0);
  }
#else
  }
  __device__ void give() { atomicExch(word, 0); }
#endif
};

__device__ unsigned hash(unsigned key) { return (key * 2654435761u >> 16) % BUCKETS; }

__global__ void insert(Table table, const unsigned *keys, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned bucket = hash(keys[i]);
  Entry *entry = table.pool + atomicAdd(table.first_free, 1);
  entry->key = keys[i];
  entry->value = i;
  Lock lock = {table.locks + bucket};
  for (int lane = 0; lane < 32; lane++) {
    if (lane == (int)(threadIdx.x % 32)) {
      lock.take();
      entry->next = table.heads[bucket]; // BUG
      table.heads[bucket] = entry;       // BUG
      lock.give();
    }
  }
}

__global__ void lookup(Table table, const unsigned *keys, int n, int *found) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Entry *e = table.heads[hash(keys[i])];
  while (e && e->key != keys[i]) e = e->next;
  found[i] = e ? e->value : -1;
}

int main() {
  const int n = 256;
  std::vector<unsigned> h(n);
  for (int i = 0; i < n; i++) h[i] = i * 7919u + 13;
  Table table;
  unsigned *keys;
  int *found;
  cudaMalloc(&table.heads, BUCKETS * sizeof(Entry *));
  cudaMalloc(&table.pool, n * sizeof(Entry));
  cudaMalloc(&table.first_free, sizeof(int));
  cudaMalloc(&table.locks, BUCKETS * sizeof(int));
  cudaMalloc(&keys, n * sizeof(unsigned));
  cudaMalloc(&found, n * sizeof(int));
  cudaMemset(table.heads, 0, BUCKETS * sizeof(Entry *));
  cudaMemset(table.first_free, 0, sizeof(int));
  cudaMemset(table.locks, 0, BUCKETS * sizeof(int));
  cudaMemcpy(keys, h.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  insert<<<4, 64>>>(table, keys, n);
  lookup<<<4, 64>>>(table, keys, n, found);
  std::vector<int> result(n);
  cudaMemcpy(result.data(), found, n * sizeof(int), cudaMemcpyDeviceToHost);
  int missing = 0;
  for (int i = 0; i < n; i++) missing += result[i] != i;
  printf("%d missing, %s\n", missing, cudaGetErrorString(cudaGetLastError()));
  cudaFree(table.heads);
  cudaFree(table.pool);
  cudaFree(table.first_free);
  cudaFree(table.locks);
  cudaFree(keys);
  cudaFree(found);
  return 0;
}
