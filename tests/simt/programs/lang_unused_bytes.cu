// Bytes of an argument that nobody filled in may look like any address of the host.
// expect: pass
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
#include <atomic>

struct Padded {
  int used;
  void *unused[16]; // never looked at on the device
};

__global__ void add(Padded a, int *out) { atomicAdd(out, a.used); }

static thread_local int mine;
static std::atomic<int> stage;
static void *of_thread[3];
static int variable = 1;

static int run(const Padded &a, int *out) {
  *out = 0;
  add<<<4, 32>>>(a, out);
  cudaError_t e = cudaDeviceSynchronize();
  if (e != cudaSuccess || *out != 128 * a.used) printf("%s, %d\n", cudaGetErrorString(e), *out);
  return e != cudaSuccess || *out != 128 * a.used;
}

// Its stack, its thread-local variables and its heap are in use while kernels run.
static void busy() {
  int local = 3;
  of_thread[0] = &local;
  of_thread[1] = &mine;
  of_thread[2] = malloc(100);
  stage = 1;
  while (stage < 2) {
    volatile int deep[64];
    for (int i = 0; i < 64; i++) deep[i] = i;
    mine += deep[5];
    free(malloc(50));
  }
  free(of_thread[2]);
}

int main() {
  int *out, bad = 0;
  cudaMallocManaged(&out, sizeof *out);
  Padded a = {};
  a.used = 3;
  int i = 0;
  for (link_map *m = (link_map *)dlopen(nullptr, RTLD_LAZY); m && i < 16; m = m->l_next) a.unused[i++] = m;
  bad += run(a, out);

  a = {};
  a.used = 5;
  pthread_t self = pthread_self();
  a.unused[0] = (void *)self;
  a.unused[1] = &mine;
  a.unused[2] = &a;
  a.unused[3] = &variable;
  a.unused[4] = stdout;
  a.unused[5] = malloc(10);
  a.unused[6] = (char *)a.unused[5] + 4096;
  bad += run(a, out);
  free(a.unused[5]);

  std::thread other(busy);
  while (stage < 1) {
  }
  for (int k = 0; k < 40; k++) {
    a = {};
    a.used = 7 + k;
    for (int j = 0; j < 3; j++) a.unused[j] = of_thread[j];
    bad += run(a, out);
  }
  // A thread of its own launches: what it has on its stack lies beside what it needs.
  std::thread launches([&] {
    Padded b = {};
    b.used = 9;
    b.unused[0] = &b;
    b.unused[1] = &mine;
    b.unused[2] = (void *)pthread_self();
    bad += run(b, out);
  });
  launches.join();
  stage = 2;
  other.join();
  cudaFree(out);
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad;
}
