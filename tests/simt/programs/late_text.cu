// What kernels print comes when the host waits, as on a GPU: behind what the host prints before.
// expect: output "PASSED"
// env: SIMT_THREADS=2
#include <cstdio>
#include <ctime>

__global__ void tell(int n) { printf("kernel %d\n", n); }

int main() {
  const timespec nap = {0, 20000000};
  tell<<<1, 1>>>(1);
  tell<<<1, 1>>>(2);
  nanosleep(&nap, nullptr); /* they have run by now */
  puts("host");
  cudaDeviceSynchronize();
  puts("PASSED");
  return 0;
}
