/* cub.cu - the same jobs as bench_gpu.c by NVIDIA's CUB, and the ceilings of the GPU
 *
 * Result    a line of JSON a job: milliseconds; for scans also how many different results 40 runs
 *           gave. what=read: reading as fast as this GPU reads; what=empty: a launch of nothing
 * Method    as bench_gpu.c: the same files, repeated alike; two untimed runs, events around each
 *           call, the median; scratch is made before
 * Limits    what CUB has no call for is {"skip": true}; data larger than 2^31 elements are counted
 *           as CUB can: its histograms take an int
 * Build     nvcc -O3 -std=c++17 -arch=native -o cub cub.cu */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <cub/cub.cuh>
#include <cuda_fp16.h>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>

using job = std::map<std::string, std::string>;

static void must(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "cub: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

static size_t number(const job &j, const char *key, size_t otherwise = 0) {
  auto found = j.find(key);
  return found == j.end() ? otherwise : std::strtoull(found->second.c_str(), nullptr, 10);
}
static double real(const job &j, const char *key, double otherwise) {
  auto found = j.find(key);
  return found == j.end() ? otherwise : std::atof(found->second.c_str());
}

/* ---- data and times ------------------------------------------------------------------------ */

struct array {
  std::string file;
  size_t bytes = 0;
  char *memory = nullptr;
};
static array kept[2], scratch, result;

static char *room(array &a, size_t bytes) {
  if (a.bytes >= bytes) return a.memory;
  if (a.memory) must(cudaFree(a.memory), "cudaFree");
  must(cudaMalloc(&a.memory, bytes), "cudaMalloc");
  a.bytes = bytes;
  return a.memory;
}

static std::vector<char> contents(const std::string &path, size_t bytes) {
  std::vector<char> data(bytes);
  FILE *file = std::fopen(path.c_str(), "rb");
  if (!file || std::fread(data.data(), 1, bytes, file) != bytes) {
    std::fprintf(stderr, "cub: cannot read %s\n", path.c_str());
    std::exit(1);
  }
  std::fclose(file);
  return data;
}

static void *data(const job &j, const char *key, const char *block_key, size_t n, size_t size,
                  int slot) {
  const std::string path = j.at(key) + "*" + std::to_string(size);
  array &a = kept[slot];
  if (a.file == path && a.bytes >= n * size) return a.memory;
  const size_t first = std::min(number(j, block_key), n) * size;
  const std::vector<char> block = contents(j.at(key), first);
  if (a.memory) must(cudaFree(a.memory), "cudaFree");
  a.bytes = n * size;
  must(cudaMalloc(&a.memory, a.bytes), "cudaMalloc");
  must(cudaMemcpy(a.memory, block.data(), first, cudaMemcpyDefault), "cudaMemcpy");
  for (size_t done = first; done < a.bytes; done *= 2)
    must(cudaMemcpy(a.memory + done, a.memory, std::min(done, a.bytes - done), cudaMemcpyDefault),
         "cudaMemcpy");
  a.file = path;
  return a.memory;
}

static void time_it(const job &j, const std::function<void()> &run, const std::string &more = "") {
  cudaEvent_t a, b;
  must(cudaEventCreate(&a), "cudaEventCreate");
  must(cudaEventCreate(&b), "cudaEventCreate");
  const size_t reps = number(j, "reps", 9);
  std::vector<float> times;
  float ms = 0, queued = 0;
  for (size_t i = 0; i < reps + 2; i++) {
    must(cudaEventRecord(a), "cudaEventRecord");
    run();
    must(cudaEventRecord(b), "cudaEventRecord");
    must(cudaEventSynchronize(b), "cudaEventSynchronize");
    must(cudaEventElapsedTime(&ms, a, b), "cudaEventElapsedTime");
    if (i >= 2) times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  if (times[times.size() / 2] < 0.2f) {
    must(cudaEventRecord(a), "cudaEventRecord");
    for (int i = 0; i < 64; i++) run();
    must(cudaEventRecord(b), "cudaEventRecord");
    must(cudaEventSynchronize(b), "cudaEventSynchronize");
    must(cudaEventElapsedTime(&queued, a, b), "cudaEventElapsedTime");
  }
  must(cudaGetLastError(), "a launch");
  std::printf("{\"ms\": %.7g, \"least\": %.7g, \"most\": %.7g, \"queued\": %.7g%s}\n",
              times[times.size() / 2], times.front(), times.back(), queued / 64, more.c_str());
  cudaEventDestroy(a);
  cudaEventDestroy(b);
}

/* A call of CUB: f(nullptr, bytes) says what scratch it needs. */
template <class F> static std::function<void()> with_scratch(F f) {
  size_t bytes = 0;
  must(f(nullptr, bytes), "CUB's size query");
  void *memory = room(scratch, bytes + 1);
  return [=] {
    size_t again = bytes;
    must(f(memory, again), "CUB");
  };
}

/* ---- the work -------------------------------------------------------------------------------- */

template <class T> struct product {
  template <class P> __host__ __device__ T operator()(const P &p) const {
    return thrust::get<0>(p) * thrust::get<1>(p);
  }
};

template <class T, class Sum>
static bool fold(const job &j, const std::string &what, const T *x, size_t n) {
  T *out = (T *)room(result, 1 << 20);
  Sum *sum = (Sum *)out;
  const long long count = (long long)n;
  if (what == "min")
    time_it(j, with_scratch([=](void *m, size_t &b) {
              return cub::DeviceReduce::Min(m, b, x, out, count);
            }));
  else if (what == "max")
    time_it(j, with_scratch([=](void *m, size_t &b) {
              return cub::DeviceReduce::Max(m, b, x, out, count);
            }));
  else if (what == "sum")
    time_it(j, with_scratch([=](void *m, size_t &b) {
              return cub::DeviceReduce::Reduce(m, b, x, sum, count, ::cuda::std::plus<Sum>{},
                                               Sum(0));
            }));
  else if (what == "dot") {
    const T *y = (const T *)data(j, "data2", "block2", n, sizeof(T), 1);
    auto products = thrust::make_transform_iterator(
        thrust::make_zip_iterator(thrust::make_tuple(x, y)), product<T>{});
    time_it(j, with_scratch([=](void *m, size_t &b) {
              return cub::DeviceReduce::Sum(m, b, products, out, count);
            }));
  } else
    return false;
  return true;
}

__global__ void checksum(const uint32_t *x, size_t n, unsigned long long *out) {
  unsigned long long sum = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    sum += x[i] * (2 * i + 1);
  atomicAdd(out, sum);
}

template <class T> static void scan(const job &j, bool inclusive, const T *x, size_t n) {
  const size_t offset = number(j, "out_offset");
  T *out = (T *)room(result, (n + offset) * sizeof(T) + 64) + offset;
  const long long count = (long long)n;
  auto run = with_scratch([=](void *m, size_t &b) {
    return inclusive ? cub::DeviceScan::InclusiveSum(m, b, x, out, count)
                     : cub::DeviceScan::ExclusiveSum(m, b, x, out, count);
  });
  std::set<unsigned long long> seen;
  static unsigned long long *sum;
  if (!sum) must(cudaMallocManaged(&sum, sizeof *sum), "cudaMallocManaged");
  for (int i = 0; i < 40; i++) {
    run();
    *sum = 0;
    checksum<<<1024, 256>>>((const uint32_t *)result.memory, (n + offset) * sizeof(T) / 4, sum);
    must(cudaDeviceSynchronize(), "checksum");
    seen.insert(*sum);
  }
  time_it(j, run, ", \"results\": " + std::to_string(seen.size()));
}

template <class T, class Level> static void histogram(const job &j, const T *x, size_t n) {
  const int bins = (int)number(j, "bins");
  const std::string kind = j.count("kind") ? j.at("kind") : "even";
  unsigned *out = (unsigned *)room(result, (size_t)bins * 4 + 64);
  const Level lo = (Level)(kind == "integer" ? 0 : real(j, "lo", 0));
  const Level hi = (Level)(kind == "integer" ? bins : real(j, "hi", 1));
  const int count = (int)std::min(n, (size_t)INT32_MAX);
  if (kind != "edges") {
    time_it(j, with_scratch([=](void *m, size_t &b) {
              return cub::DeviceHistogram::HistogramEven(m, b, x, out, bins + 1, lo, hi, count);
            }));
    return;
  }
  const std::vector<char> bytes = contents(j.at("data2"), (size_t)(bins + 1) * 8);
  std::vector<Level> levels((size_t)bins + 1);
  for (int i = 0; i <= bins; i++) levels[(size_t)i] = (Level)((const double *)bytes.data())[i];
  kept[1].file.clear();
  Level *edges = (Level *)room(kept[1], levels.size() * sizeof(Level));
  must(cudaMemcpy(edges, levels.data(), levels.size() * sizeof(Level), cudaMemcpyDefault), "edges");
  time_it(j, with_scratch([=](void *m, size_t &b) {
            return cub::DeviceHistogram::HistogramRange(m, b, x, out, bins + 1, edges, count);
          }));
}

struct multiple {
  size_t row;
  __host__ __device__ size_t operator()(size_t i) const { return i * row; }
};

static void rows(const job &j, const float *x, size_t n) {
  const size_t row = number(j, "row"), segments = row ? n / row : number(j, "block2") - 1;
  float *out = (float *)room(result, segments * 4 + 64);
  if (row) {
    auto first =
        thrust::make_transform_iterator(thrust::counting_iterator<size_t>(0), multiple{row});
    time_it(j, with_scratch([=](void *m, size_t &b) {
              return cub::DeviceSegmentedReduce::Sum(m, b, x, out, (long long)segments, first,
                                                     first + 1);
            }));
    return;
  }
  const uint64_t *at = (const uint64_t *)data(j, "data2", "block2", segments + 1, 8, 1);
  time_it(j, with_scratch([=](void *m, size_t &b) {
            return cub::DeviceSegmentedReduce::Sum(m, b, x, out, (long long)segments, at, at + 1);
          }));
}

__global__ void positions(uint32_t *to, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    to[i] = (uint32_t)i;
}

template <class T> static bool sorts(const job &j, const std::string &what, const T *x, size_t n) {
  T *out = (T *)room(result, n * (sizeof(T) + 4) + 64);
  uint32_t *values_out = (uint32_t *)(out + n);
  const long long count = (long long)n;
  if (what == "sort" || what == "quantiles") {
    time_it(j, with_scratch([=](void *m, size_t &b) {
              return cub::DeviceRadixSort::SortKeys(m, b, x, out, count);
            }));
  } else if (what == "pairs") {
    const uint32_t *y = (const uint32_t *)data(j, "data2", "block2", n, 4, 1);
    time_it(j, with_scratch([=](void *m, size_t &b) {
              return cub::DeviceRadixSort::SortPairs(m, b, x, out, y, values_out, count);
            }));
  } else if (what == "argsort" || what == "top") {
    kept[1].file.clear();
    uint32_t *y = (uint32_t *)room(kept[1], n * 4);
    const auto run = with_scratch([=](void *m, size_t &b) {
      return cub::DeviceRadixSort::SortPairs(m, b, x, out, y, values_out, count);
    });
    time_it(j, [=] {
      positions<<<2048, 256>>>(y, n);
      run();
    });
  } else {
    const size_t row = number(j, "row");
    auto first =
        thrust::make_transform_iterator(thrust::counting_iterator<size_t>(0), multiple{row});
    time_it(j, with_scratch([=](void *m, size_t &b) {
              return cub::DeviceSegmentedSort::SortKeys(m, b, x, out, count, (long long)(n / row),
                                                        first, first + 1);
            }));
  }
  return true;
}

#include "cub_finds.h"

/* Thrust's search: CUB had none of its own. */
template <class T> static void search(const job &j, const T *x, size_t n) {
  const size_t row = number(j, "row");
  const T *table = (const T *)data(j, "data2", "block2", row, sizeof(T), 1);
  uint32_t *out = (uint32_t *)room(result, n * 4);
  time_it(j, [=] { thrust::lower_bound(thrust::device, table, table + row, x, x + n, out); });
}

/* ---- ceilings ---------------------------------------------------------------------------------- */

__global__ void nothing() {}

__global__ void __launch_bounds__(512) read_all(const uint4 *x, size_t n, uint32_t *out) {
  const size_t step = (size_t)gridDim.x * blockDim.x;
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  uint32_t acc = 0;
  for (; i + 3 * step < n; i += 4 * step) {
    const uint4 a = __ldcs(x + i), b = __ldcs(x + i + step), c = __ldcs(x + i + 2 * step),
                d = __ldcs(x + i + 3 * step);
    acc ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w;
    acc ^= c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
  }
  for (; i < n; i += step) acc ^= x[i].x ^ x[i].y ^ x[i].z ^ x[i].w;
  if (acc == 0x12345) *out = acc;
}

static void read_ceiling(const job &j) {
  const size_t bytes = number(j, "n");
  int sms = 0;
  must(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), "attribute");
  kept[0].file.clear();
  const uint4 *x = (const uint4 *)room(kept[0], bytes);
  uint32_t *out = (uint32_t *)room(result, 64);
  must(cudaMemset((void *)x, 1, bytes), "cudaMemset");
  time_it(j, [=] { read_all<<<sms * 4, 512>>>(x, bytes / 16, out); });
}

template <class T, class Sum> static bool typed(const job &j, const std::string &what) {
  const size_t n = number(j, "n");
  const size_t offset = number(j, "offset");
  const T *x = (const T *)data(j, "data", "block", n + offset, sizeof(T), 0) + offset;
  if (what == "scan" || what == "before") return scan<T>(j, what == "scan", x, n), true;
  if constexpr (!std::is_same_v<T, __half>) {
    if (what == "sort" || what == "pairs" || what == "argsort" || what == "sortrows" ||
        what == "quantiles" || what == "top" || what == "toprows")
      return sorts<T>(j, what, x, n);
    if (what == "select" || what == "positions" || what == "runs" || what == "by_key") {
      if constexpr (std::is_same_v<T, float> || std::is_same_v<T, int32_t>)
        return finds<T>(j, what, x, n);
      return false;
    }
    if (what == "masked") {
      if constexpr (std::is_same_v<T, uint8_t>) return masked(j, x, n), true;
      return false;
    }
    if (what == "search") return search(j, x, n), true;
    if (what == "unique" || what == "groups" || what == "regroup" || what.rfind("grid", 0) == 0)
      return false;
    if (what == "hist" && j.count("kind") && j.at("kind") == "log") return false;
    if (what == "hist")
      return histogram<T, std::conditional_t<sizeof(T) <= 2, int, T>>(j, x, n), true;
    if constexpr (std::is_same_v<T, float>)
      if (what == "rows" || what == "segments") return rows(j, x, n), true;
    return fold<T, Sum>(j, what, x, n);
  }
  return false;
}

static bool run(const job &j) {
  const std::string what = j.at("what"), type = j.count("type") ? j.at("type") : "";
  if (what == "empty") return time_it(j, [] { nothing<<<1, 32>>>(); }), true;
  if (what == "read") return read_ceiling(j), true;
  if (type == "u8") return typed<uint8_t, uint32_t>(j, what);
  if (type == "i16") return typed<int16_t, int32_t>(j, what);
  if (type == "i32") return typed<int32_t, int32_t>(j, what);
  if (type == "i64") return typed<int64_t, int64_t>(j, what);
  if (type == "f16") return typed<__half, float>(j, what);
  if (type == "f32") return typed<float, float>(j, what);
  if (type == "f64") return typed<double, double>(j, what);
  return false;
}

int main() {
  static char line[2048];
  std::printf("{\"name\": \"CUB %d.%d.%d\"}\n", CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
              CUB_SUBMINOR_VERSION);
  std::fflush(stdout);
  while (std::fgets(line, sizeof line, stdin)) {
    job j;
    char *place = nullptr;
    for (char *word = strtok_r(line, " \n", &place); word; word = strtok_r(nullptr, " \n", &place))
      if (char *value = std::strchr(word, '='))
        j[std::string(word, (size_t)(value - word))] = value + 1;
    if (!run(j)) std::printf("{\"skip\": true}\n");
    std::fflush(stdout);
  }
  return 0;
}
