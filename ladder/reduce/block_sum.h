/* block_sum.h - a textual template: partial sums of numbers of type REAL
 *
 * Result   block_sum: the sum over a block, in thread 0
 *          partial_sums: one sum a block of an array of any length
 * Method   grid-stride serial adds (Brent 1974), shuffles within a warp, one value a warp
 *          through shared memory, shuffles again: one barrier in all
 * Launch   blocks of 32 to 1024 threads, a power of two
 * Limits   may be included once for each REAL: the functions are overloads
 */

/* Lane 0 holds the sum of the warp's first `lanes` lanes, a power of two. Who must arrive: all
 * 32 lanes. Every lane adds, but only adds that lane 0 needs are counted. */
__device__ static inline REAL warp_sum(REAL x, unsigned int lanes) {
  for (unsigned int offset = lanes / 2; offset > 0; offset /= 2) {
    x += __shfl_down_sync(0xffffffffu, x, offset);
    LADDER_STEP();
    if (threadIdx.x % 32 < offset) LADDER_WORK(1);
  }
  return x;
}

/* Who must arrive: every thread of the block. Holds the result: thread 0. */
__device__ static inline REAL block_sum(REAL x) {
  __shared__ REAL of_warp[32];
  const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  x = warp_sum(x, 32);
  if (lane == 0) of_warp[warp] = x;
  __syncthreads(); /* the sum of every warp is there */
  if (warp == 0) x = warp_sum(lane < warps ? of_warp[lane] : 0, warps);
  return x;
}

/* Elements a grid apart; four loads are under way at once, since the memory is far. */
__device__ static inline REAL thread_sum(const REAL *in, size_t n) {
  const size_t stride = gridDim.x * (size_t)blockDim.x;
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  REAL sum = 0;
  for (; i + 3 * stride < n; i += 4 * stride) {
    const REAL a = in[i], b = in[i + stride], c = in[i + 2 * stride], d = in[i + 3 * stride];
    sum = sum + a + b + c + d;
    for (int step = 0; step < 4; ++step) LADDER_STEP();
    LADDER_READ(4 * REAL_WORDS);
    LADDER_WORK(i < stride ? 3 : 4); /* the first add is to nothing */
  }
  for (; i < n; i += stride) {
    sum += in[i];
    LADDER_STEP();
    LADDER_READ(REAL_WORDS);
    if (i >= stride) LADDER_WORK(1);
  }
  return sum;
}

__global__ void partial_sums(const REAL *in, size_t n, REAL *sums) {
  const REAL sum = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    LADDER_WROTE(REAL_WORDS);
  }
}
