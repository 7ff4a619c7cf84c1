/* What a rewritten CUDA program and the software device agree on.
 *
 * Result   the calls that generated code makes into libsimt.so, and the kernel descriptor
 *          that it hands over. Plain C, read by g++ in the program and by gcc in the library
 * Limits   private: program and library come from one build
 */
#ifndef SIMT_ABI_H
#define SIMT_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIMT_API __attribute__((visibility("default")))

/* The library is there from the start, or loaded into the room that the loader keeps for it. */
#define SIMT_STATIC_TLS __attribute__((tls_model("initial-exec")))

/* An instrumented program, for a checker or a profiler: the compiler puts a call before every
 * access (-fsanitize=thread). Of the program's own headers
 *   SIMT_QUIET  is a function that touches nothing but its own variables and arguments: no calls
 *   SIMT_SMALL  is one of those, inlined in other programs
 *   SIMT_SEEN   does what the user asked for: its accesses are the calling line's
 * What is always_inline is instrumented as its caller is, whatever it says itself. */
#ifdef __SANITIZE_THREAD__
#define SIMT_INSTRUMENTED 1
#define SIMT_QUIET \
  __attribute__((no_sanitize_thread, no_sanitize_coverage, no_sanitize("alignment")))
#define SIMT_SMALL inline SIMT_QUIET
#define SIMT_SEEN inline __attribute__((always_inline))
#else
#define SIMT_INSTRUMENTED 0
#define SIMT_QUIET
#define SIMT_SMALL inline __attribute__((always_inline))
#define SIMT_SEEN inline
#endif

struct uint3 {
  unsigned x, y, z;
};

/* ---- Coordinates of the running thread -------------------------------------------------
 * Set by the scheduler whenever it switches to a thread; plain kernels get them as values. */
#if defined __cplusplus && SIMT_INSTRUMENTED
#define SIMT_COORDINATE const /* reading them is no access that anybody asks about */
#else
#define SIMT_COORDINATE
#endif
extern SIMT_API __thread SIMT_COORDINATE struct uint3
    threadIdx __asm__("simt_threadIdx") SIMT_STATIC_TLS;
extern SIMT_API __thread SIMT_COORDINATE struct uint3
    blockIdx __asm__("simt_blockIdx") SIMT_STATIC_TLS;
extern SIMT_API __thread SIMT_COORDINATE struct uint3
    blockDim __asm__("simt_blockDim") SIMT_STATIC_TLS;
extern SIMT_API __thread SIMT_COORDINATE struct uint3
    gridDim __asm__("simt_gridDim") SIMT_STATIC_TLS;

/* Where this OS thread's running block has its shared memory: the program's shared variables
 * (its thread-local storage) and the dynamic part. */
struct simt_shared_ranges {
  uintptr_t static_begin, static_end, dynamic_begin, dynamic_end;
};
extern SIMT_API __thread struct simt_shared_ranges simt_shared SIMT_STATIC_TLS;

/* ---- Launch ------------------------------------------------------------------------------ */

enum {
  SIMT_PLAIN = 1,       /* no thread waits for another: a loop over the threads will do */
  SIMT_COORDINATES = 2, /* functions that the kernel calls read threadIdx or blockIdx */
  SIMT_ROUNDS = 4,      /* plain, one step of its loop over the data at a time */
  SIMT_IN_ORDER = 8,    /* its code lies in the order of the source: not optimised */
  SIMT_PHASES = 16,     /* `range` runs whole blocks, as loops over threads between barriers */
  SIMT_ROWS = 32,       /* of blocks that are one row, or have rows of whole warps */
  SIMT_WHOLE = 64,      /* of blocks that have rows of whole warps */
  SIMT_GRID = 128,      /* of phases; blocks wait for the grid, each on a stack of its own */
};

/* Blocks [first_block, end_block) in linear order, and of each the threads
 * [first_thread, end_thread) in linear order. */
struct simt_range {
  struct uint3 grid, block;
  uint64_t first_block, end_block;
  unsigned first_thread, end_thread;
};

/* One for each kernel (for each instance of a template); lives as long as the program. */
struct simt_kernel {
  const char *name; /* as the source spells it */
  const char *file; /* of the definition */
  int line, end_line;
  unsigned flags;
  void (*thread)(void *body);                                  /* runs the current thread */
  void (*range)(void *body, const struct simt_range *threads); /* of PLAIN and PHASES, else NULL */
  size_t body_bytes, body_align; /* captured parameters: a launch copies their bytes */
  unsigned most_threads;         /* a block may have, by __launch_bounds__; 0: not said */
  const size_t *shared_bytes;    /* of its own __shared__ variables; NULL: it has none */
};

