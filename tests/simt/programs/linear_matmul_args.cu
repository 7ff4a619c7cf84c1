// Naive against unrolled matrix multiply with a small command-line parser.
// expect: pass
// args: -m=33 --n 40 -k 21 --verbose
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

struct Options {
  int m = 64, n = 64, k = 64;
  bool verbose = false;
};

static bool takes(const char *arg, const char *name, int &i, int argc, char **argv, int &out) {
  while (*arg == '-') ++arg;
  const size_t len = strlen(name);
  if (strncmp(arg, name, len) != 0) return false;
  if (arg[len] == '=') {
    out = atoi(arg + len + 1);
    return true;
  }
  if (arg[len] == 0 && i + 1 < argc) {
    out = atoi(argv[++i]);
    return true;
  }
  return false;
}

static Options parse(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "-h" || a == "--help") {
      printf("usage: %s [-m=M] [-n=N] [-k=K] [--verbose]\n", argv[0]);
      exit(0);
    } else if (a == "--verbose") {
      o.verbose = true;
    } else if (!takes(argv[i], "m", i, argc, argv, o.m) &&
               !takes(argv[i], "n", i, argc, argv, o.n) &&
               !takes(argv[i], "k", i, argc, argv, o.k)) {
      fprintf(stderr, "unknown option %s\n", argv[i]);
      exit(2);
    }
  }
  return o;
}

__global__ void simple(const int *A, const int *B, int *C, int M, int N, int K) {
  const int col = blockDim.x * blockIdx.x + threadIdx.x;
  const int row = blockDim.y * blockIdx.y + threadIdx.y;
  if (row >= M || col >= N) return;
  int acc = 0;
  for (int i = 0; i < K; ++i) acc += A[row * K + i] * B[i * N + col];
  C[row * N + col] = acc;
}

// Each thread makes four results of a column.
__global__ void __launch_bounds__(128)
    four_rows(const int *__restrict__ A, const int *__restrict__ B, int *__restrict__ C, int M,
              int N, int K) {
  int col = blockDim.x * blockIdx.x + threadIdx.x;
  int row0 = blockIdx.y * 4;
  if (col >= N) return;
  int acc[4] = {0, 0, 0, 0};
  for (int i = 0; i < K; ++i) {
    int b = B[i * N + col];
#pragma unroll 4
    for (int r = 0; r < 4; ++r)
      if (row0 + r < M) acc[r] += A[(row0 + r) * K + i] * b;
  }
  for (int r = 0; r < 4 && row0 + r < M; ++r) C[(row0 + r) * N + col] = acc[r];
}

int main(int argc, char **argv) {
  Options o = parse(argc, argv);
  if (o.m != 33 || o.n != 40 || o.k != 21 || !o.verbose) {
    printf("arguments did not arrive: %d %d %d\n", o.m, o.n, o.k);
    return 1;
  }
  std::vector<int> a(o.m * o.k), b(o.k * o.n), c1(o.m * o.n), c2(o.m * o.n);
  for (size_t i = 0; i < a.size(); ++i) a[i] = int(i * 7 % 23) - 11;
  for (size_t i = 0; i < b.size(); ++i) b[i] = int(i * 5 % 19) - 9;
  int *da, *db, *dc;
  cudaMalloc(&da, a.size() * sizeof a[0]);
  cudaMalloc(&db, b.size() * sizeof b[0]);
  cudaMalloc(&dc, c1.size() * sizeof c1[0]);
  cudaMemcpy(da, a.data(), a.size() * sizeof a[0], cudaMemcpyHostToDevice);
  cudaMemcpy(db, &b[0], b.size() * sizeof b[0], cudaMemcpyHostToDevice);

  dim3 threads(8, 8), blocks((o.n + threads.x - 1) / threads.x, (o.m + threads.y - 1) / threads.y);
  simple<<<blocks, threads>>>(da, db, dc, o.m, o.n, o.k);
  cudaMemcpy(c1.data(), dc, c1.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemset(dc, 0xff, c1.size() * sizeof(int));
  four_rows<<<dim3((o.n + 127) / 128, (o.m + 3) / 4), 128>>>(da, db, dc, o.m, o.n, o.k);
  cudaMemcpy(c2.data(), dc, c2.size() * sizeof(int), cudaMemcpyDeviceToHost);

  bool ok = c1 == c2;
  for (int i = 0; ok && i < o.m; ++i)
    for (int j = 0; j < o.n; ++j) {
      int s = 0;
      for (int l = 0; l < o.k; ++l) s += a[i * o.k + l] * b[l * o.n + j];
      if (s != c1[i * o.n + j]) ok = false;
    }
  if (o.verbose) printf("%d x %d x %d\n", o.m, o.n, o.k);
  puts(ok ? "PASSED" : "FAILED");
  cudaFree(da), cudaFree(db), cudaFree(dc);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
