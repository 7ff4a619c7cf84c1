// find: use-after-free
// A kernel reads a list node that it has just freed.
#include <cstdio>

struct Node {
  int value;
  Node *next;
};

__global__ void list_sum(int n, int *out) {
  Node *head = nullptr;
  for (int i = 0; i < n; i++) {
    Node *node = (Node *)malloc(sizeof(Node));
    node->value = i;
    node->next = head;
    head = node;
  }
  int sum = 0;
  while (head) {
    sum += head->value;
#ifdef FIXED
    Node *next = head->next;
    free(head);
    head = next;
#else
    free(head);
    head = head->next; // BUG
#endif
  }
  *out = sum;
}

int main() {
  int *out, h = 0;
  cudaMalloc(&out, sizeof h);
  list_sum<<<1, 1>>>(10, out);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %s\n", h, cudaGetErrorString(cudaGetLastError()));
  cudaFree(out);
}
