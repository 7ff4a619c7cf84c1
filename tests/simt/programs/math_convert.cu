// Conversions between float, double and integers in all four rounding directions, saturation,
// and reinterpretation of bits, against exactly computed values.
#include <cstdio>

static const float floats[] = {1.5f,
                               2.5f,
                               -1.5f,
                               -0.75f,
                               3000000000.0f,
                               -3000000000.0f,
                               -1.0000000200408773e+20f,
                               2147483648.0f,
                               -2147483648.0f,
                               4294967296.0f,
                               9.300000300729369e+18f,
                               8388607.5f};
static const double doubles[] = {
    0.5,     1.900000073262039e+19, 8388607.5, 2147483647.5, -2147483648.5, 4294967295.5, 1e+300,
    -1e+300, 0.49999999999999994};
// [value][int, uint, ll, ull][rn, rz, ru, rd]
static const unsigned long long from_float[][16] = {
    {2ull, 1ull, 2ull, 1ull, 2ull, 1ull, 2ull, 1ull, 2ull, 1ull, 2ull, 1ull, 2ull, 1ull, 2ull,
     1ull},
    {2ull, 2ull, 3ull, 2ull, 2ull, 2ull, 3ull, 2ull, 2ull, 2ull, 3ull, 2ull, 2ull, 2ull, 3ull,
     2ull},
    {4294967294ull, 4294967295ull, 4294967295ull, 4294967294ull, 0ull, 0ull, 0ull, 0ull,
     18446744073709551614ull, 18446744073709551615ull, 18446744073709551615ull,
     18446744073709551614ull, 0ull, 0ull, 0ull, 0ull},
    {4294967295ull, 0ull, 0ull, 4294967295ull, 0ull, 0ull, 0ull, 0ull, 18446744073709551615ull,
     0ull, 0ull, 18446744073709551615ull, 0ull, 0ull, 0ull, 0ull},
    {2147483647ull, 2147483647ull, 2147483647ull, 2147483647ull, 3000000000ull, 3000000000ull,
     3000000000ull, 3000000000ull, 3000000000ull, 3000000000ull, 3000000000ull, 3000000000ull,
     3000000000ull, 3000000000ull, 3000000000ull, 3000000000ull},
    {2147483648ull, 2147483648ull, 2147483648ull, 2147483648ull, 0ull, 0ull, 0ull, 0ull,
     18446744070709551616ull, 18446744070709551616ull, 18446744070709551616ull,
     18446744070709551616ull, 0ull, 0ull, 0ull, 0ull},
    {2147483648ull, 2147483648ull, 2147483648ull, 2147483648ull, 0ull, 0ull, 0ull, 0ull,
     9223372036854775808ull, 9223372036854775808ull, 9223372036854775808ull, 9223372036854775808ull,
     0ull, 0ull, 0ull, 0ull},
    {2147483647ull, 2147483647ull, 2147483647ull, 2147483647ull, 2147483648ull, 2147483648ull,
     2147483648ull, 2147483648ull, 2147483648ull, 2147483648ull, 2147483648ull, 2147483648ull,
     2147483648ull, 2147483648ull, 2147483648ull, 2147483648ull},
    {2147483648ull, 2147483648ull, 2147483648ull, 2147483648ull, 0ull, 0ull, 0ull, 0ull,
     18446744071562067968ull, 18446744071562067968ull, 18446744071562067968ull,
     18446744071562067968ull, 0ull, 0ull, 0ull, 0ull},
    {2147483647ull, 2147483647ull, 2147483647ull, 2147483647ull, 4294967295ull, 4294967295ull,
     4294967295ull, 4294967295ull, 4294967296ull, 4294967296ull, 4294967296ull, 4294967296ull,
     4294967296ull, 4294967296ull, 4294967296ull, 4294967296ull},
    {2147483647ull, 2147483647ull, 2147483647ull, 2147483647ull, 4294967295ull, 4294967295ull,
     4294967295ull, 4294967295ull, 9223372036854775807ull, 9223372036854775807ull,
     9223372036854775807ull, 9223372036854775807ull, 9300000300729368576ull, 9300000300729368576ull,
     9300000300729368576ull, 9300000300729368576ull},
    {8388608ull, 8388607ull, 8388608ull, 8388607ull, 8388608ull, 8388607ull, 8388608ull, 8388607ull,
     8388608ull, 8388607ull, 8388608ull, 8388607ull, 8388608ull, 8388607ull, 8388608ull,
     8388607ull}};
