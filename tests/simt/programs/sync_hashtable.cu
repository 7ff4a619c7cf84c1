// Open-addressing hash table: insert, find, erase with 64-bit and 32-bit compare-and-swap.
// expect: pass
#include <algorithm>
#include <random>
#include <stdint.h>
#include <stdio.h>
#include <unordered_map>
#include <vector>

struct Slot {
  uint32_t key;
  uint32_t value;
};

const uint32_t kSlots = 8 * 1024;
const uint32_t kFree = 0xffffffff;

__device__ uint32_t hash(uint32_t k) {
  k ^= k >> 15;
  k *= 0x2c1b3c6d;
  k ^= k >> 12;
  k *= 0x297a2d39;
  k ^= k >> 15;
  return k & (kSlots - 1);
}

__global__ void insert_all(Slot *slots, const Slot *items, unsigned int count) {
  unsigned int me = blockIdx.x * blockDim.x + threadIdx.x;
  if (me < count) {
    uint32_t key = items[me].key, value = items[me].value, slot = hash(key);
    while (true) {
      uint32_t prev = atomicCAS(&slots[slot].key, kFree, key);
      if (prev == kFree || prev == key) {
        slots[slot].value = value;
        return;
      }
      slot = (slot + 1) & (kSlots - 1);
    }
  }
}

__global__ void find_all(Slot *slots, Slot *items, unsigned int count) {
  unsigned int me = blockIdx.x * blockDim.x + threadIdx.x;
  if (me < count) {
    uint32_t key = items[me].key, slot = hash(key);
    while (true) {
      if (slots[slot].key == key) {
        items[me].value = slots[slot].value;
        return;
      }
      if (slots[slot].key == kFree) {
        items[me].value = kFree;
        return;
      }
      slot = (slot + 1) & (kSlots - 1);
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
        slot = (slot + 1) % kSlots;
        continue;
      }
      unsigned long long want = seen == ~0ull ? ((unsigned long long)keys[i] << 32 | 1u) : seen + 1;
      if (atomicCAS(&table[slot], seen, want) == seen) break;
    }
  }
}

int main() {
  std::mt19937 rnd(99);
  std::uniform_int_distribution<uint32_t> dis(0, kFree - 1);
  std::vector<Slot> items(4000), query;
  for (auto &kv : items) kv = {dis(rnd), dis(rnd)};
  for (auto &kv : items) query.push_back({kv.key, 0});
  for (int i = 0; i < 500; i++) query.push_back({dis(rnd), 0});
  std::unordered_map<uint32_t, uint32_t> map;
  for (auto &kv : items) map[kv.key] = kv.value;
  Slot *table, *d;
  cudaMalloc(&table, sizeof(Slot) * kSlots);
  static_assert(kFree == 0xffffffff, "the table is cleared by memset");
  cudaMemset(table, 0xff, sizeof(Slot) * kSlots);
  cudaMalloc(&d, sizeof(Slot) * query.size());
  cudaMemcpy(d, items.data(), sizeof(Slot) * items.size(), cudaMemcpyHostToDevice);
  int least_blocks, threads;
  cudaOccupancyMaxPotentialBlockSize(&least_blocks, &threads, insert_all, 0, 0);
  int blocks = ((uint32_t)items.size() + threads - 1) / threads;
  insert_all<<<blocks, threads>>>(table, d, (uint32_t)items.size());
  cudaMemcpy(d, query.data(), sizeof(Slot) * query.size(), cudaMemcpyHostToDevice);
  find_all<<<(query.size() + 127) / 128, 128>>>(table, d, (uint32_t)query.size());
  cudaMemcpy(query.data(), d, sizeof(Slot) * query.size(), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (auto &q : query) {
    auto it = map.find(q.key);
    bad += q.value != (it == map.end() ? kFree : it->second);
  }
  std::vector<uint32_t> words(20000);
  std::vector<unsigned long long> pairs(kSlots);
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
  cudaFree(table); cudaFree(d); cudaFree(dw); cudaFree(dt);
  return bad != 0;
}
