// exit() in the middle with live streams, memory and a registered handler: the status is the program's own.
// expect: status 42, stdout "handler"
#include <cstdio>
#include <cstdlib>

__global__ void k(int *p) { *p = 1; }
static void bye() { printf("handler\n"); }

struct AtEnd {
  int *p = nullptr;
  ~AtEnd() { cudaFree(p); }
} global;

int main() {
  atexit(bye);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMalloc(&global.p, sizeof(int));
  k<<<1, 1, 0, s>>>(global.p);
  exit(42);
}
