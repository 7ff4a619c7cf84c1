// find: race shared read/write barrier|syncwarp
// A queue of tasks that blocks take from: the ticket is taken by thread 0 into a shared variable
// that the others read without a second barrier before it is overwritten.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Task {
  int first, count;
};

struct Queue {
  const Task *tasks;
  int length;
  int *head;
};

__global__ void work(Queue queue, const float *in, float *out) {
  __shared__ int ticket;
  for (int round = 0; round < queue.length; round++) {
#ifdef FIXED
    __syncthreads();
#endif
    if (threadIdx.x == 0) {
      ticket = atomicAdd(queue.head, 1); // BUG
    }
    __syncthreads();
    int mine = ticket; // BUG
    if (mine >= queue.length) continue;
    Task task = queue.tasks[mine];
    for (int i = threadIdx.x; i < task.count; i += blockDim.x) {
      float v = in[task.first + i];
      out[task.first + i] = v * v - v;
    }
  }
}

int main(int argc, char **argv) {
  const int tasks = argc > 1 ? atoi(argv[1]) : 20;
  std::vector<Task> h_tasks(tasks);
  int n = 0;
  for (int k = 0; k < tasks; k++) {
    h_tasks[k] = {n, 20 + k * 29 % 150};
    n += h_tasks[k].count;
  }
  std::vector<float> h(n), result(n);
  for (int i = 0; i < n; i++) h[i] = i % 50;
  Task *d_tasks;
  float *in, *out;
  int *head;
  cudaMalloc(&d_tasks, tasks * sizeof(Task));
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&head, sizeof(int));
  cudaMemcpy(d_tasks, h_tasks.data(), tasks * sizeof(Task), cudaMemcpyHostToDevice);
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(head, 0, sizeof(int));
  Queue queue = {d_tasks, tasks, head};
  work<<<3, 96>>>(queue, in, out);
  cudaError_t e = cudaDeviceSynchronize();
  cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += result[i] != h[i] * h[i] - h[i];
  printf("%d of %d wrong, %s\n", wrong, n, cudaGetErrorString(e));
  cudaFree(d_tasks);
  cudaFree(in);
  cudaFree(out);
  cudaFree(head);
  return 0;
}
