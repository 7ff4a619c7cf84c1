// Memory of the host, of whatever kind, handed to a kernel by mistake: named each time.
// expect: status 1, stderr "host pointer", no stdout "no error"
// args: 0
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

__global__ void twice(int *v) { v[threadIdx.x] *= 2; }

static int kind(int which) {
  std::vector<int> small(8, 1), large(1 << 20, 2), second(1 << 20, 3);
  int stack[64] = {};
  int *chosen = which == 0   ? small.data()
                : which == 1 ? large.data()
                : which == 2 ? large.data() + 5000
                : which == 3 ? second.data() + 7
                             : stack;
  if (which == 5) {
    int error = 0;
    std::thread t([&] {
      int *own = (int *)malloc(4096);
      twice<<<1, 8>>>(own);
      error = cudaDeviceSynchronize();
      free(own);
    });
    t.join();
    return error;
  }
  twice<<<1, 8>>>(chosen);
  return cudaDeviceSynchronize();
}

int main() {
  int missed = 0;
  for (int which = 0; which < 6; which++) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(kind(which) == cudaErrorIllegalAddress ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    if (status) printf("kind %d: no error\n", which), missed++;
  }
  return missed ? 2 : 1;
}
