// Smith-Waterman by anti-diagonals and the longest common subsequence in one block; std::string host side.
// expect: pass
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using std::cout;
using std::endl;
using std::string;
using std::vector;

enum Score { MATCH = 3, MISMATCH = -3, GAP = 2 };

__device__ int best = 0;

__global__ void diagonal(const char *a, const char *b, int *h, int la, int lb, int diag) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + max(1, diag - lb);
  int j = diag - i;
  if (i > la || j < 1 || j > lb) return;
  int w = lb + 1;
  int s = a[i - 1] == b[j - 1] ? MATCH : MISMATCH;
  int v = max(
      0, max(h[(i - 1) * w + j - 1] + s, max(h[(i - 1) * w + j] - GAP, h[i * w + j - 1] - GAP)));
  h[i * w + j] = v;
  atomicMax(&best, v);
}

__global__ void lcs(const char *a, const char *b, int la, int lb, int *out) {
  extern __shared__ int rows[];
  int *prev2 = rows, *prev = rows + la + 1, *cur = rows + 2 * (la + 1);
  for (int i = threadIdx.x; i <= la; i += blockDim.x) prev2[i] = prev[i] = cur[i] = 0;
  __syncthreads();
  for (int d = 2; d <= la + lb; ++d) {
    for (int i = threadIdx.x + 1; i <= la; i += blockDim.x) {
      int j = d - i;
      if (j >= 1 && j <= lb)
        cur[i] = a[i - 1] == b[j - 1] ? prev2[i - 1] + 1 : max(prev[i - 1], prev[i]);
    }
    __syncthreads();
    int *t = prev2;
    prev2 = prev;
    prev = cur;
    cur = t;
    for (int i = threadIdx.x; i <= la; i += blockDim.x)
      if (d - i < 1 || d - i > lb) {
        if (d - i > lb) continue;
        prev[i] = 0;
      }
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = prev[la];
}

int main() {
  string a, b;
  unsigned s = 5;
  for (int i = 0; i < 150; ++i) a += "ACGT"[(s = s * 1664525 + 1013904223) >> 30];
  for (int i = 0; i < 110; ++i) b += "ACGT"[(s = s * 1664525 + 1013904223) >> 30];
  const int la = a.size(), lb = b.size(), w = lb + 1;
  char *da, *db;
  int *dh, *dl;
  cudaMalloc(&da, la);
  cudaMalloc(&db, lb);
  cudaMalloc(&dh, (la + 1) * w * sizeof(int));
  cudaMalloc(&dl, sizeof(int));
  cudaMemcpy(da, a.c_str(), la, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), lb, cudaMemcpyHostToDevice);
  cudaMemset(dh, 0, (la + 1) * w * sizeof(int));
  for (int d = 2; d <= la + lb; ++d) {
    int cells = std::min(d - 1, std::min(la, std::min(lb, la + lb - d + 1)));
    diagonal<<<(cells + 31) / 32, 32>>>(da, db, dh, la, lb, d);
  }
  int score = -1, length = -1;
  cudaMemcpyFromSymbol(&score, best, sizeof(int));
  lcs<<<1, 64, 3 * (la + 1) * sizeof(int)>>>(da, db, la, lb, dl);
  cudaMemcpy(&length, dl, sizeof(int), cudaMemcpyDeviceToHost);

  vector<vector<int>> h(la + 1, vector<int>(lb + 1, 0)), l = h;
  int want = 0;
  for (int i = 1; i <= la; ++i)
    for (int j = 1; j <= lb; ++j) {
      bool same = a[i - 1] == b[j - 1];
      h[i][j] = std::max(
          {0, h[i - 1][j - 1] + (same ? MATCH : MISMATCH), h[i - 1][j] - GAP, h[i][j - 1] - GAP});
      l[i][j] = same ? l[i - 1][j - 1] + 1 : std::max(l[i - 1][j], l[i][j - 1]);
      want = std::max(want, h[i][j]);
    }
  cout << "local alignment " << score << " (" << want << "), subsequence " << length << " ("
       << l[la][lb] << ")" << endl;
  bool ok = score == want && length == l[la][lb];
  cout << (ok ? "PASSED" : "FAILED") << endl;
  cudaFree(da); cudaFree(db); cudaFree(dh); cudaFree(dl);
  return ok ? 0 : 1;
}
