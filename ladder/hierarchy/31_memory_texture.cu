// Kinds of memory: a table behind the texture units, the read-only path.
//
//! title: table as a texture
//! expect: right
//
// Idea    a texture object describes memory to the units that fetch texels; tex1Dfetch reads
//         through them. They were the only read cache of old GPUs. Since 2012 plain loads can use
//         the same path (__ldg, or const with __restrict__), and since 2014 it is the same cache.
// Cost    1 step of 32 fetches; 32 multiplications and additions an element.
// Shows   what a fetch costs beside a load: the units take fewer lanes a cycle, so today the
//         texture wins nothing on such a table; it is there for filtering and addresses in 2-D.
// Source  course topic: kinds of memory; Sanders and Kandrot, CUDA by Example, 2010, ch. 7.
#include "../common/ladder.h"
#include "memory_task.h"

static unsigned int *memory_of_table;
static cudaTextureObject_t table;

static cudaTextureObject_t texture_of(unsigned int *words) {
  struct cudaResourceDesc resource;
  struct cudaTextureDesc texture;
  cudaTextureObject_t object = 0;
  memset(&resource, 0, sizeof resource);
  memset(&texture, 0, sizeof texture);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = words;
  resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
  resource.res.linear.sizeInBytes = TABLE * sizeof *words;
  texture.readMode = cudaReadModeElementType;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, NULL));
  return object;
}

__global__ void look_up(unsigned int *out, unsigned int n, unsigned int stride,
                        cudaTextureObject_t table) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int sum = 0;
  LADDER_STEP();
  if (i >= n) return;
  for (unsigned int k = 0; k < TABLE; ++k)
    sum += tex1Dfetch<unsigned int>(table, (int)((stride * i + k) % TABLE)) * (k + 1);
  LADDER_WORK(TABLE);
  out[i] = sum + i;
  LADDER_WROTE(1);
}

static void launch(const void *memory) {
  const struct memory_task *t = (const struct memory_task *)memory;
  look_up<<<memory_blocks(t), MEMORY_THREADS>>>(t->out, t->n, t->stride, table);
}

int main(int argc, char **argv) {
  ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 26, sizeof(unsigned int));
  unsigned int host[TABLE];
  memory_table(host);
  CHECK(cudaMalloc((void **)&memory_of_table, sizeof host));
  CHECK(cudaMemcpy(memory_of_table, host, sizeof host, cudaMemcpyHostToDevice));
  table = texture_of(memory_of_table);
  memory_run(launch);
  CHECK(cudaDestroyTextureObject(table));
  CHECK(cudaFree(memory_of_table));
  return ladder_end();
}