enum {
  SIMT_COOPERATIVE = 1, /* all blocks are resident, grid-wide barriers are allowed */
};

struct simt_config {
  struct uint3 grid, block, cluster;
  size_t shared_bytes; /* dynamic */
  void *stream;
  unsigned flags;
};

/* simt_configure - what stands between <<< and >>>: kept until the kernel is called */
SIMT_API void simt_configure(const struct simt_config *config);

/* simt_enter - called by a kernel's stub with its captured parameters: launches it.
 * Errors go to cudaGetLastError, as a GPU has it. Returns when the grid has run. */
SIMT_API void simt_enter(const struct simt_kernel *kernel, void *body);

/* simt_kernel_of - the descriptor behind a stub. `call` must call the stub once, with any
 * arguments; nothing is launched. NULL if `call` reached no kernel. */
SIMT_API const struct simt_kernel *simt_kernel_of(void (*call)(void *), void *user);

/* simt_register_kernel - lets cudaLaunchKernel and its kin find a stub by its address.
 * `invoke` calls the stub with arguments read through `arguments`, as cudaLaunchKernel
 * takes them. */
struct simt_stub {
  const void *address;
  const char *name;
  void (*invoke)(const void *address, void **arguments);
  size_t parameters;             /* number */
  const size_t *parameter_bytes; /* each one's size */
  const size_t *parameter_aligns;
  struct simt_stub *next;
};
SIMT_API void simt_register_kernel(struct simt_stub *stub);
SIMT_API const struct simt_stub *simt_find_kernel(const void *address);

/* ---- Inside a kernel ----------------------------------------------------------------------- */

SIMT_API int simt_on_device(void); /* 1 on a thread of a kernel, 0 on the host */
SIMT_API unsigned simt_lane(void);
SIMT_API unsigned simt_warp(void);

/* simt_return - a kernel's own return statement, or its end, is reached on this line */
SIMT_API void simt_return(int line);

/* The threads of the block wait for each other. Who must arrive: every thread that has not
 * returned. `file` and `line` are the barrier's identity. */
struct simt_tally {
  unsigned ones, threads; /* how many passed a predicate that is not 0; how many came */
};
SIMT_API void simt_barrier(const char *file, int line);
SIMT_API struct simt_tally simt_barrier_tally(int predicate, const char *file, int line);

/* simt_phases - said by a kernel of phases: a block's threads have come to so many barriers */
SIMT_API void simt_phases(unsigned long long barriers);

/* simt_collective - lanes of a warp work together
 *
 * Every lane that `mask` names and that has not returned must call with the same mask and
 * function. The last one to come calls function(arguments, lanes, user): arguments[i] is
 * lane i's `argument`, or NULL where bit i of `lanes` is not set; results are written
 * through them. Then all go on. Returns `lanes`. */
typedef void (*simt_collective_fn)(void *const arguments[32], unsigned lanes);
SIMT_API unsigned simt_collective(unsigned mask, simt_collective_fn function, void *argument,
                                  const char *what, const char *file, int line);

/* simt_sync_warp - __syncwarp and the sync() of groups within a warp: as simt_collective with
 * nothing to compute, but it orders the lanes' accesses, which votes and shuffles do not */
SIMT_API void simt_sync_warp(unsigned mask, const char *what, const char *file, int line);

/* simt_shuffled - said by an instrumented shuffle's function when it has computed; the result of a
 * lane whose source does not take part may get a value that shows. `bytes`: the value's, 0 if it is
 * longer than a word. simt_shuffle_width - said by the calling lane: the width is not a power of
 * two up to 32 */
struct simt_shuffle_cell {
  unsigned long long value, result;
  unsigned source, bytes;
};
SIMT_API void simt_shuffled(void *const cells[32], unsigned lanes);
SIMT_API void simt_shuffle_width(int width, const char *what, const char *file, int line);

/* simt_named_barrier - one of the block's 16 barriers by number, for `threads` of its threads (a
 * multiple of 32); without `waits` the thread only counts as having come */
SIMT_API void simt_named_barrier(unsigned number, unsigned threads, int waits, const char *file,
                                 int line);

/* simt_fence - __threadfence_block, __threadfence, __threadfence_system */
enum { SIMT_FENCE_BLOCK, SIMT_FENCE_DEVICE, SIMT_FENCE_SYSTEM };
SIMT_API void simt_fence(int scope);

/* The program's own headers give the calls of -fsanitize=thread (__tsan_atomic32_load and its
 * kin) the scope with the order: one that has no upper bits is of the whole system. */
#define SIMT_ORDER(order, scope) ((int)(order) | ((scope) + 1) << 16)
#define SIMT_ORDER_OF(word) ((word)&0xffff) /* __ATOMIC_* */
#define SIMT_OWN_LOOP (-1) /* order on failure of an exchange in a loop that is not the program's */
#define SIMT_SCOPE_OF(word) ((word) >> 16 ? ((word) >> 16) - 1 : SIMT_FENCE_SYSTEM)

