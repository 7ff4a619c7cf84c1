// Texture references, which CUDA 12 has dropped and old programs are full of.
// expect: pass
// nvcc: no
#include <stdio.h>

enum { W = 16, H = 8 };
texture<float> line;
texture<float, 2> plane;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
texture<float4, cudaTextureType2D, cudaReadModeElementType> image;

__global__ void smooth(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch(line, i - 1) + tex1Dfetch(line, i) + tex1Dfetch(line, i + 1);
}
__global__ void turn(float *out) {
  int x = threadIdx.x, y = threadIdx.y;
  out[x * H + y] = tex2D(plane, x, y) + tex2D(bytes, x + 0.5f, y + 0.5f);
}
__global__ void sum(float *out) {
  float4 c = tex2D(image, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
  out[threadIdx.y * blockDim.x + threadIdx.x] = c.x + c.y + c.z + c.w;
}

int main() {
  float h[W * H], r[W * H], *d, *out;
  unsigned char b[W * H];
  int bad = 0;
  for (int i = 0; i < W * H; i++) h[i] = i * i, b[i] = i;
  cudaMalloc((void **)&d, sizeof h);
  cudaMalloc((void **)&out, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  cudaBindTexture(NULL, line, d, sizeof h);
  smooth<<<2, 64>>>(out, W * H);
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < W * H; i++)
    bad += r[i] != (i ? h[i - 1] : 0) + h[i] + (i + 1 < W * H ? h[i + 1] : 0);
  cudaUnbindTexture(line);

  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaBindTexture2D(NULL, plane, d, desc, W, H, W * sizeof(float));
  cudaArray *array;
  cudaChannelFormatDesc one = cudaCreateChannelDesc<unsigned char>();
  cudaMallocArray(&array, &one, W, H);
  cudaMemcpyToArray(array, 0, 0, b, sizeof b, cudaMemcpyHostToDevice);
  cudaBindTextureToArray(bytes, array, one);
  turn<<<1, dim3(W, H)>>>(out);
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < W * H; i++) {
    const float difference = r[i % W * H + i / W] - (h[i] + b[i] / 255.0f);
    bad += difference > 1e-3f || difference < -1e-3f;
  }
  cudaArray *colours;
  cudaChannelFormatDesc four = cudaCreateChannelDesc<float4>();
  cudaMallocArray(&colours, &four, W / 4, H);
  cudaMemcpyToArray(colours, 0, 0, h, sizeof h, cudaMemcpyHostToDevice);
  image.filterMode = cudaFilterModeLinear;
  cudaBindTextureToArray(image, colours);
  sum<<<1, dim3(W / 4, H)>>>(out);
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < W * H / 4; i++)
    bad += r[i] != h[4 * i] + h[4 * i + 1] + h[4 * i + 2] + h[4 * i + 3];
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(d), cudaFree(out), cudaFreeArray(array), cudaFreeArray(colours);
  printf(bad ? "FAILED\n" : "PASSED\n");
  return bad;
}
