// Memory of the host, of whatever kind, handed to a kernel by mistake: named each time.
// expect: status 1, stderr "host pointer", no stdout "no error"
// args: 0
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

__global__ void twice(int *v) { v[threadIdx.x] *= 2; }

// A large block with somebody's pages in front of it, of which the system makes one mapping.
static int behind_others() {
  const size_t bytes = 1 << 16;
  int *own = (int *)malloc(1 << 22);
  void *before = (char *)own - 16 - bytes;
  void *others = mmap(before, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (others != MAP_FAILED) memset(others, 0x5A, bytes);
  twice<<<1, 8>>>(own);
  return cudaDeviceSynchronize();
}

static int kind(int which) {
  if (which == 6) return behind_others();
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
  for (int which = 0; which < 7; which++) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(kind(which) == cudaErrorIllegalAddress ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    if (status) printf("kind %d: no error\n", which), missed++;
  }
  return missed ? 2 : 1;
}