/* simt_polling - the reads that follow, until it is called with 0, are the condition of a loop
 * that waits for another thread to write. Only in programs built to be checked */
SIMT_API void simt_polling(int on);

/* simt_misaligned - the access that is made known next goes through this address, which is no
 * multiple of what its type needs. Only in programs built to be checked */
SIMT_API void simt_misaligned(const void *address, size_t multiple);

/* simt_async_copied - the running thread has just copied to shared memory, and may count on it only after
 * it has committed the batch and waited for all batches but the last `prior`. Only in programs built to
 * be checked */
SIMT_API void simt_async_copied(const void *to, size_t bytes);
SIMT_API void simt_async_committed(void);
SIMT_API void simt_async_wait(size_t prior);
/* simt_async_bound - or only after somebody has seen that use `use` of this object, a barrier's phase or a
 * fill of a pipeline's stage, is over; simt_async_bind - so the copies that the thread has not yet waited
 * for; simt_async_seen - the running thread has seen that uses up to this one are over */
SIMT_API void simt_async_bound(const void *to, size_t bytes, const void *object, unsigned use);
SIMT_API void simt_async_bind(const void *object, unsigned use);
SIMT_API void simt_async_seen(const void *object, unsigned use);

/* simt_local_begin - nobody may touch the `zone` bytes before this variable of the running thread's own, nor
 * as many at `behind`, before simt_local_end. Only in programs built to be checked */
enum { SIMT_ZONE = 128, SIMT_SMALL_ZONE = 32 };
SIMT_API void simt_local_begin(const void *variable, size_t bytes, void *behind, size_t zone);
SIMT_API void simt_local_end(const void *variable, void *behind, size_t zone);
/* simt_local_unwritten - before simt_local_begin: it has no value yet */
SIMT_API void simt_local_unwritten(void *variable, size_t bytes);

/* simt_release, simt_acquire - what a thread did before it released an object is in order before
 * what another one does after it has acquired the object. For what is no atomic operation */
SIMT_API void simt_release(const void *object, int scope);
SIMT_API void simt_acquire(const void *object, int scope);

/* simt_converged - the lanes of this warp that are at this very call together: waits until
 * no lane of the warp can run, then takes those at the lowest line. For __activemask,
 * coalesced_threads and printf. */
SIMT_API unsigned simt_converged(const char *file, int line);

/* simt_block_collective - like simt_collective, for all threads of the block that have not
 * returned; the last one to come calls function(arguments, count), in thread order. */
typedef void (*simt_block_fn)(void *const *arguments, unsigned count);
SIMT_API void simt_block_collective(simt_block_fn function, void *argument, const char *file,
                                    int line);

SIMT_API void simt_grid_barrier(const char *file, int line);
SIMT_API int simt_is_cooperative(void);

/* simt_wait - waits until ready(user) is not 0; other threads run meanwhile. If nobody can
 * make it so, the launch ends with a report that names `what`. */
SIMT_API void simt_wait(int (*ready)(void *user), void *user, const char *what, const char *file,
                        int line);

/* simt_yield - to be called by a thread that polls memory and has found no change */
SIMT_API void simt_yield(void);

/* simt_rest - lets the other threads of the block catch up, so that what neighbours read
 * together is in the cache together. Called when simt_turns, which any frequent operation
 * may count down, comes to 0. */
extern SIMT_API __thread unsigned simt_turns SIMT_STATIC_TLS;
SIMT_API void simt_rest(void);

SIMT_API void *simt_dynamic_shared(void);
SIMT_API size_t simt_dynamic_shared_bytes(void);
SIMT_API size_t simt_static_shared_bytes(void);
SIMT_API int simt_is_shared(const void *address);
SIMT_API int simt_is_global(const void *address);
SIMT_API unsigned simt_multiprocessor(void); /* the one this block is said to run on */

/* printf in lockstep order on the device, the usual printf on the host */
SIMT_API int simt_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
SIMT_API int simt_printf_at(int line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
SIMT_API int simt_vprintf(const char *format, void *arguments);
SIMT_API void simt_assert_fail(const char *expression, const char *file, unsigned line,
                               const char *function) __attribute__((noreturn));
SIMT_API void simt_trap(void) __attribute__((noreturn));
SIMT_API long long simt_clock64(void);     /* nanoseconds, standing for cycles */
SIMT_API long long simt_globaltimer(void); /* nanoseconds */
SIMT_API void *simt_malloc(size_t bytes);  /* malloc, on the device from its heap */
SIMT_API void simt_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
