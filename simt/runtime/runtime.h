/* What the files of the runtime API share.
 *
 * Rule     every public function begins with rt_begin() and returns through rt_end(), so that
 *          pending and sticky errors and the thread's last error are kept in one place
 * Limits   none of this calls malloc: while kernels run, the process's heap may be closed
 */
#ifndef SIMT_RUNTIME_H
#define SIMT_RUNTIME_H

#include "cuda_runtime_api.h"
#include "device.h"
#include "simt/internal.h"

/* ---- error.c ----------------------------------------------------------------------------- */

/* rt_begin - the error that this call must return instead of doing its work, or cudaSuccess:
 * a failed kernel's, once it is known. Waits for all that was issued, and makes an unknown failure
 * known. */
cudaError_t rt_begin(void);
/* rt_begin_later - the same for calls that only queue work here but do it at once: they do not know
 * of a failure before another call has returned it. *skip: what would be queued never runs */
cudaError_t rt_begin_later(bool *skip);
/* rt_begin_issue - the same for what is put into the queue: it does not wait */
cudaError_t rt_begin_issue(bool *skip);
/* rt_failure - the failure of a kernel, made known; does not wait */
cudaError_t rt_failure(void);
/* rt_end - remembers a failure as the thread's last error; returns it */
cudaError_t rt_end(cudaError_t error);
/* rt_end_launch - the same for <<<>>>, which returns nothing */
cudaError_t rt_end_launch(cudaError_t error);
void rt_reset_errors(void); /* cudaDeviceReset */
/* rt_calls_are_drivers - the runtime is called by the driver API's library */
bool rt_calls_are_drivers(void);
bool rt_lost(void); /* a kernel has failed, whether that is known yet or not */

/* ---- devices.c: which there are, and which one the calling thread uses ----------------------- */

enum { RT_MOST_DEVICES = 16 };
int rt_devices(void); /* SIMT_DEVICES, or 1 */
bool rt_device_ok(int device);
int rt_device(void);

/* ---- arena.c: all memory that the devices can reach ----------------------------------------- */

enum rt_kind {
  RT_DEVICE,  /* cudaMalloc and its kin */
  RT_PINNED,  /* cudaMallocHost, cudaHostAlloc */
  RT_MANAGED, /* cudaMallocManaged */
  RT_ARRAY,   /* behind a cudaArray_t: no pointer into it is given out */
  RT_HEAP,    /* malloc in kernels */
};

struct rt_block {
  uintptr_t begin;      /* what the program was given */
  size_t bytes;         /* what it asked for */
  uintptr_t first, end; /* pages of its own: [first, end) is open, then a closed page follows */
  uint64_t serial;      /* counts allocations; that of the freeing one if !live */
  enum rt_kind kind;
  unsigned flags; /* of cudaHostAlloc */
  int device;     /* the allocating thread's */
  bool live, guarded;
  const void *pool; /* cudaMallocFromPoolAsync */
};

/* rt_allocate - memory of that kind, zero-filled, its end at a closed page; 0 if there is none */
void *rt_allocate(size_t bytes, enum rt_kind kind, unsigned flags, const void *pool);
/* rt_release - false: `address` does not begin a live block of one of these kinds (a bit mask) */
bool rt_release(const void *address, unsigned kinds);
/* rt_find - the live block that holds `address`, copied; false if there is none */
bool rt_find(const void *address, struct rt_block *block);
/* rt_in_arena - whether `address` is one of ours, live or not */
bool rt_in_arena(const void *address);
/* rt_arena - its bounds, which never change; two zeros if there is no address space */
void rt_arena(uintptr_t *begin, uintptr_t *end);
/* rt_is_open - these bytes can be accessed: they lie in the pages of one live block */
bool rt_is_open(const void *address, size_t bytes);
void rt_release_all(
    void); /* cudaDeviceReset: everything of this thread's device but pinned memory */
size_t rt_device_bytes_used(void);  /* of this thread's device */
size_t rt_device_bytes_total(void); /* memory_size.c: of each device */
size_t rt_machine_bytes(void);
/* rt_blocks - for describe.c: sorted by address, read without a lock */
const struct rt_block *rt_blocks(size_t *count);

