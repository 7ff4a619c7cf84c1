// find: misaligned
// find: misaligned
// find: misaligned
// find: misaligned
// find: misaligned
// find: misaligned
// find: misaligned
// text: an access of 16 bytes at an address that is 8 off a multiple of 16
// text: an access of 8 bytes at an address that is 2 off a multiple of 4
// text: an access of 12 bytes at an address that is 2 off a multiple of 4
// schedules: forward
// Vectors at 4, 8 or 12 bytes behind a multiple of 16, smaller ones and structs at a part of what
// their elements need. The size alone does not tell 8 of 16, which two doubles of a struct are at.
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

struct Pair {
  int x, y;
};
struct Three {
  float x, y, z;
};
struct alignas(16) Packet {
  int4 head, tail;
};

__device__ float total(float4 v) { return v.x + v.y + v.z + v.w; }

__global__ void store(char *p) {
  *(float4 *)p = make_float4(1, 2, 3, 4); // BUG 1
}
__global__ void load(char *p) {
  double2 v = *(const double2 *)p; // BUG 2
  *(double2 *)(p + 64 - (size_t)p % 64) = v;
}
__global__ void member(char *p) {
  Packet *packet = (Packet *)p;
  packet->head.x = 1;
  packet->tail = make_int4(1, 2, 3, 4); // BUG 3
}
__global__ void shared(int at) {
  __shared__ __align__(16) float s[32];
  s[threadIdx.x] = threadIdx.x;
  uint4 *v = (uint4 *)(s + at / 4);
  *v = make_uint4(1, 2, 3, 4); // BUG 4
}
__global__ void by_value(char *p) {
  *(float *)(p + 64 - (size_t)p % 64) = total(*(const float4 *)p); // BUG 5
}
__global__ void pairs(char *p) {
  *(Pair *)p = Pair{1, 2}; // BUG 6
}
__global__ void threes(char *p) {
  *(Three *)p = Three{1, 2, 3}; // BUG 7
}

// What a fault leaves is an error of all later calls: a process for each.
static void run(void (*kernel)(char *), int at) {
#ifdef FIXED
  at = 0;
#endif
  int status = 0;
  if (fork()) {
    wait(&status);
    if (status) cudaFree(&status); // a finding of its own: it did not end as it has to
    return;
  }
  char *p;
  cudaMalloc(&p, 256);
  cudaMemset(p, 0, 256);
  kernel<<<1, 1>>>(p + at);
  const cudaError_t got = cudaDeviceSynchronize();
  cudaFree(p);
  exit(got != (at ? cudaErrorMisalignedAddress : cudaSuccess));
}

int main() {
  for (int at = 4; at < 16; at += 4) {
    run(store, at), run(load, at);
    run(member, at), run(by_value, at);
  }
  run(pairs, 2), run(threes, 2);
#ifdef FIXED
  shared<<<1, 1>>>(16);
#else
  shared<<<1, 1>>>(8);
#endif
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
