// cuda::barrier and cuda::pipeline: phases, split arrivals, drops, producers and consumers.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
typedef cuda::barrier<cuda::thread_scope_block> block_barrier;

static int failures;

static void expect(long long got, long long want, const char *what, int i) {
  if (got == want || ++failures > 10) return;
  std::printf("wrong: %s [%d] is %lld, not %lld\n", what, i, got, want);
}

enum { THREADS = 128 };

// A ring: in each step every thread reads what its neighbour wrote in the step before.
__global__ void ring(int *out, int steps) {
  __shared__ block_barrier bar;
  __shared__ int a[2][THREADS];
  const int t = threadIdx.x;
  if (t == 0) init(&bar, THREADS);
  a[0][t] = t;
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    a[(s + 1) % 2][t] = a[s % 2][(t + 1) % THREADS];
    block_barrier::arrival_token token = bar.arrive();
    bar.wait(std::move(token));
  }
  out[t] = a[steps % 2][t];
}

// Half of the threads produce, the others consume: two buffers, four barriers.
__global__ void producer_consumer(const int *in, int *out, int batches) {
  __shared__ int buffer[2][THREADS / 2];
  __shared__ block_barrier ready[2], filled[2];
  const int t = threadIdx.x, half = THREADS / 2, mine = t % half;
  if (t < 2) {
    init(&ready[t], THREADS);
    init(&filled[t], THREADS);
  }
  __syncthreads();
  if (t < half) {
    for (int i = 0; i < batches; ++i) {
      ready[i % 2].arrive_and_wait();
      buffer[i % 2][mine] = in[i * half + mine];
      (void)filled[i % 2].arrive();
    }
  } else {
    (void)ready[0].arrive();
    (void)ready[1].arrive();
    int sum = 0;
    for (int i = 0; i < batches; ++i) {
      filled[i % 2].arrive_and_wait();
      sum += buffer[i % 2][half - 1 - mine];
      (void)ready[i % 2].arrive();
    }
    out[mine] = sum;
  }
}

// In round r the threads r and up are left; the others have dropped out.
__global__ void dropping(int *out) {
  __shared__ block_barrier bar;
  __shared__ int rounds;
  const int t = threadIdx.x;
  if (t == 0) {
    init(&bar, 32);
    rounds = 0;
  }
  __syncthreads();
  for (int r = 0; r < t; ++r) bar.arrive_and_wait();
  atomicAdd(&rounds, 1);
  bar.arrive_and_drop();
  __syncthreads();
  out[t] = rounds;
}

