// Every atomic function, on global and on shared memory, in the three scopes.
#include <cstdio>

enum { BLOCKS = 5, THREADS = 96, ALL = BLOCKS * THREADS };

static int failures;

static void expect(double got, double want, const char *what) {
  if (got == want) return;
  ++failures;
  std::printf("wrong: %s is %.17g, not %.17g\n", what, got, want);
}

struct cells {
  int add, sub, min, max, bits_and, bits_or, bits_xor, cas, exch_sum;
  unsigned uadd, usub, umin, umax, uand, uor, uxor, inc, dec, ucas;
  unsigned long long ladd, lmin, lmax, land_, lor_, lxor_, lcas;
  long long smin, smax;
  float fadd;
  double dadd;
  float2 two;
  float4 four;
};

// What one thread does; n is its number among all that share the cells.
__device__ void work(cells *c, int n) {
  atomicAdd(&c->add, n);
  atomicSub(&c->sub, n);
  atomicMin(&c->min, 100 - n);
  atomicMax(&c->max, n - 100);
  atomicAnd(&c->bits_and, ~(1 << n % 30));
  atomicOr(&c->bits_or, 1 << n % 30);
  atomicXor(&c->bits_xor, 1 << n % 7);
  atomicAdd_block(&c->uadd, 3);
  atomicSub_system(&c->usub, 1u);
  atomicMin(&c->umin, 4000000000u - n);
  atomicMax(&c->umax, 3000000000u + n);
  atomicAnd(&c->uand, ~(1u << n % 32));
  atomicOr(&c->uor, 1u << n % 32);
  atomicXor(&c->uxor, 1u << n % 32);
  atomicInc(&c->inc, 6);
  atomicDec(&c->dec, 6);
  atomicAdd(&c->ladd, 1ull << 33);
  atomicMin(&c->lmin, (1ull << 40) - n);
  atomicMax(&c->lmax, (1ull << 40) + n);
  atomicAnd(&c->land_, ~(1ull << n % 64));
  atomicOr(&c->lor_, 1ull << n % 64);
  atomicXor(&c->lxor_, 1ull << n % 64);
  atomicMin(&c->smin, -(1ll << 40) - n);
  atomicMax(&c->smax, -(1ll << 40) + n);
  atomicAdd(&c->fadd, 0.5f);
  atomicAdd(&c->dadd, 0.25);
  int seen = c->cas, before; // adds 2 by compare and swap
  do {
    before = seen;
    seen = atomicCAS(&c->cas, before, before + 2);
  } while (seen != before);
  unsigned long long lseen = c->lcas, lbefore;
  do {
    lbefore = lseen;
    lseen = atomicCAS(&c->lcas, lbefore, lbefore + (1ull << 35));
  } while (lseen != lbefore);
}

__global__ void on_global(cells *c, int *slot, int *sum) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  work(c, n);
  atomicAdd(&c->two, make_float2(1, 2));
  atomicAdd(&c->four, make_float4(1, 2, 3, 4));
  // Whatever comes out of the slot was put in by another: all together once each.
  const int out = atomicExch(slot, n + 1);
  atomicAdd(sum, out);
}

__global__ void on_shared(cells *out, const cells *start, unsigned short *tickets) {
  __shared__ cells c;
  __shared__ unsigned short lock[2];
  if (threadIdx.x == 0) {
    c = *start;
    lock[0] = lock[1] = 7;
  }
  __syncthreads();
  work(&c, threadIdx.x);
  if (atomicCAS(&lock[1], (unsigned short)7, (unsigned short)8) == 7) tickets[blockIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    out[blockIdx.x] = c;
    if (lock[0] != 7 || lock[1] != 8) tickets[blockIdx.x] = 99;
  }
}

// Many threads, few cells: exchanges that fail and are tried again.
__global__ void contended(double *sum, unsigned *inc, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    atomicAdd(sum, 1.0);
    atomicInc(inc, 0xffffffffu);
  }
}

static cells fresh() {
  cells c = {};
  c.min = c.max = 0;
  c.bits_and = -1;
  c.umin = c.uand = 0xffffffffu;
  c.lmin = c.land_ = ~0ull;
  c.smin = 0;
  c.smax = -(1ll << 62);
  c.dec = 3;
  return c;
}

