// What the divergence rungs share: the work, the run, the comparison, the efficiency by hand.
//
// Every element is a number that goes through `rounds` steps of arithmetic, each of which needs
// the one before. Which steps it takes is decided by a branch, and that is the rung's subject.
//
// SIMT efficiency = steps that lanes took / (32 * steps that their warps took). A warp takes a
// path if one of its lanes does, and as many steps of it as its longest lane. The host calculates
// this figure from the paths, and the steps of the longest warp, which are the rung's steps.
#ifndef LADDER_DIVERGENCE_H
#define LADDER_DIVERGENCE_H

enum { DIVERGENCE_THREADS = 256, ROUNDS = 512, FEW_ROUNDS = 32, MOST_PATHS = 32 };

// Xorshift steps (Marsaglia 2003), with other shifts on each side so that no compiler merges
// the two. One lane's value never decides another's.
__host__ __device__ static inline unsigned int chain_a(unsigned int x, unsigned int rounds) {
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
  for (unsigned int r = 0; r < rounds; ++r) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}
__host__ __device__ static inline unsigned int chain_b(unsigned int x, unsigned int rounds) {
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
  for (unsigned int r = 0; r < rounds; ++r) {
    x ^= x << 6;
    x ^= x >> 21;
    x ^= x << 13;
  }
  return x;
}

// A number that is not 0, since 0 is where xorshift stays.
__host__ __device__ static inline unsigned int seed_of(unsigned int i) {
  return i * 2654435761u | 1u;
}

typedef void (*divergent_launch)(unsigned int *out, unsigned int n, unsigned int rounds);

// value_of - what the serial loop makes of element i
typedef unsigned int (*value_of)(unsigned int i, unsigned int rounds);

// path_of - the path of element i (0 .. 31), and through *steps how many steps it has
typedef unsigned int (*path_of)(unsigned int i, unsigned int rounds, unsigned int *steps);

// efficiency - of all warps; *most becomes the steps of the warp that takes the most
static double efficiency(path_of path, unsigned int n, unsigned int rounds, unsigned int *most) {
  double lanes = 0, warps = 0;
  *most = 0;
  for (unsigned int first = 0; first < n; first += 32) {
    unsigned int longest[MOST_PATHS] = {0}, warp = 0;
    for (unsigned int i = first; i < first + 32 && i < n; ++i) {
      unsigned int steps = 0;
      const unsigned int p = path(i, rounds, &steps);
      if (steps > longest[p]) longest[p] = steps;
      lanes += steps;
    }
    for (int p = 0; p < MOST_PATHS; ++p) warp += longest[p];
    if (warp > *most) *most = warp;
    warps += warp;
  }
  return warps > 0 ? lanes / (32 * warps) : 1;
}

static void divergence_run(divergent_launch launch, value_of value, path_of path) {
  const unsigned int n = (unsigned int)ladder.size;
  const unsigned int rounds = ladder.on_simt ? FEW_ROUNDS : ROUNDS;
  unsigned int *out, *got = (unsigned int *)ladder_host_memory(n * sizeof *got);
  size_t wrong = 0;
  CHECK(cudaMalloc((void **)&out, n * sizeof *out));
  for (int run = 0; run < ladder.runs; ++run) {
    CHECK(cudaMemset(out, 0, n * sizeof *out));
    ladder_start();
    launch(out, n, rounds);
    CHECK(ladder_stop());
  }
  ladder_moves((double)n * sizeof *out);
  CHECK(cudaMemcpy(got, out, n * sizeof *got, cudaMemcpyDeviceToHost));
  // All elements on the software device, each 61st of many on a GPU: 61 shares no factor with
  // 32, so every lane is looked at.
  const unsigned int step = ladder.on_simt || n < 1u << 20 ? 1 : 61;
  for (unsigned int i = 0; i < n; i += step) {
    const unsigned int want = value(i, rounds);
    if (got[i] != want && wrong++ == 0)
      ladder_wrong("out[%u] is %u, should be %u", i, got[i], want);
  }
  unsigned int most;
  const double share = efficiency(path, n, rounds, &most);
  ladder_host(LADDER_COUNT_STEPS, most);
  printf("%zu wrong of %u compared, SIMT efficiency %.1f%% by hand\n", wrong, (n + step - 1) / step,
         100 * share);
  ladder_key_number("efficiency_by_hand", share);
  CHECK(cudaFree(out));
  free(got);
}

static inline unsigned int divergence_blocks(unsigned int n) {
  return (n + DIVERGENCE_THREADS - 1) / DIVERGENCE_THREADS;
}

#endif
