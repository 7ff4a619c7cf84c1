// 3-D stencil of radius 2 with coefficients in constant memory and register queues along z.
// expect: pass
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RADIUS 2
#define DIMX 24
#define DIMY 16
#define DIMZ 11
#define INDEX(x, y, z) (((z)*DIMY + (y)) * DIMX + (x))

__constant__ float stencil[RADIUS + 1];

__global__ void fd3d(float *output, const float *input) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < RADIUS || x >= DIMX - RADIUS || y < RADIUS || y >= DIMY - RADIUS) return;
  float behind[RADIUS], current, infront[RADIUS + 1];
  for (int i = 0; i < RADIUS; i++) behind[i] = input[INDEX(x, y, RADIUS - 1 - i)];
  current = input[INDEX(x, y, RADIUS)];
  for (int i = 0; i < RADIUS; i++) infront[i] = input[INDEX(x, y, RADIUS + 1 + i)];
  for (int z = RADIUS; z < DIMZ - RADIUS; z++) {
    float value = stencil[0] * current;
    for (int i = 1; i <= RADIUS; i++)
      value += stencil[i] *
               (infront[i - 1] + behind[i - 1] + input[INDEX(x - i, y, z)] +
                input[INDEX(x + i, y, z)] + input[INDEX(x, y - i, z)] + input[INDEX(x, y + i, z)]);
    output[INDEX(x, y, z)] = value;
    for (int i = RADIUS - 1; i > 0; i--) behind[i] = behind[i - 1];
    behind[0] = current;
    current = infront[0];
    for (int i = 0; i < RADIUS - 1; i++) infront[i] = infront[i + 1];
    if (z + RADIUS + 1 < DIMZ) infront[RADIUS - 1] = input[INDEX(x, y, z + RADIUS + 1)];
  }
}

int main() {
  const int n = DIMX * DIMY * DIMZ;
  float coeff[RADIUS + 1] = {0.5f, 0.0625f, 0.0208f};
  float *in = (float *)calloc(n, sizeof(float)), *out = (float *)calloc(n, sizeof(float));
  for (int i = 0; i < n; i++) in[i] = (float)((i * 2654435761u) >> 20) / 4096.0f;
  float *d_in, *d_out;
  assert(cudaMalloc((void **)&d_in, n * sizeof(float)) == cudaSuccess);
  assert(cudaMalloc((void **)&d_out, n * sizeof(float)) == cudaSuccess);
  cudaMemcpy(d_in, in, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, n * sizeof(float));
  cudaMemcpyToSymbol(stencil, coeff, sizeof(coeff));
  dim3 block(8, 8), grid((DIMX + 7) / 8, (DIMY + 7) / 8);
  fd3d<<<grid, block>>>(d_out, d_in);
  cudaMemcpy(out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  float check[RADIUS + 1];
  cudaMemcpyFromSymbol(check, stencil, sizeof(check));
  int bad = 0;
  for (int i = 0; i <= RADIUS; i++) bad += check[i] != coeff[i];
  for (int z = RADIUS; z < DIMZ - RADIUS; z++)
    for (int y = RADIUS; y < DIMY - RADIUS; y++)
      for (int x = RADIUS; x < DIMX - RADIUS; x++) {
        float v = coeff[0] * in[INDEX(x, y, z)];
        for (int i = 1; i <= RADIUS; i++)
          v +=
              coeff[i] * (in[INDEX(x - i, y, z)] + in[INDEX(x + i, y, z)] + in[INDEX(x, y - i, z)] +
                          in[INDEX(x, y + i, z)] + in[INDEX(x, y, z - i)] + in[INDEX(x, y, z + i)]);
        if (fabsf(v - out[INDEX(x, y, z)]) > 1e-5f) bad++;
      }
  printf("%d differences\n%s\n", bad, bad == 0 ? "PASSED" : "FAILED");
  free(in);
  free(out);
  cudaFree(d_in);
  cudaFree(d_out);
  return bad;
}
