// Match: which lanes hold the same value as I do?
//
//! title: match: any, all
//! expect: right
//
// Idea    __match_any_sync gives each lane the set of lanes whose value has the same bits;
//         __match_all_sync gives the whole mask if all agree, 0 if not, and says which through a
//         pointer. A warp groups itself by key without sorting: one lane of each group, the
//         lowest, can then add for the whole group.
// Cost    1 step (some tens of cycles: it is a search); work 32 comparisons a lane by hand.
// Shows   groups of 32- and 64-bit values against a double loop on the host, and the counts of a
//         small histogram in which each group makes one atomic addition instead of many.
// Source  course topic: warp match; CUDA C++ Programming Guide, Warp Match Functions;
//         Westphal, Voting and shuffling to optimize atomic operations, NVIDIA 2015.
#include "../common/ladder.h"

enum { KEYS = 5, THREADS = 128 };

struct found {
  unsigned int group, group64, all;
  int agree;
};

__global__ void match(const unsigned int *keys, struct found *out, unsigned int *bins,
                      unsigned int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  LADDER_STEP();
  const unsigned int here = __ballot_sync(0xffffffffu, i < n);
  if (i >= n) return;
  const unsigned int key = keys[i];
  const unsigned long long wide = (unsigned long long)key << 32 | 7u; // differs in the upper half
  struct found f;
  LADDER_READ(1);
  f.group = __match_any_sync(here, key);
  f.group64 = __match_any_sync(here, wide);
  f.all = __match_all_sync(here, key, &f.agree);
  out[i] = f;
  LADDER_WROTE(4);
  if (lane == (unsigned int)__ffs((int)f.group) - 1) {
    atomicAdd(&bins[key], (unsigned int)__popc(f.group));
    LADDER_ATOMIC(1);
  }
  LADDER_WORK(3);
}

static void compare(const unsigned int *keys, const struct found *got, unsigned int n) {
  size_t wrong = 0;
  for (unsigned int i = 0; i < n; ++i) {
    const unsigned int first = i / 32 * 32, end = first + 32 < n ? first + 32 : n;
    unsigned int group = 0, here = 0;
    for (unsigned int k = first; k < end; ++k) {
      here |= 1u << (k - first);
      if (keys[k] == keys[i]) group |= 1u << (k - first);
    }
    const struct found want = {group, group, group == here ? here : 0, group == here};
    if ((got[i].group != want.group || got[i].group64 != want.group64 || got[i].all != want.all ||
         !got[i].agree != !want.agree) &&
        wrong++ == 0)
      ladder_wrong("element %u: group %08x, %08x, all %08x, should be %08x, %08x", i, got[i].group,
                   got[i].group64, got[i].all, want.group, want.all);
  }
  printf("%u lanes looked for their kind, %zu wrong\n", n, wrong);
}

int main(int argc, char **argv) {
  unsigned int bins[KEYS] = {0}, want[KEYS] = {0}, *device, *device_bins;
  ladder_begin(argc, argv, __FILE__, 1 << 14, 1 << 22, sizeof(struct found) + 4);
  const unsigned int n = (unsigned int)ladder.size;
  unsigned int *keys = (unsigned int *)ladder_host_memory(n * sizeof *keys);
  struct found *out, *got = (struct found *)ladder_host_memory(n * sizeof *got);
  ladder_fill_u32(keys, n, KEYS);
  for (unsigned int i = 0; i < n; ++i) {
    if (i / 32 % 7 == 3) keys[i] = i / 32 % KEYS; // a warp that agrees
    ++want[keys[i]];
  }
  CHECK(cudaMalloc((void **)&device, n * sizeof *device));
  CHECK(cudaMalloc((void **)&device_bins, sizeof bins));
  CHECK(cudaMalloc((void **)&out, n * sizeof *out));
  CHECK(cudaMemcpy(device, keys, n * sizeof *keys, cudaMemcpyHostToDevice));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(device_bins, 0, sizeof bins));
    ladder_start();
    match<<<(n + THREADS - 1) / THREADS, THREADS>>>(device, out, device_bins, n);
    CHECK(ladder_stop());
  }
  CHECK(cudaMemcpy(got, out, n * sizeof *got, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(bins, device_bins, sizeof bins, cudaMemcpyDeviceToHost));
  compare(keys, got, n);
  ladder_same_u32("bins", bins, want, KEYS);
  CHECK(cudaFree(device));
  CHECK(cudaFree(device_bins));
  CHECK(cudaFree(out));
  free(keys);
  free(got);
  return ladder_end();
}
