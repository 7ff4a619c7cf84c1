// Forks and the end of the program with launches under way: they are done before.
// expect: status 7, stdout "the child has 5", stdout "kernel at the end 7", stdout "PASSED"
// env: SIMT_THREADS=2
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

__global__ void add(int *p, int n) {
  for (int i = 0; i < n; i++) atomicAdd(p, 1);
}
__global__ void tell(int n) { printf("kernel at the end %d\n", n); }

int main() {
  int *p;
  cudaMallocManaged(&p, sizeof *p);
  *p = 0;
  for (int i = 0; i < 5; i++) add<<<1, 1>>>(p, 1);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    printf("the child has %d\n", *p);
    add<<<1, 1>>>(p, 2); /* a copy of the process has a copy of the device */
    const bool fine = cudaDeviceSynchronize() == cudaSuccess && *p == 7;
    fflush(stdout);
    _exit(fine ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  add<<<1, 1>>>(p, 2);
  cudaDeviceSynchronize();
  puts(status == 0 && *p == 7 ? "PASSED" : "FAILED");
  tell<<<1, 1>>>(7);
  exit(7);
}
