/* finish.c - arrays whose highest digits tell keys apart: kernels/sort/sample.cu, and finish.cu behind some steps
 *
 * Method   The device decides, by a sample, and does all steps if the sample was wrong; the host launches what either
 *          takes, of which the rest ends at once. On an H100 a step of 2^27 keys of 8 bytes takes 1.07 ms and
 *          finish.cu about as long as two or three. What begins in a span and is too long for a small block, for many
 *          alike, is left to large ones.
 * Memory   a word a span, beside what steps take */
#include "host/status.h"
#include "sort.h"

enum {
  SAMPLE_THREADS = 256,
  SMALL_THREADS = 32, /* of a block of finish.cu, which has no barriers then */
  LARGE_THREADS = 512,
  ITEMS = 16,
  SPAN = 416, /* elements: of 512 that a small block has room for */
  SAMPLES = 1 << 19,
  SLOTS_EACH = 2, /* so that chance alone does not make one heavy */
  SOFTWARE_LARGE = 64,
  SOFTWARE_ITEMS = 4,
  SOFTWARE_SPAN = 96,
  SOFTWARE_SAMPLES = 256,
  SOFTWARE_SAMPLE_THREADS = 64,
  SOFTWARE_BLOCKS = 3,
  SOFTWARE_LEAST = 3000
};
/* Fewer elements are sorted sooner by steps; of more, prefixes have too many. */
#define COUNT_LEAST ((u64)1 << 23)
#define COUNT_MOST ((u64)1 << 29)

static bool is_software(const struct hd_cuda_sort_job *job) {
  return hd_cuda_limits(job->call->cuda)->software;
}
static u32 span_of(const struct hd_cuda_sort_job *job) {
  return is_software(job) ? SOFTWARE_SPAN : SPAN;
}
static u32 sample_threads(const struct hd_cuda_sort_job *job) {
  return is_software(job) ? SOFTWARE_SAMPLE_THREADS : SAMPLE_THREADS;
}
static u64 spans_of(const struct hd_cuda_sort_job *job, u64 count) {
  return (count + span_of(job) - 1) / span_of(job);
}

bool hd_cuda_sort_may_finish(const struct hd_cuda_sort_job *job,
                             const struct hd_cuda_sort_rows *rows) {
  return job->sort->what == HD_SORT_KEYS && !hd_cuda_sort_is_part(job) && job->key_bytes == 8 &&
         rows->rows == 1 && !rows->offsets && rows->length < COUNT_MOST &&
         rows->length >= (is_software(job) ? SOFTWARE_LEAST : COUNT_LEAST);
}

u64 hd_cuda_sort_finish_bytes(const struct hd_cuda_sort_job *job, u64 count) {
  return (spans_of(job, count) * sizeof(u32) + 255) & ~(u64)255;
}

static heddle_status find_finish(const struct hd_cuda_sort_job *job, bool large,
                                 struct hd_cuda_kernel *kernel) {
  const u32 items = is_software(job) ? SOFTWARE_ITEMS : ITEMS;
  const u32 most = is_software(job) ? SOFTWARE_LARGE : LARGE_THREADS;
  const u32 threads = large ? most : SMALL_THREADS;
  const u32 bytes = threads * items * job->key_bytes; /* as room.h has them */
  struct hd_cuda_kernel_key key;
  hd_cuda_sort_key(job, "sort/finish.cu", 0, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", threads);
  hd_cuda_kernel_define(&key, "HEDDLE_ITEMS", items);
  hd_cuda_kernel_define(&key, "HEDDLE_SPAN", span_of(job));
  hd_cuda_kernel_define(&key, "HEDDLE_LARGE", large);
  hd_cuda_kernel_define(&key, "HEDDLE_PART", 0);
  return hd_cuda_kernel(job->call, &key, "heddle_sort_finish", threads,
                        bytes + bytes / SHORT_LINE * job->key_bytes, kernel);
}

heddle_status hd_cuda_sort_finish_find(const struct hd_cuda_sort_job *job, u64 count,
                                       struct hd_cuda_sort_finish *f) {
  struct hd_cuda_kernel_key key;
  hd_cuda_sort_key(job, "sort/sample.cu", 0, &key);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", sample_threads(job));
  HD_TRY(hd_cuda_kernel(job->call, &key, "heddle_sort_sample", sample_threads(job), 0, &f->sample));
  HD_TRY(find_finish(job, false, &f->small));
  HD_TRY(find_finish(job, true, &f->large));
  return hd_cuda_sort_take(job, hd_cuda_sort_finish_bytes(job, count), &f->list);
}

/* The tables lie where the first step writes, or the second. */
static struct sort_finish_args args_of(const struct hd_cuda_sort_job *job,
                                       const struct hd_cuda_sort_finish *f,
                                       const struct sort_args *args) {
  const u32 free = args->limits == SORT_ROOM_IN ? SORT_OUT : SORT_ROOM;
  const u32 samples = is_software(job) ? SOFTWARE_SAMPLES : SAMPLES;
  return (struct sort_finish_args){.all = *args,
                                   .table = args->keys[free],
                                   .list = f->list,
                                   .count = args->length,
                                   .samples = samples,
                                   .slots = SLOTS_EACH * samples};
}

heddle_status hd_cuda_sort_sample(const struct hd_cuda_sort_job *job,
                                  const struct hd_cuda_sort_finish *f,
                                  const struct sort_args *args) {
  const struct sort_finish_args a = args_of(job, f, args);
  const u64 tables = SORT_TOPS - SORT_TOPS_LEAST + 1;
  HD_TRY(hd_cuda_zero(job->call, a.table, tables * a.slots * sizeof(u32)));
  return hd_cuda_launch(job->call, &f->sample, a.samples / sample_threads(job), &a, sizeof a);
}

static u64 blocks_of(const struct hd_cuda_sort_job *job, const struct hd_cuda_kernel *kernel,
                     u64 spans) {
  const u64 most = is_software(job) ? SOFTWARE_BLOCKS : hd_cuda_blocks_at_once(job->call, kernel);
  return spans < most ? spans : most;
}

heddle_status hd_cuda_sort_finish(const struct hd_cuda_sort_job *job,
                                  const struct hd_cuda_sort_finish *f,
                                  const struct sort_args *args) {
  const struct sort_finish_args a = args_of(job, f, args);
  const u64 spans = spans_of(job, a.count);
  HD_TRY(hd_cuda_launch(job->call, &f->small, blocks_of(job, &f->small, spans), &a, sizeof a));
  return hd_cuda_launch(job->call, &f->large, blocks_of(job, &f->large, spans), &a, sizeof a);
}
