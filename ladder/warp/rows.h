// What the demonstrations share: a row of 16 numbers as one line, and the comparison.
#ifndef LADDER_ROWS_H
#define LADDER_ROWS_H

enum { LANES = 16, WIDTH = 8 };
#define FULL_MASK 0xffffffffu // legal in a block of 16: lanes that are not there do not count

// print_row - who must arrive: all 16 threads. Kernel printf comes in lane order when the lanes
// are together, which the barriers see to: a row is one line.
__device__ static inline void print_row(const char *name, int value) {
  if (threadIdx.x == 0) printf("%s", name);
  __syncwarp();
  printf(" %d", value);
  __syncwarp();
  if (threadIdx.x == LANES - 1) printf("\n");
  __syncwarp();
}

// print_once - thread `who` prints a line; all 16 threads must arrive
__device__ static inline void print_once(unsigned int who, const char *name, unsigned int value) {
  if (threadIdx.x == who) printf("%s = %x\n", name, value);
  __syncwarp();
}

#endif