/* ---- slack.c: bytes behind a block that cannot fault ----------------------------------------- */

void rt_slack_add(uintptr_t end, size_t bytes, size_t block_bytes);
void rt_slack_forget(uintptr_t end);
/* rt_slack_look - reports what the last kernel did; `next` is about to run, or NULL */
void rt_slack_look(const struct simt_kernel *next);

/* ---- host_memory.c --------------------------------------------------------------------------- */

/* rt_registered - the cudaHostRegister range that holds `address` */
bool rt_registered(const void *address, uintptr_t *begin, size_t *bytes);

/* ---- symbol.c -------------------------------------------------------------------------------- */

void rt_reset_symbols(void); /* to their initial values */
bool rt_is_symbol(const void *address);
size_t rt_symbol_room(const void *address); /* bytes to the end of the section; 0: no symbol */
/* rt_constants - the __constant__ variables that can be written in a module from begin to end */
void rt_constants(uintptr_t begin, uintptr_t end, uintptr_t *first, size_t *bytes);
bool rt_is_constant(const void *address); /* in the program's read-only data */

/* ---- texture.c, limits.c, heap.c ------------------------------------------------------------- */

bool rt_is_texture(const void *address); /* a live texture or surface object */
size_t rt_heap_limit(void);              /* cudaLimitMallocHeapSize */
bool rt_heap_used(void);
void rt_heap_forget(void);

/* ---- copy.c: what a copy may touch ----------------------------------------------------------- */

enum rt_side { RT_ANY_SIDE, RT_DEVICE_SIDE };
/* rt_check_span - cudaSuccess if [address, address + bytes) may stand on that side of a copy */
cudaError_t rt_check_span(const void *address, size_t bytes, enum rt_side side);
/* rt_sides - which side each end of a copy must be on; false: no such kind */
bool rt_sides(enum cudaMemcpyKind kind, enum rt_side *to, enum rt_side *from);
/* rt_check_rows - the same for `rows` rows of `width` bytes, `pitch` apart */
cudaError_t rt_check_rows(const void *address, size_t pitch, size_t width, size_t rows,
                          enum rt_side side);

struct rt_copy_job {
  void *dst;
  const void *src;
  size_t dpitch, spitch, width, height;
  enum cudaMemcpyKind kind;
};
cudaError_t rt_run_copy(const void *job);
cudaError_t rt_run_box(const void *job); /* of struct cudaMemcpy3DParms */

/* What a node, or an operation that is done later, does; `job` is what was recorded. */
typedef cudaError_t (*rt_step)(const void *job);

/* ---- issue.c: what is done later ------------------------------------------------------------- */

/* rt_begin_at - as rt_begin, but for the work up to that place in the queue alone: waits for it, or gives
 * cudaErrorNotReady */
cudaError_t rt_begin_at(uint64_t place, bool wait);
/* rt_issue - false: nothing is under way any more, so do it now. What can be wrong with it has been
 * looked at */
bool rt_issue(cudaStream_t stream, rt_step run, const void *job, size_t bytes);
/* rt_issue_always - the same, also where nothing is under way */
bool rt_issue_always(cudaStream_t stream, rt_step run, const void *job, size_t bytes);
/* rt_issued_stream - of the issued operation that is being done */
cudaStream_t rt_issued_stream(void);

/* ---- stream.c, event.c ----------------------------------------------------------------------- */

bool rt_stream_ok(cudaStream_t stream);
uint64_t rt_stream_place(cudaStream_t stream); /* of its last operation */
int rt_stream_device(cudaStream_t stream);     /* of an own one the calling thread's */

/* ---- capture.c: operations that become nodes of a graph -------------------------------------- */

cudaError_t rt_run_nothing(const void *job);
cudaError_t rt_run_host(const void *job); /* of struct cudaHostNodeParams */

