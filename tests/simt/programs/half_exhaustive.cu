// Every half and bfloat16 value: widening, narrowing in four directions, negation, roots and
// reciprocals, integer conversions; and sums, products, quotients and fused multiply-adds of
// many pairs. The host computes the same in double with one rounding by scaling.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Format {
  int mantissa, least_exponent, greatest_exponent; // stored bits; of normal numbers
};
static const Format HALF = {10, -14, 15}, BFLOAT16 = {7, -126, 127};
enum Direction { NEAREST, ZERO, DOWN, UP, DIRECTIONS };

static double value_of(unsigned bits, Format f) {
  const unsigned mantissa = bits & ((1u << f.mantissa) - 1), sign = bits >> 15;
  const int exponent = static_cast<int>((bits & 0x7fff) >> f.mantissa);
  const int top = f.greatest_exponent - f.least_exponent + 2;
  double v;
  if (exponent == top)
    v = mantissa ? NAN : INFINITY;
  else if (exponent == 0)
    v = ldexp(mantissa, f.least_exponent - f.mantissa);
  else
    v = ldexp(mantissa + (1u << f.mantissa), f.least_exponent + exponent - 1 - f.mantissa);
  return sign ? -v : v;
}

static unsigned rounded(double v, Format f, Direction d) {
  if (v != v) return 0x7fff;
  const unsigned sign = std::signbit(v) ? 0x8000 : 0;
  const unsigned top = static_cast<unsigned>(f.greatest_exponent - f.least_exponent + 2);
  const unsigned infinity = top << f.mantissa;
  if (std::isinf(v)) return sign | infinity;
  if (v == 0) return sign;
  int exponent;
  frexp(v, &exponent);
  --exponent;
  if (exponent < f.least_exponent) exponent = f.least_exponent;
  // In units of the last place, exactly.
  const double units = ldexp(fabs(v), f.mantissa - exponent), low = floor(units);
  const bool away = d == (sign ? DOWN : UP);
  double whole = low;
  if (d == NEAREST)
    whole = nearbyint(units);
  else if (away)
    whole = ceil(units);
  const unsigned code = static_cast<unsigned>(exponent - f.least_exponent) << f.mantissa;
  const unsigned result = code + static_cast<unsigned>(whole);
  if (result >= infinity) return sign | (d == NEAREST || away ? infinity : infinity - 1);
  return sign | result;
}

// ---- Device --------------------------------------------------------------------------------

