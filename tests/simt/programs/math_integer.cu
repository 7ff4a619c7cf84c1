// Integer intrinsics on the device against plain loops on the host, with extremes of every type.
#include <cstdio>
#include <cstdlib>

enum { RESULTS = 26, CASES = 64 };

struct Input {
  unsigned a, b, c;
  unsigned long long x, y;
};

__global__ void evaluate(const Input *inputs, unsigned long long *out) {
  const int i = threadIdx.x;
  const Input in = inputs[i];
  const int a = static_cast<int>(in.a), b = static_cast<int>(in.b);
  const long long x = static_cast<long long>(in.x), y = static_cast<long long>(in.y);
  unsigned long long *r = out + i * RESULTS;
  r[0] = __popc(in.a);
  r[1] = __popcll(in.x);
  r[2] = __clz(a);
  r[3] = __clzll(x);
  r[4] = __ffs(a);
  r[5] = __ffsll(x);
  r[6] = __brev(in.a);
  r[7] = __brevll(in.x);
  r[8] = __byte_perm(in.a, in.b, in.c & 0x7777);
  r[9] = __funnelshift_l(in.a, in.b, in.c);
  r[10] = __funnelshift_lc(in.a, in.b, in.c & 63);
  r[11] = __funnelshift_r(in.a, in.b, in.c);
  r[12] = __funnelshift_rc(in.a, in.b, in.c & 63);
  r[13] = static_cast<unsigned>(__mulhi(a, b));
  r[14] = __umulhi(in.a, in.b);
  r[15] = static_cast<unsigned long long>(__mul64hi(x, y));
  r[16] = __umul64hi(in.x, in.y);
  r[17] = static_cast<unsigned>(__mul24(a, b));
  r[18] = __umul24(in.a, in.b);
  r[19] = __sad(a, b, in.c);
  r[20] = __usad(in.a, in.b, in.c);
  r[21] = static_cast<unsigned>(__hadd(a, b));
  r[22] = static_cast<unsigned>(__rhadd(a, b));
  r[23] = __uhadd(in.a, in.b);
  r[24] = __urhadd(in.a, in.b);
  r[25] = static_cast<unsigned>(__dp4a(a, b, static_cast<int>(in.c)));
}

static unsigned long long reversed(unsigned long long v, int bits) {
  unsigned long long r = 0;
  for (int i = 0; i < bits; ++i) r |= (v >> i & 1) << (bits - 1 - i);
  return r;
}
static int count_ones(unsigned long long v) {
  int n = 0;
  for (; v; v >>= 1) n += static_cast<int>(v & 1);
  return n;
}
static int width(unsigned long long v) {
  int n = 0;
  for (; v; v >>= 1) ++n;
  return n;
}
// The high 64 bits of a product, from 32-bit parts.
static unsigned long long high_product(unsigned long long x, unsigned long long y) {
  const unsigned long long x0 = x & 0xffffffffu, x1 = x >> 32, y0 = y & 0xffffffffu, y1 = y >> 32;
  const unsigned long long middle = x1 * y0 + (x0 * y0 >> 32);
  return x1 * y1 + (middle >> 32) + ((x0 * y1 + (middle & 0xffffffffu)) >> 32);
}
static long long low24(unsigned v) {
  return (v & 0x800000) ? static_cast<long long>(v & 0xffffff) - 0x1000000 : v & 0xffffff;
}

