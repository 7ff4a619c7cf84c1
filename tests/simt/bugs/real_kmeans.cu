// find: race shared atomic/plain barrier|syncwarp
// k-means: the block's sums of coordinates in shared memory are added to the grid's without
// waiting until all warps have added theirs.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int K = 5;
constexpr int DIM = 2;
constexpr int THREADS = 128;

struct Options {
  int points = 1000;
  int rounds = 4;
};

__device__ float distance2(const float *a, const float *b) {
  float sum = 0;
  for (int d = 0; d < DIM; d++) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

__global__ void assign_and_sum(const float *points, int n, const float *centres, int *label,
                               float *sums, int *counts) {
  __shared__ float s_centre[K * DIM];
  __shared__ float s_sum[K * DIM];
  __shared__ int s_count[K];
  if (threadIdx.x < K * DIM) {
    s_centre[threadIdx.x] = centres[threadIdx.x];
    s_sum[threadIdx.x] = 0;
  }
  if (threadIdx.x < K) s_count[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int best = 0;
    float least = INFINITY;
    for (int k = 0; k < K; k++) {
      float d2 = distance2(points + i * DIM, s_centre + k * DIM);
      if (d2 < least) {
        least = d2;
        best = k;
      }
    }
    label[i] = best;
    for (int d = 0; d < DIM; d++) {
      atomicAdd(&s_sum[best * DIM + d], points[i * DIM + d]); // BUG
    }
    atomicAdd(&s_count[best], 1); // BUG
  }
#ifdef FIXED
  __syncthreads();
#endif
  if (threadIdx.x < K * DIM) {
    atomicAdd(&sums[threadIdx.x], s_sum[threadIdx.x]); // BUG: a barrier is missing before
  }
  if (threadIdx.x < K) {
    atomicAdd(&counts[threadIdx.x], s_count[threadIdx.x]); // BUG
  }
}

__global__ void new_centres(float *centres, const float *sums, const int *counts) {
  int k = threadIdx.x / DIM;
  if (counts[k] > 0) centres[threadIdx.x] = sums[threadIdx.x] / counts[k];
}

int main(int argc, char **argv) {
  Options options;
  if (argc > 1) options.points = atoi(argv[1]);
  if (argc > 2) options.rounds = atoi(argv[2]);
  const int n = options.points;
  std::vector<float> h(n * DIM);
  for (int i = 0; i < n; i++) {
    h[i * DIM] = (i % K) * 10 + (i * 7 % 11) * 0.1f;
    h[i * DIM + 1] = (i % K) * -5 + (i * 5 % 13) * 0.1f;
  }
  float *points, *centres, *sums;
  int *label, *counts;
  cudaMalloc(&points, n * DIM * sizeof(float));
  cudaMalloc(&centres, K * DIM * sizeof(float));
  cudaMalloc(&sums, K * DIM * sizeof(float));
  cudaMalloc(&label, n * sizeof(int));
  cudaMalloc(&counts, K * sizeof(int));
  cudaMemcpy(points, h.data(), n * DIM * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(centres, h.data(), K * DIM * sizeof(float), cudaMemcpyHostToDevice);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  for (int round = 0; round < options.rounds; round++) {
    cudaMemset(sums, 0, K * DIM * sizeof(float));
    cudaMemset(counts, 0, K * sizeof(int));
    assign_and_sum<<<3, THREADS>>>(points, n, centres, label, sums, counts);
    new_centres<<<1, K * DIM>>>(centres, sums, counts);
  }
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float ms = 0, result[K * DIM];
  cudaEventElapsedTime(&ms, begin, end);
  cudaMemcpy(result, centres, sizeof result, cudaMemcpyDeviceToHost);
  for (int k = 0; k < K; k++) printf("centre %d: %.2f %.2f\n", k, result[2 * k], result[2 * k + 1]);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaFree(points);
  cudaFree(centres);
  cudaFree(sums);
  cudaFree(label);
  cudaFree(counts);
  return ms < 0;
}
