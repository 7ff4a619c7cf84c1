// Special values of the math API, inverse functions by their definition, fast intrinsics within
// their stated errors, min and max with mixed types.
#include <cmath>
#include <cstdio>

__device__ int failures;

#define CHECK(condition) note(condition, #condition)
__device__ void note(bool ok, const char *what) {
  if (ok) return;
  atomicAdd(&failures, 1);
  printf("not so: %s\n", what);
}

template <class A, class B> struct Same { static const bool value = false; };
template <class A> struct Same<A, A> { static const bool value = true; };

__device__ bool close(double a, double b, double relative) {
  return fabs(a - b) <= relative * fabs(b);
}

// Arguments, so that the compiler cannot compute with them.
__global__ void special_values(float inf, float nan) {
  CHECK(rsqrtf(0.0f) == inf && rsqrtf(inf) == 0.0f && isnan(rsqrtf(-1.0f)));
  CHECK(rsqrt(4.0) == 0.5 && rcbrt(8.0) == 0.5 && rcbrtf(-inf) == 0.0f);
  CHECK(sinpif(1.0f) == 0.0f && sinpi(0.5) == 1.0 && cospi(0.5) == 0.0 && cospif(1.0f) == -1.0f);
  CHECK(isnan(sinpi(static_cast<double>(inf))) && sinpi(1e15 + 0.5) == 1.0);
  CHECK(erfinv(0.0) == 0.0 && erfinvf(1.0f) == inf && isnan(erfinv(1.5)));
  CHECK(erfcinvf(2.0f) == -inf && erfcinv(1.0) == 0.0 && erfcinv(0.0) == inf);
  CHECK(normcdfinv(0.5) == 0.0 && normcdfinv(1.0) == inf && normcdf(0.0) == 0.5);
  CHECK(norm3df(inf, nan, 1.0f) == inf && rnorm3d(3e200, 4e200, 0.0) == 2e-201);
  CHECK(close(norm4d(1e-200, 1e-200, 1e-200, 1e-200), 2e-200, 1e-15));
  CHECK(fminf(nan, 1.0f) == 1.0f && fmaxf(1.0f, nan) == 1.0f && isnan(fmaxf(nan, nan)));
  CHECK(fmin(static_cast<double>(nan), 2.0) == 2.0 && max(nan, 1.0f) == 1.0f &&
        max(1.0f, nan) == 1.0f && min(nan, 1.0f) == 1.0f && min(1.0f, nan) == 1.0f);
  CHECK(__saturatef(nan) == 0.0f && __saturatef(2.0f) == 1.0f && __saturatef(-2.0f) == 0.0f);
  CHECK(cyl_bessel_i0f(0.0f) == 1.0f && cyl_bessel_i1(0.0) == 0.0);
  CHECK(isnan(__powf(-2.0f, 3.0f)) && powf(-2.0f, 3.0f) == -8.0f);
  CHECK(signbit(-0.0f) && !signbit(0.0) && isinf(inf) && isfinite(1.0));
}

__global__ void inverses() {
  const int i = threadIdx.x;
  const double p = (i + 0.5) / 64;
  CHECK(close(erf(erfinv(p)), p, 1e-14) && close(erfc(erfcinv(p)), p, 1e-14));
  CHECK(close(normcdf(normcdfinv(p)), p, 1e-14));
  CHECK(close(erfcinv(exp10(-4.0 * i - 1)), erfcinv(exp10(-4.0 * i - 1)), 0));
  CHECK(close(erfc(erfcinv(exp10(-4.0 * i - 1))), exp10(-4.0 * i - 1), 1e-11));
  float s, c;
  double sd, cd;
  sincosf(static_cast<float>(p), &s, &c);
  CHECK(close(s * s + c * c, 1, 1e-6));
  sincospi(p, &sd, &cd);
  CHECK(close(sd * sd + cd * cd, 1, 1e-15) && close(sd, sinpi(p), 1e-15));
  int exponent;
  const float mantissa = frexpf(static_cast<float>(p), &exponent);
  CHECK(ldexpf(mantissa, exponent) == static_cast<float>(p) && mantissa >= 0.5f);
  double whole;
  const double fraction = modf(p + 3, &whole);
  CHECK(fraction == p && whole == 3);
  CHECK(remainderf(5.0f, 3.0f) == -1.0f && fmodf(-5.0f, 3.0f) == -2.0f &&
        fdimf(3.0f, 1.0f) == 2.0f);
  CHECK(llrint(2.5) == 2 && lroundf(2.5f) == 3 && nextafterf(1.0f, 2.0f) == 1.0f + 1.1920929e-7f);
}

__global__ void intrinsics() {
  const float x = -3.0f + threadIdx.x * 6.0f / 63;
  const float positive = 0.5f + threadIdx.x / 63.0f;
  CHECK(fabs(__sinf(x) - sin(static_cast<double>(x))) <= 4.8e-7); // 2^-21.19
  CHECK(fabs(__cosf(x) - cos(static_cast<double>(x))) <= 4.8e-7);
  CHECK(close(__expf(x), exp(static_cast<double>(x)), 8e-7));
  CHECK(close(__exp10f(x), exp10(static_cast<double>(x)), 3e-6));
  CHECK(fabs(__logf(positive) - log(static_cast<double>(positive))) <= 5e-7);
  CHECK(fabs(__log2f(positive) - log2(static_cast<double>(positive))) <= 5e-7);
  CHECK(fabs(__log10f(positive) - log10(static_cast<double>(positive))) <= 3e-7);
  CHECK(
      close(__powf(positive, x), pow(static_cast<double>(positive), static_cast<double>(x)), 3e-6));
  CHECK(close(__fdividef(x, positive), static_cast<double>(x) / positive, 3e-7));
  float s, c;
  __sincosf(x, &s, &c);
  CHECK(s == __sinf(x) && c == __cosf(x));
}

__global__ void minima() {
  const unsigned two = 2;
  const long long big = 1ll << 40;
  CHECK(max(-1, 2u) == 4294967295u && min(-1, 3) == -1 && max(big, big + 1) == big + 1);
  CHECK(min(1.5f, 2.5) == 1.5 && max(static_cast<short>(3), static_cast<short>(4)) == 4);
  CHECK(umin(two, 3u) == 2u && umax(two, 3u) == 3u && llmax(big, 1ll) == big &&
        ullmin(5ull, 6ull) == 5);
  CHECK((Same<decltype(max(1.0f, 2.0f)), float>::value));
  CHECK((Same<decltype(max(1.0f, 2.0)), double>::value));
  CHECK((Same<decltype(min(1, two)), unsigned>::value));
  CHECK((Same<decltype(min(1ul, 2ul)), unsigned long>::value));
  CHECK(abs(-3) == 3 && abs(-2.5f) == 2.5f && abs(-big) == big && labs(-7l) == 7 &&
        fabsf(-1.0f) == 1.0f);
}

int main() {
  special_values<<<1, 1>>>(INFINITY, NAN);
  inverses<<<1, 64>>>();
  intrinsics<<<1, 64>>>();
  minima<<<1, 1>>>();
  int bad = -1;
  if (cudaMemcpyFromSymbol(&bad, failures, sizeof bad) != cudaSuccess) return 1;
  puts(bad ? "FAILED" : "PASSED");
  return bad != 0;
}
