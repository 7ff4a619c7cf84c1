/* cuda.h - the inside of a context on a CUDA device, and what every primitive's host side calls
 *
 * A public call goes: hd_cuda_enter; hd_cuda_input and hd_cuda_output for its arrays;
 * hd_cuda_scratch; hd_cuda_kernel; hd_cuda_launch, as often as it takes; hd_cuda_leave, which
 * hands host results over. Between enter and leave the caller's CUDA context is ours and the
 * context's lock is held.
 *
 * open.c                   contexts: device, limits, streams
 * choice.c                 a choice as heddle_explain gives it
 * record.c                 a call that only tells what it would launch
 * call.c                   enter, leave, sync, faults
 * memory.c                 scratch, regions, device allocation
 * memory_space.c           what a pointer points at
 * state.c                  what the states of all verbs own
 * driver.c                 the driver
 * tune.c                   the table of tunings
 * cuda/staging/staging.c   host arrays in slices through pinned memory
 * cuda/compile/module.c    kernels: compiled, kept, found again */
#ifndef HEDDLE_CUDA_CORE_CUDA_H
#define HEDDLE_CUDA_CORE_CUDA_H

#include <assert.h>

#include "api/backend.h"
#include "driver.h"
#include "kernels/base/faults.h"

/* ---- the device ------------------------------------------------------------------------ */

struct hd_cuda_limits {
  int cc;  /* 90 for 9.0 */
  int sms; /* streaming multiprocessors */
  int threads_per_sm;
  int shared_per_sm;    /* bytes */
  int shared_per_block; /* bytes, with opt-in */
  int l2_bytes;
  bool software; /* simt: a few slow processors; use small grids */
};

struct hd_cuda_context; /* ctx->data of a CUDA context */
struct hd_cuda_record;  /* record.h */

const struct hd_cuda_limits *hd_cuda_limits(const struct hd_cuda_context *cuda);

/* ---- a call ---------------------------------------------------------------------------- */

struct hd_cuda_call {
  heddle_context *ctx;
  struct hd_cuda_context *cuda;
  const struct hd_cuda_driver *cu;
  const char *entry;
  cu_stream stream;
  bool preparing;   /* between heddle_prepare_begin and _end: launches and copies do nothing */
  bool captured;    /* the stream is being captured into a graph: see hd_cuda_captured */
  bool asked;       /* `captured` is known, as it is of all streams but the default one */
  bool used;        /* cuda->used, before this call */
  bool synchronous; /* a host array is in play: leave waits and hands results over */
  struct hd_cuda_record
      *record;                 /* where launches are told, of which there are none then; or NULL */
  struct hd_cuda_fault *fault; /* its own fault word, if it is synchronous and asked for them */
  struct hd_cancellation token;
  struct hd_cuda_pending {
    void *to;          /* the host's memory */
    const void *from;  /* pinned, or NULL */
    cu_pointer device; /* where it lies if `from` is NULL */
    size_t bytes;
    bool staged; /* `from` is pinned memory that the next hd_cuda_slices takes */
  } pending[16];
  unsigned pendings;
  struct hd_cuda_mark {
    size_t bytes;  /* handed out by hd_cuda_scratch in this call */
    unsigned area; /* 0: the context's scratch; else one of the areas beside it */
    size_t used;   /* of that area */
  } scratch;
  size_t pinned_used; /* of the area for small results */
  bool staged;        /* queued work may still use the pinned memory of hd_cuda_slices */
  bool pushed;        /* the CUDA context was not the current one */
};

/* Locks ctx, makes its CUDA context current, orders its scratch behind the stream it was last used
 * on. On any status but HEDDLE_OK there is nothing to leave. */
heddle_status hd_cuda_enter(heddle_context *ctx, const char *entry, struct hd_cuda_call *call);
/* Waits if a host array was in play (polling), hands results over, turns faults into statuses,
 * and undoes enter. `status` is what the call came to so far and wins if it is not HEDDLE_OK. */
heddle_status hd_cuda_leave(struct hd_cuda_call *call, heddle_status status);

/* ---- arrays ---------------------------------------------------------------------------- */

enum hd_cuda_memory_space {
  HD_SPACE_DEVICE, /* the context's device can use the address as it is: device or managed memory */
  HD_SPACE_PINNED, /* host memory that copies may run on asynchronously */
  HD_SPACE_HOST    /* pageable */
};

/* *space = where the `bytes` at `pointer` lie; bytes == 0: HD_SPACE_DEVICE for any pointer. Device
 * memory is refused with HEDDLE_BAD_ARGUMENT, under the name `what`, if another device or context
 * owns it, if it ends before `bytes`, or if it is not aligned to the greatest power of two up to 16
 * in element_bytes. Host memory may have any alignment. */