// Phases told by their parity, and who has not arrived is not waited for twice.
__global__ void parities(int *out) {
  __shared__ block_barrier bar;
  __shared__ int a[THREADS];
  const int t = threadIdx.x;
  if (t == 0) init(&bar, THREADS);
  __syncthreads();
  int sum = 0;
  for (int phase = 0; phase < 5; ++phase) {
    a[t] = t + phase;
    (void)bar.arrive();
    bar.wait_parity(phase % 2);
    sum += a[(t + 1) % THREADS];
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void bound_copy(const int *in, int *out) {
  __shared__ alignas(16) int tile[THREADS];
  __shared__ block_barrier bar;
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, THREADS);
  block.sync();
  int sum = 0;
  for (int k = 0; k < 3; ++k) {
    cuda::memcpy_async(block, tile, in + k * THREADS, sizeof tile, bar);
    bar.arrive_and_wait();
    sum += tile[THREADS - 1 - threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// The guide's pipeline of two stages: batch i + 1 is fetched while batch i is used.
__global__ void staged(const int *in, int *out, int batches) {
  __shared__ alignas(16) int buffer[2][THREADS];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  pipe.producer_acquire();
  cuda::memcpy_async(block, buffer[0], in, sizeof buffer[0], pipe);
  pipe.producer_commit();
  for (int i = 1; i <= batches; ++i) {
    if (i < batches) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer[i % 2], in + i * THREADS, sizeof buffer[0], pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += buffer[(i - 1) % 2][THREADS - 1 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// The first warp fetches, three warps use.
__global__ void partitioned(const int *in, int *out, int batches) {
  __shared__ int buffer[3][96];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
  auto block = cg::this_thread_block();
  const bool fetches = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(
      block, &state, fetches ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  int sum = 0;
  for (int i = 0; i < batches; ++i) {
    if (fetches) {
      pipe.producer_acquire();
      for (int k = threadIdx.x; k < 96; k += 32)
        cuda::memcpy_async(&buffer[i % 3][k], &in[i * 96 + k], sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += buffer[i % 3][127 - threadIdx.x];
      pipe.consumer_release();
    }
  }
  if (!fetches) out[threadIdx.x - 32] = sum;
}

__global__ void primitives(const int *in, int *out) {
  __shared__ alignas(16) int tile[THREADS];
  __shared__ __mbarrier_t bar;
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&bar, THREADS);
  __syncthreads();
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  const __mbarrier_token_t token = __mbarrier_arrive(&bar);
  while (!__mbarrier_test_wait(&bar, token)) {
  }
  out[t] = tile[THREADS - 1 - t];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 16 * THREADS * sizeof(int));
  cudaMallocManaged(&out, THREADS * sizeof(int));
  for (int i = 0; i < 16 * THREADS; ++i) in[i] = i * 31 % 1009;

  ring<<<1, THREADS>>>(out, 9);
  expect(cudaDeviceSynchronize(), cudaSuccess, "ring", -1);
  for (int t = 0; t < THREADS; ++t) expect(out[t], (t + 9) % THREADS, "ring", t);

  producer_consumer<<<1, THREADS>>>(in, out, 7);
  expect(cudaDeviceSynchronize(), cudaSuccess, "producer_consumer", -1);
  for (int t = 0; t < 64; ++t) {
    int sum = 0;
    for (int i = 0; i < 7; ++i) sum += in[i * 64 + 63 - t];
    expect(out[t], sum, "producer_consumer", t);
  }

  dropping<<<1, 32>>>(out);
  expect(cudaDeviceSynchronize(), cudaSuccess, "dropping", -1);
  for (int t = 0; t < 32; ++t) expect(out[t], 32, "dropping", t);

  parities<<<1, THREADS>>>(out);
  expect(cudaDeviceSynchronize(), cudaSuccess, "parities", -1);
  for (int t = 0; t < THREADS; ++t) expect(out[t], 5 * ((t + 1) % THREADS) + 10, "parities", t);

  bound_copy<<<1, THREADS>>>(in, out);
  expect(cudaDeviceSynchronize(), cudaSuccess, "bound_copy", -1);
  for (int t = 0; t < THREADS; ++t)
    expect(out[t], in[127 - t] + in[255 - t] + in[383 - t], "bound_copy", t);

  staged<<<1, THREADS>>>(in, out, 9);
  expect(cudaDeviceSynchronize(), cudaSuccess, "staged", -1);
  for (int t = 0; t < THREADS; ++t) {
    int sum = 0;
    for (int i = 0; i < 9; ++i) sum += in[i * THREADS + 127 - t];
    expect(out[t], sum, "staged", t);
  }

  partitioned<<<1, THREADS>>>(in, out, 11);
  expect(cudaDeviceSynchronize(), cudaSuccess, "partitioned", -1);
  for (int t = 0; t < 96; ++t) {
    int sum = 0;
    for (int i = 0; i < 11; ++i) sum += in[i * 96 + 95 - t];
    expect(out[t], sum, "partitioned", t);
  }

  primitives<<<1, THREADS>>>(in, out);
  expect(cudaDeviceSynchronize(), cudaSuccess, "primitives", -1);
  for (int t = 0; t < THREADS; ++t) expect(out[t], in[127 - t], "primitives", t);
  if (failures) return 1;
  std::printf("PASSED\n");
  cudaFree(in); cudaFree(out);
  return 0;
}
