// A header-only library in namespaces with template kernels, included by two files.
// expect: pass
#include "lib/reduce.hpp"
#include "lib/util.h"
#include <cstdio>

double from_other_file(const double *d, int n);

int main() {
  const int n = 5000;
  int *hi = new int[n];
  double *hd = new double[n];
  for (int i = 0; i < n; i++) hi[i] = i % 17, hd[i] = i * 0.25;
  int *di = util::to_device(hi, n);
  double *dd = util::to_device(hd, n);
  const int maximum = lib::reduce(di, n, lib::maximum<int>());
  const int sum = lib::reduce<lib::plus<int>>(di, n);
  const double other = from_other_file(dd, n);
  const bool ok = maximum == 16 && sum == (n / 17) * 136 + 1 && other == 0.25 * n * (n - 1) / 2;
  std::printf("%d %d %.2f\n%s\n", maximum, sum, other, ok ? "PASSED" : "FAILED");
  util::release(di, dd);
  delete[] hi;
  delete[] hd;
  return !ok;
}
