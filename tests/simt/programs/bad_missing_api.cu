// A call that does not exist on the software device, named in the message with the user's line.
// expect: compile error, stderr "cudaGraphicsGLRegisterBuffer"
#include <cuda_runtime.h>

int main() {
  cudaGraphicsResource_t r;
  cudaGraphicsGLRegisterBuffer(&r, 3, 0);
  return 0;
}
