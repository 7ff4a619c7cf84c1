/* The file in which a profiled program leaves its figures, for heddle-profile.
 *
 * Method   heddle-profile makes the file, of fixed size and sparse, and names it in SIMT_PROFILE;
 *          the program maps it shared and counts in it, so that the figures survive any end of
 *          the program. A record is a site of the program (the address behind a call of the
 *          compiler's) in one kernel: a basic block, or an access to one memory. The file is the
 *          program's to write: the reader trusts no number and no string in it
 * Limits   FIGURES_KERNELS kernels, FIGURES_RECORDS sites; the rest is counted in `lost`
 */
#ifndef SIMT_FIGURES_H
#define SIMT_FIGURES_H

#include <stdint.h>

enum {
  FIGURES_MAGIC = 0x48444C50, /* "HDLP" */
  FIGURES_VERSION = 1,
  FIGURES_KERNELS = 512,
  FIGURES_RECORDS = 65536,
  FIGURES_BARRIERS = 2048,
  FIGURES_NAME = 256,
  FIGURES_SECTOR = 32, /* bytes */
  FIGURES_BANKS = 32,  /* of 4 bytes */
};

enum figures_kind { FIGURES_BLOCK, FIGURES_GLOBAL, FIGURES_SHARED };

struct figures_kernel {
  char name[FIGURES_NAME], file[FIGURES_NAME];
  uint32_t line, uneven; /* uneven: launches differ in grid or block */
  uint32_t grid[3], block[3];
  uint64_t launches, blocks, warps, threads;
  uint64_t shared_static, shared_dynamic;
  uint64_t steps; /* issues of the busiest warp, summed over launches */
};

struct figures_record {
  uint64_t pc; /* less the program's load address */
  uint32_t kernel;
  uint16_t kind; /* enum figures_kind */
  uint16_t atomic;
  uint64_t issues, lanes;
  uint64_t units, ideal; /* sectors; turns of the banks */
  uint64_t bytes_read, bytes_written;
  uint64_t turns;  /* atomics: lanes at the fullest address, summed over requests */
  uint64_t at_one; /* atomics: operations at one address during a launch (shared: a block) */
  uint32_t worst, contention;
};

struct figures_barrier {
  char file[FIGURES_NAME];
  uint32_t line, kernel;
  uint64_t count; /* by blocks; of the whole grid: once each block */
};

struct figures {
  uint32_t magic, version;
  uint32_t kernel_bytes, record_bytes, barrier_bytes; /* sizes of the structures */
  uint32_t taken;                                     /* by a process */
  uint64_t kernel_count, record_count, barrier_count;
  uint64_t lost;    /* sites without room */
  char limits[256]; /* what was given up on, in words; "" for nothing */
  struct figures_kernel kernels[FIGURES_KERNELS];
  struct figures_barrier barriers[FIGURES_BARRIERS];
  struct figures_record records[FIGURES_RECORDS];
};

#endif
