// Two 16-bit or four 8-bit integers in a word: video and DPX intrinsics on the device against
// loops over the lanes on the host.
#include <cstdio>

enum { CASES = 256 };

struct Lane {
  int bits;
  bool is_signed;
};

static int lane_of(unsigned word, int at, Lane l) {
  const int v = static_cast<int>(word >> at & ((1u << l.bits) - 1));
  return l.is_signed && (v >> (l.bits - 1)) ? v - (1 << l.bits) : v;
}
static int clamp_to(int v, Lane l) {
  const int low = l.is_signed ? -(1 << (l.bits - 1)) : 0, high = low + (1 << l.bits) - 1;
  return v < low ? low : v > high ? high : v;
}

typedef int (*LaneOp)(int, int, Lane);
static int add(int a, int b, Lane) { return a + b; }
static int sub(int a, int b, Lane) { return a - b; }
static int add_sat(int a, int b, Lane l) { return clamp_to(a + b, l); }
static int sub_sat(int a, int b, Lane l) { return clamp_to(a - b, l); }
static int abs_sat(int a, int, Lane l) { return clamp_to(a < 0 ? -a : a, l); }
static int difference(int a, int b, Lane) { return a > b ? a - b : b - a; }
static int average(int a, int b, Lane) { return (a + b + (a + b >= 0)) >> 1; }
static int larger(int a, int b, Lane) { return a > b ? a : b; }
static int smaller(int a, int b, Lane) { return a < b ? a : b; }
static int mask_ge(int a, int b, Lane) { return a >= b ? -1 : 0; }
static int set_lt(int a, int b, Lane) { return a < b; }
static int larger_or_zero(int a, int b, Lane) { return a > b ? (a > 0 ? a : 0) : (b > 0 ? b : 0); }

static const Lane S16 = {16, true}, U16 = {16, false}, S8 = {8, true}, U8 = {8, false};
static const struct {
  const char *name;
  LaneOp op;
  Lane lane;
} table[] = {
    {"__vadd2", add, U16},
    {"__vadd4", add, U8},
    {"__vsub2", sub, U16},
    {"__vsub4", sub, U8},
    {"__vaddss2", add_sat, S16},
    {"__vaddss4", add_sat, S8},
    {"__vaddus2", add_sat, U16},
    {"__vaddus4", add_sat, U8},
    {"__vsubss2", sub_sat, S16},
    {"__vsubus4", sub_sat, U8},
    {"__vabsss2", abs_sat, S16},
    {"__vabsss4", abs_sat, S8},
    {"__vabsdiffs2", difference, S16},
    {"__vabsdiffu4", difference, U8},
    {"__vavgs2", average, S16},
    {"__vavgu4", average, U8},
    {"__vmaxs2", larger, S16},
    {"__vmaxu4", larger, U8},
    {"__vmins4", smaller, S8},
    {"__vminu2", smaller, U16},
    {"__vcmpges2", mask_ge, S16},
    {"__vcmpgeu4", mask_ge, U8},
    {"__vsetlts4", set_lt, S8},
    {"__vsetltu2", set_lt, U16},
    {"__vimax_s16x2_relu", larger_or_zero, S16},
};
enum { OPS = sizeof table / sizeof table[0] };

