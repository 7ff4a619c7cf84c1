// The seven steps of the classic reduction tutorial, from interleaved addressing to templates.
// expect: pass
#include <cstdio>
#include <cstdlib>

// Shared memory of any type: a templated kernel may not name one extern array with two types.
template <class T> struct Scratch {
  __device__ inline operator T *() {
    extern __shared__ int scratch_words[];
    return (T *)scratch_words;
  }
  __device__ inline operator const T *() const {
    extern __shared__ int scratch_words[];
    return (T *)scratch_words;
  }
};
template <> struct Scratch<double> {
  __device__ inline operator double *() {
    extern __shared__ double scratch_doubles[];
    return (double *)scratch_doubles;
  }
};

template <class T> __global__ void reduce0(T *in, T *out, unsigned int n) {
  T *s = Scratch<T>();
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[tid] = (i < n) ? in[i] : 0;
  __syncthreads();
  for (unsigned int w = 1; w < blockDim.x; w *= 2) {
    if ((tid % (2 * w)) == 0) s[tid] += s[tid + w];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

template <class T> __global__ void reduce1(T *in, T *out, unsigned int n) {
  T *s = Scratch<T>();
  unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  s[tid] = (i < n) ? in[i] : 0;
  __syncthreads();
  for (unsigned int w = 1; w < blockDim.x; w *= 2) {
    int index = 2 * w * tid;
    if (index < blockDim.x) s[index] += s[index + w];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

template <class T> __global__ void reduce2(T *in, T *out, unsigned int n) {
  T *s = Scratch<T>();
  unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  s[tid] = (i < n) ? in[i] : 0;
  __syncthreads();
  for (unsigned int w = blockDim.x / 2; w > 0; w >>= 1) {
    if (tid < w) s[tid] += s[tid + w];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

template <class T> __global__ void reduce3(T *in, T *out, unsigned int n) {
  T *s = Scratch<T>();
  unsigned int tid = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  T sum = (i < n) ? in[i] : 0;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  s[tid] = sum;
  __syncthreads();
  for (unsigned int w = blockDim.x / 2; w > 0; w >>= 1) {
    if (tid < w) s[tid] = sum = sum + s[tid + w];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sum;
}

// Last warp by volatile shared memory, with the barriers that newer devices need.
template <class T, unsigned int blockSize>
__device__ void last_warp(volatile T *s, unsigned int tid) {
  T v = s[tid];
  if (blockSize >= 64) {
    v += s[tid + 32];
    __syncwarp();
    s[tid] = v;
    __syncwarp();
  }
  if (blockSize >= 32) {
    v += s[tid + 16];
    __syncwarp();
    s[tid] = v;
    __syncwarp();
  }
  if (blockSize >= 16) {
    v += s[tid + 8];
    __syncwarp();
    s[tid] = v;
    __syncwarp();
  }
  if (blockSize >= 8) {
    v += s[tid + 4];
    __syncwarp();
    s[tid] = v;
    __syncwarp();
  }
  if (blockSize >= 4) {
    v += s[tid + 2];
    __syncwarp();
    s[tid] = v;
    __syncwarp();
  }
  if (blockSize >= 2) {
    v += s[tid + 1];
    __syncwarp();
    s[tid] = v;
    __syncwarp();
  }
}

template <class T, unsigned int blockSize> __global__ void reduce5(T *in, T *out, unsigned int n) {
  T *s = Scratch<T>();
  unsigned int tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid;
  T sum = (i < n) ? in[i] : 0;
  if (i + blockSize < n) sum += in[i + blockSize];
  s[tid] = sum;
  __syncthreads();
  if (blockSize >= 512) {
    if (tid < 256) s[tid] += s[tid + 256];
    __syncthreads();
  }
  if (blockSize >= 256) {
    if (tid < 128) s[tid] += s[tid + 128];
    __syncthreads();
  }
  if (blockSize >= 128) {
    if (tid < 64) s[tid] += s[tid + 64];
    __syncthreads();
  }
  if (tid < 32) last_warp<T, blockSize>(s, tid);
  if (tid == 0) out[blockIdx.x] = s[0];
}

template <class T, unsigned int blockSize, bool Even>
__global__ void reduce6(T *in, T *out, unsigned int n) {
  T *s = Scratch<T>();
  unsigned int tid = threadIdx.x, step = blockSize * 2 * gridDim.x;
  unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
  T sum = 0;
  while (i < n) {
    sum += in[i];
    if (Even || i + blockSize < n) sum += in[i + blockSize];
    i += step;
  }
  s[tid] = sum;
  __syncthreads();
  for (unsigned w = blockSize / 2; w >= 32; w >>= 1) {
    if (tid < w) s[tid] = sum = sum + s[tid + w];
    __syncthreads();
  }
  if (tid < 32)
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (tid == 0) out[blockIdx.x] = sum;
}

static bool power_of_two(unsigned int x) { return ((x & (x - 1)) == 0); }

template <class T> void reduce(int size, int threads, int blocks, int which, T *d_in, T *d_out) {
  dim3 block(threads, 1, 1), grid(blocks, 1, 1);
  int bytes = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
  switch (which) {
  case 0: reduce0<T><<<grid, block, bytes>>>(d_in, d_out, size); break;
  case 1: reduce1<T><<<grid, block, bytes>>>(d_in, d_out, size); break;
  case 2: reduce2<T><<<grid, block, bytes>>>(d_in, d_out, size); break;
  case 3: reduce3<T><<<grid, block, bytes>>>(d_in, d_out, size); break;
  case 5:
    switch (threads) {
    case 256: reduce5<T, 256><<<grid, block, bytes>>>(d_in, d_out, size); break;
    case 128: reduce5<T, 128><<<grid, block, bytes>>>(d_in, d_out, size); break;
    }
    break;
  case 6:
    if (power_of_two(size))
      reduce6<T, 128, true><<<grid, block, bytes>>>(d_in, d_out, size);
    else
      reduce6<T, 128, false><<<grid, block, bytes>>>(d_in, d_out, size);
  }
}

template <class T> int run(int n) {
  T *h = (T *)malloc(n * sizeof(T)), *d, *o, expect = 0;
  for (int i = 0; i < n; i++) expect += h[i] = (T)((i * 7919) & 0xf);
  cudaMalloc((void **)&d, n * sizeof(T));
  cudaMalloc((void **)&o, n * sizeof(T));
  cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice);
  int wrong = 0, versions[] = {0, 1, 2, 3, 5, 6};
  for (int v : versions) {
    int threads = 128, per = v >= 3 ? 2 * threads : threads;
    int blocks = v == 6 ? 7 : (n + per - 1) / per;
    reduce<T>(n, threads, blocks, v, d, o);
    cudaMemcpy(h, o, blocks * sizeof(T), cudaMemcpyDeviceToHost);
    T sum = 0;
    for (int b = 0; b < blocks; b++) sum += h[b];
    if (sum != expect) {
      printf("reduce%d<%d bytes> of %d: wrong\n", v, (int)sizeof(T), n);
      wrong++;
    }
  }
  free(h), cudaFree(d), cudaFree(o);
  return wrong;
}

int main(int, char **) {
  int wrong = run<int>(1 << 14) + run<float>(10000) + run<double>(5001) + run<int>(256);
  printf(wrong ? "Test failed!\n" : "Test PASSED\n");
  return wrong;
}
