// A two-layer network trained on XOR-like data: matrix class with operators, activation functors, random weights.
// expect: pass
#include <cmath>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

struct Shape {
  size_t x, y;
  Shape(size_t x = 1, size_t y = 1) : x(x), y(y) {}
};

class Matrix {
  std::shared_ptr<float> device_, host_;

public:
  Shape shape;
  Matrix(size_t x = 1, size_t y = 1) : shape(x, y) {
    float *d = nullptr;
    cudaMalloc(&d, x * y * sizeof(float));
    device_ = std::shared_ptr<float>(d, [](float *p) { cudaFree(p); });
    host_ = std::shared_ptr<float>(new float[x * y], [](float *p) { delete[] p; });
  }
  float *device() const { return device_.get(); }
  float &operator[](size_t i) { return host_.get()[i]; }
  void toDevice() {
    cudaMemcpy(device_.get(), host_.get(), shape.x * shape.y * sizeof(float),
               cudaMemcpyHostToDevice);
  }
  void toHost() {
    cudaMemcpy(host_.get(), device_.get(), shape.x * shape.y * sizeof(float),
               cudaMemcpyDeviceToHost);
  }
};

struct Sigmoid {
  __device__ static float f(float x) { return 1.0f / (1.0f + exp(-x)); }
  __device__ static float d(float y) { return y * (1 - y); }
};
struct Tanh {
  __device__ static float f(float x) { return tanhf(x); }
  __device__ static float d(float y) { return 1 - y * y; }
};

// out (n x outputs) = activation(in (n x inputs) * w (inputs x outputs) + b)
template <class Act>
__global__ void forward(const float *in, const float *w, const float *b, float *out, int n, int ni,
                        int no) {
  int o = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (o >= no || r >= n) return;
  float s = b[o];
  for (int i = 0; i < ni; i++) s += in[r * ni + i] * w[i * no + o];
  out[r * no + o] = Act::f(s);
}

template <class Act>
__global__ void output_error(const float *out, const float *target, float *delta, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) delta[i] = (out[i] - target[i]) * Act::d(out[i]);
}

template <class Act>
__global__ void hidden_error(const float *delta, const float *w, const float *hidden, float *dh,
                             int n, int nh, int no) {
  int h = threadIdx.x, r = blockIdx.x;
  if (h >= nh || r >= n) return;
  float s = 0;
  for (int o = 0; o < no; o++) s += delta[r * no + o] * w[h * no + o];
  dh[r * nh + h] = s * Act::d(hidden[r * nh + h]);
}

__global__ void update(float *w, float *b, const float *in, const float *delta, float rate, int n,
                       int ni, int no) {
  int o = threadIdx.x, i = blockIdx.x;
  float g = 0, gb = 0;
  for (int r = 0; r < n; r++) {
    g += in[r * ni + i] * delta[r * no + o];
    gb += delta[r * no + o];
  }
  w[i * no + o] -= rate * g;
  if (i == 0) b[o] -= rate * gb;
}

int main() {
  const int n = 4, ni = 2, nh = 8, no = 1;
  Matrix in(n, ni), target(n, no), w1(ni, nh), b1(1, nh), w2(nh, no), b2(1, no), hid(n, nh),
      out(n, no), d2(n, no), d1(n, nh);
  std::default_random_engine generator;
  std::normal_distribution<float> normal(0.0, 1.0);
  for (int r = 0; r < n; r++)
    in[2 * r] = r & 1, in[2 * r + 1] = r >> 1, target[r] = (r & 1) ^ (r >> 1);
  for (int i = 0; i < ni * nh; i++) w1[i] = normal(generator);
  for (int i = 0; i < nh; i++) b1[i] = 0, w2[i] = normal(generator);
  b2[0] = 0;
  for (Matrix *m : std::vector<Matrix *>{&in, &target, &w1, &b1, &w2, &b2}) m->toDevice();
  for (int epoch = 0; epoch < 1200; epoch++) {
    forward<Tanh><<<dim3(1, 1), dim3(8, 4)>>>(in.device(), w1.device(), b1.device(), hid.device(),
                                              n, ni, nh);
    forward<Sigmoid><<<dim3(1, 1), dim3(8, 4)>>>(hid.device(), w2.device(), b2.device(),
                                                 out.device(), n, nh, no);
    output_error<Sigmoid><<<1, n>>>(out.device(), target.device(), d2.device(), n);
    hidden_error<Tanh><<<n, nh>>>(d2.device(), w2.device(), hid.device(), d1.device(), n, nh, no);
    update<<<nh, no>>>(w2.device(), b2.device(), hid.device(), d2.device(), 0.7f, n, nh, no);
    update<<<ni, nh>>>(w1.device(), b1.device(), in.device(), d1.device(), 0.7f, n, ni, nh);
  }
  out.toHost();
  int right = 0;
  for (int r = 0; r < n; r++) {
    std::cout << out[r] << " ";
    right += std::fabs(out[r] - ((r & 1) ^ (r >> 1))) < 0.3f;
  }
  std::cout << "\n" << (right == 4 ? "PASSED" : "FAILED") << "\n";
  return right == 4 ? 0 : 1;
}
