/* Reduce 20: operators that are not associative are refused
 *
 * Idea     a tree adds in another order than the loop, (a + b) + (c + d) for ((a + b) + c) + d,
 *          which is right only if a op (b op c) = (a op b) op c. So ask before launching: try
 *          small triples, and refuse an operator that breaks the law
 * Cost     27 triples an operator on the host; then rung 03, its block results folded by
 *          the host
 * Shows    plus, times, maximum and minimum pass and give the loop's result; minus and power are
 *          refused, and what the tree would have given for them is another number. (Float
 *          addition breaks the law in its last bits: rung 14. Associative is enough: the tree
 *          of this rung also needs a op b = b op a, since it pairs elements half a tile apart)
 * Source   Blelloch 1990: scans and reductions are defined for associative operators
 *
 * //! title: minus and power are refused
 * //! expect: caught refused operator
 */
#include "reduce.h"

enum { TILE = 256 };
enum operation { PLUS, TIMES, MAXIMUM, MINIMUM, MINUS, POWER, OPERATIONS };

static const char *const names[OPERATIONS] = {"plus",    "times", "maximum",
                                              "minimum", "minus", "power"};
static const double identities[OPERATIONS] = {0, 1, -1e30, 1e30, 0, 1};

__host__ __device__ static double apply(int op, double a, double b) {
  switch (op) {
  case PLUS: return a + b;
  case TIMES: return a * b;
  case MAXIMUM: return a > b ? a : b;
  case MINIMUM: return a < b ? a : b;
  case MINUS: return a - b;
  default: return pow(a, b);
  }
}

/* One sum a block; identities stand in for what is beyond n. */
__global__ void reduce_tiles(int op, double identity, const double *in, size_t n, double *out) {
  __shared__ double tile[TILE];
  const unsigned int t = threadIdx.x;
  const size_t i = blockIdx.x * (size_t)blockDim.x + t;
  tile[t] = i < n ? in[i] : identity;
  __syncthreads(); /* the tile is complete */
  for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) {
      tile[t] = apply(op, tile[t], tile[t + half]);
      LADDER_WORK(1);
    }
    LADDER_STEP();
    __syncthreads(); /* this level is complete */
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

/* Returns 1 if a triple breaks the law, and prints it. */
static int breaks_the_law(int op) {
  for (int k = 0; k < 27; ++k) {
    const double a = 1 + k / 9, b = 1 + k / 3 % 3, c = 1 + k % 3;
    const double left = apply(op, apply(op, a, b), c), right = apply(op, a, apply(op, b, c));
    if (left == right) continue;
    printf("%s refused: (%g %s %g) %s %g = %g, but %g %s (%g %s %g) = %g\n", names[op], a,
           names[op], b, names[op], c, left, a, names[op], b, names[op], c, right);
    return 1;
  }
  printf("%s accepted\n", names[op]);
  return 0;
}

static double serial(int op, const double *in, size_t n) {
  double result = in[0];
  for (size_t i = 1; i < n; ++i) result = apply(op, result, in[i]);
  return result;
}

/* By tiles on the device; the host folds their results. */
static double reduce(int op, const double *in, size_t n, unsigned int threads) {
  const size_t blocks = (n + threads - 1) / threads;
  double *data, *out, *results = (double *)ladder_host_memory(blocks * sizeof *results);
  CHECK(cudaMalloc((void **)&data, n * sizeof *data));
  CHECK(cudaMalloc((void **)&out, blocks * sizeof *out));
  CHECK(cudaMemcpy(data, in, n * sizeof *data, cudaMemcpyHostToDevice));
  ladder_start();
  reduce_tiles<<<(unsigned int)blocks, threads>>>(op, identities[op], data, n, out);
  CHECK(ladder_stop());
  CHECK(cudaMemcpy(results, out, blocks * sizeof *out, cudaMemcpyDeviceToHost));
  const double result = serial(op, results, blocks);
  CHECK(cudaFree(data));
  CHECK(cudaFree(out));
  free(results);
  return result;
}

/* Numbers that leave no rounding: powers of two near 1 for times, integers otherwise. */
static void fill(int op, double *in, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const unsigned int r = (unsigned int)(ladder_random(5, i) >> 32);
    in[i] = op == TIMES ? (r % 64 == 0 ? 2 : r % 64 == 1 ? 0.5 : 1) : (double)(r >> 8) - 8388608;
  }
}

int main(int argc, char **argv) {
  static const double four[4] = {4, 3, 2, 1};
  int refused[OPERATIONS];
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 20, 2 * sizeof(double));
  const size_t n = ladder.size;
  if (n > 1 << 22)
    ladder_usage("--size:", "2^22 is the most whose product is sure to fit a double");
  double *in = (double *)ladder_host_memory(n * sizeof *in);
  for (int op = 0; op < OPERATIONS; ++op) {
    refused[op] = breaks_the_law(op);
    fill(op, in, n);
    if (!refused[op] && reduce(op, in, n, TILE) != serial(op, in, n))
      ladder_wrong("%s of %zu numbers is not what the loop gives", names[op], n);
  }
  for (int op = MINUS; op <= POWER; ++op)
    printf("%s of 4 3 2 1: loop %g, tree %g\n", names[op], serial(op, four, 4),
           reduce(op, four, 4, 4));
  ladder.kernel.runs = 0;
  free(in);
  const int right = !refused[PLUS] && !refused[TIMES] && !refused[MAXIMUM] && !refused[MINIMUM];
  ladder_true(right && refused[MINUS] && refused[POWER], "the wrong operators were refused");
  ladder_caught("refused operator: minus and power are not associative");
  return ladder_end();
}
