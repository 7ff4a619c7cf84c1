// find: nothing
// The loops of CUDA's guide begin with a plain read, which the exchange checks: in all their forms.
#include <cstdio>
#include <cuda/atomic>

__device__ double total, total2;
__device__ float largest = -1;
__device__ int fenced, inner, head = -1, twice, crossed;
__device__ unsigned short small[2];
__device__ int next_of[512];

__device__ double add(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__device__ void add_by_value(double *address, double value) {
  double old = *address, assumed;
  do {
    assumed = old;
    old =
        __longlong_as_double(atomicCAS((unsigned long long *)address, __double_as_longlong(assumed),
                                       __double_as_longlong(assumed + value)));
  } while (__double_as_longlong(assumed) != __double_as_longlong(old));
}

__global__ void all(const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  add(&total, in[i]);
  add_by_value(&total2, in[i]);

  int old = fenced, assumed;
  do {
    assumed = old;
    __threadfence();
    old = atomicCAS(&fenced, assumed, assumed + 1);
  } while (assumed != old);

  int seen;
  do {
    seen = inner;
  } while (atomicCAS(&inner, seen, seen + 1) != seen);

  do {
    seen = head;
    next_of[i] = seen;
    __threadfence();
  } while (atomicCAS(&head, seen, i) != seen);

  for (int k = 0; k < 3; ++k) {
    do {
      seen = twice;
    } while (atomicCAS(&twice, seen, seen + k) != seen);
  }

  // Other lanes run between the read and the exchange.
  old = crossed;
  __syncwarp();
  do {
    assumed = old;
    old = atomicCAS(&crossed, assumed, assumed + 1);
  } while (assumed != old);

  unsigned short *half = &small[i % 2], before = *half, want;
  do {
    want = before;
    before = atomicCAS(half, want, (unsigned short)(want + 1));
  } while (before != want);

  cuda::atomic_ref<float, cuda::thread_scope_device> most(largest);
  float now = largest;
  while (!most.compare_exchange_weak(now, now < in[i] ? in[i] : now, cuda::memory_order_relaxed)) {
  }
}

__global__ void in_shared(int *out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int old = sum, assumed;
  do {
    assumed = old;
    old = atomicCAS(&sum, assumed, assumed + (int)threadIdx.x);
  } while (assumed != old);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
  const int n = 512;
  float *in;
  int *out;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, 4 * sizeof *out);
  for (int i = 0; i < n; ++i) in[i] = i % 77;
  all<<<n / 128, 128>>>(in, n);
  in_shared<<<4, 96>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s %d\n", cudaGetErrorString(error), out[3]);
  cudaFree(in);
  cudaFree(out);
  return error != cudaSuccess;
}