static void expected(const Input &in, unsigned long long *r) {
  const long long a = static_cast<int>(in.a), b = static_cast<int>(in.b);
  const unsigned long long both = static_cast<unsigned long long>(in.b) << 32 | in.a;
  const unsigned shift = in.c & 31, clamped = (in.c & 63) < 32 ? in.c & 63 : 32;
  r[0] = count_ones(in.a);
  r[1] = count_ones(in.x);
  r[2] = 32 - width(in.a);
  r[3] = 64 - width(in.x);
  r[4] = width(in.a & (0u - in.a));
  r[5] = width(in.x & (0ull - in.x));
  r[6] = reversed(in.a, 32);
  r[7] = reversed(in.x, 64);
  r[8] = 0;
  for (int i = 0; i < 4; ++i) r[8] |= (both >> (8 * (in.c >> (4 * i) & 7)) & 0xff) << (8 * i);
  r[9] = static_cast<unsigned>(both << shift >> 32);
  r[10] = static_cast<unsigned>(both << clamped >> 32);
  r[11] = static_cast<unsigned>(both >> shift);
  r[12] = static_cast<unsigned>(both >> clamped);
  r[13] = static_cast<unsigned>(a * b >> 32);
  r[14] = static_cast<unsigned long long>(in.a) * in.b >> 32;
  r[16] = high_product(in.x, in.y);
  r[15] = r[16] - (in.x >> 63 ? in.y : 0) - (in.y >> 63 ? in.x : 0);
  r[17] = static_cast<unsigned>(low24(in.a) * low24(in.b));
  r[18] = static_cast<unsigned>((in.a & 0xffffffull) * (in.b & 0xffffffull));
  r[19] = static_cast<unsigned>((a > b ? a - b : b - a) + in.c);
  r[20] = static_cast<unsigned>((in.a > in.b ? in.a - in.b : in.b - in.a) + in.c);
  r[21] = static_cast<unsigned>((a + b) >> 1);
  r[22] = static_cast<unsigned>((a + b + 1) >> 1);
  r[23] = (static_cast<unsigned long long>(in.a) + in.b) >> 1;
  r[24] = (static_cast<unsigned long long>(in.a) + in.b + 1) >> 1;
  long long sum = static_cast<int>(in.c);
  for (int i = 0; i < 32; i += 8)
    sum += static_cast<signed char>(in.a >> i) * static_cast<signed char>(in.b >> i);
  r[25] = static_cast<unsigned>(sum);
}

int main() {
  static const unsigned extremes[] = {0u, 1u, 0xffffffffu, 0x80000000u, 0x7fffffffu, 0x00800000u};
  static Input inputs[CASES];
  unsigned long long state = 88172645463325252ull;
  for (int i = 0; i < CASES; ++i) {
    unsigned long long n[4];
    for (int k = 0; k < 4; ++k) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      n[k] = state;
    }
    const Input in = {static_cast<unsigned>(n[0]), static_cast<unsigned>(n[1]),
                      static_cast<unsigned>(n[0] >> 32), n[2], n[3]};
    inputs[i] = in;
    if (i < 36) {
      inputs[i].a = extremes[i % 6];
      inputs[i].b = extremes[i / 6];
      inputs[i].x = static_cast<unsigned long long>(extremes[i % 6]) << 32;
      if (i % 4 == 0) inputs[i].y = ~0ull;
    }
  }
  Input *device_inputs;
  unsigned long long *device_results;
  static unsigned long long results[CASES * RESULTS];
  cudaMalloc(&device_inputs, sizeof inputs);
  cudaMalloc(&device_results, sizeof results);
  cudaMemcpy(device_inputs, inputs, sizeof inputs, cudaMemcpyHostToDevice);
  evaluate<<<1, CASES>>>(device_inputs, device_results);
  if (cudaMemcpy(results, device_results, sizeof results, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  int bad = 0;
  for (int i = 0; i < CASES; ++i) {
    unsigned long long want[RESULTS];
    expected(inputs[i], want);
    for (int k = 0; k < RESULTS; ++k)
      if (results[i * RESULTS + k] != want[k]) {
        if (++bad < 10)
          printf("case %d, result %d: %llx, not %llx\n", i, k, results[i * RESULTS + k], want[k]);
      }
  }
  cudaFree(device_inputs);
  cudaFree(device_results);
  puts(bad ? "FAILED" : "PASSED");
  return bad != 0;
}
