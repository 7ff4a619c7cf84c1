// Polymorphism on the device: objects created by a kernel with new, called through base pointers.
// expect: pass
#include <cstdio>
#include <iostream>

class Shape {
public:
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
};

class Circle final : public Shape {
  float r;

public:
  __device__ Circle(float radius) : r(radius) {}
  __device__ float area() const override { return 3.0f * r * r; }
};

class Rect : public Shape {
protected:
  float w, h;

public:
  __device__ Rect(float w, float h) : w(w), h(h) {}
  __device__ float area() const override { return w * h; }
  __device__ int corners() const override { return 4; }
};

class Square : public Rect {
public:
  __device__ explicit Square(float s) : Rect(s, s) {}
};

__global__ void create(Shape **shapes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  switch (i % 3) {
  case 0: shapes[i] = new Circle(i); break;
  case 1: shapes[i] = new Rect(i, 2); break;
  default: shapes[i] = new Square(i);
  }
}

__global__ void measure(Shape *const *shapes, float *area, int *corners, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const Shape &s = *shapes[i];
    area[i] = s.area();
    atomicAdd(corners, s.corners());
  }
}

__global__ void destroy(Shape **shapes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) delete shapes[i];
}

int main() {
  const int n = 90;
  Shape **shapes;
  float *area;
  int *corners;
  cudaMalloc(&shapes, n * sizeof(Shape *));
  cudaMallocManaged(&area, n * sizeof(float));
  cudaMallocManaged(&corners, sizeof(int));
  *corners = 0;
  create<<<3, 32>>>(shapes, n);
  measure<<<2, 64>>>(shapes, area, corners, n);
  destroy<<<1, 96>>>(shapes, n);
  if (cudaError_t e = cudaDeviceSynchronize()) {
    std::cerr << cudaGetErrorString(e) << '\n';
    return 1;
  }
  bool ok = *corners == 4 * 60;
  for (int i = 0; i < n; ++i)
    ok = ok && area[i] == (i % 3 == 0 ? 3.0f * i * i : i % 3 == 1 ? 2.0f * i : 1.0f * i * i);
  cudaFree(shapes), cudaFree(area), cudaFree(corners);
  std::cout << (ok ? "PASSED" : "FAILED") << std::endl;
  return ok ? 0 : 1;
}