__device__ __half make(unsigned short bits, __half) { return __ushort_as_half(bits); }
__device__ __nv_bfloat16 make(unsigned short bits, __nv_bfloat16) {
  return __ushort_as_bfloat16(bits);
}
__device__ unsigned short bits_of(__half h) { return __half_as_ushort(h); }
__device__ unsigned short bits_of(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
__device__ float widen(__half h) { return __half2float(h); }
__device__ float widen(__nv_bfloat16 h) { return __bfloat162float(h); }
__device__ void narrow(float x, unsigned short *r, __half) {
  r[NEAREST] = bits_of(__float2half_rn(x));
  r[ZERO] = bits_of(__float2half_rz(x));
  r[DOWN] = bits_of(__float2half_rd(x));
  r[UP] = bits_of(__float2half_ru(x));
}
__device__ void narrow(float x, unsigned short *r, __nv_bfloat16) {
  r[NEAREST] = bits_of(__float2bfloat16_rn(x));
  r[ZERO] = bits_of(__float2bfloat16_rz(x));
  r[DOWN] = bits_of(__float2bfloat16_rd(x));
  r[UP] = bits_of(__float2bfloat16_ru(x));
}
__device__ int whole(__half h) { return __half2int_rn(h); }
__device__ int whole(__nv_bfloat16 h) { return __bfloat162int_rn(h); }

struct Results {
  float wide;
  int whole;
  unsigned short narrow[DIRECTIONS], negative, magnitude;
  unsigned short sum, difference, product, quotient, fused;
};

// The second and third operand that go with value i.
__host__ __device__ unsigned short partner(unsigned i, unsigned step) {
  unsigned x = i * 2654435761u + step * 40503u;
  x ^= x >> 15;
  x *= 2246822519u;
  x ^= x >> 13;
  return static_cast<unsigned short>(x);
}
// A float between value i and its neighbour, by a fraction that meets ties and their vicinity.
__host__ __device__ float between(float v, unsigned i) {
  const float fractions[8] = {0, 0.5f, 0.50001f, 0.49999f, 1e-5f, 0.25f, 0.99999f, 0.5f};
  return v * (1 + fractions[i % 8] * 0.0009765625f);
}

template <class H> __global__ void evaluate(Results *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const H tag = H(), a = make(static_cast<unsigned short>(i), tag);
  const H b = make(partner(i, 1), tag), c = make(partner(i, 2), tag);
  Results r;
  r.wide = widen(a);
  r.whole = whole(a);
  narrow(between(r.wide, i), r.narrow, tag);
  r.negative = bits_of(-a);
  r.magnitude = bits_of(__habs(a));
  r.sum = bits_of(a + b);
  r.difference = bits_of(__hsub(a, b));
  r.product = bits_of(a * b);
  r.quotient = bits_of(__hdiv(a, b));
  r.fused = bits_of(__hfma(a, b, c));
  out[i] = r;
}

// ---- Host ----------------------------------------------------------------------------------

// a b + c in double is exact unless the operands are far apart; then its remainder decides ties.
static unsigned fused(double a, double b, double c, Format f) {
  const double product = a * b, sum = product + c, from_c = sum - product;
  const double rest = (product - (sum - from_c)) + (c - from_c);
  double v = sum;
  if (rest != 0 && rest == rest && !std::isinf(sum)) {
    long long n;
    memcpy(&n, &sum, sizeof n);
    if (!(n & 1)) v = nextafter(sum, rest > 0 ? INFINITY : -INFINITY);
  }
  return rounded(v, f, NEAREST);
}

static bool same(unsigned got, unsigned want, Format f) {
  return got == want || (std::isnan(value_of(got, f)) && std::isnan(value_of(want, f)));
}

template <class H> static int check(const char *name, Format f, double quotient_ulps) {
  Results *device, *r = new Results[65536];
  cudaMalloc(&device, 65536 * sizeof *r);
  evaluate<H><<<256, 256>>>(device);
  if (cudaMemcpy(r, device, 65536 * sizeof *r, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  int bad = 0;
  for (unsigned i = 0; i < 65536; ++i) {
    const double a = value_of(i, f), b = value_of(partner(i, 1), f), c = value_of(partner(i, 2), f);
    const bool nan = a != a;
    const float v = static_cast<float>(a), x = between(v, i);
    bool ok = nan ? r[i].wide != r[i].wide : r[i].wide == v;
    for (int d = 0; d < DIRECTIONS; ++d)
      ok = ok && same(r[i].narrow[d], rounded(static_cast<double>(x), f, Direction(d)), f);
    ok = ok && same(r[i].negative, i ^ 0x8000, f) && same(r[i].magnitude, i & 0x7fff, f);
    ok = ok && same(r[i].sum, rounded(a + b, f, NEAREST), f);
    ok = ok && same(r[i].difference, rounded(a - b, f, NEAREST), f);
    ok = ok && same(r[i].product, rounded(a * b, f, NEAREST), f);
    ok = ok && same(r[i].fused, fused(a, b, c, f), f);
    const int want = nan                 ? 0
                     : a >= 2147483648.0 ? 2147483647
                     : a < -2147483648.0 ? -2147483647 - 1
                                         : static_cast<int>(nearbyint(a));
    ok = ok && r[i].whole == want;
    const unsigned quotient = rounded(a / b, f, NEAREST);
    const int off = static_cast<int>(r[i].quotient) - static_cast<int>(quotient);
    ok = ok && (same(r[i].quotient, quotient, f) || abs(off) <= quotient_ulps);
    if (!ok && ++bad < 6)
      printf("%s %04x, %04x, %04x: %g %d %04x %04x %04x %04x, %04x %04x %04x %04x %04x\n", name, i,
             partner(i, 1), partner(i, 2), double(r[i].wide), r[i].whole, r[i].narrow[0],
             r[i].narrow[1], r[i].narrow[2], r[i].narrow[3], r[i].sum, r[i].difference,
             r[i].product, r[i].quotient, r[i].fused);
  }
  cudaFree(device);
  delete[] r;
  return bad;
}

int main() {
  int bad = check<__half>("half", HALF, 1);
  bad += check<__nv_bfloat16>("bfloat16", BFLOAT16, 1);
  puts(bad ? "FAILED" : "PASSED");
  return bad != 0;
}
