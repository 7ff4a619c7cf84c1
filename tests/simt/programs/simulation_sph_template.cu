// Particle simulation class with counting sort by cell, policy templates, RAII buffers and operator overloads on float3.
// expect: pass
// flags: -std=c++17
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

#define CUDA_OK(...)                                            \
  if (const auto status = (__VA_ARGS__); status != cudaSuccess) \
  throw std::runtime_error(std::string(#__VA_ARGS__) + " -> " + cudaGetErrorString(status))

__host__ __device__ inline float3 operator+(float3 a, float3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
__host__ __device__ inline float3 operator-(float3 a, float3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__host__ __device__ inline float3 operator*(float3 a, float s) {
  return {a.x * s, a.y * s, a.z * s};
}
__host__ __device__ inline float3 &operator+=(float3 &a, float3 b) { return a = a + b; }
__host__ __device__ inline float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <typename T> class DeviceBuffer {
  struct Free {
    void operator()(T *p) const noexcept { cudaFree(p); }
  };
  std::unique_ptr<T, Free> memory_;
  size_t size_ = 0;

public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(size_t n) : size_(n) {
    T *p = nullptr;
    CUDA_OK(cudaMalloc(reinterpret_cast<void **>(&p), n * sizeof(T)));
    memory_.reset(p);
  }
  T *data() const noexcept { return memory_.get(); }
  size_t size() const noexcept { return size_; }
  void zero() { CUDA_OK(cudaMemset(data(), 0, size_ * sizeof(T))); }
  DeviceBuffer &operator=(const std::vector<T> &v) {
    CUDA_OK(cudaMemcpy(data(), v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return *this;
  }
  explicit operator std::vector<T>() const {
    std::vector<T> v(size_);
    CUDA_OK(cudaMemcpy(v.data(), data(), size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
};

struct GridInfo {
  int side;
  float cell;
  __host__ __device__ int index(float3 p) const {
    auto c = [this](float v) {
      int i = static_cast<int>(v / cell);
      return i < 0 ? 0 : i >= side ? side - 1 : i;
    };
    return (c(p.z) * side + c(p.y)) * side + c(p.x);
  }
  int cells() const { return side * side * side; }
};

__global__ void count_cells(const float3 *x, int n, GridInfo g, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&count[g.index(x[i])], 1);
}
__global__ void scan_cells(const int *count, int *start, int n) {
  extern __shared__ int s[];
  int carry = 0;
  for (int base = 0; base < n; base += blockDim.x) {
    int i = base + threadIdx.x, v = i < n ? count[i] : 0;
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d <<= 1) {
      int t = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
      __syncthreads();
      s[threadIdx.x] += t;
      __syncthreads();
    }
    if (i < n) start[i] = carry + s[threadIdx.x] - v;
    carry += s[blockDim.x - 1];
    __syncthreads();
  }
}
__global__ void place(const float3 *x, int n, GridInfo g, const int *start, int *fill, int *order) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int c = g.index(x[i]);
  order[start[c] + atomicAdd(&fill[c], 1)] = i;
}

struct Poly {
  static __device__ __host__ float weight(float r2, float h) {
    float d = h * h - r2;
    return d > 0 ? d * d * d : 0;
  }
};
struct Hat {
  static __device__ __host__ float weight(float r2, float h) {
    float d = 1 - sqrtf(r2) / h;
    return d > 0 ? d : 0;
  }
};

template <class Kernel>
__global__ void density(const float3 *x, int n, GridInfo g, const int *start, const int *count,
                        const int *order, float *rho) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  const float3 p = x[i];
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        float3 q = p + float3{dx * g.cell, dy * g.cell, dz * g.cell};
        if (q.x < 0 || q.y < 0 || q.z < 0 || q.x >= g.side * g.cell || q.y >= g.side * g.cell ||
            q.z >= g.side * g.cell)
          continue;
        const int c = g.index(q);
        for (int k = start[c], end = start[c] + count[c]; k < end; ++k) {
          const float3 d = x[order[k]] - p;
          sum += Kernel::weight(dot(d, d), g.cell);
        }
      }
  rho[i] = sum;
}

template <class Kernel> class Simulation {
  GridInfo grid_;
  int n_;
  DeviceBuffer<float3> x_;
  DeviceBuffer<int> count_, start_, fill_, order_;
  DeviceBuffer<float> rho_;
  static constexpr int kBlock = 96;

public:
  Simulation(const std::vector<float3> &x, GridInfo g)
      : grid_(g), n_(int(x.size())), x_(n_), count_(g.cells()), start_(g.cells()), fill_(g.cells()),
        order_(n_), rho_(n_) {
    x_ = x;
  }
  std::vector<float> run() {
    const int blocks = (n_ + kBlock - 1) / kBlock;
    count_.zero(), fill_.zero();
    count_cells<<<blocks, kBlock>>>(x_.data(), n_, grid_, count_.data());
    scan_cells<<<1, 128, 128 * sizeof(int)>>>(count_.data(), start_.data(), grid_.cells());
    place<<<blocks, kBlock>>>(x_.data(), n_, grid_, start_.data(), fill_.data(), order_.data());
    density<Kernel><<<blocks, kBlock>>>(x_.data(), n_, grid_, start_.data(), count_.data(),
                                        order_.data(), rho_.data());
    CUDA_OK(cudaDeviceSynchronize());
    return std::vector<float>(rho_);
  }
};

template <class Kernel> static int check(const std::vector<float3> &x, GridInfo g) {
  const auto rho = Simulation<Kernel>(x, g).run();
  int bad = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double s = 0;
    for (size_t j = 0; j < x.size(); ++j)
      s += Kernel::weight(dot(x[j] - x[i], x[j] - x[i]), g.cell);
    bad += std::fabs(s - rho[i]) > 1e-3 * std::fabs(s) + 1e-6;
  }
  return bad;
}

int main() {
  try {
    std::vector<float3> x(800);
    unsigned s = 3;
    for (auto &p : x)
      for (float *v : {&p.x, &p.y, &p.z})
        *v = (s = s * 1664525u + 1013904223u) / 4294967296.0f * 0.999f;
    const GridInfo g{8, 0.125f};
    const int bad = check<Poly>(x, g) + check<Hat>(x, g);
    printf("%d wrong\n%s\n", bad, bad ? "FAILED" : "PASSED");
    return bad != 0;
  } catch (const std::exception &e) {
    fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
