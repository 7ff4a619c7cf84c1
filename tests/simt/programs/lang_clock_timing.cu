// clock, clock64, globaltimer by nanosleep, cudaEvent timing and a bandwidth figure.
// expect: pass
#include <cstdio>
#include <cstdlib>

__global__ static void least_of_block(const float *input, float *output, clock_t *timer) {
  extern __shared__ float shared[];
  const int tid = threadIdx.x, bid = blockIdx.x;
  if (tid == 0) timer[bid] = clock();
  shared[tid] = input[tid];
  shared[tid + blockDim.x] = input[tid + blockDim.x];
  for (int d = blockDim.x; d > 0; d /= 2) {
    __syncthreads();
    if (tid < d) {
      if (shared[tid + d] < shared[tid]) shared[tid] = shared[tid + d];
    }
  }
  if (tid == 0) output[bid] = shared[0];
  __syncthreads();
  if (tid == 0) timer[bid + gridDim.x] = clock();
}

__global__ void wait_cycles(long long cycles, long long *spent) {
  long long start = clock64();
  while (clock64() - start < cycles)
    ;
  *spent = clock64() - start;
  __nanosleep(100);
}

int main() {
  const int BLOCKS = 8, THREADS = 128;
  float input[2 * THREADS], *din, *dout, out[BLOCKS];
  clock_t timer[2 * BLOCKS], *dt;
  for (int i = 0; i < 2 * THREADS; i++) input[i] = (float)((i * 37) % 256) + 1;
  cudaMalloc((void **)&din, sizeof input);
  cudaMalloc((void **)&dout, sizeof out);
  cudaMalloc((void **)&dt, sizeof timer);
  cudaMemcpy(din, input, sizeof input, cudaMemcpyHostToDevice);
  least_of_block<<<BLOCKS, THREADS, sizeof(float) * 2 * THREADS>>>(din, dout, dt);
  cudaMemcpy(timer, dt, sizeof timer, cudaMemcpyDeviceToHost);
  cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < BLOCKS; i++) bad += timer[i + BLOCKS] < timer[i] || out[i] != 1.0f;
  long long *spent, h;
  cudaMalloc(&spent, sizeof h);
  cudaEvent_t a, b;
  cudaEventCreate(&a), cudaEventCreate(&b);
  cudaEventRecord(a);
  wait_cycles<<<1, 1>>>(100000, spent);
  cudaEventRecord(b);
  cudaEventSynchronize(b);
  float ms = 0;
  cudaEventElapsedTime(&ms, a, b);
  cudaMemcpy(&h, spent, sizeof h, cudaMemcpyDeviceToHost);
  bad += h < 100000 || ms <= 0;
  int khz = 0;
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
  printf("%lld cycles, %f ms at %d kHz\n%s\n", h, ms, khz, bad ? "FAILED" : "PASSED");
  cudaFree(din); cudaFree(dout); cudaFree(dt); cudaFree(spent);
  return bad;
}
