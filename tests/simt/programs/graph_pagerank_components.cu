// PageRank by pull and connected components by label propagation over a CSR graph class.
// expect: pass
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace graph {

struct device_deleter {
  void operator()(void *p) const { cudaFree(p); }
};
template <class T> using device_ptr = std::unique_ptr<T, device_deleter>;

template <class T> device_ptr<T> make(const std::vector<T> &v) {
  T *p = nullptr;
  if (cudaMalloc(&p, v.size() * sizeof(T)) != cudaSuccess) std::abort();
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device_ptr<T>(p);
}

__global__ void rank(const int *row, const int *col, const int *degree, const float *in, float *out,
                     int n, float damping) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += blockDim.x * gridDim.x) {
    float sum = 0;
    for (int e = row[v]; e < row[v + 1]; ++e) sum += in[col[e]] / degree[col[e]];
    out[v] = (1 - damping) / n + damping * sum;
  }
}

__global__ void propagate(const int *row, const int *col, int *label, int n, bool *again) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  const int mine = atomicAdd(&label[v], 0);
  int best = mine;
  for (int e = row[v]; e < row[v + 1]; ++e) best = min(best, atomicAdd(&label[col[e]], 0));
  if (best < mine) {
    atomicMin(&label[v], best);
    *again = true;
  }
}

} // namespace graph

int main() {
  using namespace graph;
  const int n = 600;
  std::vector<std::set<int>> adj(n);
  unsigned s = 77;
  auto next = [&] { return (s = s * 22695477u + 1u) >> 8; };
  for (int i = 0; i < 500; ++i) {
    int a = next() % n, b = next() % n;
    if (a == b) continue;
    adj[a].insert(b);
    adj[b].insert(a);
  }
  for (int v = 0; v < n; ++v)
    if (adj[v].empty()) adj[v].insert(v);
  std::vector<int> row{0}, col, degree, label(n);
  for (int v = 0; v < n; ++v) {
    col.insert(col.end(), adj[v].begin(), adj[v].end());
    row.push_back((int)col.size());
    degree.push_back((int)adj[v].size());
    label[v] = v;
  }
  auto d_row = make(row), d_col = make(col), d_degree = make(degree), d_label = make(label);
  auto a = make(std::vector<float>(n, 1.0f / n)), b = make(std::vector<float>(n));
  for (int i = 0; i < 40; ++i) {
    rank<<<3, 96>>>(d_row.get(), d_col.get(), d_degree.get(), a.get(), b.get(), n, 0.85f);
    a.swap(b);
  }
  std::vector<float> pr(n);
  cudaMemcpy(pr.data(), a.get(), n * sizeof(float), cudaMemcpyDeviceToHost);
  double total = 0;
  for (float p : pr) total += p;

  bool *again = nullptr;
  cudaMallocManaged(&again, sizeof(bool));
  do {
    *again = false;
    propagate<<<(n + 127) / 128, 128>>>(d_row.get(), d_col.get(), d_label.get(), n, again);
    cudaDeviceSynchronize();
  } while (*again);
  cudaFree(again);
  cudaMemcpy(label.data(), d_label.get(), n * sizeof(int), cudaMemcpyDeviceToHost);

  std::vector<int> parent(n);
  for (int v = 0; v < n; ++v) parent[v] = v;
  std::function<int(int)> find = [&](int v) {
    return parent[v] == v ? v : parent[v] = find(parent[v]);
  };
  for (int v = 0; v < n; ++v)
    for (int w : adj[v]) parent[std::max(find(v), find(w))] = std::min(find(v), find(w));
  bool ok = std::fabs(total - 1) < 1e-3;
  std::map<int, int> sizes;
  for (int v = 0; v < n; ++v) ok = ok && label[v] == find(v), ++sizes[label[v]];
  std::printf("sum of ranks %f, %zu components\n%s\n", total, sizes.size(),
              ok ? "PASSED" : "FAILED");
  return !ok;
}