static const unsigned long long from_double[][16] = {
    {0ull, 0ull, 1ull, 0ull, 0ull, 0ull, 1ull, 0ull, 0ull, 0ull, 1ull, 0ull, 0ull, 0ull, 1ull,
     0ull},
    {2147483647ull, 2147483647ull, 2147483647ull, 2147483647ull, 4294967295ull, 4294967295ull,
     4294967295ull, 4294967295ull, 9223372036854775807ull, 9223372036854775807ull,
     9223372036854775807ull, 9223372036854775807ull, 18446744073709551615ull,
     18446744073709551615ull, 18446744073709551615ull, 18446744073709551615ull},
    {8388608ull, 8388607ull, 8388608ull, 8388607ull, 8388608ull, 8388607ull, 8388608ull, 8388607ull,
     8388608ull, 8388607ull, 8388608ull, 8388607ull, 8388608ull, 8388607ull, 8388608ull,
     8388607ull},
    {2147483647ull, 2147483647ull, 2147483647ull, 2147483647ull, 2147483648ull, 2147483647ull,
     2147483648ull, 2147483647ull, 2147483648ull, 2147483647ull, 2147483648ull, 2147483647ull,
     2147483648ull, 2147483647ull, 2147483648ull, 2147483647ull},
    {2147483648ull, 2147483648ull, 2147483648ull, 2147483648ull, 0ull, 0ull, 0ull, 0ull,
     18446744071562067968ull, 18446744071562067968ull, 18446744071562067968ull,
     18446744071562067967ull, 0ull, 0ull, 0ull, 0ull},
    {2147483647ull, 2147483647ull, 2147483647ull, 2147483647ull, 4294967295ull, 4294967295ull,
     4294967295ull, 4294967295ull, 4294967296ull, 4294967295ull, 4294967296ull, 4294967295ull,
     4294967296ull, 4294967295ull, 4294967296ull, 4294967295ull},
    {2147483647ull, 2147483647ull, 2147483647ull, 2147483647ull, 4294967295ull, 4294967295ull,
     4294967295ull, 4294967295ull, 9223372036854775807ull, 9223372036854775807ull,
     9223372036854775807ull, 9223372036854775807ull, 18446744073709551615ull,
     18446744073709551615ull, 18446744073709551615ull, 18446744073709551615ull},
    {2147483648ull, 2147483648ull, 2147483648ull, 2147483648ull, 0ull, 0ull, 0ull, 0ull,
     9223372036854775808ull, 9223372036854775808ull, 9223372036854775808ull, 9223372036854775808ull,
     0ull, 0ull, 0ull, 0ull},
    {0ull, 0ull, 1ull, 0ull, 0ull, 0ull, 1ull, 0ull, 0ull, 0ull, 1ull, 0ull, 0ull, 0ull, 1ull,
     0ull}};
static const unsigned long long integers[] = {16777217ull,
                                              33554433ull,
                                              4294967295ull,
                                              4294967039ull,
                                              9223372032559808513ull,
                                              9223372036854775808ull,
                                              18446744073709551615ull,
                                              9007199254740993ull,
                                              18446744073709549567ull};
