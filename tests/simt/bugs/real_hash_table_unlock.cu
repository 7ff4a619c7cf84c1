// find: race global
// The same hash table with fences, but the lock is given back by a plain store beside the atomics
// of those who wait for it.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BUCKETS 16

struct Slot {
  unsigned key;
  int count;
};

__device__ int locks[BUCKETS];
__device__ Slot slots[BUCKETS][32];

__device__ void take(int bucket) {
  while (atomicCAS(&locks[bucket], 0, 1) != 0) { // BUG
  }
  __threadfence();
}

__device__ void give(int bucket) {
  __threadfence();
#ifdef FIXED
  atomicExch(&locks[bucket], 0);
#else
  locks[bucket] = 0; // BUG
#endif
}

__device__ void add_locked(int bucket, unsigned key) {
  for (int k = 0; k < 32; k++) {
    Slot *slot = &slots[bucket][k];
    if (slot->count == 0) { // BUG?
      slot->key = key;      // BUG?
      slot->count = 1;      // BUG?
      return;
    }
    if (slot->key == key) { // BUG?
      slot->count++;        // BUG?
      return;
    }
  }
}

__global__ void count_words(const unsigned *words, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int bucket = words[i] % BUCKETS;
    bool done = false;
    while (!done) {
      take(bucket);
      add_locked(bucket, words[i]);
      give(bucket);
      done = true;
    }
  }
}

int main() {
  const int n = 300;
  std::vector<unsigned> h(n);
  for (int i = 0; i < n; i++) h[i] = i * i % 97;
  unsigned *words;
  cudaMalloc(&words, n * sizeof(unsigned));
  cudaMemcpy(words, h.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  count_words<<<3, 32>>>(words, n);
  static Slot result[BUCKETS][32];
  cudaMemcpyFromSymbol(result, slots, sizeof result);
  int total = 0, distinct = 0;
  for (auto &bucket : result)
    for (Slot &s : bucket) {
      total += s.count;
      distinct += s.count > 0;
    }
  printf("%d words, %d distinct, %s\n", total, distinct, cudaGetErrorString(cudaGetLastError()));
  cudaFree(words);
  return 0;
}
