// Sparse CSR matrix-vector product inside a conjugate gradient solver, C++ classes and streams.
// expect: pass
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

static void must(cudaError_t e, const char *what) {
  if (e != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e));
}
#define MUST(x) must((x), #x)

template <class T> class Buffer {
public:
  explicit Buffer(size_t n) : n_(n) {
    MUST(cudaMalloc(reinterpret_cast<void **>(&p_), n * sizeof(T)));
  }
  Buffer(const std::vector<T> &v) : Buffer(v.size()) { upload(v); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  Buffer(Buffer &&o) noexcept : p_(std::exchange(o.p_, nullptr)), n_(o.n_) {}
  ~Buffer() { cudaFree(p_); }
  void upload(const std::vector<T> &v) {
    MUST(cudaMemcpy(p_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> v(n_);
    MUST(cudaMemcpy(v.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
  T *get() { return p_; }
  const T *get() const { return p_; }
  size_t size() const { return n_; }

private:
  T *p_ = nullptr;
  size_t n_ = 0;
};

struct Csr {
  int rows;
  const int *offset, *column;
  const double *value;
};

__global__ void spmv(Csr a, const double *x, double *y) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (warp >= a.rows) return;
  double s = 0;
  for (int e = a.offset[warp] + lane; e < a.offset[warp + 1]; e += 32)
    s += a.value[e] * x[a.column[e]];
  for (int d = 16; d; d /= 2) s += __shfl_down_sync(0xffffffffu, s, d);
  if (lane == 0) y[warp] = s;
}

__global__ void axpy(int n, double alpha, const double *x, double beta, double *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = alpha * x[i] + beta * y[i];
}

__global__ void dot(int n, const double *x, const double *y, double *out) {
  __shared__ double part[256];
  double s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[i] * y[i];
  part[threadIdx.x] = s;
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
  }
  if (threadIdx.x == 0) *out = part[0];
}

class Solver {
public:
  Solver(int n) : n_(n), r_(n), p_(n), q_(n), s_(1) { MUST(cudaStreamCreate(&stream_)); }
  ~Solver() { cudaStreamDestroy(stream_); }
  int solve(const Csr &a, Buffer<double> &b, Buffer<double> &x, double tolerance) {
    MUST(cudaMemsetAsync(x.get(), 0, n_ * sizeof(double), stream_));
    MUST(
        cudaMemcpyAsync(r_.get(), b.get(), n_ * sizeof(double), cudaMemcpyDeviceToDevice, stream_));
    MUST(cudaMemcpyAsync(p_.get(), b.get(), n_ * sizeof(double), cudaMemcpyDefault, stream_));
    double rho = product(r_, r_);
    int it = 0;
    for (; it < 500 && std::sqrt(rho) > tolerance; ++it) {
      spmv<<<(n_ * 32 + 127) / 128, 128, 0, stream_>>>(a, p_.get(), q_.get());
      const double alpha = rho / product(p_, q_);
      axpy<<<8, 64, 0, stream_>>>(n_, alpha, p_.get(), 1.0, x.get());
      axpy<<<8, 64, 0, stream_>>>(n_, -alpha, q_.get(), 1.0, r_.get());
      const double next = product(r_, r_);
      axpy<<<8, 64, 0, stream_>>>(n_, 1.0, r_.get(), next / rho, p_.get());
      rho = next;
    }
    return it;
  }

private:
  double product(const Buffer<double> &x, const Buffer<double> &y) {
    dot<<<1, 256, 0, stream_>>>(n_, x.get(), y.get(), s_.get());
    MUST(cudaGetLastError());
    double h;
    MUST(cudaMemcpyAsync(&h, s_.get(), sizeof h, cudaMemcpyDeviceToHost, stream_));
    MUST(cudaStreamSynchronize(stream_));
    return h;
  }
  int n_;
  Buffer<double> r_, p_, q_, s_;
  cudaStream_t stream_;
};

int main() try {
  const int side = 12, n = side * side;
  std::vector<int> offset{0}, column;
  std::vector<double> value, truth(n), rhs(n, 0.0);
  for (int i = 0; i < n; ++i) truth[i] = std::sin(0.3 * i);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      auto put = [&](int xx, int yy, double v) {
        if (xx < 0 || yy < 0 || xx >= side || yy >= side) return;
        column.push_back(yy * side + xx);
        value.push_back(v);
        rhs[y * side + x] += v * truth[yy * side + xx];
      };
      put(x, y - 1, -1), put(x - 1, y, -1), put(x, y, 4), put(x + 1, y, -1), put(x, y + 1, -1);
      offset.push_back(int(column.size()));
    }
  Buffer<int> o(offset), c(column);
  Buffer<double> v(value), b(rhs), x(n);
  Solver solver(n);
  const int it = solver.solve(Csr{n, o.get(), c.get(), v.get()}, b, x, 1e-12);
  const auto got = x.download();
  double worst = 0;
  for (int i = 0; i < n; ++i) worst = std::max(worst, std::fabs(got[i] - truth[i]));
  std::printf("%d iterations, error %g\n", it, worst);
  std::puts(worst < 1e-9 ? "PASSED" : "FAILED");
  return worst < 1e-9 ? 0 : 1;
} catch (const std::exception &e) {
  std::fprintf(stderr, "error: %s\n", e.what());
  return 2;
}
