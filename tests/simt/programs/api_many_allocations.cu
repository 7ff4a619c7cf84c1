// Many blocks: live at once, in every size, freed in another order, over and over; none overlaps
// another and all keep what was written.
// expect: pass
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static int wrong;
#define EXPECT(condition) \
  if (!(condition)) ++wrong, printf("line %d: %s\n", __LINE__, #condition)
#define OK(call) EXPECT((call) == cudaSuccess)

__global__ void sign(unsigned *const *blocks, const unsigned *words, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) blocks[i][0] = blocks[i][words[i] - 1] = 1000 + i;
}
__global__ void check(unsigned *const *blocks, const unsigned *words, int n, int *wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (blocks[i][0] != 1000 + i || blocks[i][words[i] - 1] != 1000 + i))
    atomicAdd(wrong, 1);
}

static void alive_together(int n) {
  std::vector<unsigned *> blocks(n);
  std::vector<unsigned> words(n);
  unsigned **d_blocks, *d_words;
  int *d_wrong, h_wrong = -1;
  unsigned random = 1;
  for (int i = 0; i < n; ++i) {
    random = random * 1664525 + 1013904223;
    words[i] = 1 + (random >> 16) % 500;
    OK(cudaMalloc(&blocks[i], words[i] * sizeof(unsigned)));
    if (wrong) return;
  }
  OK(cudaMalloc(&d_blocks, n * sizeof *d_blocks));
  OK(cudaMalloc(&d_words, n * sizeof *d_words));
  OK(cudaMalloc(&d_wrong, sizeof *d_wrong));
  OK(cudaMemset(d_wrong, 0, sizeof *d_wrong));
  OK(cudaMemcpy(d_blocks, blocks.data(), n * sizeof *d_blocks, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(d_words, words.data(), n * sizeof *d_words, cudaMemcpyHostToDevice));
  sign<<<(n + 255) / 256, 256>>>(d_blocks, d_words, n);
  check<<<(n + 255) / 256, 256>>>(d_blocks, d_words, n, d_wrong);
  OK(cudaMemcpy(&h_wrong, d_wrong, sizeof h_wrong, cudaMemcpyDeviceToHost));
  EXPECT(h_wrong == 0);
  for (int i = 0; i < n; i += 2) OK(cudaFree(blocks[i]));
  for (int i = n - 1; i > 0; --i)
    if (i % 2) OK(cudaFree(blocks[i]));
  EXPECT(cudaFree(blocks[1]) == cudaErrorInvalidValue);
  OK(cudaFree(d_blocks));
  OK(cudaFree(d_words));
  OK(cudaFree(d_wrong));
}

static void over_and_over() {
  size_t before, after, total;
  char host[64], back[64];
  OK(cudaMemGetInfo(&before, &total));
  for (int i = 0; i < 20000; ++i) {
    char *p;
    OK(cudaMalloc(&p, 4096 + i % 7 * 1024));
    if (i % 64 == 0) {
      memset(host, i, sizeof host);
      OK(cudaMemcpy(p + 100, host, sizeof host, cudaMemcpyHostToDevice));
      OK(cudaMemcpy(back, p + 100, sizeof back, cudaMemcpyDeviceToHost));
      EXPECT(memcmp(host, back, sizeof host) == 0);
    }
    OK(cudaFree(p));
  }
  // More than the address space that is set aside; what stays must not be met again.
  char *stays[8], *p;
  for (int i = 0; i < 2000; ++i) {
    if (i < 8) {
      OK(cudaMalloc(&stays[i], 1000));
      OK(cudaMemset(stays[i], i, 1000));
    }
    OK(cudaMalloc(&p, (size_t)128 << 20));
    OK(cudaMemset(p + i * 1000, 0xff, 1000));
    OK(cudaFree(p));
  }
  for (int i = 0; i < 8; ++i) {
    OK(cudaMemcpy(back, stays[i] + 900, sizeof back, cudaMemcpyDeviceToHost));
    EXPECT(back[0] == i && back[63] == i);
    OK(cudaFree(stays[i]));
  }
  OK(cudaMemGetInfo(&after, &total));
  EXPECT(after >= before - (64 << 20));
}

int main() {
  alive_together(1000);
  alive_together(30000);
  alive_together(1000);
  over_and_over();
  puts(wrong ? "FAILED" : "PASSED");
  return wrong != 0;
}
