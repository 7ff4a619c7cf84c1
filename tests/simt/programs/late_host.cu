// The host and kernels at once: launches return, kernels wait for the host, queries say so, and what
// is issued behind such a kernel is done in order.
// expect: pass
// env: SIMT_THREADS=2
#include <cstdio>
#include <cstring>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)

struct mailbox {
  volatile int go, begun, ended;
};

__global__ void wait_for(mailbox *box, int value, int *result) {
  box->begun = value;
  __threadfence_system();
  while (box->go < value) {
  }
  *result += value;
  box->ended = value;
}
__global__ void barrier_wait(mailbox *box, int value, int *result) {
  if (threadIdx.x == 0)
    while (box->go < value) {
    }
  __syncthreads();
  atomicAdd(result, 1);
}
struct large {
  int numbers[512];
};
__global__ void sum_large(large l, int *result) {
  int sum = 0;
  for (int i = 0; i < 512; i++) sum += l.numbers[i];
  *result = sum;
}

static int order[8], noted;
static void CUDART_CB note(void *user) { order[noted++] = *(int *)user; }
static void CUDART_CB note_old(cudaStream_t, cudaError_t, void *user) { order[noted++] = -*(int *)user; }

static mailbox *mapped, *managed, *seen;
static int *result, *pinned;

static void flags() {
  EXPECT(mapped->ended == 0);
  wait_for<<<1, 1>>>(seen, 1, result);
  EXPECT(cudaGetLastError() == cudaSuccess);
  EXPECT(mapped->ended == 0);
  while (mapped->begun != 1) { /* no call of ours begins it */
  }
  EXPECT(cudaStreamQuery(0) == cudaErrorNotReady);
  mapped->go = 1;
  OK(cudaDeviceSynchronize());
  EXPECT(mapped->ended == 1);
  OK(cudaStreamQuery(0));
  barrier_wait<<<3, 64>>>(managed, 5, result);
  EXPECT(cudaStreamQuery(0) == cudaErrorNotReady);
  managed->go = 5;
  OK(cudaStreamSynchronize(0));
  OK(cudaMemcpy(pinned, result, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(*pinned == 1 + 3 * 64);
}

/* Kernel, copies, fill, functions and event of a stream behind a kernel that waits. */
static void in_order() {
  cudaStream_t s, t;
  cudaEvent_t before, after;
  static int one = 1, two = 2, three = 3;
  OK(cudaStreamCreate(&s));
  OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  OK(cudaEventCreate(&before));
  OK(cudaEventCreate(&after));
  OK(cudaMemset(result, 0, sizeof(int)));
  *pinned = -1;
  OK(cudaEventRecord(before, s));
  wait_for<<<1, 1, 0, s>>>(seen, 2, result);
  OK(cudaLaunchHostFunc(s, note, &one));
  OK(cudaMemcpyAsync(pinned, result, sizeof(int), cudaMemcpyDeviceToHost, s));
  OK(cudaStreamAddCallback(s, note_old, &two, 0));
  OK(cudaMemsetAsync(result, 0x11, sizeof(int), s));
  OK(cudaEventRecord(after, s));
  OK(cudaStreamWaitEvent(t, after, 0));
  OK(cudaMemcpyAsync(pinned + 1, result, sizeof(int), cudaMemcpyDefault, t));
  OK(cudaLaunchHostFunc(t, note, &three));
  EXPECT(cudaEventQuery(after) == cudaErrorNotReady);
  EXPECT(cudaStreamQuery(t) == cudaErrorNotReady);
  EXPECT(*pinned == -1 && noted == 0);
  float ms = -1;
  EXPECT(cudaEventElapsedTime(&ms, before, after) == cudaErrorNotReady);
  cudaGetLastError();
  mapped->go = 2;
  OK(cudaEventSynchronize(after));
  OK(cudaEventQuery(after));
  EXPECT(*pinned == 2);
  OK(cudaStreamSynchronize(t));
  EXPECT(pinned[1] == 0x11111111);
  EXPECT(noted == 3 && order[0] == 1 && order[1] == -2 && order[2] == 3);
  OK(cudaEventElapsedTime(&ms, before, after));
  EXPECT(ms >= 0);
  OK(cudaStreamDestroy(s));
  OK(cudaStreamDestroy(t));
  OK(cudaEventDestroy(before));
  OK(cudaEventDestroy(after));
}

/* More than the queue holds at once, and parameters larger than a place in it. */
static void many() {
  OK(cudaMemset(result, 0, sizeof(int)));
  mapped->go = 3;
  for (int i = 0; i < 3000; i++) wait_for<<<1, 1>>>(seen, i % 3, result);
  OK(cudaMemcpy(pinned, result, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(*pinned == 3000);
  large l;
  for (int i = 0; i < 512; i++) l.numbers[i] = i;
  sum_large<<<1, 1>>>(l, result);
  memset(&l, 0xFF, sizeof l);
  OK(cudaMemcpy(pinned, result, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(*pinned == 511 * 256);
}

int main() {
  OK(cudaHostAlloc(&mapped, sizeof *mapped, cudaHostAllocMapped));
  OK(cudaHostGetDevicePointer(&seen, mapped, 0));
  OK(cudaMallocManaged(&managed, sizeof *managed));
  OK(cudaMalloc(&result, sizeof(int)));
  OK(cudaMallocHost(&pinned, 2 * sizeof(int)));
  OK(cudaMemset(result, 0, sizeof(int)));
  mapped->go = mapped->begun = mapped->ended = managed->go = 0;
  OK(cudaDeviceSynchronize());
  flags();
  in_order();
  many();
  OK(cudaFreeHost(mapped));
  OK(cudaFreeHost(pinned));
  OK(cudaFree(managed));
  OK(cudaFree(result));
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}
