// Conway's game of life with wrap-around, a glider and a checksum; bool grids, class with a step().
// expect: pass
#include <cstdio>
#include <utility>
#include <vector>

class Life {
public:
  Life(int w, int h);
  ~Life();
  void set(const std::vector<unsigned char> &cells);
  void step(int generations);
  std::vector<unsigned char> get() const;

private:
  int w, h;
  unsigned char *now, *next;
};

__global__ static void generation(const unsigned char *now, unsigned char *next, int w, int h) {
  for (int id = blockIdx.x * blockDim.x + threadIdx.x; id < w * h; id += blockDim.x * gridDim.x) {
    int x = id % w, y = id - x;
    int xl = (x + w - 1) % w, xr = (x + 1) % w;
    int yu = (y + w * h - w) % (w * h), yd = (y + w) % (w * h);
    unsigned alive = now[xl + yu] + now[x + yu] + now[xr + yu] + now[xl + y] + now[xr + y] +
                     now[xl + yd] + now[x + yd] + now[xr + yd];
    next[id] = alive == 3 || (alive == 2 && now[id]) ? 1 : 0;
  }
}

Life::Life(int w_, int h_) : w(w_), h(h_) {
  cudaMalloc(&now, w * h);
  cudaMalloc(&next, w * h);
}
Life::~Life() {
  cudaFree(now);
  cudaFree(next);
}
void Life::set(const std::vector<unsigned char> &cells) {
  cudaMemcpy(now, cells.data(), cells.size(), cudaMemcpyHostToDevice);
}
void Life::step(int generations) {
  while (generations--) {
    generation<<<5, 64>>>(now, next, w, h);
    std::swap(now, next);
  }
}
std::vector<unsigned char> Life::get() const {
  std::vector<unsigned char> v(w * h);
  cudaMemcpy(v.data(), now, v.size(), cudaMemcpyDeviceToHost);
  return v;
}

int main() {
  const int w = 40, h = 30;
  std::vector<unsigned char> start(w * h, 0);
  const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
  for (auto &c : glider) start[(c[1] + 3) * w + c[0] + 4] = 1;
  Life life(w, h);
  life.set(start);
  life.step(4 * 10);
  auto end = life.get();
  int wrong = 0, count = 0;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      count += end[y * w + x];
      wrong += end[y * w + x] != start[((y + h - 10) % h) * w + (x + w - 10) % w];
    }
  printf("%d cells, %d wrong\n%s\n", count, wrong, wrong == 0 && count == 5 ? "PASSED" : "FAILED");
  return wrong != 0 || count != 5;
}