heddle_status hd_cuda_find_space(struct hd_cuda_call *call, const char *what, const void *pointer,
                                 size_t bytes, size_t element_bytes,
                                 enum hd_cuda_memory_space *space);

/* The greatest power of two up to `most`, itself one, in all the numbers or-ed into `bits`. */
static inline u32 hd_cuda_alignment(u64 bits, u32 most) {
  return (u32)((bits | most) & (0 - (bits | most)));
}

/* A small result (at most 64 KiB in all): *device is `to` itself if that is device memory. Else it
 * is pinned memory within the device's reach, copied to `to` by hd_cuda_leave: the call is
 * synchronous then. NULL stays NULL. */
heddle_status hd_cuda_output(struct hd_cuda_call *call, const char *what, void *to, size_t bytes,
                             size_t element_bytes, cu_pointer *device);

/* A large result: device memory of scratch if `to` is host memory, copied when the call leaves. */
heddle_status hd_cuda_result(struct hd_cuda_call *call, const char *what, void *to, size_t bytes,
                             size_t element_bytes, cu_pointer *device);

/* A small or middling input (tables, offsets): device memory as it is, or a copy in scratch. */
heddle_status hd_cuda_input(struct hd_cuda_call *call, const char *what, const void *from,
                            size_t bytes, size_t element_bytes, cu_pointer *device);

/* Host arrays in slices. Up to HD_OPERANDS arrays of `count` elements move side by side; slice(arg,
 * first, n, device) queues work on elements first .. first + n - 1, whose copies are at
 * device[i] (for an array that is on the device already: the address in it). Outputs
 * are copied back behind it. Slices are multiples of `granule` elements, but for the last. Copies
 * and work overlap. A single slice of everything where every array is on the device. */
enum { HD_OPERANDS = 4 };
struct hd_cuda_operand {
  const char *what;
  const void *in; /* or NULL */
  void *out;      /* or NULL; may equal in */
  size_t element_bytes;
  enum hd_cuda_memory_space space;
};
typedef heddle_status hd_cuda_slice(void *arg, u64 first, size_t n, const cu_pointer *device);
heddle_status hd_cuda_slices(struct hd_cuda_call *call, struct hd_cuda_operand *operands,
                             unsigned how_many, size_t count, size_t granule, hd_cuda_slice *slice,
                             void *arg);

/* ---- memory of the call ------------------------------------------------------------------ */

/* Device memory until leave, aligned to 256 bytes, its content undefined. Several in a call do not
 * overlap. */
heddle_status hd_cuda_scratch(struct hd_cuda_call *call, size_t bytes, cu_pointer *out);
/* The mark up to which hd_cuda_scratch_reset gives scratch back: memory handed out after it may be
 * handed out again, to the next step on the stream. hd_cuda_slices does it for each slice. */
static inline struct hd_cuda_mark hd_cuda_scratch_mark(const struct hd_cuda_call *call) {
  return call->scratch;
}
static inline void hd_cuda_scratch_reset(struct hd_cuda_call *call, struct hd_cuda_mark mark) {
  call->scratch = mark;
}
/* The same after a failure: memory allocated since the mark is freed, and a smaller try has all
 * there is. Nothing may be queued on it. */
void hd_cuda_scratch_retry(struct hd_cuda_call *call, struct hd_cuda_mark mark);

/* Device memory of one kind of kernel alone. It is zero when it is made or grown, and keeps its
 * content from call to call: kernels leave it as the next call expects it, since graphs replay them
 * without the host. */
enum hd_cuda_region {
  HD_REGION_TICKETS,   /* 256 KiB of counters, zero between calls */
  HD_REGION_SCAN,      /* tagged words; its first 256 bytes hold ticket, finished count, epoch */
  HD_REGION_HISTOGRAM, /* zero between calls */
  HD_REGIONS
};
heddle_status hd_cuda_region(struct hd_cuda_call *call, enum hd_cuda_region region, size_t bytes,
                             cu_pointer *out);

/* Device memory of the context outside of calls, for states and plans: from the allocator hook. */
heddle_status hd_cuda_memory(struct hd_cuda_call *call, size_t bytes, cu_pointer *out);
/* Gives memory of hd_cuda_memory back; it is kept until close if the stream is captured. */
void hd_cuda_forget(struct hd_cuda_call *call, cu_pointer memory);

/* What every verb's state begins with: what it owns, and where. */
struct hd_cuda_state {
  heddle_context *ctx;
  size_t bytes;      /* of this allocation */
  cu_pointer memory; /* of hd_cuda_memory, or 0 */
  unsigned *holders; /* the count of states that hold the same part of the context; or NULL */
};
/* A state of `bytes`, cleared, without device memory; NULL with the message set. */
void *hd_cuda_state_make(heddle_context *ctx, size_t bytes);
/* As hd_cuda_enter and hd_cuda_leave: the state gets its memory between them, and leave stores it
 * in *out. Whatever fails, the state is gone. */
