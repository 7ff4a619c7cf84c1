// Two blocks that work together as a cluster: refused when the program is compiled, in one line.
// expect: compile error, stderr "no clusters of more than one block"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap(int *out) {
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();
  mine = (int)cluster.block_rank();
  cluster.sync();
  out[blockIdx.x] = *cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
  cluster.sync();
}

int main() {
  int *out;
  cudaMalloc(&out, 2 * sizeof(int));
  swap<<<2, 1>>>(out);
  return cudaDeviceSynchronize();
}
