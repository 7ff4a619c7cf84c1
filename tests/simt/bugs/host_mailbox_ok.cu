// find: nothing
// Host and kernel hand numbers to and fro in mapped memory, the kernel for as long as the host asks; an
// event behind the kernel is not over meanwhile.
#include <cstdio>

__global__ void square(volatile int *request, volatile int *answer, int *list) {
  for (int i = 1; i <= 5; ++i) {
    while (*request != i) {
    }
    __threadfence_system();
    *answer = i * i;
    list[i] = i;
    __threadfence_system();
    *request = -i;
  }
}

int main() {
  int *host, *device, sum = 0;
  cudaEvent_t end;
  cudaEventCreate(&end);
  cudaHostAlloc(&host, 8 * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&device, host, 0);
  volatile int *box = host;
  box[0] = box[1] = 0;
  square<<<1, 1>>>(device, device + 1, device + 2);
  if (cudaGetLastError() != cudaSuccess) return 1;
  cudaEventRecord(end);
  if (cudaEventQuery(end) != cudaErrorNotReady) return 2;
  for (int i = 1; i <= 5; ++i) {
    box[0] = i;
    while (box[0] != -i) {
    }
    sum += box[1] + host[2 + i];
  }
  if (cudaDeviceSynchronize() != cudaSuccess || cudaEventQuery(end) != cudaSuccess) return 3;
  std::printf("%d\n", sum);
  cudaEventDestroy(end);
  cudaFreeHost(host);
  return sum == 55 + 15 ? 0 : 4;
}
