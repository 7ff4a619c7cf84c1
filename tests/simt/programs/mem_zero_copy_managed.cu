// Mapped host memory, registered host memory, managed lists and __managed__ variables.
// expect: pass
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string.h>

#define CHECK(x) \
  if (cudaError_t e = (x)) return printf("%s: %s\n", #x, cudaGetErrorString(e)), 1;

__managed__ int total = 0;
__device__ __managed__ float weights[4] = {0.5f, 1.5f, 2.5f, 3.5f};

class Managed {
public:
  void *operator new(size_t len) {
    void *ptr;
    cudaMallocManaged(&ptr, len);
    cudaDeviceSynchronize();
    return ptr;
  }
  void operator delete(void *ptr) {
    cudaDeviceSynchronize();
    cudaFree(ptr);
  }
};

class Label : public Managed {
  int length;
  char *data;

public:
  Label(const char *s) : length((int)strlen(s)) {
    cudaMallocManaged(&data, length + 1);
    strcpy(data, s);
  }
  Label(const Label &s) : Managed(), length(s.length) {
    cudaMallocManaged(&data, length + 1);
    memcpy(data, s.data, length + 1);
  }
  ~Label() { cudaFree(data); }
  __host__ __device__ char &operator[](int i) { return data[i]; }
  __host__ __device__ int size() const { return length; }
  const char *c_str() const { return data; }
};

struct Item : public Managed {
  Label name;
  int value;
  Item *next;
  Item(const char *n, int v, Item *rest) : name(n), value(v), next(rest) {}
};

__global__ void increment(Item *list) {
  for (Item *e = list; e; e = e->next) {
    e->value += 10;
    e->name[0] = 'X';
    atomicAdd(&total, e->name.size());
  }
}
__global__ void by_value(Label t, int *n) {
  if (t[0] == 'h') *n = t.size();
}
__global__ void scale(float *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= weights[i % 4];
}

int main() {
  CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
  const int n = 1000;
  float *h, *d;
  CHECK(cudaHostAlloc((void **)&h, n * sizeof(float),
                      cudaHostAllocMapped | cudaHostAllocWriteCombined));
  for (int i = 0; i < n; i++) h[i] = i;
  CHECK(cudaHostGetDevicePointer((void **)&d, (void *)h, 0));
  scale<<<(n + 255) / 256, 256>>>(d, n);
  CHECK(cudaDeviceSynchronize());
  int bad = 0;
  for (int i = 0; i < n; i++) bad += h[i] != i * weights[i % 4];
  CHECK(cudaFreeHost(h));

  float *page = (float *)aligned_alloc(4096, 4096);
  for (int i = 0; i < 1024; i++) page[i] = 2;
  CHECK(cudaHostRegister(page, 4096, cudaHostRegisterMapped));
  CHECK(cudaHostGetDevicePointer(&d, page, 0));
  scale<<<4, 256>>>(d, 1024);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 1024; i++) bad += page[i] != 2 * weights[i % 4];
  CHECK(cudaHostUnregister(page));
  free(page);

  Item *list = new Item("abc", 1, new Item("hello", 2, nullptr));
  increment<<<1, 1>>>(list);
  CHECK(cudaDeviceSynchronize());
  bad += list->value != 11 || list->next->value != 12 || total != 8 ||
         strcmp(list->next->name.c_str(), "Xello");
  Label t("hello world");
  int *count;
  CHECK(cudaMallocManaged(&count, sizeof *count));
  *count = 0;
  by_value<<<1, 1>>>(t, count);
  CHECK(cudaDeviceSynchronize());
  bad += *count != 11;
  delete list->next;
  delete list;
  cudaPointerAttributes attr;
  CHECK(cudaPointerGetAttributes(&attr, count));
  bad += attr.type != cudaMemoryTypeManaged;
  CHECK(cudaFree(count));
  printf("%s\n", bad ? "FAILED" : "PASSED");
  return bad;
}
