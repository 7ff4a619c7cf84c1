// find: host-pointer
// The result goes to a variable of main.
#include <cstdio>

__global__ void answer(int *out) {
  *out = 42; // BUG
}

int main() {
  int result = 0;
  answer<<<1, 1>>>(&result);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
