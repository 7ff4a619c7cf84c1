// Kernel declarations in many spellings: prototypes, block-scope, out of namespace, friends, attributes, odd parameters.
// expect: pass
// flags: -std=c++17
// clang-format off
#include <stdio.h>

#define KERNEL __global__
#define EXPORT extern "C"
#define N 8

__global__ void later(int *p);
extern __global__ void later_too(int *p, int v = 2);
template <class T> __global__ void later_template(T *p);
namespace a { namespace b { __global__ void inside(int *); } }

KERNEL void by_macro(int *p) { p[0] = 1; }
EXPORT KERNEL void exported(int *p) { p[1] = 2; }
__global__ void none() {}
__global__ void none_void(void) { }
__global__ void unnamed(int *p, int, float = 0) { p[2] = 3; }
__global__ void array_parameter(int p[], const int n[2]) { p[3] = n[1]; }
__global__ void pointer_to_array(int (*rows)[N]) { rows[1][2] = 4; }
__global__ void pointer_to_pointer(int **pp, char **const) { pp[0][4] = 5; }
__global__ void function_pointer(int *p, int (*f)(int)) { p[5] = f ? 0 : 6; }
__global__ __launch_bounds__(64, 2) void bounds1(int *p) { p[6] = 7; }
__global__ void __launch_bounds__(64) bounds2(int *p) { p[7] = 8; }
template <int T> __launch_bounds__(T) __global__ void bounds3(int *p) { p[16] = T; }
static void __global__ last(int *p) { p[17] = 18; }
inline __global__ void inlined(int *p) { p[18] = 19; }
__global__ void grid_constant(const __grid_constant__ int v, int *p) { p[19] = v; }
__global__ void restricted(int *__restrict__ p, const int *__restrict n, int const *__restrict__ const m) { p[20] = *n + *m; }
[[maybe_unused]] __global__ void attribute(int *p) { p[21] = 22; }
__attribute__((unused)) static __global__ void gnu_attribute(int *p) { p[22] = 23; }
__global__ void brace_on_next_line(int *p)
{
	p[24] = 25;
}
__global__
void
spread
(
	int *p
)
{ p[25] = 26; }
__global__ void params_named_like_things(int *grid, int block, int thread, int body, int kernel, int name, int file, int flags)
{ grid[26] = block + thread + body + kernel + name + file + flags; }
__global__ void local_class(int *p)
{
	struct Local { int v; __device__ Local(int x) : v(x) {} __device__ int get() const { if (v > 100) return 100; return v; } };
	auto twice = [](int v) { return 2 * v; };
	Local l(twice(13));
	p[27] = l.get();
	if (l.v) { return; }
	p[27] = -1;
}
__global__ void shadows(int *p)
{
	int blockDim = 3;
	{ int threadIdx = 4; p[28] = blockDim + threadIdx; }
}
__global__ void names(int *p) { for (const char *c = __func__; *c; ++c) ++p[29]; }
__global__ void changes(int *p, int n, dim3 d) { p += 30; while (n --> 0) { d.x += n; } *p = d.x; }

class Secret {
	int v = 31;
	friend __global__ void look(Secret s, int *p);
public:
	Secret() = default;
};
__global__ void look(Secret s, int *p) { p[31] = s.v; }

__global__ void later(int *p) { p[32] = 33; }
__global__ void later_too(int *p, int v) { p[33] = v; }
template <class T> __global__ void later_template(T *p) { p[34] = sizeof(T); }
__global__ void a::b::inside(int *p) { p[35] = 36; }

int main()
{
	__global__ void block_scope(int *, int);
	int *p, **pp, bad = 0;
	cudaMallocManaged(&p, 64 * sizeof(int)); cudaMallocManaged(&pp, sizeof *pp); *pp = p;
	p[40] = 0; p[41] = 4; p[42] = 10; p[29] = 0;
	by_macro<<<1,1>>>(p); exported<<<1,1>>>(p); none<<<1,1>>>(); none_void<<<1,1>>>();
	unnamed<<<1,1>>>(p, 1); array_parameter<<<1,1>>>(p, p + 40); pointer_to_array<<<1,1>>>((int (*)[N])p);
	pointer_to_pointer<<<1,1>>>(pp, 0); function_pointer<<<1,1>>>(p, 0); bounds1<<<1,1>>>(p); bounds2<<<1,1>>>(p);
	bounds3<32><<<1,1>>>(p); last<<<1,1>>>(p); inlined<<<1,1>>>(p); grid_constant<<<1,1>>>(20, p);
	restricted<<<1,1>>>(p, p + 42, p + 42); attribute<<<1,1>>>(p); gnu_attribute<<<1,1>>>(p);
	brace_on_next_line<<<1,1>>>(p); spread<<<1,1>>>(p); params_named_like_things<<<1,1>>>(p, 1, 2, 3, 4, 5, 6, 7);
	local_class<<<1,1>>>(p); shadows<<<1,1>>>(p); names<<<1,1>>>(p); changes<<<1,1>>>(p, 5, dim3(1));
	look<<<1,1>>>(Secret(), p); later<<<1,1>>>(p); later_too<<<1,1>>>(p); later_template<<<1,1>>>(p); a::b::inside<<<1,1>>>(p);
	block_scope<<<1,1>>>(p, 37);
	if (cudaDeviceSynchronize() != cudaSuccess) return 1;
	const int want[][2] = {{0,1},{1,2},{2,3},{3,4},{10,4},{4,5},{5,6},{6,7},{7,8},{16,32},{17,18},{18,19},{19,20},{20,20},{21,22},{22,23},
		{24,25},{25,26},{26,28},{27,26},{28,7},{29,5},{30,11},{31,31},{32,33},{33,2},{34,4},{35,36},{36,37}};
	for (auto &w : want) if (p[w[0]] != w[1]) { printf("p[%d] = %d, not %d\n", w[0], p[w[0]], w[1]); bad++; }
	printf("%s\n", bad ? "FAILED" : "PASSED");
  cudaFree(p); cudaFree(pp);
	return bad;
}
__global__ void block_scope(int *p, int v) { p[36] = v; }
