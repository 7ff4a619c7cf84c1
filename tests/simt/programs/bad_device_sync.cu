// The parent waits for its child grid: CUDA 12 took that away.
// expect: compile error, stderr "simt has no cudaDeviceSynchronize in kernels"
// nvcc: no
__global__ void child(int *p) { *p = 1; }
__global__ void parent(int *p) {
  child<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  *p += 1;
}
int main() {
  int *p;
  cudaMalloc(&p, 4);
  parent<<<1, 1>>>(p);
  return cudaDeviceSynchronize();
}