struct rt_capture {
  cudaGraph_t graph;            /* NULL: not capturing */
  const cudaGraphNode_t *after; /* what the next node depends on, in the graph's memory */
  size_t after_count;
  bool origin, invalid, lent; /* lent: the graph was there before */
  unsigned long long number;  /* of the graph: no other one has it */
};
/* rt_capture_of - a stream's state; NULL for the legacy stream, which cannot be captured */
struct rt_capture *rt_capture_of(cudaStream_t stream);
/* rt_capture_end - all streams of a graph stop capturing; whether one was invalid */
bool rt_capture_end(cudaGraph_t graph);
bool rt_capturing(cudaStream_t stream);
/* rt_capture_add - false: the stream does not capture, so do it now */
bool rt_capture_add(cudaStream_t stream, enum cudaGraphNodeType type, rt_step run, const void *job,
                    size_t bytes);
/* rt_capture_join - the stream waits for what `from` had recorded */
void rt_capture_join(cudaStream_t stream, const struct rt_capture *from);
/* rt_capture_allocate, rt_capture_free - of a stream that captures */
cudaError_t rt_capture_allocate(cudaStream_t stream, size_t bytes, void **memory);
void rt_capture_free(cudaStream_t stream, void *memory);
/* rt_graph_frees - false: not what a graph has allocated; true: freed, or an error */
bool rt_graph_frees(const void *memory, cudaError_t *error);
/* rt_capture_forbids - the error of a call that must not meet a capturing stream */
cudaError_t rt_capture_forbids(cudaStream_t stream);

/* ---- array.c --------------------------------------------------------------------------------- */

struct cudaArray {
  uint64_t magic;
  unsigned char *data;
  struct cudaChannelFormatDesc format;
  struct cudaExtent extent; /* as asked: 0 where there is no such axis */
  size_t element_bytes;
  size_t pitch, slice; /* bytes from row to row, from layer to layer */
  unsigned flags;
};
struct cudaArray *rt_array(cudaArray_const_t array);                /* NULL: not a live one */
size_t rt_format_bytes(const struct cudaChannelFormatDesc *format); /* 0: not a format */

/* ---- pools of small objects (streams, events, arrays, textures) ------------------------------ */

struct rt_pool {
  size_t object_bytes, capacity;
  unsigned char *memory;
  uint64_t *used; /* a bit each */
  size_t hint;
};
void *rt_pool_take(struct rt_pool *pool); /* zero-filled; NULL when full */
bool rt_pool_holds(const struct rt_pool *pool, const void *object);
void rt_pool_give(struct rt_pool *pool, void *object);

/* ---- function.c ------------------------------------------------------------------------------ */

struct rt_function {
  const struct simt_kernel *kernel;
  int dynamic_shared_limit, carveout;
  enum cudaFuncCache cache;
};
/* rt_function - the record of a kernel, made on first use */
struct rt_function *rt_function(const struct simt_kernel *kernel);
/* rt_function_at - the same by a stub's address; NULL if it is no kernel */
struct rt_function *rt_function_at(const void *address);
/* rt_shared_left - bytes of shared memory that a launch may ask for, unless it is told that it may have more */
int rt_shared_left(const struct simt_kernel *kernel);
/* rt_no_function - the error for an address that is no kernel */
cudaError_t rt_no_function(const void *func);
/* rt_forget_functions - the records of kernels whose descriptors lie there */
void rt_forget_functions(uintptr_t begin, uintptr_t end);

/* ---- occupancy.c ----------------------------------------------------------------------------- */

enum {
  RT_MULTIPROCESSORS = 132,
  RT_THREADS_A_BLOCK = 1024,
  RT_THREADS_A_MULTIPROCESSOR = 2048,
  RT_BLOCKS_A_MULTIPROCESSOR = 32,
  RT_REGISTERS = 65536,
  RT_REGISTERS_A_THREAD = 32, /* assumed: the compiler of a GPU would say */
  RT_SHARED_A_MULTIPROCESSOR = 233472,
  RT_SHARED_A_BLOCK = 49152,
  RT_SHARED_OPT_IN = 232448,
  RT_SHARED_RESERVED = 1024, /* a block's own, for the system */
};
int rt_resident_blocks(size_t threads, size_t dynamic_shared);

/* A lock around everything that is shared. Recursive use is a bug. */
void rt_lock(void);
void rt_unlock(void);

#endif
