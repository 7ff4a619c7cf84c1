// A product of two arrays, one element after the other, on the host.
//
//! title: serial loop
//! expect: right
//
// Idea    for (i = 0; i < n; ++i) a[i] = b[i] * c[i]: n trips through one loop. No trip needs
//         another's result, so the loop can be cut into as many threads as there are elements;
//         the next rungs do that and nothing else.
// Cost    n steps, n multiplications.
// Shows   steps = work: a serial program does one thing at a time.
// Source  course topic: from a loop to threads.
#include "../common/ladder.h"

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 128, 128, 0);
  const size_t n = ladder.size;
  unsigned int *a = (unsigned int *)ladder_host_memory(n * sizeof *a);
  unsigned int *b = (unsigned int *)ladder_host_memory(n * sizeof *b);
  unsigned int *c = (unsigned int *)ladder_host_memory(n * sizeof *c);
  ladder_fill_u32(b, n, 1000);
  for (size_t i = 0; i < n; ++i) c[i] = (unsigned int)i + 1;
  for (int run = 0; run < ladder.runs; ++run) {
    ladder_start();
    for (size_t i = 0; i < n; ++i) a[i] = b[i] * c[i];
    ladder_host(LADDER_COUNT_STEPS, n);
    ladder_host(LADDER_COUNT_WORK, n);
    CHECK(ladder_stop());
  }
  // Its own check goes another way: the product as a sum, while that is short.
  for (size_t i = 0; i < n && i < 4096; ++i) {
    unsigned int sum = 0;
    for (unsigned int k = 0; k <= i; ++k) sum += b[i];
    if (sum != a[i]) ladder_wrong("a[%zu] is %u, should be %u", i, a[i], sum);
  }
  printf("%zu products in %zu steps\n", n, n);
  free(a);
  free(b);
  free(c);
  return ladder_end();
}
