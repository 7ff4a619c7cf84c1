// Text on the device: pattern search by all positions, Rabin-Karp, word count by hash, case change, edit distance.
// expect: pass
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 256
#define BASE 257u

__device__ int d_strlen(const char *s) {
  int n = 0;
  while (s[n]) ++n;
  return n;
}
__device__ bool d_isalpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

__global__ void upper(char *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && s[i] >= 'a' && s[i] <= 'z') s[i] -= 'a' - 'A';
}
__global__ void find(const char *text, int n, const char *pattern, int *hits, int *first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, m = d_strlen(pattern), k = 0;
  if (i + m > n) return;
  for (; k < m; ++k)
    if (text[i + k] != pattern[k]) break;
  if (k == m) {
    atomicAdd(hits, 1);
    atomicMin(first, i);
  }
}
__global__ void rabin_karp(const char *text, int n, unsigned want, int m, int chunk, int *hits) {
  int from = (blockIdx.x * blockDim.x + threadIdx.x) * chunk, to = min(from + chunk, n - m + 1);
  if (from >= to) return;
  unsigned h = 0, top = 1;
  for (int k = 0; k < m; ++k) {
    h = h * BASE + (unsigned char)text[from + k];
    if (k) top *= BASE;
  }
  for (int i = from;; ++i) {
    if (h == want) atomicAdd(hits, 1);
    if (i + 1 >= to) break;
    h = (h - top * (unsigned char)text[i]) * BASE + (unsigned char)text[i + m];
  }
}
__global__ void words(const char *text, int n, unsigned *table) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || !d_isalpha(text[i]) || (i && d_isalpha(text[i - 1]))) return;
  unsigned h = 5381;
  for (; i < n && d_isalpha(text[i]); ++i) h = h * 33 ^ text[i];
  atomicInc(&table[h % MAX_WORDS], 0xffffffff);
}
__global__ void edit(const char *a, int la, const char *b, int lb, int *out) {
  extern __shared__ int row[];
  int *d0 = row, *d1 = row + la + 1, *d2 = d1 + la + 1;
  for (int d = 0; d <= la + lb; ++d) {
    for (int i = threadIdx.x; i <= la; i += blockDim.x) {
      int j = d - i;
      if (j < 0 || j > lb) continue;
      if (i == 0)
        d2[i] = j;
      else if (j == 0)
        d2[i] = i;
      else
        d2[i] = min(min(d1[i - 1], d1[i]) + 1, d0[i - 1] + (a[i - 1] != b[j - 1]));
    }
    __syncthreads();
    int *t = d0;
    d0 = d1, d1 = d2, d2 = t;
    __syncthreads();
  }
  if (!threadIdx.x) *out = d1[la];
}

int main(void) {
  static char text[6000];
  const char *phrase = "the quick brown fox and the lazy dog went over the hill; ",
             *pattern = "the ";
  int n = 0, want_hits = 0, bad = 0, *d_int, h[4] = {0, 0x7fffffff, 0, 0};
  while (n + (int)strlen(phrase) < 6000) strcpy(text + n, phrase), n += (int)strlen(phrase);
  for (const char *p = text; (p = strstr(p, pattern)); ++p) want_hits++;
  char *d_text, *d_pattern;
  unsigned *d_table, table[MAX_WORDS], want[MAX_WORDS] = {0}, hash = 0;
  cudaMalloc((void **)&d_text, sizeof text), cudaMalloc((void **)&d_pattern, 64);
  cudaMalloc((void **)&d_int, sizeof h), cudaMalloc((void **)&d_table, sizeof table);
  cudaMemcpy(d_text, text, sizeof text, cudaMemcpyHostToDevice);
  cudaMemcpy(d_pattern, pattern, strlen(pattern) + 1, cudaMemcpyHostToDevice);
  cudaMemcpy(d_int, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset(d_table, 0, sizeof table);
  find<<<(n + 127) / 128, 128>>>(d_text, n, d_pattern, d_int, d_int + 1);
  for (const char *p = pattern; *p; ++p) hash = hash * BASE + (unsigned char)*p;
  rabin_karp<<<2, 64>>>(d_text, n, hash, (int)strlen(pattern), 50, d_int + 2);
  words<<<(n + 63) / 64, 64>>>(d_text, n, d_table);
  cudaMemcpy(table, d_table, sizeof table, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (!isalpha(text[i]) || (i && isalpha(text[i - 1]))) continue;
    unsigned v = 5381;
    for (int k = i; k < n && isalpha(text[k]); ++k) v = v * 33 ^ text[k];
    want[v % MAX_WORDS]++;
  }
  bad += memcmp(table, want, sizeof table) != 0;
  const char *a = "kitten on the mat", *b = "sitting at the map";
  cudaMemcpy(d_pattern, b, strlen(b), cudaMemcpyHostToDevice);
  cudaMemcpy(d_text, a, strlen(a), cudaMemcpyHostToDevice);
  edit<<<1, 32, 3 * 18 * sizeof(int)>>>(d_text, 17, d_pattern, 18, d_int + 3);
  cudaMemcpy(h, d_int, sizeof h, cudaMemcpyDeviceToHost);
  upper<<<1, 32>>>(d_text, 17);
  char up[18] = {0};
  cudaMemcpy(up, d_text, 17, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d %s\n", h[0], h[1], h[2], h[3], up);
  bad += h[0] != want_hits || h[1] != 0 || h[2] != want_hits || h[3] != 6 ||
         strcmp(up, "KITTEN ON THE MAT");
  printf(bad ? "FAILED\n" : "PASSED\n");
  cudaFree(d_text); cudaFree(d_pattern); cudaFree(d_int); cudaFree(d_table);
  return bad;
}
