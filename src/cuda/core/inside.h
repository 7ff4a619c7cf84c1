/* inside.h - what the files of src/cuda share that are no primitive: the insides of a context
 *
 * A context belongs to one CUDA context of one device. All members are guarded by ctx->lock. */
#ifndef HEDDLE_CUDA_CORE_INSIDE_H
#define HEDDLE_CUDA_CORE_INSIDE_H

#include <stdatomic.h>

#include "cuda.h"
#include "host/status.h"

enum {
  HD_FAULT_SLOTS = 64,         /* entries whose faults are told apart */
  HD_OUTPUT_BYTES = 64 << 10,  /* pinned, for small results of one call */
  HD_UPLOAD_BYTES = 256 << 10, /* pinned, a ring for tables on their way to the device */
  HD_PINNED_OUTPUTS = 4 << 10, /* where they lie in `pinned`; faults are at its start */
  HD_PINNED_UPLOADS = HD_PINNED_OUTPUTS + HD_OUTPUT_BYTES,
  HD_PINNED_SMALL = HD_PINNED_UPLOADS + HD_UPLOAD_BYTES,
  HD_SMALL_BYTES = 64 << 10, /* host arrays up to here in all are read by kernels across the bus */
  HD_PINNED_BYTES = HD_PINNED_SMALL + HD_SMALL_BYTES,
  HD_MOST_EXTRAS = 16 /* blocks of scratch beside the first, in one call */
};

struct hd_cuda_fault {
  u64 word; /* code * 2^56 + detail, as kernels/base/device.h writes it */
};

/* Device memory that this context made. */
struct hd_cuda_block {
  struct hd_cuda_block *next;
  cu_pointer at;
  size_t bytes;
  bool hooked;  /* from the allocator hook, to which it goes back */
  bool callers; /* of heddle_device_alloc */
};

struct hd_cuda_area {
  cu_pointer at;
  size_t bytes;
};

struct hd_cuda_kernels; /* cuda/compile/module.c */
struct hd_cuda_staging; /* cuda/staging/staging.c */
struct hd_cuda_bins;    /* cuda/histogram/bins.c */

struct hd_cuda_context {
  const struct hd_cuda_driver *cu;
  struct hd_cuda_limits limits;
  unsigned forks; /* of this process when it was opened */
  int ordinal;
  cu_device device;
  cu_context context;
  bool retained; /* the primary context, to be released at close */
  cu_stream stream;
  cu_event order;     /* orders streams that follow each other */
  bool used;          /* work may be under way on `stream` */
  bool pending_event; /* `order` marks work on an earlier stream that nothing has waited for */
  bool captured; /* graphs may hold the addresses of scratch and regions: these stay until close */
  bool preparing;

  struct hd_cuda_block *blocks;
  heddle_device_allocate *allocate;
  heddle_device_release *release;
  void *allocate_user;

  struct hd_cuda_area scratch, callers_scratch, extra[HD_MOST_EXTRAS], region[HD_REGIONS];
  unsigned extras;
  size_t scratch_wanted; /* the most that a call took */

  char *pinned; /* faults, outputs, uploads, one after the other; the device reaches it */
  size_t upload_next;
  /* whose faults lie in the word of a slot; the first one is that of calls that wait */
  const char *fault_entry[HD_FAULT_SLOTS];

  struct hd_cuda_kernels *kernels;
  struct hd_cuda_staging *staging;
  struct hd_cuda_bins *bins;
  u64 bins_used;
};

/* ---- driver.c ------------------------------------------------------------------------------ */

unsigned hd_cuda_forks(void); /* how many forks lie between the first call and this process */

/* ---- call.c -------------------------------------------------------------------------------- */

/* Whether the stream is captured into a graph, or is the default stream and cannot be used because
 * another is. Asked once a call, and where the answer makes no difference not at all. */
bool hd_cuda_captured(struct hd_cuda_call *call);
/* HEDDLE_OK, or HEDDLE_BAD_ARGUMENT then: `what` cannot be done. */
heddle_status hd_cuda_no_capture(struct hd_cuda_call *call, const char *what);
/* Waits for all work on a stream, polling; HEDDLE_CANCELLED only after the work is done. */
heddle_status hd_cuda_wait(struct hd_cuda_call *call, cu_stream stream);
/* The raw code of the driver as status and message; result != 0. */
heddle_status hd_cuda_failure(const struct hd_cuda_driver *cu, const char *entry, cu_result result,
                              const char *what);

/* ---- memory.c ------------------------------------------------------------------------------ */

heddle_status hd_cuda_obtain(struct hd_cuda_call *call, size_t bytes, bool callers,
                             cu_pointer *out);
/* What the driver said; the block is out of the list whatever that was. */
cu_result hd_cuda_free_block(struct hd_cuda_context *cuda, cu_pointer at);
void hd_cuda_give_back(struct hd_cuda_context *cuda, cu_pointer at);
/* The block that an address lies in, or NULL. */
struct hd_cuda_block *hd_cuda_block_of(struct hd_cuda_context *cuda, cu_pointer at);
/* Ends what a call took beyond its first block of scratch. */
void hd_cuda_scratch_leave(struct hd_cuda_call *call);
/* All of it, at close. */
void hd_cuda_memory_close(struct hd_cuda_context *cuda, bool alive);

static inline struct hd_cuda_fault *hd_cuda_faults(struct hd_cuda_context *cuda) {
  return (struct hd_cuda_fault *)(void *)cuda->pinned;
}

/* An address that no kernel and no copy may touch: stands for scratch while preparing. */
#define HD_FAKE_ADDRESS ((cu_pointer)1 << 62)

/* memory_space.c: has the call deliver `bytes` of pinned memory to the host when it leaves; staged:
 * or when hd_cuda_unstage is called. */
void hd_cuda_await(struct hd_cuda_call *call, void *to, const void *pinned, size_t bytes,
                   bool staged);
/* Waits until the pinned memory of hd_cuda_slices is free again, where this call has used it. */
heddle_status hd_cuda_unstage(struct hd_cuda_call *call);

/* ---- cuda/compile/module.c, cuda/staging/staging.c ------------------------------------------- */

void hd_cuda_kernels_close(struct hd_cuda_context *cuda, bool alive);
void hd_cuda_staging_close(struct hd_cuda_context *cuda, bool alive);
void hd_cuda_bins_close(struct hd_cuda_context *cuda, bool alive); /* cuda/histogram/bins.c */

#endif
