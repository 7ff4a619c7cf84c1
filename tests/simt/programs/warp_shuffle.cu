// Shuffles: every kind, type and width, against the table of which lane reads which.
#include <cstdio>

static int failures;

static void expect(bool right, const char *what, int width, int operand, int lane) {
  if (right || ++failures > 10) return;
  std::printf("wrong: %s, width %d, operand %d, lane %d\n", what, width, operand, lane);
}

enum { INDEX, UP, DOWN, XOR };

// The lane that is read, from the definition: segments of `width` lanes; a lane outside is
// replaced by the reader itself, but xor may reach into earlier segments.
static int source_of(int kind, int lane, int operand, int width) {
  const int first = lane / width * width, end = first + width;
  int from = lane;
  if (kind == INDEX) return first + operand % width;
  if (kind == UP) from = lane - operand < first ? lane : lane - operand;
  if (kind == DOWN) from = lane + operand >= end ? lane : lane + operand;
  if (kind == XOR) from = (lane ^ operand) >= end ? lane : lane ^ operand;
  return from;
}

template <class T> __device__ T value_of(int lane) {
  return T(lane * 3 + 1) + T(lane) * T(sizeof(T) > 4 ? 4294967296.0 : 0.0);
}

template <class T> __global__ void shuffle_all(T *out, int width, int operand) {
  const int lane = threadIdx.x;
  const T v = value_of<T>(lane);
  out[INDEX * 32 + lane] = __shfl_sync(0xffffffff, v, operand, width);
  out[UP * 32 + lane] = __shfl_up_sync(0xffffffff, v, operand, width);
  out[DOWN * 32 + lane] = __shfl_down_sync(0xffffffff, v, operand, width);
  out[XOR * 32 + lane] = __shfl_xor_sync(0xffffffff, v, operand, width);
}

template <class T> static void check(const char *type) {
  T *out;
  cudaMallocManaged(&out, 128 * sizeof(T));
  for (int width = 2; width <= 32; width *= 2)
    for (int operand = 0; operand < width; ++operand) {
      shuffle_all<<<1, 32>>>(out, width, operand);
      if (cudaDeviceSynchronize() != cudaSuccess) ++failures;
      for (int kind = INDEX; kind <= XOR; ++kind)
        for (int lane = 0; lane < 32; ++lane) {
          const int from = source_of(kind, lane, operand, width);
          const T want = T(from * 3 + 1) + T(from) * T(sizeof(T) > 4 ? 4294967296.0 : 0.0);
          expect(out[kind * 32 + lane] == want, type, width, operand, lane);
        }
    }
  cudaFree(out);
}

// The rows of the course: a block of 16, logical width 8.
__global__ void rows(int *out) {
  const int t = threadIdx.x;
  out[0 * 16 + t] = __shfl_sync(0xffffffff, t, 2, 8);
  out[1 * 16 + t] = __shfl_up_sync(0xffffffff, t, 1, 8);
  out[2 * 16 + t] = __shfl_down_sync(0xffffffff, t, 1, 8);
  out[3 * 16 + t] = __shfl_xor_sync(0xffffffff, t, 1, 8);
  out[4 * 16 + t] = __shfl_up_sync(0xffffffff, t, 2, 8);
  out[5 * 16 + t] = __shfl_down_sync(0xffffffff, t, 2, 8);
  out[6 * 16 + t] = __shfl_xor_sync(0xffffffff, t, 2, 8);
  out[7 * 16 + t] = __shfl_xor_sync(0xffffffff, t, 3, 8);
}

static void check_rows() {
  static const int first[8][8] = {{2, 2, 2, 2, 2, 2, 2, 2}, {0, 0, 1, 2, 3, 4, 5, 6},
                                  {1, 2, 3, 4, 5, 6, 7, 7}, {1, 0, 3, 2, 5, 4, 7, 6},
                                  {0, 1, 0, 1, 2, 3, 4, 5}, {2, 3, 4, 5, 6, 7, 6, 7},
                                  {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4}};
  int *out;
  cudaMallocManaged(&out, 128 * sizeof(int));
  rows<<<1, 16>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) ++failures;
  for (int row = 0; row < 8; ++row)
    for (int t = 0; t < 16; ++t)
      expect(out[row * 16 + t] == first[row][t % 8] + t / 8 * 8, "row", 8, row, t);
  cudaFree(out);
}

// Sums of a part of the warp: only lanes of the mask take part.
__global__ void parts(float *out) {
  const unsigned lane = threadIdx.x % 32;
  float v = float(lane);
  if (lane < 16) {
    for (int offset = 8; offset; offset /= 2) v += __shfl_down_sync(0x0000ffff, v, offset, 16);
  } else {
    for (int offset = 8; offset; offset /= 2) v += __shfl_xor_sync(0xffff0000, v, offset);
  }
  out[threadIdx.x] = v;
}

static void check_parts() {
  float *out;
  cudaMallocManaged(&out, 96 * sizeof(float));
  parts<<<1, 96>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) ++failures;
  for (int warp = 0; warp < 3; ++warp) {
    expect(out[warp * 32] == 120, "sum down", 16, 0, 0);
    for (int lane = 16; lane < 32; ++lane)
      expect(out[warp * 32 + lane] == 376, "sum xor", 16, 0, lane);
  }
  cudaFree(out);
}

int main() {
  check<int>("int");
  check<unsigned>("unsigned");
  check<long>("long");
  check<unsigned long>("unsigned long");
  check<long long>("long long");
  check<unsigned long long>("unsigned long long");
  check<float>("float");
  check<double>("double");
  check_rows();
  check_parts();
  if (failures) return 1;
  std::printf("PASSED\n");
  return 0;
}
