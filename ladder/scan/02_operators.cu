/* Scan 02: any associative operator, with its identity
 *
 * Idea     the same kernel for add (identity 0), multiply (1), or (false), and (true), maximum
 *          (the least number) and minimum (the greatest). The identity is what an exclusive
 *          scan starts with
 * Cost     log2 n steps for each; here by doubling distances, as in rung 04
 * Shows    that a scan needs of its operator only a op (b op c) = (a op b) op c; neither
 *          a op b = b op a nor an inverse. Minus and power are refused (reduce 20)
 * Source   Blelloch 1990
 *
 * //! title: add, multiply, or, and, maximum, minimum
 * //! expect: right
 * //! watched: --size 16K
 */
#include "scan.h"

enum operation { ADD, MULTIPLY, OR, AND, MAXIMUM, MINIMUM, OPERATIONS };

static const char *const names[OPERATIONS] = {"add", "multiply", "or", "and", "maximum", "minimum"};
static const unsigned int identities[OPERATIONS] = {0, 1, 0, 1, 0, 0xffffffffu};
static const unsigned int fours[OPERATIONS][4] = {{1, 2, 3, 4}, {1, 2, 3, 4}, {0, 0, 1, 0},
                                                  {1, 1, 0, 1}, {3, 1, 4, 2}, {3, 1, 4, 2}};

__host__ __device__ static unsigned int apply(int op, unsigned int a, unsigned int b) {
  switch (op) {
  case ADD: return a + b;
  case MULTIPLY: return a * b;
  case OR: return a || b;
  case AND: return a && b;
  case MAXIMUM: return a > b ? a : b;
  default: return a < b ? a : b;
  }
}

__global__ void double_distance(int op, const unsigned int *in, size_t n, size_t distance,
                                unsigned int *out) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  LADDER_STEP();
  if (i >= n) return;
  const unsigned int own = in[i];
  LADDER_READ(1);
  LADDER_WROTE(1);
  if (i >= distance) {
    LADDER_READ(1);
    LADDER_WORK(1);
  }
  out[i] = i >= distance ? apply(op, in[i - distance], own) : own;
}

/* From an inclusive scan to the exclusive one: one place to the right, the identity in front. */
__global__ void shift(unsigned int identity, const unsigned int *in, size_t n, unsigned int *out) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = i ? in[i - 1] : identity;
  LADDER_WROTE(1);
  if (i) LADDER_READ(1);
}

static void serial(int op, enum scan_kind kind, const unsigned int *in, size_t n,
                   unsigned int *out) {
  unsigned int total = identities[op];
  for (size_t i = 0; i < n; ++i) {
    const unsigned int next = apply(op, total, in[i]);
    out[i] = kind == SCAN_INCLUSIVE ? next : total;
    total = next;
  }
}

/* Scans s->in; the inclusive result ends in *from, the exclusive one in *to. */
static void scan(int op, const struct scan *s, unsigned int **from, unsigned int **to) {
  CHECK(cudaMemcpy(s->work, s->in, s->n * sizeof *s->in, cudaMemcpyDeviceToDevice));
  *from = s->work;
  *to = s->out;
  for (size_t distance = 1; distance < s->n; distance *= 2) {
    double_distance<<<scan_blocks(s->n), 256>>>(op, *from, s->n, distance, *to);
    unsigned int *const swap = *from;
    *from = *to;
    *to = swap;
  }
  shift<<<scan_blocks(s->n), 256>>>(identities[op], *from, s->n, *to);
}

/* Input in which a misplaced element shows: numbers for add; odd ones, which divide no zero,
 * for multiply; few exceptions for or and and; a drift for maximum and minimum. */
static void fill(int op, struct scan *s) {
  for (size_t i = 0; i < s->n; ++i) {
    const unsigned int r = (unsigned int)(ladder_random(5, i) >> 32);
    const unsigned int rare = i > s->n / 2 && r % (unsigned int)(s->n / 8 + 1) == 0;
    const unsigned int drift = (unsigned int)((double)i / (double)s->n * 1e9) + r % 200000000;
    const unsigned int values[OPERATIONS] = {r, r | 1, rare, !rare, drift, 0xffffffffu - drift};
    s->host[i] = values[op];
  }
  scan_to_device(s->in, s->host, s->n);
}

static void verify(int op, struct scan *s, enum scan_kind kind, const unsigned int *device) {
  serial(op, kind, s->host, s->n, s->want);
  scan_to_host(s->got, device, s->n);
  ladder_same_u32(names[op], s->got, s->want, s->n);
  if (s->n == 4)
    printf("%s: %u %u %u %u", kind ? "; exclusive" : " inclusive", s->got[0], s->got[1], s->got[2],
           s->got[3]);
}

static void try_four(int op) {
  struct scan s;
  unsigned int *inclusive, *exclusive;
  scan_open(&s, 4);
  memcpy(s.host, fours[op], sizeof fours[op]);
  scan_to_device(s.in, s.host, 4);
  scan(op, &s, &inclusive, &exclusive);
  printf("%s of %u %u %u %u:", names[op], s.host[0], s.host[1], s.host[2], s.host[3]);
  verify(op, &s, SCAN_INCLUSIVE, inclusive);
  verify(op, &s, SCAN_EXCLUSIVE, exclusive);
  printf("\n");
  scan_close(&s);
}

int main(int argc, char **argv) {
  struct scan s;
  unsigned int *inclusive, *exclusive;
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 24, 4 * sizeof(unsigned int));
  scan_open(&s, ladder.size);
  for (int op = 0; op < OPERATIONS; ++op) {
    try_four(op);
    fill(op, &s);
    ladder.kernel.runs = 0; /* the last operator is the one that is timed */
    for (int run = 0; run < ladder.runs; ++run) {
      ladder_start();
      scan(op, &s, &inclusive, &exclusive);
      CHECK(ladder_stop());
    }
    verify(op, &s, SCAN_INCLUSIVE, inclusive);
    verify(op, &s, SCAN_EXCLUSIVE, exclusive);
  }
  ladder_moves(2.0 * (double)s.n * sizeof(unsigned int));
  scan_close(&s);
  return ladder_end();
}
