// Wrong argument types in a launch that spans lines.
// expect: compile error, stderr "bad_compile_launch.cu:8"
#include <cstdio>
__global__ void k(int *p, float f) { *p = (int)f; }

int main() {
  const char *text = "abc";
  k<<<1, 1>>>(text, 2.0f);
  return 0;
}
