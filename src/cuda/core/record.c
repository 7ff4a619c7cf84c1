/* record.c - a call that runs nothing and keeps what it would have launched
 *
 * Method   A thread's own mark, which hd_cuda_enter finds; the kernel of a call is then its entry in the record.
 * Limits   of a call that asks for more than HD_RECORD_KERNELS kernels before its second launch the last ones share
 *          an entry */
#include "record.h"

#include <stdio.h>
#include <string.h>

static _Thread_local struct hd_cuda_record *recording;

void hd_cuda_record_begin(struct hd_cuda_record *record) {
  record->kernels = record->launches = 0;
  recording = record;
}

void hd_cuda_record_end(void) { recording = NULL; }

struct hd_cuda_record *hd_cuda_recording(void) {
  return recording;
}

void hd_cuda_record_kernel(struct hd_cuda_record *record, const char *file, const char *name,
                           unsigned threads, unsigned shared_bytes, struct hd_cuda_kernel *out) {
  if (record->kernels == HD_RECORD_KERNELS) record->kernels--;
  struct hd_cuda_record_kernel *kernel = &record->kernel[record->kernels++];
  *kernel = (struct hd_cuda_record_kernel){
      .choice = {.file = file, .kernel = name, .threads = threads, .shared_bytes = shared_bytes}};
  *out = (struct hd_cuda_kernel){.function = (void *)kernel,
                                 .threads = threads,
                                 .shared_bytes = shared_bytes,
                                 .blocks_per_sm = 1};
}

u64 hd_cuda_record_at_once(const struct hd_cuda_kernel *kernel) {
  enum { MANY = 1 << 20 };
  struct hd_cuda_record_kernel *recorded = (void *)kernel->function;
  recorded->fills = true;
  return MANY;
}

void hd_cuda_record_launch(struct hd_cuda_record *record, const struct hd_cuda_kernel *kernel,
                           u64 blocks) {
  const struct hd_cuda_record_kernel *recorded = (const void *)kernel->function;
  /* What finds a range or an exponent is a pass before the work. */
  if (!strcmp(recorded->choice.kernel, "heddle_histogram_range")) return;
  if (!blocks || record->launches == HD_RECORD_LAUNCHES) return;
  struct hd_cuda_choice *launch = &record->launch[record->launches++];
  *launch = recorded->choice;
  launch->blocks = recorded->fills ? 0 : blocks;
}

heddle_status hd_cuda_record_explain(heddle_context *ctx, const struct hd_cuda_record *record,
                                     const char *strategy, heddle_plan *out) {
  struct hd_cuda_choice first = record->launch[0];
  if (!record->launches) {
    snprintf(out->strategy, sizeof out->strategy, "none");
    return HEDDLE_OK;
  }
  first.strategy = strategy;
  return hd_cuda_explain(ctx, &first, record->launches > 1 ? &record->launch[1] : NULL, out);
}
