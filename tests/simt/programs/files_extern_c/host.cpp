// No CUDA in this file.
#include "api.h"
#include <iostream>
#include <numeric>
#include <vector>

static int reports = 0;

extern "C" void report_progress(const char *what, int n) {
  std::cout << what << ' ' << n << '\n';
  ++reports;
}

extern "C" int run_host_part(void) {
  std::vector<int> v(77);
  std::iota(v.begin(), v.end(), 1);
  if (cuda_double(v.data(), static_cast<int>(v.size())) != 0) return 1;
  return std::accumulate(v.begin(), v.end(), 0) == 77 * 78 && reports == 1 ? 0 : 2;
}