heddle_status hd_cuda_state_enter(struct hd_cuda_state *state, const char *entry,
                                  struct hd_cuda_call *call);
heddle_status hd_cuda_state_leave(struct hd_cuda_call *call, heddle_status status,
                                  struct hd_cuda_state *state, void **out);
void hd_cuda_state_free(struct hd_cuda_state *state);

/* What a kernel found wrong in the data or empty: kernels write a code to the pinned fault word of
 * the call by hd_fault (kernels/base/device.h); leave, or heddle_sync for a call on device memory, turns it
 * into a status. Ask for each launch, once the call's results are placed: a synchronous call has one
 * of its own. A fault that is there stays. */
cu_pointer hd_cuda_fault(struct hd_cuda_call *call);

/* ---- kernels ----------------------------------------------------------------------------- */

enum { HD_DEFINES = 20 };
struct hd_cuda_kernel_key {
  const char *file; /* an embedded text: "fold/one_pass.cu" */
  unsigned defines;
  struct {
    const char *name; /* "HEDDLE_TYPE"; lives for ever */
    i64 value;
  } define[HD_DEFINES];
  const char
      *custom; /* cuda_source as the caller gave it, or NULL: the module puts heddle_element and
                         heddle_combine before the file, or heddle_test */
  size_t element_bytes; /* of a custom operator, for its static assertion */
  const char
      *tested; /* the type of what a predicate tests, which lives for ever; NULL: an operator */
};
/* A key without defines; what is not used of it is left as it is. */
static inline void hd_cuda_kernel_file(struct hd_cuda_kernel_key *key, const char *file) {
  key->file = file;
  key->defines = 0;
  key->custom = NULL;
  key->element_bytes = 0;
  key->tested = NULL;
}
static inline void hd_cuda_kernel_define(struct hd_cuda_kernel_key *key, const char *name,
                                         i64 value) {
  assert(key->defines < HD_DEFINES);
  key->define[key->defines].name = name;
  key->define[key->defines++].value = value;
}

struct hd_cuda_kernel {
  cu_function function;
  unsigned threads;      /* a block */
  unsigned shared_bytes; /* dynamic, a block */
  unsigned blocks_per_sm;
};
/* The kernel `name` of the module of `key`: compiled or found in the cache, loaded once a context,
 * set up for `threads` and dynamic `shared_bytes` a block. Cheap when it was asked for before. */
heddle_status hd_cuda_kernel(struct hd_cuda_call *call, const struct hd_cuda_kernel_key *key,
                             const char *name, unsigned threads, unsigned shared_bytes,
                             struct hd_cuda_kernel *out);

/* Blocks of a kernel that the device runs at once. */
u64 hd_cuda_blocks_at_once(const struct hd_cuda_call *call, const struct hd_cuda_kernel *kernel);

/* Queues `blocks` blocks of a kernel that takes one struct: args, of which it may take fewer than
 * `bytes` (kernels/base/args.h). Nothing while preparing, and nothing for no blocks. */
enum { HD_ARGUMENT_BYTES = 4096 }; /* that a kernel may take on every GPU */
heddle_status hd_cuda_launch(struct hd_cuda_call *call, const struct hd_cuda_kernel *kernel,
                             u64 blocks, const void *args, size_t bytes);
/* Host to device; `from` may change once it returns. For tables: while a stream captures it is
 * HEDDLE_BAD_ARGUMENT, so keep what a graph needs in hd_cuda_memory. While preparing, copies and
 * zeroes happen only in memory of hd_cuda_memory and hd_cuda_region. */
heddle_status hd_cuda_upload(struct hd_cuda_call *call, cu_pointer to, const void *from,
                             size_t bytes);
heddle_status hd_cuda_zero(struct hd_cuda_call *call, cu_pointer to, size_t bytes);

/* HEDDLE_OK, or the status and message for a raw code of the driver: `what` was being done. */
heddle_status hd_cuda_check(const struct hd_cuda_call *call, cu_result result, const char *what);

/* ---- the back end's entries ---------------------------------------------------------------- */

bool hd_cuda_on_device(heddle_context *ctx, const void *pointer);
int hd_cuda_device_of(heddle_context *ctx, const void *pointer);
#define HD_ENTRY(type, name, arguments) type hd_cuda_##name arguments;
HD_ENTRIES(HD_ENTRY)
HD_PARTIAL_ENTRIES(HD_ENTRY)
#undef HD_ENTRY

#endif