__global__ void evaluate(const uint2 *in, unsigned *out, unsigned *sums) {
  const int i = threadIdx.x;
  const unsigned a = in[i].x, b = in[i].y;
  unsigned *r = out + i * OPS;
  *r++ = __vadd2(a, b), *r++ = __vadd4(a, b);
  *r++ = __vsub2(a, b), *r++ = __vsub4(a, b);
  *r++ = __vaddss2(a, b), *r++ = __vaddss4(a, b);
  *r++ = __vaddus2(a, b), *r++ = __vaddus4(a, b);
  *r++ = __vsubss2(a, b), *r++ = __vsubus4(a, b);
  *r++ = __vabsss2(a), *r++ = __vabsss4(a);
  *r++ = __vabsdiffs2(a, b), *r++ = __vabsdiffu4(a, b);
  *r++ = __vavgs2(a, b), *r++ = __vavgu4(a, b);
  *r++ = __vmaxs2(a, b), *r++ = __vmaxu4(a, b);
  *r++ = __vmins4(a, b), *r++ = __vminu2(a, b);
  *r++ = __vcmpges2(a, b), *r++ = __vcmpgeu4(a, b);
  *r++ = __vsetlts4(a, b), *r++ = __vsetltu2(a, b);
  *r++ = __vimax_s16x2_relu(a, b);
  const int x = static_cast<int>(a), y = static_cast<int>(b);
  sums[4 * i] = __vsadu4(a, b);
  sums[4 * i + 1] = __vsads2(a, b);
  sums[4 * i + 2] = static_cast<unsigned>(__viaddmax_s32(x, y, 17));
  bool first;
  const int least = __vibmin_s32(x, y, &first);
  sums[4 * i + 3] = static_cast<unsigned>(least) ^ (first ? 1u : 0u);
}

int main() {
  static const unsigned extremes[] = {0u, ~0u, 0x80808080u, 0x7f7f7f7fu, 0x80008000u, 0x7fff7fffu};
  static uint2 in[CASES];
  static unsigned out[CASES * OPS], sums[CASES * 4];
  unsigned state = 2463534242u;
  for (int i = 0; i < CASES; ++i) {
    unsigned n[2];
    for (int k = 0; k < 2; ++k) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      n[k] = state;
    }
    in[i] = i < 36 ? make_uint2(extremes[i % 6], extremes[i / 6]) : make_uint2(n[0], n[1]);
  }
  uint2 *device_in;
  unsigned *device_out, *device_sums;
  cudaMalloc(&device_in, sizeof in);
  cudaMalloc(&device_out, sizeof out);
  cudaMalloc(&device_sums, sizeof sums);
  cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
  evaluate<<<1, CASES>>>(device_in, device_out, device_sums);
  cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
  if (cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;

  int bad = 0;
  for (int i = 0; i < CASES; ++i) {
    const unsigned a = in[i].x, b = in[i].y;
    for (int k = 0; k < OPS; ++k) {
      const Lane l = table[k].lane;
      unsigned want = 0;
      for (int at = 0; at < 32; at += l.bits)
        want |= (static_cast<unsigned>(table[k].op(lane_of(a, at, l), lane_of(b, at, l), l)) &
                 ((1u << l.bits) - 1))
                << at;
      if (out[i * OPS + k] != want && ++bad < 10)
        printf("%s(%08x, %08x) = %08x, not %08x\n", table[k].name, a, b, out[i * OPS + k], want);
    }
    unsigned want[4] = {0, 0, 0, 0};
    for (int at = 0; at < 32; at += 8)
      want[0] += static_cast<unsigned>(difference(lane_of(a, at, U8), lane_of(b, at, U8), U8));
    for (int at = 0; at < 32; at += 16)
      want[1] += static_cast<unsigned>(difference(lane_of(a, at, S16), lane_of(b, at, S16), S16));
    const int sum = static_cast<int>(a + b), x = static_cast<int>(a), y = static_cast<int>(b);
    want[2] = static_cast<unsigned>(sum > 17 ? sum : 17);
    want[3] = static_cast<unsigned>(x < y ? x : y) ^ (x <= y ? 1u : 0u);
    for (int k = 0; k < 4; ++k)
      if (sums[4 * i + k] != want[k] && ++bad < 10)
        printf("sum %d of %08x, %08x: %08x, not %08x\n", k, a, b, sums[4 * i + k], want[k]);
  }
  cudaFree(device_in);
  cudaFree(device_out);
  cudaFree(device_sums);
  puts(bad ? "FAILED" : "PASSED");
  return bad != 0;
}
