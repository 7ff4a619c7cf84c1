/* ladder.h - what every rung of the ladder shares: errors, options, timing, counts, verdict
 *
 * A rung is one complete CUDA C program:
 *
 *   #include "../common/ladder.h"
 *   __global__ void kernel(...) { ... LADDER_READ(1); LADDER_WORK(1); ... }
 *   int main(int argc, char **argv) {
 *     ladder_begin(argc, argv, __FILE__, 1 << 16, 1 << 28, 2 * sizeof(float));
 *     ... ladder.size elements, ladder_fill_f32(...), CHECK(cudaMalloc(...)) ...
 *     for (int run = 0; run < ladder.runs; ++run) {
 *       CHECK(cudaMemset(...));               // what each run needs anew
 *       ladder_start();
 *       kernel<<<blocks, threads>>>(...);
 *       CHECK(ladder_stop());                 // launch errors and kernel errors come here
 *     }
 *     ladder_moves(bytes);                    // what the kernel must read and write: GB/s
 *     ladder_same_u32("bins", got, want, 256);
 *     return ladder_end();
 *   }
 *
 * Its opening comment has header lines that heddle-ladder reads:
 *   //! title: global atomics, a byte a thread
 *   //! expect: right                  or: caught CLASS, the checker's or the rung's own
 *   //! link: heddle                   the rung calls heddle.h
 *   //! watched: --size 4096           for checker and profiler, where the usual takes long
 * A comment that begins with BUG stands behind each line that the checker has to name.
 *
 * Exit status  0 right, 1 wrong, 2 usage, 3 caught (a planted bug that was found), 4 needs
 *              check (a planted bug that only a race checker finds)
 * Limits       included once by a program; host functions are not thread-safe
 */
#ifndef LADDER_H
#define LADDER_H

#include <cuda_runtime.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors --------------------------------------------------------------------------------- */

/* CHECK(call) - ends the program on any CUDA error: file, line, name, code, text, the call */
#define CHECK(call) ladder_check((call), #call, __FILE__, __LINE__)

static inline void ladder_check(cudaError_t error, const char *call, const char *file, int line) {
  if (error == cudaSuccess) return;
  fflush(stdout);
  fprintf(stderr, "%s:%d: %s (%d): %s, from %s\n", file, line, cudaGetErrorName(error), (int)error,
          cudaGetErrorString(error), call);
  exit(1);
}

/* ---- counts in kernels ---------------------------------------------------------------------- */

enum ladder_count {
  LADDER_COUNT_STEPS,          /* parallel steps, as thread 0 of block 0 sees them */
  LADDER_COUNT_WORK,           /* operations that the method is counted in, such as adds */
  LADDER_COUNT_READS,          /* 32-bit words read from global memory */
  LADDER_COUNT_WRITES,         /* and written */
  LADDER_COUNT_ATOMICS,        /* atomics on global memory */
  LADDER_COUNT_SHARED_ATOMICS, /* atomics on shared memory */
  LADDER_COUNTS
};

/* LADDER_WORK(n), LADDER_READ(n), LADDER_WROTE(n), LADDER_ATOMIC(n), LADDER_SHARED_ATOMIC(n)
 * add n for the calling thread. LADDER_STEP() may be called by all threads; only thread 0 of
 * block 0 counts. Nothing at all unless compiled with -DLADDER_COUNT. */
#ifdef LADDER_COUNT
static __device__ unsigned long long ladder_device_counts[LADDER_COUNTS];
static __device__ inline void ladder_add(int which, unsigned long long n) {
  atomicAdd(&ladder_device_counts[which], n);
}
static __device__ inline void ladder_step(unsigned long long thread) {
  if (thread == 0) ladder_add(LADDER_COUNT_STEPS, 1);
}
#define LADDER_SELF \
  (0ull + threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y + blockIdx.z)
#define LADDER_STEP() ladder_step(LADDER_SELF)
#define LADDER_WORK(n) ladder_add(LADDER_COUNT_WORK, (n))
#define LADDER_READ(n) ladder_add(LADDER_COUNT_READS, (n))
#define LADDER_WROTE(n) ladder_add(LADDER_COUNT_WRITES, (n))
#define LADDER_ATOMIC(n) ladder_add(LADDER_COUNT_ATOMICS, (n))
#define LADDER_SHARED_ATOMIC(n) ladder_add(LADDER_COUNT_SHARED_ATOMICS, (n))
#else
#define LADDER_STEP() ((void)0)
#define LADDER_WORK(n) ((void)sizeof(n))
#define LADDER_READ(n) ((void)sizeof(n))
#define LADDER_WROTE(n) ((void)sizeof(n))
#define LADDER_ATOMIC(n) ((void)sizeof(n))
#define LADDER_SHARED_ATOMIC(n) ((void)sizeof(n))
#endif

/* ---- the run -------------------------------------------------------------------------------- */

enum { LADDER_MAX_RUNS = 128 };

enum ladder_verdict { LADDER_RIGHT, LADDER_WRONG, LADDER_CAUGHT, LADDER_NEEDS_CHECK };

struct ladder_watch {
  cudaEvent_t start, stop;
  float ms[LADDER_MAX_RUNS];
  int runs;
};