static void check(const cells &c, int n, const char *where) {
  std::printf("%s\n", where);
  unsigned long long xor_bits = 0, or_bits = 0;
  unsigned xor7 = 0;
  unsigned dec = 3;
  for (int i = 0; i < n; ++i) {
    xor_bits ^= 1ull << i % 64;
    or_bits |= 1ull << i % 64;
    xor7 ^= 1u << i % 7;
    dec = dec == 0 || dec > 6 ? 6 : dec - 1;
  }
  unsigned xor32 = 0;
  for (int i = 0; i < n; ++i) xor32 ^= 1u << i % 32;
  expect(c.add, n * (n - 1) / 2, "add");
  expect(c.sub, -(n * (n - 1) / 2), "sub");
  expect(c.min, 101 - n < 0 ? 101 - n : 0, "min");
  expect(c.max, n - 101 > 0 ? n - 101 : 0, "max");
  expect(c.bits_and, int(~0x3fffffffu), "and");
  expect(c.bits_or, 0x3fffffff, "or");
  expect(c.bits_xor, xor7, "xor");
  expect(c.uadd, 3 * n, "unsigned add");
  expect(c.usub, 0u - unsigned(n), "unsigned sub");
  expect(c.umin, 4000000001u - n, "unsigned min");
  expect(c.umax, 2999999999u + n, "unsigned max");
  expect(c.uand, 0, "unsigned and");
  expect(c.uor, 0xffffffffu, "unsigned or");
  expect(c.uxor, xor32, "unsigned xor");
  expect(c.inc, n % 7, "inc");
  expect(c.dec, dec, "dec");
  expect(c.ladd, 8589934592.0 * n, "64-bit add");
  expect(c.lmin, double((1ull << 40) - n + 1), "64-bit min");
  expect(c.lmax, double((1ull << 40) + n - 1), "64-bit max");
  expect(c.land_, double(~or_bits), "64-bit and");
  expect(c.lor_, double(or_bits), "64-bit or");
  expect(c.lxor_, double(xor_bits), "64-bit xor");
  expect(c.smin, double(-(1ll << 40) - n + 1), "signed 64-bit min");
  expect(c.smax, double(-(1ll << 40) + n - 1), "signed 64-bit max");
  expect(c.fadd, 0.5 * n, "float add");
  expect(c.dadd, 0.25 * n, "double add");
  expect(c.cas, 2 * n, "cas");
  expect(c.lcas, 34359738368.0 * n, "64-bit cas");
}

int main() {
  cells *c;
  int *slot;
  unsigned short *tickets;
  cudaMallocManaged(&c, (BLOCKS + 1) * sizeof(cells));
  cudaMallocManaged(&slot, 2 * sizeof(int));
  cudaMallocManaged(&tickets, BLOCKS * sizeof(unsigned short));
  *c = fresh();
  slot[0] = slot[1] = 0;
  on_global<<<BLOCKS, THREADS>>>(c, slot, slot + 1);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status");
  check(*c, ALL, "global");
  expect(slot[0] + slot[1], ALL * (ALL + 1) / 2, "exchanged");
  expect(c->two.x + c->two.y, 3 * ALL, "float2");
  expect(c->four.x + c->four.y + c->four.z + c->four.w, 10 * ALL, "float4");

  for (int b = 0; b < BLOCKS; ++b) tickets[b] = 0;
  c[BLOCKS] = fresh();
  on_shared<<<BLOCKS, THREADS>>>(c, c + BLOCKS, tickets);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status");
  for (int b = 0; b < BLOCKS; ++b) {
    check(c[b], THREADS, "shared");
    expect(tickets[b], 1, "16-bit cas");
  }

  double *sum;
  unsigned *inc;
  cudaMallocManaged(&sum, sizeof *sum);
  cudaMallocManaged(&inc, sizeof *inc);
  *sum = *inc = 0;
  contended<<<1024, 128>>>(sum, inc, 50);
  expect(cudaDeviceSynchronize(), cudaSuccess, "status");
  expect(*sum, 1024 * 128 * 50, "contended sum");
  expect(*inc, 1024 * 128 * 50, "contended inc");
  if (failures) return 1;
  std::printf("PASSED\n");
  cudaFree(c); cudaFree(slot); cudaFree(tickets); cudaFree(sum); cudaFree(inc);
  return 0;
}