// [value][int, uint, ll, ull to float; ll, ull to double][rn, rz, ru, rd]
static const double to_real[][24] = {
    {16777216.0, 16777216.0, 16777218.0, 16777216.0, 16777216.0, 16777216.0,
     16777218.0, 16777216.0, 16777216.0, 16777216.0, 16777218.0, 16777216.0,
     16777216.0, 16777216.0, 16777218.0, 16777216.0, 16777217.0, 16777217.0,
     16777217.0, 16777217.0, 16777217.0, 16777217.0, 16777217.0, 16777217.0},
    {33554432.0, 33554432.0, 33554436.0, 33554432.0, 33554432.0, 33554432.0,
     33554436.0, 33554432.0, 33554432.0, 33554432.0, 33554436.0, 33554432.0,
     33554432.0, 33554432.0, 33554436.0, 33554432.0, 33554433.0, 33554433.0,
     33554433.0, 33554433.0, 33554433.0, 33554433.0, 33554433.0, 33554433.0},
    {-1.0,         -1.0,         -1.0,         -1.0,         4294967296.0, 4294967040.0,
     4294967296.0, 4294967040.0, 4294967296.0, 4294967040.0, 4294967296.0, 4294967040.0,
     4294967296.0, 4294967040.0, 4294967296.0, 4294967040.0, 4294967295.0, 4294967295.0,
     4294967295.0, 4294967295.0, 4294967295.0, 4294967295.0, 4294967295.0, 4294967295.0},
    {-257.0,       -257.0,       -257.0,       -257.0,       4294967040.0, 4294966784.0,
     4294967040.0, 4294966784.0, 4294967040.0, 4294966784.0, 4294967040.0, 4294966784.0,
     4294967040.0, 4294966784.0, 4294967040.0, 4294966784.0, 4294967039.0, 4294967039.0,
     4294967039.0, 4294967039.0, 4294967039.0, 4294967039.0, 4294967039.0, 4294967039.0},
    {1.0,
     1.0,
     1.0,
     1.0,
     1.0,
     1.0,
     1.0,
     1.0,
     9.223372036854776e+18,
     9.223371487098962e+18,
     9.223372036854776e+18,
     9.223371487098962e+18,
     9.223372036854776e+18,
     9.223371487098962e+18,
     9.223372036854776e+18,
     9.223371487098962e+18,
     9.223372032559809e+18,
     9.223372032559809e+18,
     9.22337203255981e+18,
     9.223372032559809e+18,
     9.223372032559809e+18,
     9.223372032559809e+18,
     9.22337203255981e+18,
     9.223372032559809e+18},
    {0.0,
     0.0,
     0.0,
     0.0,
     0.0,
     0.0,
     0.0,
     0.0,
     -9.223372036854776e+18,
     -9.223372036854776e+18,
     -9.223372036854776e+18,
     -9.223372036854776e+18,
     9.223372036854776e+18,
     9.223372036854776e+18,
     9.223372036854776e+18,
     9.223372036854776e+18,
     -9.223372036854776e+18,
     -9.223372036854776e+18,
     -9.223372036854776e+18,
     -9.223372036854776e+18,
     9.223372036854776e+18,
     9.223372036854776e+18,
     9.223372036854776e+18,
     9.223372036854776e+18},
    {-1.0,
     -1.0,
     -1.0,
     -1.0,
     4294967296.0,
     4294967040.0,
     4294967296.0,
     4294967040.0,
     -1.0,
     -1.0,
     -1.0,
     -1.0,
     1.8446744073709552e+19,
     1.8446742974197924e+19,
     1.8446744073709552e+19,
     1.8446742974197924e+19,
     -1.0,
     -1.0,
     -1.0,
     -1.0,
     1.8446744073709552e+19,
     1.844674407370955e+19,
     1.8446744073709552e+19,
     1.844674407370955e+19},
    {1.0,
     1.0,
     1.0,
     1.0,
     1.0,
     1.0,
     1.0,
     1.0,
     9007199254740992.0,
     9007199254740992.0,
     9007200328482816.0,
     9007199254740992.0,
     9007199254740992.0,
     9007199254740992.0,
     9007200328482816.0,
     9007199254740992.0,
     9007199254740992.0,
     9007199254740992.0,
     9007199254740994.0,
     9007199254740992.0,
     9007199254740992.0,
     9007199254740992.0,
     9007199254740994.0,
     9007199254740992.0},
    {-2049.0,
     -2049.0,
     -2049.0,
     -2049.0,
     4294965248.0,
     4294964992.0,
     4294965248.0,
     4294964992.0,
     -2049.0,
     -2049.0,
     -2049.0,
     -2049.0,
     1.8446744073709552e+19,
     1.8446742974197924e+19,
     1.8446744073709552e+19,
     1.8446742974197924e+19,
     -2049.0,
     -2049.0,
     -2049.0,
     -2049.0,
     1.844674407370955e+19,
     1.8446744073709548e+19,
     1.844674407370955e+19,
     1.8446744073709548e+19}};
