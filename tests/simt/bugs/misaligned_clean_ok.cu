// find: nothing
// Vectors of all sizes where they are aligned: behind an offset, in structs, in shared memory;
// small ones anywhere their size allows.
#include <cstdio>

struct __align__(16) Packet {
  float4 head;
  int2 pair;
  double value;
};

__global__ void use(const float *in, Packet *packets, uchar4 *bytes, short2 *shorts,
                    float3 *threes) {
  extern __shared__ __align__(16) char raw[];
  float4 *s = (float4 *)raw;
  double2 *d = (double2 *)(raw + 32 * sizeof(float4));
  int t = threadIdx.x;
  s[t] = *(const float4 *)(in + 4 * t);
  d[t] = make_double2(t, t);
  __syncthreads();
  packets[t].head = s[31 - t];
  packets[t].pair = make_int2(t, -t);
  packets[t].value = d[31 - t].x;
  bytes[t] = make_uchar4(t, t, t, t);
  shorts[t] = make_short2(t, t);
  threes[t + 1] = make_float3(t, t, t);
}

int main() {
  float *in;
  Packet *packets;
  uchar4 *bytes;
  short2 *shorts;
  float3 *threes;
  cudaMalloc(&in, 132 * sizeof(float));
  cudaMalloc(&packets, 32 * sizeof(Packet));
  cudaMalloc(&bytes, 33 * sizeof(uchar4));
  cudaMalloc(&shorts, 33 * sizeof(short2));
  cudaMalloc(&threes, 33 * sizeof(float3));
  cudaMemset(in, 0, 132 * sizeof(float));
  use<<<1, 32, 32 * (sizeof(float4) + sizeof(double2))>>>(in + 4, packets, bytes + 1, shorts + 1,
                                                          threes);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(packets);
  cudaFree(bytes);
  cudaFree(shorts);
  cudaFree(threes);
}
