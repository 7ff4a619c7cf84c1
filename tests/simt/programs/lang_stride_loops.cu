// Grid-stride loops in every form: state carried along, break, continue, return, nested, two variables, pointers, use after.
// expect: pass
// clang-format off
#include <cstdio>
#include <cstring>
#include <vector>

#define STRIDE (gridDim.x * blockDim.x)
#define START (blockIdx.x * blockDim.x + threadIdx.x)

struct Pair { int a, b; };

__device__ int step_of(int n) { return n > 0 ? STRIDE : 1; }

// Each kernel leaves a result a thread in out[START].
__global__ void carried(const int *in, int n, int *out) {
  int sum = 0, last = -1, count = 0;
  for (int i = START; i < n; i += STRIDE) { sum += in[i] * (count + 1); last = i; ++count; }
  out[START] = sum * 31 + last + count;
}
__global__ void with_break(const int *in, int n, int *out) {
  int seen = 0;
  for (int i = START; i < n; i += STRIDE) { if (in[i] % 13 == 0) break; seen += in[i]; }
  out[START] = seen;
}
__global__ void with_continue(const int *in, int n, int *out) {
  int s = 1;
  for (int i = START; i < n; i += STRIDE) { if (in[i] & 1) continue; s = s * 3 + in[i]; }
  out[START] = s;
}
__global__ void with_return(const int *in, int n, int *out) {
  for (int i = START; i < n; i += STRIDE) if (in[i] % 17 == 3) { out[START] = i; return; }
  out[START] = -7;
}
__global__ void while_form(const int *in, int n, int *out) {
  int i = START, s = 0;
  const int offset = STRIDE;
  while (i < n) { s ^= in[i] + i; i += offset; }
  out[START] = s + i;
}
__global__ void do_form(const int *in, int n, int *out) {
  unsigned i = START; int s = 0;
  if (i < (unsigned)n) do { s += in[i]; i += STRIDE; } while (i < (unsigned)n);
  out[START] = s;
}
__global__ void nested(const int *in, int n, int *out) {
  int s = 0;
  for (int r = 0; r < 3; ++r)
    for (int i = START; i < n; i += STRIDE) {
      int t = 0;
      for (int k = 0; k < 4; ++k) { if (k == r) continue; if (t > 500) break; t += in[(i + k) % n]; }
      s = s * 7 + t;
    }
  out[START] = s;
}
__global__ void two_variables(const int *in, int n, int *out) {
  int s = 0;
  for (int i = START, j = 0; i < n; i += STRIDE, ++j) s += in[i] << (j % 5);
  out[START] = s;
}
__global__ void pointer_walk(const int *in, int n, int *out) {
  long long s = 0;
  for (const int *p = in + START, *end = in + n; p < end; p += STRIDE) s = s * 5 + *p;
  out[START] = (int)s;
}
__global__ void size_t_step(const int *in, int n, int *out) {
  int s = 0;
  const size_t all = (size_t)gridDim.x * blockDim.x;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x, e = n; i < e; i += all) s -= in[i];
  out[START] = s;
}
__global__ void changes_the_index(const int *in, int n, int *out) {
  int s = 0;
  for (int i = START; i < n; i += STRIDE) { s += in[i]; if (in[i] % 5 == 0) i += STRIDE; }
  out[START] = s;
}
__global__ void step_by_function(const int *in, int n, int *out) {
  int s = 0;
  for (int i = START; i < n; i += step_of(n)) s += in[i] * i;
  out[START] = s;
}
__global__ void two_loops(const int *in, int n, int *out) {
  int s = 0;
  for (int i = START; i < n; i += STRIDE) s += in[i];
  const int half = s / 2;
  for (int i = START; i < n; i += STRIDE) s += in[i] > half % 100 ? 1 : -1;
  out[START] = s;
}
__global__ void modified_parameter(const int *in, int n, int *out) {
  int *mine = out + START;
  n -= 5; in += 5; *mine = 0;
  for (int i = START; i < n; i += STRIDE) *mine += *in++ + in[i - 1];
}
__global__ void block_loop(const int *in, int n, int *out) {
  const int per = (n + gridDim.x - 1) / gridDim.x, from = blockIdx.x * per, to = min(from + per, n);
  Pair p = {0, 1};
  for (int i = from + threadIdx.x; i < to; i += blockDim.x) { p.a += in[i] * p.b; p.b = -p.b; }
  out[START] = p.a * 2 + p.b;
}
__global__ void switch_inside(const int *in, int n, int *out) {
  int s = 0;
  for (int i = START; i < n; i += STRIDE) {
    switch (in[i] % 4) { case 0: s += 1; break; case 1: continue; case 2: s += 20; default: s += 300; }
    s ^= 5;
  }
  out[START] = s;
}
__global__ void label_inside(const int *in, int n, int *out) {
  int s = 0;
  for (int i = START; i < n; i += STRIDE) {
    int v = in[i];
  again:
    s += v & 3;
    if ((v >>= 2) > 10) goto again;
    if (s > 100000) goto leave;
  }
leave:
  out[START] = s;
}
template <class F> __global__ void functor_loop(const int *in, int n, int *out, F f) {
  int s = 0;
  for (int i = START; i < n; i += STRIDE) s = f(s, in[i]);
  out[START] = s;
}
struct Mix { int seed; __host__ __device__ int operator()(int a, int b) { seed = seed * 5 + 1; return a * 3 + b + seed % 7; } };