static const double narrow[][4] = {
    {0.5, 0.5, 0.5, 0.5},
    {1.5, 1.5, 1.5, 1.5},
    {2.5, 2.5, 2.5, 2.5},
    {-0.5, -0.5, -0.5, -0.5},
    {-1.5, -1.5, -1.5, -1.5},
    {-2.5, -2.5, -2.5, -2.5},
    {0.25, 0.25, 0.25, 0.25},
    {-0.75, -0.75, -0.75, -0.75},
    {0.10000000149011612, 0.09999999403953552, 0.10000000149011612, 0.09999999403953552},
    {-0.10000000149011612, -0.09999999403953552, -0.09999999403953552, -0.10000000149011612},
    {1e999, 3.4028234663852886e+38, 1e999, 3.4028234663852886e+38},
    {-1e999, -3.4028234663852886e+38, -3.4028234663852886e+38, -1e999},
    {3.4028234663852886e+38, 3.4028234663852886e+38, 1e999, 3.4028234663852886e+38},
    {1e999, 3.4028234663852886e+38, 1e999, 3.4028234663852886e+38},
    {0.0, 0.0, 1.401298464324817e-45, 0.0},
    {-0.0, -0.0, -0.0, -1.401298464324817e-45},
    {0.0, 0.0, 1.401298464324817e-45, 0.0},
    {2.802596928649634e-45, 1.401298464324817e-45, 2.802596928649634e-45, 1.401298464324817e-45},
    {1.0, 1.0, 1.0000001192092896, 1.0},
    {1.0000001192092896, 1.0, 1.0000001192092896, 1.0},
};
static const double wide[] = {0.5,
                              1.5,
                              2.5,
                              -0.5,
                              -1.5,
                              -2.5,
                              0.25,
                              -0.75,
                              0.1,
                              -0.1,
                              1e+300,
                              -1e+300,
                              3.4028235e+38,
                              3.4028236e+38,
                              1e-46,
                              -1e-46,
                              7.006492321624085e-46,
                              2.1019476964872256e-45,
                              1.0000000596046448,
                              1.0000000596046457};

__device__ void to_integers(float x, unsigned long long *r) {
  r[0] = static_cast<unsigned>(__float2int_rn(x));
  r[1] = static_cast<unsigned>(__float2int_rz(x));
  r[2] = static_cast<unsigned>(__float2int_ru(x));
  r[3] = static_cast<unsigned>(__float2int_rd(x));
  r[4] = __float2uint_rn(x);
  r[5] = __float2uint_rz(x);
  r[6] = __float2uint_ru(x);
  r[7] = __float2uint_rd(x);
  r[8] = static_cast<unsigned long long>(__float2ll_rn(x));
  r[9] = static_cast<unsigned long long>(__float2ll_rz(x));
  r[10] = static_cast<unsigned long long>(__float2ll_ru(x));
  r[11] = static_cast<unsigned long long>(__float2ll_rd(x));
  r[12] = __float2ull_rn(x);
  r[13] = __float2ull_rz(x);
  r[14] = __float2ull_ru(x);
  r[15] = __float2ull_rd(x);
}
__device__ void to_integers(double x, unsigned long long *r) {
  r[0] = static_cast<unsigned>(__double2int_rn(x));
  r[1] = static_cast<unsigned>(__double2int_rz(x));
  r[2] = static_cast<unsigned>(__double2int_ru(x));
  r[3] = static_cast<unsigned>(__double2int_rd(x));
  r[4] = __double2uint_rn(x);
  r[5] = __double2uint_rz(x);
  r[6] = __double2uint_ru(x);
  r[7] = __double2uint_rd(x);
  r[8] = static_cast<unsigned long long>(__double2ll_rn(x));
  r[9] = static_cast<unsigned long long>(__double2ll_rz(x));
  r[10] = static_cast<unsigned long long>(__double2ll_ru(x));
  r[11] = static_cast<unsigned long long>(__double2ll_rd(x));
  r[12] = __double2ull_rn(x);
  r[13] = __double2ull_rz(x);
  r[14] = __double2ull_ru(x);
  r[15] = __double2ull_rd(x);
}
__device__ void to_reals(unsigned long long i, double *r) {
  r[0] = __int2float_rn(static_cast<int>(i));
  r[1] = __int2float_rz(static_cast<int>(i));
  r[2] = __int2float_ru(static_cast<int>(i));
  r[3] = __int2float_rd(static_cast<int>(i));
  r[4] = __uint2float_rn(static_cast<unsigned>(i));
  r[5] = __uint2float_rz(static_cast<unsigned>(i));
  r[6] = __uint2float_ru(static_cast<unsigned>(i));
  r[7] = __uint2float_rd(static_cast<unsigned>(i));
  r[8] = __ll2float_rn(static_cast<long long>(i));
  r[9] = __ll2float_rz(static_cast<long long>(i));
  r[10] = __ll2float_ru(static_cast<long long>(i));
  r[11] = __ll2float_rd(static_cast<long long>(i));
  r[12] = __ull2float_rn(static_cast<unsigned long long>(i));
  r[13] = __ull2float_rz(static_cast<unsigned long long>(i));
  r[14] = __ull2float_ru(static_cast<unsigned long long>(i));
  r[15] = __ull2float_rd(static_cast<unsigned long long>(i));
  r[16] = __ll2double_rn(static_cast<long long>(i));
  r[17] = __ll2double_rz(static_cast<long long>(i));
  r[18] = __ll2double_ru(static_cast<long long>(i));
  r[19] = __ll2double_rd(static_cast<long long>(i));
  r[20] = __ull2double_rn(static_cast<unsigned long long>(i));
  r[21] = __ull2double_rz(static_cast<unsigned long long>(i));
  r[22] = __ull2double_ru(static_cast<unsigned long long>(i));
  r[23] = __ull2double_rd(static_cast<unsigned long long>(i));
}

