// find: race write/write streams
//
// A kernel waits for the host; behind it a fill of another stream is issued, whose stream does not wait
// for the kernel's event.
// Fixed: it does, and nothing of what is issued behind the kernel is done before the kernel is over.
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(status));
  exit(1);
}

__global__ void fill_when_told(volatile int *go, int *out, int n) {
  while (!*go) {
  }
  for (int i = 0; i < n; i++) out[i] = i; // BUG
}

__global__ void add(int *out, int n) {
  for (int i = 0; i < n; i++) out[i] += 1;
}

static int called;
static void CUDART_CB note(void *) { called++; }

int main() {
  int *go, *out, *seen;
  cudaStream_t s, t;
  cudaEvent_t filled, end;
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  check(cudaEventCreate(&filled));
  check(cudaEventCreate(&end));
  check(cudaHostAlloc(&go, sizeof *go, cudaHostAllocMapped));
  check(cudaHostAlloc(&seen, 8 * sizeof *seen, cudaHostAllocMapped));
  check(cudaMalloc(&out, 8 * sizeof *out));
  *go = seen[7] = 0;
  fill_when_told<<<1, 1, 0, s>>>(go, out, 8);
  check(cudaGetLastError());
  check(cudaEventRecord(filled, s));
#ifdef FIXED
  check(cudaStreamWaitEvent(t, filled, 0));
#endif
  check(cudaMemsetAsync(out, 0, 8 * sizeof *out, t)); // BUG
  add<<<1, 1, 0, t>>>(out, 8);
  check(cudaGetLastError());
  check(cudaLaunchHostFunc(t, note, nullptr));
  check(cudaMemcpyAsync(seen, out, 8 * sizeof *out, cudaMemcpyDeviceToHost, t));
  check(cudaEventRecord(end, t));
  if (cudaEventQuery(filled) != cudaErrorNotReady || cudaEventQuery(end) != cudaErrorNotReady ||
      called)
    return 2;
  *(volatile int *)go = 1;
  check(cudaEventSynchronize(end));
  check(cudaStreamSynchronize(s));
  const bool right = seen[7] == 1 && called == 1;
  check(cudaFree(out));
  check(cudaFreeHost(go));
  check(cudaFreeHost(seen));
  check(cudaEventDestroy(filled));
  check(cudaEventDestroy(end));
  check(cudaStreamDestroy(s));
  check(cudaStreamDestroy(t));
  return right ? 0 : 3;
}
