/* gpu.h - GPUs by name, and how many blocks of a kernel fit one of their multiprocessors
 *
 * Result   for a block of so many threads, registers a thread and bytes of shared memory: blocks
 *          and warps a multiprocessor, the share of the warps that it could hold, and which
 *          resource says so
 * Limits   clusters, and carve-outs of shared memory smaller than the largest, are left out
 * Source   CUDA C++ Programming Guide, section Compute Capabilities (the limits); NVIDIA's data
 *          sheets (numbers of multiprocessors)
 */
#ifndef SIMT_REPORT_PROFILE_GPU_H
#define SIMT_REPORT_PROFILE_GPU_H

#include <stddef.h>

/* What a compute capability fixes. Shared memory in bytes. */
struct gpu_capability {
  int major, minor;
  unsigned warps, blocks;              /* that a multiprocessor can hold */
  size_t shared;                       /* of a multiprocessor */
  size_t shared_opt_in;                /* the most that a block may ask for */
  size_t shared_reserved, shared_unit; /* the system's part a block; allocated in steps of */
};

enum {
  GPU_THREADS_A_BLOCK = 1024,
  GPU_REGISTERS = 65536, /* of a multiprocessor, and the most of a block; in all of these */
  GPU_REGISTERS_A_THREAD = 255,
  GPU_REGISTER_UNIT = 256,        /* a warp gets registers in steps of */
  GPU_PARTITIONS = 4,             /* of a multiprocessor; a warp's registers lie in one */
  GPU_SHARED_DEFAULT = 48 * 1024, /* a block gets without asking for more */
};

struct gpu {
  const char *name;  /* h200 */
  const char *title; /* NVIDIA H200 */
  unsigned multiprocessors;
  struct gpu_capability capability;
};

/* gpu_find - by name; capitals, blanks, hyphens and the maker's words do not matter. NULL: not
 * known. gpu_at - the table's entries; NULL behind the last. */
const struct gpu *gpu_find(const char *name);
const struct gpu *gpu_at(size_t index);

enum gpu_limit {
  GPU_LIMIT_WARPS,
  GPU_LIMIT_BLOCKS,
  GPU_LIMIT_REGISTERS,
  GPU_LIMIT_SHARED,
  GPU_LIMIT_THREADS_A_BLOCK, /* the launch fails: 0 blocks */
};

struct gpu_occupancy {
  unsigned blocks, warps; /* a multiprocessor holds */
  double percent;         /* of the warps that it could hold */
  enum gpu_limit limit;   /* what admits the fewest blocks; of equals the first above */
  unsigned by_warps, by_blocks, by_registers, by_shared; /* blocks that each would admit */
};

/* gpu_occupancy - `registers` a thread (0: taken as 1), `shared`: static and dynamic */
void gpu_occupancy(const struct gpu *gpu, unsigned threads, unsigned registers, size_t shared,
                   struct gpu_occupancy *result);

/* gpu_limit_name - "warps", "blocks", "registers", "shared memory", "threads a block" */
const char *gpu_limit_name(enum gpu_limit limit);

#endif