static struct ladder_state {
  char rung[128];          /* family/NN_name */
  char device[256];        /* its name */
  int on_simt;             /* 1 on the software device */
  int processors;          /* multiprocessors of the device */
  size_t size;             /* elements: --size or the rung's default for this device */
  int sized;               /* 1 if --size was given */
  const char *data;        /* --data */
  unsigned long long seed; /* --seed */
  int runs;                /* how often to run the timed part, warm-up included */
  int warmups;             /* runs that the median leaves out */
  const char *picture;     /* --picture, NULL if not given */
  int json;                /* --json */
  int small_cases;         /* --small */
  enum ladder_verdict verdict;
  char why[512]; /* of any verdict but RIGHT */
  double bytes;  /* moved by one run */
  struct ladder_watch kernel, whole;
  unsigned long long counts[LADDER_COUNTS];
  char *keys; /* further JSON members */
  size_t keys_used, keys_size;
} ladder;

#include "ladder_data.h"
#include "ladder_options.h"
#include "ladder_result.h"

/* ladder_begin - reads the options, looks at the device, checks that the size fits
 *
 * source          __FILE__, from which family/NN_name is taken
 * simt_size, gpu_size   default elements on the software device and on a GPU
 * element_bytes   device memory an element, all arrays together; 0 if the size is no matter
 * A bad option ends the program with status 2. */
static inline void ladder_begin(int argc, char **argv, const char *source, size_t simt_size,
                                size_t gpu_size, size_t element_bytes) {
  ladder_name_rung(source);
  ladder.data = "uniform";
  ladder.seed = 1;
  int repeat = ladder_read_options(argc, argv);
  struct cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  snprintf(ladder.device, sizeof ladder.device, "%s", properties.name);
  ladder.on_simt = strncmp(properties.name, "simt", 4) == 0;
  ladder.processors = properties.multiProcessorCount;
  if (!ladder.sized) ladder.size = ladder.on_simt ? simt_size : gpu_size;
  ladder_check_memory(element_bytes);
  ladder.warmups = ladder.on_simt ? 0 : 1;
  ladder.runs = ladder.warmups + (repeat ? repeat : ladder.on_simt ? 1 : 11);
}

/* ---- timing --------------------------------------------------------------------------------- */

static inline void ladder_watch_start(struct ladder_watch *watch) {
  if (!watch->start) {
    CHECK(cudaEventCreate(&watch->start));
    CHECK(cudaEventCreate(&watch->stop));
  }
  CHECK(cudaEventRecord(watch->start, 0));
}

static inline cudaError_t ladder_watch_stop(struct ladder_watch *watch) {
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaEventRecord(watch->stop, 0);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return error;
  float ms = 0;
  error = cudaEventElapsedTime(&ms, watch->start, watch->stop);
  if (watch->runs < LADDER_MAX_RUNS) watch->ms[watch->runs++] = ms;
  return error;
}

/* ladder_start, ladder_stop - around the kernels (or the host loop) of one run. Counts are
 * of the last run. The status is that of the launch and of the kernels. */
static inline void ladder_start(void) {
  memset(ladder.counts, 0, sizeof ladder.counts);
#ifdef LADDER_COUNT
  CHECK(cudaMemcpyToSymbol(ladder_device_counts, ladder.counts, sizeof ladder.counts));
#endif
  ladder_watch_start(&ladder.kernel);
}

static inline cudaError_t ladder_stop(void) {
  cudaError_t error = ladder_watch_stop(&ladder.kernel);
#ifdef LADDER_COUNT
  unsigned long long counts[LADDER_COUNTS];
  if (error == cudaSuccess)
    error = cudaMemcpyFromSymbol(counts, ladder_device_counts, sizeof counts);
  for (int i = 0; error == cudaSuccess && i < LADDER_COUNTS; ++i) ladder.counts[i] += counts[i];
#endif
  return error;
}

/* ladder_start_whole, ladder_stop_whole - the same around copies and kernels; may enclose
 * ladder_start .. ladder_stop */
static inline void ladder_start_whole(void) { ladder_watch_start(&ladder.whole); }
static inline cudaError_t ladder_stop_whole(void) { return ladder_watch_stop(&ladder.whole); }

/* ladder_host - counts of the host's own loop: ladder_host(LADDER_COUNT_WORK, n) */
static inline void ladder_host(enum ladder_count which, unsigned long long n) {
  ladder.counts[which] += n;
}

/* ladder_moves - bytes that one run reads and writes at least; makes GB/s */
static inline void ladder_moves(double bytes) { ladder.bytes = bytes; }

/* ladder_median - milliseconds of a run; 0 if there was none */
static inline double ladder_median(const struct ladder_watch *watch) {
  float sorted[LADDER_MAX_RUNS];
  int n = 0;
  for (int i = watch->runs > ladder.warmups ? ladder.warmups : 0; i < watch->runs; ++i) {
    int at = n++;
    for (; at > 0 && sorted[at - 1] > watch->ms[i]; --at) sorted[at] = sorted[at - 1];
    sorted[at] = watch->ms[i];
  }
  if (n == 0) return 0;
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0;
}

/* ladder_end - prints verdict, times and counts, with --json a last line of JSON; what main
 * returns */
static inline int ladder_end(void) {
  static const char *const verdicts[] = {"right", "wrong", "caught", "needs check"};
  static const int statuses[] = {0, 1, 3, 4};
  const double ms = ladder_median(&ladder.kernel), whole = ladder_median(&ladder.whole);
  if (ms > 0 && ladder.bytes > 0 && !ladder.on_simt)
    printf("%.4f ms, %.1f GB/s\n", ms, ladder.bytes / ms * 1e-6);
  printf("%s%s%s\n", verdicts[ladder.verdict], ladder.why[0] ? ": " : "", ladder.why);
  if (ladder.json) ladder_print_json(verdicts[ladder.verdict], ms, whole);
  fflush(stdout);
  free(ladder.keys);
  return statuses[ladder.verdict];
}

#endif
