// An exception that nobody catches, after a launch.
// expect: status nonzero, stderr "lost"
#include <cstdio>
#include <stdexcept>

__global__ void k() {}

int main() {
  k<<<1, 1>>>();
  cudaDeviceSynchronize();
  throw std::runtime_error("lost");
}
