// Kernels and members of Image.
#include "image.h"
#include <cuda_runtime.h>
#include <stdexcept>
#include <vector>

int Image::live_ = 0;

struct Image::Impl {
  int w, h;
  float *data;
  Impl(int w_, int h_) : w(w_), h(h_), data(nullptr) {
    if (cudaMalloc(&data, sizeof(float) * w * h) != cudaSuccess) throw std::bad_alloc();
    ++Image::live_;
  }
  ~Impl() {
    cudaFree(data);
    --Image::live_;
  }
  dim3 grid() const { return dim3((w + 15) / 16, (h + 15) / 16); }
  static dim3 block() { return dim3(16, 16); }
};

namespace {
__global__ void scale(float *p, int w, int h, float s) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) p[y * w + x] *= s;
}
__global__ void add(float *p, const float *q, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) p[y * w + x] += q[y * w + x];
}
__global__ void sum(const float *p, int n, double *out) {
  double v = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) v += p[i];
  atomicAdd(out, v);
}
} // namespace

Image::Image(int w, int h) : impl_(new Impl(w, h)) {}
Image::Image(const Image &o) : impl_(std::make_unique<Impl>(o.impl_->w, o.impl_->h)) {
  cudaMemcpy(impl_->data, o.impl_->data, sizeof(float) * impl_->w * impl_->h,
             cudaMemcpyDeviceToDevice);
}
Image::Image(Image &&) noexcept = default;
Image::~Image() = default;

Image &Image::operator*=(float s) {
  scale<<<impl_->grid(), Impl::block()>>>(impl_->data, impl_->w, impl_->h, s);
  return *this;
}
Image &Image::operator+=(const Image &o) {
  add<<<impl_->grid(), impl_->block()>>>(impl_->data, o.impl_->data, impl_->w, impl_->h);
  return *this;
}
void Image::fill(const std::function<float(int, int)> &f) {
  std::vector<float> host;
  for (int y = 0; y < impl_->h; ++y)
    for (int x = 0; x < impl_->w; ++x) host.push_back(f(x, y));
  cudaMemcpy(impl_->data, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
}
float Image::at(int x, int y) const {
  float v;
  cudaMemcpy(&v, impl_->data + y * impl_->w + x, sizeof v, cudaMemcpyDeviceToHost);
  return v;
}
float Image::mean() const {
  double *d, h = 0;
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  sum<<<1, 64>>>(impl_->data, impl_->w * impl_->h, d);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  return static_cast<float>(h / (impl_->w * impl_->h));
}
