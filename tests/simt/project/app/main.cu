/* Calls both libraries: the CUDA compiler links it. */
#include "device/sum.h"
#include "flip.h"
#include <cstdio>
#include <cstring>
int main(int argc, char **argv) {
  const bool race = argc > 1 && !std::strcmp(argv[1], "race");
  std::printf("%d %d\n", flip(!race), sum_weighed(4));
  return 0;
}