typedef void (*Kernel)(const int *, int, int *);

// The same on the host: one thread after the other.
template <class Body> static std::vector<int> reference(int threads, Body body) {
  std::vector<int> r(threads);
  for (int t = 0; t < threads; ++t) r[t] = body(t);
  return r;
}

static const int G = 3, B = 40, T = G * B;
static std::vector<int> in;
static int N, *d_in, *d_out, bad;

static void compare(const char *name, const std::vector<int> &want) {
  std::vector<int> got(T);
  cudaMemcpy(got.data(), d_out, T * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int t = 0; t < T; ++t) wrong += got[t] != want[t];
  if (wrong) printf("%s with n = %d: %d wrong\n", name, N, wrong);
  bad += wrong;
}
#define RUN(kernel, ...)                                                           \
  do { cudaMemset(d_out, 0xee, T * sizeof(int)); kernel<<<G, B>>>(d_in, N, d_out);  \
       compare(#kernel, reference(T, [&](int t) -> int { __VA_ARGS__ })); } while (0)
#define EACH for (int i = t; i < N; i += T)

static void all() {
  RUN(carried, int s = 0, l = -1, c = 0; EACH { s += in[i] * (c + 1); l = i; ++c; } return s * 31 + l + c;);
  RUN(with_break, int s = 0; EACH { if (in[i] % 13 == 0) break; s += in[i]; } return s;);
  RUN(with_continue, int s = 1; EACH { if (in[i] & 1) continue; s = s * 3 + in[i]; } return s;);
  RUN(with_return, EACH if (in[i] % 17 == 3) return i; return -7;);
  RUN(while_form, int s = 0, i = t; for (; i < N; i += T) s ^= in[i] + i; return s + i;);
  RUN(do_form, int s = 0; EACH s += in[i]; return s;);
  RUN(nested, int s = 0; for (int r = 0; r < 3; ++r) EACH { int u = 0;
      for (int k = 0; k < 4; ++k) { if (k == r) continue; if (u > 500) break; u += in[(i + k) % N]; } s = s * 7 + u; } return s;);
  RUN(two_variables, int s = 0, j = 0; EACH { s += in[i] << (j % 5); ++j; } return s;);
  RUN(pointer_walk, long long s = 0; EACH s = s * 5 + in[i]; return (int)s;);
  RUN(size_t_step, int s = 0; EACH s -= in[i]; return s;);
  RUN(changes_the_index, int s = 0; EACH { s += in[i]; if (in[i] % 5 == 0) i += T; } return s;);
  RUN(step_by_function, int s = 0; for (int i = t; i < N; i += N > 0 ? T : 1) s += in[i] * i; return s;);
  RUN(two_loops, int s = 0; EACH s += in[i]; const int h = s / 2; EACH s += in[i] > h % 100 ? 1 : -1; return s;);
  RUN(modified_parameter, int s = 0, k = 5; for (int i = t; i < N - 5; i += T) { s += in[k++]; s += in[k + i - 1]; } return s;);
  RUN(block_loop, int b = t / B; const int per = (N + G - 1) / G, from = b * per, to = from + per < N ? from + per : N;
      Pair p = {0, 1}; for (int i = from + t % B; i < to; i += B) { p.a += in[i] * p.b; p.b = -p.b; } return p.a * 2 + p.b;);
  RUN(switch_inside, int s = 0; EACH { bool next = false;
      switch (in[i] % 4) { case 0: s += 1; break; case 1: next = true; break; case 2: s += 20; default: s += 300; }
      if (!next) s ^= 5; } return s;);
  RUN(label_inside, int s = 0; EACH { int v = in[i]; do s += v & 3; while ((v >>= 2) > 10); } return s;);
  Mix m = {3};
  cudaMemset(d_out, 0xee, T * sizeof(int));
  functor_loop<<<G, B>>>(d_in, N, d_out, m);
  compare("functor_loop", reference(T, [&](int t) { Mix f = m; int s = 0; EACH s = f(s, in[i]); return s; }));
}

int main() {
  cudaMalloc(&d_in, 4000 * sizeof(int)); cudaMalloc(&d_out, T * sizeof(int));
  for (int n : {0, 1, 5, 39, 119, 120, 121, 1000, 3000}) {
    N = n;
    in.assign(4000, 1);
    for (int i = 0; i < n; ++i) in[i] = (i * 7919 + 13) % 1000;
    cudaMemcpy(d_in, in.data(), 4000 * sizeof(int), cudaMemcpyHostToDevice);
    if (n >= 5 || n == 0) all();
  }
  if (cudaDeviceSynchronize() != cudaSuccess) ++bad;
  printf("%d wrong\n%s\n", bad, bad ? "FAILED" : "PASSED");
  cudaFree(d_in); cudaFree(d_out);
  return bad != 0;
}
