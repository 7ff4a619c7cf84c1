/* cub_finds.h - cub.cu's select, positions, runs and reductions by key: a part of that file, included behind
 * what it needs of it */
#ifndef HEDDLE_BENCH_CUB_FINDS_H
#define HEDDLE_BENCH_CUB_FINDS_H

template <class T> struct above {
  T least;
  __host__ __device__ bool operator()(const T &x) const { return x > least; }
};

template <class T> struct nonzero_at {
  const T *x;
  __host__ __device__ bool operator()(uint32_t i) const { return x[i] != T(0); }
};

/* Values of 4 bytes where a mask of bytes is set. */
static void masked(const job &j, const uint8_t *mask, size_t n) {
  const float *values = (const float *)data(j, "data2", "block2", n, 4, 1);
  char *memory = room(result, 64 + n * sizeof(float));
  unsigned long long *found = (unsigned long long *)memory;
  float *out = (float *)(memory + 64);
  time_it(j, with_scratch([=](void *m, size_t &b) {
            return cub::DeviceSelect::Flagged(m, b, values, mask, out, found, (long long)n);
          }));
}

template <class T> static bool finds(const job &j, const std::string &what, const T *x, size_t n) {
  char *memory = room(result, 64 + n * (sizeof(T) + 8));
  unsigned long long *found = (unsigned long long *)memory;
  T *out = (T *)(memory + 64);
  const long long count = (long long)n;
  if (what == "select") {
    const above<T> pick{(T)real(j, "lo", 0)};
    time_it(j, with_scratch([=](void *m, size_t &b) {
              return cub::DeviceSelect::If(m, b, x, out, found, count, pick);
            }));
  } else if (what == "positions") {
    const thrust::counting_iterator<uint32_t> first(0);
    const nonzero_at<T> pick{x};
    time_it(j, with_scratch([=](void *m, size_t &b) {
              return cub::DeviceSelect::If(m, b, first, (uint32_t *)out, found, count, pick);
            }));
  } else if (what == "runs") {
    uint32_t *lengths = (uint32_t *)(out + n);
    time_it(j, with_scratch([=](void *m, size_t &b) {
              return cub::DeviceRunLengthEncode::Encode(m, b, x, out, lengths, found, count);
            }));
  } else {
    const float *values = (const float *)data(j, "data2", "block2", n, 4, 1);
    float *sums = (float *)(out + n);
    time_it(j, with_scratch([=](void *m, size_t &b) {
              return cub::DeviceReduce::ReduceByKey(m, b, x, out, values, sums, found,
                                                    ::cuda::std::plus<float>{}, count);
            }));
  }
  return true;
}

#endif
