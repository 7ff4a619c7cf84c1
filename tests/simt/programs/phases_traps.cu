// expect: pass
// Kernels with barriers that look as if they could run as loops over the threads of a block, and in which
// something changes a variable unseen, keeps its address, is destroyed, or returns early. Each is compared
// with what it has to give for every thread.
#include <cstdio>
#include <utility>

static int failures;

struct Par {
  int n[2], m;
  __device__ int &operator[](int i) { return n[i]; }
  __device__ void operator<<(int x) { n[1] = x; }
  __device__ void operator()(int x) { n[0] += x; }
};
struct Whole {
  Par p;
};
struct Coordinate {
  int i;
  __device__ Coordinate() : i(threadIdx.x) {}
};
struct Reference {
  int &r;
  __device__ Reference(int &x) : r(x) {}
  __device__ void put(int v) { r = v; }
};
struct Aggregate {
  int &r;
};
struct Loader {
  int k;
  __device__ void load(int &to) const { to = k + threadIdx.x; }
  __device__ void operator()(int &to) const { to += threadIdx.x; }
};
struct Holder {
  int *p;
  __device__ void bind(int *q) { p = q; }
};
struct Node {
  int v;
  Node *self;
  __device__ Node(int a) : v(a), self(this) {}
};
struct Counted {
  int *count, by;
  __device__ Counted(int *c, int b) : count(c), by(b) { atomicAdd(count, 1); }
  __device__ ~Counted() { atomicAdd(count + 1, by); }
};
struct Pair {
  float x, y;
};
__device__ int *pick(int *a, int *b, int first) { return first ? a : b; }

// One kernel with a barrier between the last argument and `behind`, which sets r; `wanted`: r of thread t.
#define TRAP(name, wanted, behind, ...)                                \
  __global__ void name(int *out, int n, Par par) {                     \
    __shared__ int s[64];                                              \
    const int t = threadIdx.x;                                         \
    int r = 0;                                                         \
    s[t] = t;                                                          \
    __VA_ARGS__;                                                       \
    __syncthreads();                                                   \
    behind;                                                            \
    out[t] = r + 1000 * s[63 - t];                                     \
  }                                                                    \
  static void run_##name(int *out) {                                   \
    name<<<1, 64>>>(out, 5, Par{{2, 3}, 4});                           \
    if (cudaDeviceSynchronize()) failures++;                           \
    for (int t = 0; t < 64; t++)                                       \
      if (out[t] != (wanted) + 1000 * (63 - t)) {                      \
        printf("%s: thread %d has %d\n", #name, t, out[t]);            \
        failures++;                                                    \
        return;                                                        \
      }                                                                \
  }

// Changed unseen.
TRAP(member, t + 4, r = par.n[0] + par.m, par.n[0] = t)
TRAP(inner, 3 + t, r = w.p.n[1], Whole w = {par}; w.p.n[1] += t)
TRAP(brackets, t + 1, r = k, int k = n; (k) = t; ++(k))
TRAP(either, (t & 1) ? 75 : 57, r = a * 10 + b, int a = n; int b = n; (t & 1 ? a : b) = 7)
TRAP(cast, t, r = k, int k = n; *(int *)&k = t)
TRAP(assembly, 5 + t, r = k, unsigned k = n; asm("add.u32 %0, %0, %1;" : "+r"(k) : "r"(t)))
TRAP(constructor, t, r = k, int k = n; Reference q(k); q.put(t))
TRAP(temporary, t, r = k, int k = n; Reference{k}.put(t))
TRAP(braces, t, r = k, int k = n; { Aggregate a = {k}; a.r = t; })
TRAP(method, 3 + t, r = k, int k = n; Loader l{3}; l.load(k))
TRAP(object, 5 + t, r = k, int k = n; Loader l{3}; l(k))
TRAP(forwarded, 5 + t, r = k, int k = n; auto &&q = k; q += t)
TRAP(hidden, t, r = c.i, Coordinate c)
TRAP(in_place, 5 + t, r = k, int k = n; [](int &q, int by) { q += by; }(k, t))

