// k-means in two dimensions with atomics on floats, and a k-nearest-neighbour vote.
// expect: pass
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#define K 4
#define N 2000
#define THREADS 64

__device__ float distance(float2 a, float2 b) {
  return sqrtf((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

__global__ void assign_points(const float2 *points, int *assign, const float2 *centres) {
  const int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= N) return;
  float least = INFINITY;
  int nearest = 0;
  for (int c = 0; c < K; ++c) {
    float dist = distance(points[idx], centres[c]);
    if (dist < least) {
      least = dist;
      nearest = c;
    }
  }
  assign[idx] = nearest;
}

__global__ void gather_sums(const float2 *points, const int *assign, float2 *sums, int *sizes) {
  __shared__ float2 tile[THREADS];
  __shared__ int tile_of[THREADS];
  const int idx = blockIdx.x * blockDim.x + threadIdx.x;
  const int t = threadIdx.x;
  tile_of[t] = -1;
  if (idx < N) {
    tile[t] = points[idx];
    tile_of[t] = assign[idx];
  }
  __syncthreads();
  if (t == 0) {
    float2 sum[K] = {};
    int size[K] = {0};
    for (int j = 0; j < blockDim.x; ++j) {
      int c = tile_of[j];
      if (c < 0) continue;
      sum[c].x += tile[j].x;
      sum[c].y += tile[j].y;
      size[c] += 1;
    }
    for (int z = 0; z < K; ++z) {
      atomicAdd(&sums[z].x, sum[z].x);
      atomicAdd(&sums[z].y, sum[z].y);
      atomicAdd(&sizes[z], size[z]);
    }
  }
}

__global__ void finish(float2 *centres, const float2 *sums, const int *sizes) {
  int c = threadIdx.x;
  if (c < K && sizes[c] > 0) centres[c] = make_float2(sums[c].x / sizes[c], sums[c].y / sizes[c]);
}

__global__ void nearest5(const float2 *points, const int *label, const float2 *query, int *vote,
                         int m) {
  int q = threadIdx.x + blockIdx.x * blockDim.x;
  if (q >= m) return;
  float d[5];
  int l[5];
  for (int i = 0; i < 5; i++) d[i] = FLT_MAX, l[i] = -1;
  for (int p = 0; p < N; p++) {
    float dist = distance(points[p], query[q]);
    if (dist >= d[4]) continue;
    int at = 4;
    while (at > 0 && d[at - 1] > dist) {
      d[at] = d[at - 1];
      l[at] = l[at - 1];
      --at;
    }
    d[at] = dist;
    l[at] = label[p];
  }
  int count[K] = {};
  for (int i = 0; i < 5; i++) count[l[i]]++;
  int best = 0;
  for (int c = 1; c < K; c++)
    if (count[c] > count[best]) best = c;
  vote[q] = best;
}

int main() {
  const float2 truth[K] = {{0, 0}, {10, 0}, {0, 10}, {10, 10}};
  std::vector<float2> p(N), c(K);
  srand(3);
  for (int i = 0; i < N; ++i)
    p[i] = make_float2(truth[i % K].x + rand() / (float)RAND_MAX * 4 - 2,
                       truth[i % K].y + rand() / (float)RAND_MAX * 4 - 2);
  for (int i = 0; i < K; ++i) c[i] = p[i];
  float2 *dp, *dc, *ds;
  int *da, *dn;
  cudaMalloc(&dp, N * sizeof(float2)), cudaMalloc(&dc, K * sizeof(float2)),
      cudaMalloc(&ds, K * sizeof(float2));
  cudaMalloc(&da, N * sizeof(int)), cudaMalloc(&dn, K * sizeof(int));
  cudaMemcpy(dp, p.data(), N * sizeof(float2), cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c.data(), K * sizeof(float2), cudaMemcpyHostToDevice);
  for (int it = 0; it < 10; ++it) {
    cudaMemset(ds, 0, K * sizeof(float2));
    cudaMemset(dn, 0, K * sizeof(int));
    assign_points<<<(N + THREADS - 1) / THREADS, THREADS>>>(dp, da, dc);
    gather_sums<<<(N + THREADS - 1) / THREADS, THREADS>>>(dp, da, ds, dn);
    finish<<<1, 32>>>(dc, ds, dn);
  }
  int sizes[K], votes[K];
  cudaMemcpy(c.data(), dc, K * sizeof(float2), cudaMemcpyDeviceToHost);
  cudaMemcpy(sizes, dn, sizeof(sizes), cudaMemcpyDeviceToHost);
  float2 *dq;
  cudaMalloc(&dq, sizeof(truth));
  cudaMemcpy(dq, truth, sizeof(truth), cudaMemcpyHostToDevice);
  nearest5<<<1, 32>>>(dp, da, dq, dn, K);
  cudaMemcpy(votes, dn, sizeof(votes), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < K; ++i) {
    printf("%d: (%.2f, %.2f) x %d, vote %d\n", i, c[i].x, c[i].y, sizes[i], votes[i]);
    bad +=
        sizes[i] != N / K || fabsf(c[i].x - truth[i].x) > 0.3f || fabsf(c[i].y - truth[i].y) > 0.3f;
    bad += votes[i] != i;
  }
  puts(bad ? "FAILED" : "PASSED");
  cudaFree(dp); cudaFree(dc); cudaFree(da); cudaFree(dn); cudaFree(dq); cudaFree(ds);
  return bad;
}
