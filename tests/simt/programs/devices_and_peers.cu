// Several devices: memory, streams and launches on each, copies between them, access as peers.
// expect: pass
#include <cstdio>
#include <cstdlib>
#include <vector>

#define OK(x)                                                                                \
  do {                                                                                       \
    cudaError_t e_ = (x);                                                                    \
    if (e_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)), ++bad; \
  } while (0)
#define SAME(a, b)                                                \
  do {                                                            \
    if ((a) != (b)) printf("line %d differs\n", __LINE__), ++bad; \
  } while (0)

static int bad = 0;

__global__ void fill(int *p, int n, int from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = from + i;
}

__global__ void add(int *to, const int *from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += from[i];
}

int main() {
  setenv("SIMT_DEVICES", "3", 0);  // the software device's; a GPU's driver knows how many there are
  const int n = 1000;
  int devices = 0, current = -1;
  OK(cudaGetDeviceCount(&devices));
  std::vector<int *> part(devices);
  std::vector<cudaStream_t> stream(devices);
  for (int d = 0; d < devices; d++) {
    OK(cudaSetDevice(d));
    OK(cudaGetDevice(&current));
    SAME(current, d);
    OK(cudaMalloc(&part[d], n * sizeof(int)));
    OK(cudaStreamCreate(&stream[d]));
    fill<<<(n + 127) / 128, 128, 0, stream[d]>>>(part[d], n, 1000 * d);
    OK(cudaGetLastError());
    cudaPointerAttributes what;
    OK(cudaPointerGetAttributes(&what, part[d]));
    SAME(what.device, d);
    SAME(what.type, cudaMemoryTypeDevice);
  }
  if (cudaSetDevice(devices) != cudaErrorInvalidDevice) printf("no such device\n"), ++bad;
  cudaGetLastError();
  for (int d = 0; d < devices; d++) {
    OK(cudaSetDevice(d));
    OK(cudaStreamSynchronize(stream[d]));
  }

  // Sums in device 0's memory: by a copy, and where devices are peers by a kernel that reads there.
  OK(cudaSetDevice(0));
  int *copied;
  OK(cudaMalloc(&copied, n * sizeof(int)));
  std::vector<int> sums(n);
  int peers = 0;
  for (int d = 1; d < devices; d++) {
    int can = 0;
    const int *from = copied;
    OK(cudaDeviceCanAccessPeer(&can, 0, d));
    if (can && d % 2) {
      OK(cudaDeviceEnablePeerAccess(d, 0));
      SAME(cudaDeviceEnablePeerAccess(d, 0), cudaErrorPeerAccessAlreadyEnabled);
      cudaGetLastError();
      from = part[d];
      ++peers;
    } else {
      OK(cudaMemcpyPeerAsync(copied, 0, part[d], d, n * sizeof(int), stream[0]));
    }
    add<<<(n + 127) / 128, 128, 0, stream[0]>>>(part[0], from, n);
    OK(cudaGetLastError());
  }
  OK(cudaMemcpyAsync(sums.data(), part[0], n * sizeof(int), cudaMemcpyDefault, stream[0]));
  OK(cudaStreamSynchronize(stream[0]));
  for (int i = 0; i < n; i++) SAME(sums[i], 1000 * devices * (devices - 1) / 2 + devices * i);
  SAME(cudaMemcpyPeer(copied, 0, part[0], devices, 4), cudaErrorInvalidDevice);
  cudaGetLastError();
  for (int d = 0; d < devices; d++) {
    OK(cudaSetDevice(d));
    OK(cudaFree(part[d]));
    OK(cudaStreamDestroy(stream[d]));
  }
  if (devices > 1 && !peers) printf("no peers\n");
  OK(cudaFree(copied));
  puts(bad ? "FAILED" : "PASSED");
}
