// Open-addressing hash table: insert, find, erase with 64-bit and 32-bit compare-and-swap.
// expect: pass
#include <stdint.h>
#include <stdio.h>
#include <algorithm>
#include <random>
#include <unordered_map>
#include <vector>

struct KeyValue {
  uint32_t key;
  uint32_t value;
};

const uint32_t kHashTableCapacity = 8 * 1024;
const uint32_t kEmpty = 0xffffffff;

__device__ uint32_t hash(uint32_t k) {
  k ^= k >> 16;
  k *= 0x85ebca6b;
  k ^= k >> 13;
  k *= 0xc2b2ae35;
  k ^= k >> 16;
  return k & (kHashTableCapacity - 1);
}

__global__ void gpu_hashtable_insert(KeyValue *hashtable, const KeyValue *kvs, unsigned int numkvs) {
  unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadid < numkvs) {
    uint32_t key = kvs[threadid].key, value = kvs[threadid].value, slot = hash(key);
    while (true) {
      uint32_t prev = atomicCAS(&hashtable[slot].key, kEmpty, key);
      if (prev == kEmpty || prev == key) {
        hashtable[slot].value = value;
        return;
      }
      slot = (slot + 1) & (kHashTableCapacity - 1);
    }
  }
}

__global__ void gpu_hashtable_lookup(KeyValue *hashtable, KeyValue *kvs, unsigned int numkvs) {
  unsigned int threadid = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadid < numkvs) {
    uint32_t key = kvs[threadid].key, slot = hash(key);
    while (true) {
      if (hashtable[slot].key == key) {
        kvs[threadid].value = hashtable[slot].value;
        return;
      }
      if (hashtable[slot].key == kEmpty) {
        kvs[threadid].value = kEmpty;
        return;
      }
      slot = (slot + 1) & (kHashTableCapacity - 1);
    }
  }
}

// Counts words in packed (key, count) pairs: one 64-bit word a slot.
__global__ void count64(unsigned long long *table, const uint32_t *keys, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    uint32_t slot = hash(keys[i]);
    for (;;) {
      unsigned long long seen = table[slot];
      if (seen != ~0ull && (seen >> 32) != keys[i]) {
        slot = (slot + 1) % kHashTableCapacity;
        continue;
      }
      unsigned long long want = seen == ~0ull ? ((unsigned long long)keys[i] << 32 | 1u) : seen + 1;
      if (atomicCAS(&table[slot], seen, want) == seen) break;
    }
  }
}

int main() {
  std::mt19937 rnd(99);
  std::uniform_int_distribution<uint32_t> dis(0, kEmpty - 1);
  std::vector<KeyValue> kvs(4000), query;
  for (auto &kv : kvs) kv = {dis(rnd), dis(rnd)};
  for (auto &kv : kvs) query.push_back({kv.key, 0});
  for (int i = 0; i < 500; i++) query.push_back({dis(rnd), 0});
  std::unordered_map<uint32_t, uint32_t> map;
  for (auto &kv : kvs) map[kv.key] = kv.value;
  KeyValue *table, *d;
  cudaMalloc(&table, sizeof(KeyValue) * kHashTableCapacity);
  static_assert(kEmpty == 0xffffffff, "memset expected kEmpty=0xffffffff");
  cudaMemset(table, 0xff, sizeof(KeyValue) * kHashTableCapacity);
  cudaMalloc(&d, sizeof(KeyValue) * query.size());
  cudaMemcpy(d, kvs.data(), sizeof(KeyValue) * kvs.size(), cudaMemcpyHostToDevice);
  int mingridsize, threadblocksize;
  cudaOccupancyMaxPotentialBlockSize(&mingridsize, &threadblocksize, gpu_hashtable_insert, 0, 0);
  int gridsize = ((uint32_t)kvs.size() + threadblocksize - 1) / threadblocksize;
  gpu_hashtable_insert<<<gridsize, threadblocksize>>>(table, d, (uint32_t)kvs.size());
  cudaMemcpy(d, query.data(), sizeof(KeyValue) * query.size(), cudaMemcpyHostToDevice);
  gpu_hashtable_lookup<<<(query.size() + 127) / 128, 128>>>(table, d, (uint32_t)query.size());
  cudaMemcpy(query.data(), d, sizeof(KeyValue) * query.size(), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (auto &q : query) {
    auto it = map.find(q.key);
    bad += q.value != (it == map.end() ? kEmpty : it->second);
  }
  std::vector<uint32_t> words(20000);
  std::vector<unsigned long long> pairs(kHashTableCapacity);
  std::unordered_map<uint32_t, unsigned> counts;
  for (auto &w : words) counts[w = rnd() % 777]++;
  uint32_t *dw;
  unsigned long long *dt;
  cudaMalloc(&dw, words.size() * 4), cudaMalloc(&dt, pairs.size() * 8);
  cudaMemset(dt, 0xff, pairs.size() * 8);
  cudaMemcpy(dw, words.data(), words.size() * 4, cudaMemcpyHostToDevice);
  count64<<<16, 128>>>(dt, dw, (int)words.size());
  cudaMemcpy(pairs.data(), dt, pairs.size() * 8, cudaMemcpyDeviceToHost);
  size_t used = 0;
  for (auto p : pairs)
    if (p != ~0ull) {
      ++used;
      bad += counts[uint32_t(p >> 32)] != uint32_t(p);
    }
  bad += used != counts.size();
  printf("%zu distinct words, %d wrong\n%s\n", used, bad, bad ? "FAILED" : "PASSED");
  return bad != 0;
}
