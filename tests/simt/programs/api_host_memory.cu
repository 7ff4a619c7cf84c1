// Pinned, registered and managed memory: who can reach it, what pointers say of themselves.
// expect: pass
#include <cstdio>
#include <cstdlib>
#include <vector>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)
#define BAD(call) EXPECT((call) == cudaErrorInvalidValue)

__global__ void twice(int *v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2;
}
__device__ __managed__ int shared_counter = 5;
__global__ void count() { atomicAdd(&shared_counter, 1); }

static bool run(int *host, int *device) {
  for (int i = 0; i < 1000; ++i) host[i] = i;
  twice<<<4, 256>>>(device, 1000);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 1000; ++i)
    if (host[i] != 2 * i) return false;
  return true;
}

static cudaMemoryType type_of(const void *p) {
  cudaPointerAttributes a;
  OK(cudaPointerGetAttributes(&a, p));
  return a.type;
}

static void pinned() {
  int *h, *d;
  unsigned int flags = 0;
  OK(cudaMallocHost(&h, 4000));
  OK(cudaHostGetDevicePointer(&d, h, 0));
  EXPECT(run(h, d));
  EXPECT(type_of(h + 10) == cudaMemoryTypeHost);
  OK(cudaHostGetFlags(&flags, h));
  EXPECT(flags & cudaHostAllocMapped);
  BAD(cudaFree(h));
  OK(cudaFreeHost(h));
  BAD(cudaFreeHost(h));
  OK(cudaHostAlloc(&h, 4000, cudaHostAllocMapped | cudaHostAllocWriteCombined));
  OK(cudaHostGetFlags(&flags, h));
  EXPECT(flags == (cudaHostAllocMapped | cudaHostAllocWriteCombined));
  EXPECT(run(h, h));
  OK(cudaFreeHost(h));
  OK(cudaFreeHost(nullptr));
  BAD(cudaHostAlloc(&h, 10, 0x99));
}

static void registered() {
  std::vector<int> v(1000);
  int *d;
  BAD(cudaHostGetDevicePointer(&d, v.data(), 0));
  EXPECT(type_of(v.data()) == cudaMemoryTypeUnregistered);
  OK(cudaHostRegister(v.data(), 4000, cudaHostRegisterDefault));
  EXPECT(cudaHostRegister(v.data(), 4000, 0) == cudaErrorHostMemoryAlreadyRegistered);
  EXPECT(type_of(v.data()) == cudaMemoryTypeHost);
  OK(cudaHostGetDevicePointer(&d, v.data(), 0));
  EXPECT(run(v.data(), d));
  OK(cudaHostUnregister(v.data()));
  EXPECT(cudaHostUnregister(v.data()) == cudaErrorHostMemoryNotRegistered);
}

static void managed() {
  int *m, *d;
  OK(cudaMallocManaged(&m, 4000));
  EXPECT(run(m, m));
  EXPECT(type_of(m) == cudaMemoryTypeManaged);
  cudaMemLocation here;
  here.type = cudaMemLocationTypeDevice;
  here.id = 0;
  OK(cudaMemAdvise(m, 4000, cudaMemAdviseSetReadMostly, here));
  OK(cudaMemPrefetchAsync(m, 4000, here, 0, 0));
  OK(cudaMalloc(&d, 4000));
  BAD(cudaMemPrefetchAsync(d, 4000, here, 0, 0));
  EXPECT(type_of(d) == cudaMemoryTypeDevice);
  OK(cudaMemcpy(d, m, 4000, cudaMemcpyDefault));
  OK(cudaFree(d));
  OK(cudaFree(m));
  BAD(cudaMallocManaged(&m, 100, 0));
  shared_counter += 10;
  count<<<2, 32>>>();
  OK(cudaDeviceSynchronize());
  EXPECT(shared_counter == 79);
}

int main() {
  pinned();
  registered();
  managed();
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}
