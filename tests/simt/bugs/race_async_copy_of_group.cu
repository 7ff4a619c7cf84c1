// find: race shared read/write copy
// A block copies together and meets at its barrier, but does not wait for the copy. A thread's own
// pipeline, and PTX's copies, likewise.
// Fixed: They wait.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__device__ void copy_ptx(void *to, const void *from) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from)); // BUG
  asm volatile("cp.async.commit_group;");
}

__global__ void turn(const int *in, int *out) {
  __shared__ int a[64], b[64], c[64];
  const cg::thread_block block = cg::this_thread_block();
  const int t = threadIdx.x;
  cg::memcpy_async(block, a, in, sizeof a); // BUG
  cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
  own.producer_acquire();
  cuda::memcpy_async(&b[t], &in[t], sizeof(int), own); // BUG
  own.producer_commit();
  copy_ptx(&c[t], &in[t]); // BUG?
#ifdef FIXED
  own.consumer_wait();
  asm volatile("cp.async.wait_group 0;");
  cg::wait(block);
#else
  block.sync();
#endif
  int sum = a[63 - t]; // BUG
  sum += b[63 - t];    // BUG
  sum += c[63 - t];    // BUG
  out[t] = sum;
  own.consumer_release();
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  turn<<<1, 64>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
