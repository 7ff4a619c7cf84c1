// A small ray tracer with vec3, ray and sphere classes, operators, reflections, host and device alike.
// expect: pass
#include <cfloat>
#include <cmath>
#include <fstream>
#include <iostream>
#include <time.h>

class vec3 {
public:
  __host__ __device__ vec3() {}
  __host__ __device__ vec3(float e0, float e1, float e2) {
    e[0] = e0;
    e[1] = e1;
    e[2] = e2;
  }
  __host__ __device__ inline float x() const { return e[0]; }
  __host__ __device__ inline float y() const { return e[1]; }
  __host__ __device__ inline float z() const { return e[2]; }
  __host__ __device__ inline vec3 operator-() const { return vec3(-e[0], -e[1], -e[2]); }
  __host__ __device__ inline float operator[](int i) const { return e[i]; }
  __host__ __device__ inline float &operator[](int i) { return e[i]; }
  __host__ __device__ inline vec3 &operator+=(const vec3 &v) {
    for (int i = 0; i < 3; i++) e[i] += v.e[i];
    return *this;
  }
  __host__ __device__ inline float length() const { return sqrtf(squared_length()); }
  __host__ __device__ inline float squared_length() const {
    return e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
  }
  float e[3];
};
inline std::ostream &operator<<(std::ostream &os, const vec3 &t) {
  return os << t.e[0] << " " << t.e[1] << " " << t.e[2];
}
__host__ __device__ inline vec3 operator+(const vec3 &a, const vec3 &b) {
  return vec3(a.e[0] + b.e[0], a.e[1] + b.e[1], a.e[2] + b.e[2]);
}
__host__ __device__ inline vec3 operator-(const vec3 &a, const vec3 &b) {
  return vec3(a.e[0] - b.e[0], a.e[1] - b.e[1], a.e[2] - b.e[2]);
}
__host__ __device__ inline vec3 operator*(float t, const vec3 &v) {
  return vec3(t * v.e[0], t * v.e[1], t * v.e[2]);
}
__host__ __device__ inline float dot(const vec3 &a, const vec3 &b) {
  return a.e[0] * b.e[0] + a.e[1] * b.e[1] + a.e[2] * b.e[2];
}
__host__ __device__ inline vec3 unit_vector(vec3 v) { return (1.0f / v.length()) * v; }
__host__ __device__ inline vec3 reflect(const vec3 &v, const vec3 &n) {
  return v - 2.0f * dot(v, n) * n;
}

struct ray {
  vec3 a, b;
  __host__ __device__ ray(const vec3 &a, const vec3 &b) : a(a), b(b) {}
  __host__ __device__ vec3 at(float t) const { return a + t * b; }
};

struct sphere {
  vec3 center, albedo;
  float radius, mirror;
};

struct world {
  sphere s[4];
  int count;
  __host__ __device__ const sphere *hit(const ray &r, float &nearest) const {
    const sphere *found = nullptr;
    for (int i = 0; i < count; i++) {
      vec3 oc = r.a - s[i].center;
      float a = dot(r.b, r.b), b = dot(oc, r.b), c = dot(oc, oc) - s[i].radius * s[i].radius;
      float disc = b * b - a * c;
      if (disc <= 0) continue;
      float t = (-b - sqrtf(disc)) / a;
      if (t > 0.001f && t < nearest) nearest = t, found = &s[i];
    }
    return found;
  }
};

__host__ __device__ vec3 colour(ray r, const world &w) {
  vec3 sum(0, 0, 0);
  float weight = 1.0f;
  for (int bounce = 0; bounce < 5; bounce++) {
    float t = FLT_MAX;
    const sphere *s = w.hit(r, t);
    if (!s) {
      float k = 0.5f * (unit_vector(r.b).y() + 1.0f);
      return sum + weight * ((1.0f - k) * vec3(1, 1, 1) + k * vec3(0.5f, 0.7f, 1.0f));
    }
    vec3 p = r.at(t), n = (1.0f / s->radius) * (p - s->center);
    float light = fmaxf(0.1f, dot(n, unit_vector(vec3(1, 1, 0.5f))));
    sum += weight * (1 - s->mirror) * light * s->albedo;
    weight *= s->mirror;
    r = ray(p, reflect(r.b, n));
  }
  return sum;
}

__host__ __device__ ray camera(int i, int j, int nx, int ny) {
  return ray(vec3(0, 0, 0), vec3(-2.0f + 4.0f * i / nx, -1.0f + 2.0f * j / ny, -1.0f));
}

__global__ void render(vec3 *fb, int max_x, int max_y, world w) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int j = threadIdx.y + blockIdx.y * blockDim.y;
  if ((i >= max_x) || (j >= max_y)) return;
  fb[j * max_x + i] = colour(camera(i, j, max_x, max_y), w);
}

int main() {
  int nx = 160, ny = 80, tx = 8, ty = 8;
  world w = {{{vec3(0, 0, -1), vec3(0.8f, 0.3f, 0.3f), 0.5f, 0.2f},
              {vec3(0, -100.5f, -1), vec3(0.8f, 0.8f, 0.0f), 100, 0.1f},
              {vec3(1, 0, -1), vec3(0.8f, 0.6f, 0.2f), 0.5f, 0.7f},
              {vec3(-1, 0, -1), vec3(0.8f, 0.8f, 0.8f), 0.5f, 0.5f}},
             4};
  vec3 *fb;
  cudaMallocManaged((void **)&fb, nx * ny * sizeof(vec3));
  clock_t start = clock();
  render<<<dim3(nx / tx + 1, ny / ty + 1), dim3(tx, ty)>>>(fb, nx, ny, w);
  cudaDeviceSynchronize();
  std::cerr << "took " << (double)(clock() - start) / CLOCKS_PER_SEC << " seconds.\n";
  int differ = 0;
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++)
      if ((fb[j * nx + i] - colour(camera(i, j, nx, ny), w)).length() > 1e-2f) differ++;
  std::cout << "centre " << fb[ny / 2 * nx + nx / 2] << ", " << differ << " pixels differ\n";
  std::cout << (differ < nx * ny / 100 ? "PASSED" : "FAILED") << "\n";
  cudaFree(fb);
  return differ < nx * ny / 100 ? 0 : 1;
}
