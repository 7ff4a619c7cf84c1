/* search.c - where values would be put into a sorted array, on a CPU
 *
 * Method   Threads take slices of the values. Above an array that is longer than a cache's share stand levels,
 *          each every 16th element of the one below, if the values are as many as pay for them. Many values
 *          of 8 and 16 bits look their places up in a table of all there are.
 * Memory   a fifteenth of the array where there are levels; 256 KiB or 512 KiB for a table */
#include <string.h>

#include "cpu/cpu.h"
#include "cpu/isa/kernels.h"
#include "host/status.h"
#include "kernels.h"

enum {
  SLICE = 1 << 15,          /* values between two polls, and of a thread's ticket */
  SHARE = 1 << 16,          /* values that are worth a thread */
  TABLE_VALUES_8 = 1 << 12, /* values of 8 bits from which on a table pays */
  TABLE_VALUES_16 = 1 << 18 /* of 16 bits */
};

/* By the name of a context's instruction set. */
static const struct {
  const char *isa;
  const struct hd_cpu_search_kernels *kernels;
} sets[] = {
#ifdef HEDDLE_X86_KERNELS
    {"avx512", &hd_cpu_search_avx512},
    {"avx2", &hd_cpu_search_avx2},
#endif
#ifdef HEDDLE_ARM_KERNELS
    {"neon", &hd_cpu_search_neon},
#endif
    {"scalar", &hd_cpu_search_scalar}};

static const struct hd_cpu_search_kernels *kernels_of(const heddle_context *ctx) {
  const struct hd_cpu_kernels *kernels = ctx->kernels;
  size_t i = 0;
  while (i + 1 < sizeof sets / sizeof *sets && strcmp(sets[i].isa, kernels->isa) != 0) i++;
  return sets[i].kernels;
}

struct search_call {
  struct hd_cpu_search_job job;
  const struct hd_cpu_search_kernel *kernel;
  u32 element_bytes;
  const void *table; /* places by an element's bits; NULL: none */
  size_t count;
  struct hd_cancellation token;
  atomic_size_t next;
};

/* Elements of misaligned arrays lie where C does not read: the kernels' loads are by address, not by type. */
static void look_up(const struct search_call *call, size_t first, size_t n) {
  const struct hd_cpu_search_job *job = &call->job;
  const unsigned char *values = job->values;
  char *to = (char *)job->index + first * job->index_bytes;
  for (size_t i = 0; i < n; i++) {
    u16 bits = values[first + i];
    if (call->element_bytes == 2) memcpy(&bits, values + 2 * (first + i), sizeof bits);
    memcpy(to + i * job->index_bytes, (const char *)call->table + (size_t)bits * job->index_bytes,
           job->index_bytes);
  }
}

static void search_task(void *arg, size_t worker) {
  struct search_call *call = arg;
  (void)worker;
  for (;;) {
    const size_t first = atomic_fetch_add_explicit(&call->next, SLICE, memory_order_relaxed);
    if (first >= call->count || hd_poll(&call->token)) return;
    const size_t n = call->count - first < SLICE ? call->count - first : SLICE;
    if (call->table)
      look_up(call, first, n);
    else
      call->kernel->search(&call->job, first, n);
  }
}

static void search_all(heddle_context *ctx, struct search_call *call) {
  const size_t worth = call->count / SHARE + 1;
  const size_t workers = worth < ctx->threads ? worth : ctx->threads;
  atomic_init(&call->next, 0);
  if (workers == 1) {
    search_task(call, 0);
    return;
  }
  pthread_mutex_lock(&ctx->lock);
  hd_parallel(ctx, workers, search_task, call);
  pthread_mutex_unlock(&ctx->lock);
}

/* ---- levels ------------------------------------------------------------------------------------ */

static size_t levels_bytes(const struct search_call *call) {
  size_t bytes = 0;
  for (size_t n = call->job.numbers; n > HD_SEARCH_TOP_MOST; n /= HD_SEARCH_FAN)
    bytes += (n / HD_SEARCH_FAN * call->element_bytes + 63) & ~(size_t)63;
  return bytes;
}

/* They cost as many loads as a level has elements, and save some of the steps of a value. */
static bool have_levels(const struct search_call *call) {
  const size_t n = call->job.numbers;
  return call->element_bytes >= 4 && n > HD_SEARCH_TOP_MOST && n < INT32_MAX - HD_SEARCH_FAN &&
         call->count / 4 > n / HD_SEARCH_FAN;
}

static void build_levels(struct search_call *call, char *memory) {
  struct hd_cpu_search_job *job = &call->job;
  const void *from = job->sorted;
  size_t n = job->numbers;
  u32 levels = 0;
  for (size_t m = n; m > HD_SEARCH_TOP_MOST; m /= HD_SEARCH_FAN) levels++;
  job->levels = levels;
  while (levels--) {
    call->kernel->thin(from, n, memory);
    n /= HD_SEARCH_FAN;
    job->level[levels] = from = memory;
    job->level_count[levels] = n;
    memory += (n * call->element_bytes + 63) & ~(size_t)63;
  }
}

/* ---- the call ---------------------------------------------------------------------------------- */

/* Places of all values that an element of few bits has. */
static void fill_table(const struct search_call *call, void *table, u32 entries) {
  struct hd_cpu_search_job job = call->job;
  u16 bits[HD_SEARCH_BLOCK];
  u8 bytes[HD_SEARCH_BLOCK];
  for (u32 first = 0; first < entries; first += HD_SEARCH_BLOCK) {
    for (u32 i = 0; i < HD_SEARCH_BLOCK; i++)
      bits[i] = (u16)(first + i), bytes[i] = (u8)(first + i);
    job.values = call->element_bytes == 1 ? (const void *)bytes : (const void *)bits;
    job.index = (char *)table + (size_t)first * job.index_bytes;
    call->kernel->search(&job, 0, HD_SEARCH_BLOCK);
  }
}

static bool have_table(const struct search_call *call) {
  return call->element_bytes < 4 &&
         call->count >= (call->element_bytes == 1 ? TABLE_VALUES_8 : TABLE_VALUES_16);
}

heddle_status hd_cpu_search(heddle_context *ctx, heddle_type type, const void *sorted,
                            size_t sorted_count, const void *values, size_t count, heddle_side side,
                            u32 index_bytes, void *index) {
  struct search_call call = {.kernel = &kernels_of(ctx)->of[type],
                             .element_bytes = (u32)heddle_type_size(type),
                             .count = count,
                             .job = {.sorted = sorted,
                                     .count = sorted_count,
                                     .values = values,
                                     .index = index,
                                     .index_bytes = index_bytes,
                                     .right = side == HEDDLE_RIGHT}};
  const u32 entries = (u32)1 << (call.element_bytes < 4 ? 8 * call.element_bytes : 0);
  void *memory = NULL;
  call.job.numbers = call.kernel->numbers(sorted, sorted_count);
  const size_t bytes = have_table(&call)    ? (size_t)entries * index_bytes
                       : have_levels(&call) ? levels_bytes(&call)
                                            : 0;
  if (bytes) {
    memory = hd_allocate(ctx, bytes);
    if (!memory) return HEDDLE_OUT_OF_MEMORY;
    if (have_table(&call)) {
      fill_table(&call, memory, entries);
      call.table = memory;
    } else {
      build_levels(&call, memory);
    }
  }
  hd_cancellation_start(&call.token, ctx);
  search_all(ctx, &call);
  hd_release(ctx, memory, bytes);
  return hd_cancellation_status(&call.token, "heddle_search_sorted");
}
