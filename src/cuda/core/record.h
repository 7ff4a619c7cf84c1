/* record.h - a call that runs nothing and keeps what it would have launched, for heddle_explain
 *
 * Between begin and end calls of this thread on any context of a device are recorded: arrays are taken to be the
 * device's whatever their addresses, memory of the call is none, nothing is compiled, copied or launched, and no
 * context remembers it. */
#ifndef HEDDLE_CUDA_CORE_RECORD_H
#define HEDDLE_CUDA_CORE_RECORD_H

#include "choice.h"

enum { HD_RECORD_KERNELS = 16, HD_RECORD_LAUNCHES = 2 };

struct hd_cuda_record {
  struct hd_cuda_record_kernel {
    struct hd_cuda_choice choice; /* without blocks */
    bool fills;                   /* its blocks are as many as the device runs at once */
  } kernel[HD_RECORD_KERNELS];
  unsigned kernels;
  struct hd_cuda_choice launch[HD_RECORD_LAUNCHES]; /* the first ones */
  unsigned launches;
};

void hd_cuda_record_begin(struct hd_cuda_record *record);
void hd_cuda_record_end(void);
/* That of this thread, or NULL. */
struct hd_cuda_record *hd_cuda_recording(void);

/* As hd_cuda_kernel, hd_cuda_blocks_at_once and hd_cuda_launch, for which these stand in. */
void hd_cuda_record_kernel(struct hd_cuda_record *record, const char *file, const char *name,
                           unsigned threads, unsigned shared_bytes, struct hd_cuda_kernel *out);
u64 hd_cuda_record_at_once(const struct hd_cuda_kernel *kernel);
void hd_cuda_record_launch(struct hd_cuda_record *record, const struct hd_cuda_kernel *kernel,
                           u64 blocks);

/* The first launch, under this name of its strategy, as heddle_explain gives it; "none" where there was none. */
heddle_status hd_cuda_record_explain(heddle_context *ctx, const struct hd_cuda_record *record,
                                     const char *strategy, heddle_plan *out);

#endif