TRAP(indexed, t + 4, r = par[0] + par.m, par[0] = t)
TRAP(indexed_copy, t + 3, r = q.n[0] + q.n[1], Par q = par; q[0] = t)
TRAP(shifted, t + 2, r = q.n[0] + q.n[1], Par q = par; q << t)
TRAP(called, t + 5, r = q.n[0] + q.n[1], Par q = par; q(t))
TRAP(called_parameter, t + 5, r = par.n[0] + par.n[1], par(t))
TRAP(conditional, (t & 1) ? 5 : 5000, r = a + 1000 * b, int a = 0; int b = 0; *(t & 1 ? &a : &b) = n)

// Pointed to from one phase to the next.
TRAP(pointer, 2 * (t + 5), *p += 5; __syncthreads(); r = x + *p, int x = t; int *p = &x)
TRAP(element, t + 5, *p += 5; r = a[1], int a[3] = {1, t, 3}; int *p = a + 1)
TRAP(rows, 8, *p += 5; r = a[1][0], int a[2][2] = {{1, t}, {3, 4}}; int *p = a[1])
TRAP(array, t + 5, (*p)[1] += 5; r = a[1], int a[3] = {1, t, 3}; int(*p)[3] = &a)
TRAP(chosen, (t & 1) ? t + 5 + 200 * t : t + 100 * (2 * t + 5),
     *p += 5; r = x + 100 * y,
     int x = t; int y = 2 * t; int *p = pick(&x, &y, t & 1))
TRAP(several, t + 5 + 1100,
     *p[0] += 5; *p[1] += 6; r = x + 100 * y,
     int x = t; int y = n; int *p[2] = {&x, &y})
TRAP(bound, t + 5, *h.p += 5; r = x, int x = t; Holder h; h.bind(&x))
TRAP(fields, t + 5, *p += 5; r = v.x, Pair v = (Pair{1.f * t, 2}); float *p = &v.x)
TRAP(itself, t + 5, q.self->v += 5; r = q.v, Node q(t))

// Types of the kernel's own, where a part of its text alone knows them.
TRAP(local_class, t, r = l.v, struct L { int v; }; L l{t})
TRAP(local_name, 2 * t + 1,
     ,
     for (int i = 0; i < 2; i++) { using T = int; T x = t + i; __syncthreads(); r += x; })
TRAP(continued, (t & 1) ? 4 : 8,
     ,
     for (int i = 0; i < 4; i++) { __syncthreads(); switch (t & 1) { case 0: r += 2; continue; } r += 1; })

// A thread that has returned does nothing more.
TRAP(early, t > 40 ? 9 : 2, out[t] = 1000 * s[63 - t] + 9; if (t > 40) return; f = 2; r = f, int f = 1)
TRAP(early_loop, t > 40 ? 9 : 2 * t + 64,
     out[t] = 1000 * s[63 - t] + 9; if (t > 40) return; for (int i = t; i < 128; i += blockDim.x) r += i,
     )

// Destroyed once, at the end of its scope.
TRAP(destroyed, 0, r = out[65]; __syncthreads(); c.by = 3, Counted c(out + 64, 1))
TRAP(destroyed_in_loop, 3,
     ,
     for (int i = 0; i < 3; i++) { Counted c(out + 64, 1); __syncthreads(); r += c.by; })

int main() {
  int *out;
  cudaMallocManaged(&out, 66 * sizeof *out);
  void (*const runs[])(int *) = {
      run_member,    run_inner,   run_brackets, run_either,     run_cast,       run_assembly,
      run_temporary, run_braces,  run_method,   run_object,     run_forwarded,  run_constructor,
      run_hidden,    run_in_place, run_pointer, run_element,    run_rows,       run_array,
      run_chosen,    run_several, run_bound,    run_fields,     run_itself,     run_local_class,
      run_early,     run_continued, run_early_loop, run_called_parameter, run_indexed, run_indexed_copy, run_shifted, run_called, run_conditional, run_local_name};
  for (auto run : runs) run(out);
  out[64] = out[65] = 0;
  run_destroyed(out);
  if (out[64] != 64 || out[65] != 192) failures++;
  out[64] = out[65] = 0;
  run_destroyed_in_loop(out);
  if (out[64] != 192 || out[65] != 192) failures++;
  cudaFree(out);
  puts(failures ? "FAILED" : "PASSED");
  return failures != 0;
}
