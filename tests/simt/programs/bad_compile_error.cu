// A program with a plain mistake: the message carries this file's name and the line of the mistake.
// expect: compile error, stderr "bad_compile_error.cu:9"
#include <cstdio>

__global__ void k(int *p) {
  int i = threadIdx.x;
  p[i] = 0;

  p[i] = undeclared_name;
}

int main() {
  k<<<1, 1>>>(nullptr);
  return 0;
}
