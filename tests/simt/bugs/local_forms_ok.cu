// find: nothing
// Arrays of a thread's own in many forms, by reference, by pointer, in lambdas, beside other variables.
#include <cstdio>

typedef float vector3[3];

template <typename T, int N> struct Small {
  T v[N];
  __device__ T &operator[](int i) { return v[i]; }
};

__device__ void rotate(float (&m)[3][3], const vector3 &v, float *out) {
  for (int i = 0; i < 3; i++) {
    out[i] = 0;
    for (int j = 0; j < 3; j++) out[i] += m[i][j] * v[j];
  }
}

template <typename T, int N> __device__ T total(const T (&a)[N]) {
  T sum = T();
  for (const T &x : a) sum += x;
  return sum;
}

__device__ __host__ int digits(unsigned n, char *text) {
  char reversed[10];
  int k = 0;
  do reversed[k++] = static_cast<char>('0' + n % 10);
  while (n /= 10);
  for (int i = 0; i < k; i++) text[i] = reversed[k - 1 - i];
  text[k] = 0;
  return k;
}

__global__ void forms(float *out, int way) {
  float m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, turned[3];
  vector3 v = {1, 2, 3};
  rotate(m, v, turned);
  const int table[] = {1, 2, 3, 4};
  int a[4] = {}, i, *rows[2] = {a, a + 2};
  for (i = 0; i < 4; i++) a[i] = table[i];
  char text[11];
  const int length = digits(12345u, text);
  Small<double, 4> small;
  for (int j = 0; j < 4; j++) small[j] = j;
  unsigned long long big[2]{1ull, 2ull};
  float4 quads[2];
  quads[0] = make_float4(1, 2, 3, 4);
  quads[1] = quads[0];
  struct Pair {
    int k[2];
  } pairs[3];
  for (auto &x : pairs) x.k[0] = 1, x.k[1] = 2;
  auto both = [&](int j) {
    int t[2] = {j, j + 1};
    return t[0] + t[1] + a[j];
  };
  int sum = both(2);
  switch (way) {
  case 1: {
    int z[2] = {1, 2};
    sum += z[1];
    break;
  }
  default:
    short w[5];
    for (short &x : w) x = 2;
    sum += w[4];
  }
  out[0] = turned[0] + turned[1] + turned[2] + total(a) + rows[1][1] + length + (text[0] - '0') +
           small[3] + big[1] + quads[1].w + pairs[2].k[1] + sum + sizeof(a) + sizeof m;
}

int main() {
  float *out, host = 0;
  cudaMalloc(&out, sizeof host);
  forms<<<1, 1>>>(out, 3);
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return host == 6 + 10 + 4 + 5 + 1 + 3 + 2 + 4 + 2 + (8 + 2) + 16 + 36 ? 0 : 1;
}