template <class T> __global__ void kernel_to_integers(const T *in, unsigned long long *out) {
  to_integers(in[threadIdx.x], out + 16 * threadIdx.x);
}
__global__ void kernel_to_reals(const unsigned long long *in, double *out) {
  to_reals(in[threadIdx.x], out + 24 * threadIdx.x);
}
__global__ void kernel_narrow(const double *in, double *out) {
  double *r = out + 4 * threadIdx.x;
  const double x = in[threadIdx.x];
  r[0] = __double2float_rn(x);
  r[1] = __double2float_rz(x);
  r[2] = __double2float_ru(x);
  r[3] = __double2float_rd(x);
}
__global__ void kernel_bits(int *ok) {
  const float nan = __int_as_float(0x7fffffff);
  const double x = __hiloint2double(0x40091eb8, 0x51eb851f); // 3.14
  *ok = __float_as_int(-0.0f) == static_cast<int>(0x80000000u) &&
        __float_as_uint(1.0f) == 0x3f800000u && __uint_as_float(0x40490fdbu) == 3.14159274f &&
        x == 3.14 && __double2hiint(x) == 0x40091eb8 && __double2loint(x) == 0x51eb851f &&
        __double_as_longlong(1.0) == 0x3ff0000000000000ll &&
        __longlong_as_double(0x4000000000000000ll) == 2.0 && __float2int_rn(nan) == 0 &&
        __int2double_rn(-7) == -7.0 && __uint2double_rn(4294967295u) == 4294967295.0;
}

template <class In, class Out, class Kernel>
int check(const char *name, Kernel kernel, const In *in, int count, const Out *want, int width) {
  In *device_in;
  Out *device_out, *out = new Out[count * width];
  cudaMalloc(&device_in, count * sizeof(In));
  cudaMalloc(&device_out, count * width * sizeof(Out));
  cudaMemcpy(device_in, in, count * sizeof(In), cudaMemcpyHostToDevice);
  kernel<<<1, count>>>(device_in, device_out);
  int bad = cudaMemcpy(out, device_out, count * width * sizeof(Out), cudaMemcpyDeviceToHost) !=
            cudaSuccess;
  for (int i = 0; i < count * width; ++i)
    if (out[i] != want[i] && ++bad < 10)
      printf("%s: value %d, result %d: %.17g, not %.17g\n", name, i / width, i % width,
             static_cast<double>(out[i]), static_cast<double>(want[i]));
  cudaFree(device_in);
  cudaFree(device_out);
  delete[] out;
  return bad;
}

template <class T, int N> constexpr int length(const T (&)[N]) { return N; }

int main() {
  int bad = 0;
  bad += check("float to integer", kernel_to_integers<float>, floats, length(floats),
               &from_float[0][0], 16);
  bad += check("double to integer", kernel_to_integers<double>, doubles, length(doubles),
               &from_double[0][0], 16);
  bad += check("integer to real", kernel_to_reals, integers, length(integers), &to_real[0][0], 24);
  bad += check("double to float", kernel_narrow, wide, length(wide), &narrow[0][0], 4);
  int *device_ok, ok = 0;
  cudaMalloc(&device_ok, sizeof ok);
  kernel_bits<<<1, 1>>>(device_ok);
  cudaMemcpy(&ok, device_ok, sizeof ok, cudaMemcpyDeviceToHost);
  cudaFree(device_ok);
  if (!ok) puts("bits differ"), ++bad;
  puts(bad ? "FAILED" : "PASSED");
  return bad != 0;
}
