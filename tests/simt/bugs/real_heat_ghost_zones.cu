// find: race shared read/write barrier|syncwarp
// A heat stencil that makes several steps in shared memory on a tile with a ghost zone: the new
// temperatures are stored while neighbours still read the old ones.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define BLOCK_SIZE 16
#define EXPAND 1
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define MIN(a, b) ((a) <= (b) ? (a) : (b))

__global__ void calculate(int iterations, const float *power, const float *src, float *dst,
                          int cols, int rows, float step) {
  __shared__ float temp_on[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ float power_on[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ float temp_t[BLOCK_SIZE][BLOCK_SIZE];
  int small = BLOCK_SIZE - iterations * 2 * EXPAND;
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * small - iterations * EXPAND + tx;
  int y = blockIdx.y * small - iterations * EXPAND + ty;
  bool inside = x >= 0 && x < cols && y >= 0 && y < rows;
  int index = y * cols + x;
  temp_on[ty][tx] = inside ? src[index] : 0;
  power_on[ty][tx] = inside ? power[index] : 0;
  __syncthreads();
  bool computed = false;
  for (int i = 0; i < iterations; i++) {
    computed = false;
    if (inside && IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) &&
        IN_RANGE(ty, i + 1, BLOCK_SIZE - i - 2)) {
      computed = true;
      float c = temp_on[ty][tx];
      float n = y == 0 ? c : temp_on[ty - 1][tx];        // BUG
      float s = y == rows - 1 ? c : temp_on[ty + 1][tx]; // BUG
      float w = x == 0 ? c : temp_on[ty][tx - 1];        // BUG
      float e = x == cols - 1 ? c : temp_on[ty][tx + 1]; // BUG
      temp_t[ty][tx] = c + step * (power_on[ty][tx] + n + s + w + e - 4 * c);
    }
#ifdef FIXED
    __syncthreads();
    if (i == iterations - 1) break;
    if (computed) temp_on[ty][tx] = temp_t[ty][tx];
#else
    if (i == iterations - 1) break;
    if (computed) {
      temp_on[ty][tx] = temp_t[ty][tx]; // BUG
    }
#endif
    __syncthreads();
  }
  if (computed) dst[index] = temp_t[ty][tx];
}

static int run(const float *power, float *temperature[2], int cols, int rows, int total,
               int pyramid) {
  int small = BLOCK_SIZE - pyramid * 2 * EXPAND;
  dim3 block(BLOCK_SIZE, BLOCK_SIZE);
  dim3 grid((cols + small - 1) / small, (rows + small - 1) / small);
  int from = 0;
  for (int t = 0; t < total; t += pyramid) {
    calculate<<<grid, block>>>(MIN(pyramid, total - t), power, temperature[from],
                               temperature[1 - from], cols, rows, 0.1f);
    from = 1 - from;
  }
  return from;
}

int main(int argc, char **argv) {
  int rows = argc > 1 ? atoi(argv[1]) : 40, cols = rows, total = 4;
  size_t bytes = (size_t)rows * cols * sizeof(float);
  float *host = (float *)malloc(bytes), *power, *temperature[2];
  cudaMalloc((void **)&power, bytes);
  cudaMalloc((void **)&temperature[0], bytes);
  cudaMalloc((void **)&temperature[1], bytes);
  for (int i = 0; i < rows * cols; i++) host[i] = (i * 31 % 97) * 0.01f;
  cudaMemcpy(power, host, bytes, cudaMemcpyHostToDevice);
  for (int i = 0; i < rows * cols; i++) host[i] = 300 + i % 17;
  cudaMemcpy(temperature[0], host, bytes, cudaMemcpyHostToDevice);
  int result = run(power, temperature, cols, rows, total, 2);
  cudaError_t e = cudaDeviceSynchronize();
  cudaMemcpy(host, temperature[result], bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < rows * cols; i++) sum += host[i];
  printf("mean %.4f, %s\n", sum / (rows * cols), cudaGetErrorString(e));
  cudaFree(power);
  cudaFree(temperature[0]);
  cudaFree(temperature[1]);
  free(host);
  return 0;
}
