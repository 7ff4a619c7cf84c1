/* call.c - what a sort needs: the map from elements to keys, the layout of items, memory */
#include <string.h>

#include "cpu/isa/kernels.h"
#include "host/machine.h"
#include "host/status.h"
#include "partition.h"
#include "sort.h"

/* ---- keys ---------------------------------------------------------------------------------- */

static u64 sign_bit(u32 bits) { return (u64)1 << (bits - 1); }
static u64 low_bits(u32 n) { return n < 64 ? ((u64)1 << n) - 1 : ~(u64)0; }

void hd_cpu_sort_call_make(struct hd_cpu_sort_call *call, heddle_context *ctx,
                           const struct hd_sort *sort, u64 count, bool special) {
  const struct hd_cpu_kernels *kernels = ctx->kernels;
  *call = (struct hd_cpu_sort_call){.ctx = ctx, .sort = sort, .kernels = kernels->sort};
  struct hd_cpu_sort_io *io = &call->io;
  io->map = sort->map;
  io->value_bytes = sort->value_bytes;
  io->positions = sort->what == HD_SORT_POSITIONS;
  io->canonical = special || (io->map.is_float && io->positions);
  const bool wide = io->map.bits > 32;
  const u32 values = sort->value_bytes > 8 ? 2 : 1;
  if (sort->what == HD_SORT_KEYS) {
    io->layout = HD_SORT_KEY;
    io->words = wide;
  } else if (!wide && !special &&
             (io->positions ? count <= (u64)1 << 32 : sort->value_bytes <= 4)) {
    io->layout = HD_SORT_NARROW;
    io->words = 1;
  } else {
    io->layout = wide && special ? HD_SORT_BITS : HD_SORT_WIDE;
    io->words = values + (wide && special ? 2 : 1);
  }
  call->engine = call->kernels->engine[io->words];
  call->keys = call->kernels->engine[wide];
  call->keys_mask = low_bits(sort->bit_end) & ~low_bits(sort->bit_begin);
  call->mask = io->layout == HD_SORT_KEY || wide ? call->keys_mask : call->keys_mask << 32;
  /* Positions rise already: items are sorted as whole words. */
  call->whole = call->keys_mask == low_bits(io->map.bits);
  if (io->layout == HD_SORT_NARROW && io->positions && call->kernels->quick && call->whole)
    call->mask = ~(u64)0;
  /* NaN of one sign are as many as fractions, but for that of infinity. */
  call->exponent = 64;
  if (io->map.is_float)
    call->exponent = hd_top_bit(sign_bit(io->map.bits) - io->map.infinity) +
                     (call->mask != call->keys_mask ? 32 : 0);
  call->weak = io->layout == HD_SORT_KEY && call->whole;
  call->near_items = hd_machine_near_cache() / 2 / call->engine->bytes;
  /* One or two passes with few places to write to: the next cache does, and no partition pays. */
  if (io->map.bits <= 16 && io->layout != HD_SORT_KEY) call->near_items *= 4;
}

static bool has_special(const struct hd_cpu_sort_call *call, size_t count) {
  for (size_t i = 0, m; i < count; i += m) {
    m = count - i < HD_SORT_BLOCK ? count - i : HD_SORT_BLOCK;
    if (call->kernels->special(&call->io, i, m)) return true;
  }
  return false;
}

static void point(struct hd_cpu_sort_io *io, const struct hd_sort_arrays *arrays) {
  const i64 size = (i64)io->map.bits / 8;
  io->keys = arrays->keys;
  io->values = arrays->values;
  io->keys_out = arrays->keys_out;
  io->values_out = arrays->values_out;
  io->keys_step = io->keys_out_step = size;
  io->values_step = io->values_out_step = io->value_bytes;
}

void hd_cpu_sort_call_start(struct hd_cpu_sort_call *call, heddle_context *ctx,
                            const struct hd_sort *sort, const struct hd_sort_arrays *arrays,
                            size_t count) {
  hd_cpu_sort_call_make(call, ctx, sort, count, false);
  point(&call->io, arrays);
  if (sort->what != HD_SORT_PAIRS || !call->io.map.is_float || !has_special(call, count)) return;
  hd_cpu_sort_call_make(call, ctx, sort, count, true);
  point(&call->io, arrays);
}

/* ---- memory -------------------------------------------------------------------------------- */

void *hd_cpu_sort_take(struct hd_cpu_sort_call *call, size_t bytes) {
  const struct hd_sort *sort = call->sort;
  bytes = (bytes + 63) & ~(size_t)63;
  if (!sort->scratch) {
    void *memory = hd_allocate(call->ctx, bytes);
    if (!memory) return NULL;
    hd_large_pages(memory, bytes);
    call->piece[call->pieces].memory = memory;
    call->piece[call->pieces++].bytes = bytes;
    return memory;
  }
  const size_t start = (size_t)(0 - (uintptr_t)sort->scratch) % 64 + call->scratch_used;
  if (start <= sort->scratch_bytes && bytes <= sort->scratch_bytes - start) {
    call->scratch_used += bytes;
    return (char *)sort->scratch + start;
  }
  (void)hd_fail(HEDDLE_OUT_OF_MEMORY,
                "%s: `options->scratch` has %zu bytes, but %zu are needed by now; ask "
                "heddle_sort_scratch for the most that the call takes",
                sort->entry, sort->scratch_bytes, start + bytes);
  return NULL;
}

struct touch {
  struct hd_cpu_sort_call *call;
  char *memory;
  size_t bytes, workers;
};

static void touch_task(void *arg, size_t worker) {
  enum { PAGE = 4096, POLL_BYTES = 4 << 20 };
  const struct touch *t = arg;
  const size_t share = (t->bytes / t->workers + POLL_BYTES) & ~(size_t)(POLL_BYTES - 1);
  const size_t first = worker * share, end = first + share < t->bytes ? first + share : t->bytes;
  for (size_t i = first; i < end; i += PAGE) {
    if (i % POLL_BYTES == 0 && hd_poll(&t->call->token)) return;
    *(volatile char *)(t->memory + i) = 0;
  }
}

heddle_status hd_cpu_sort_touch(struct hd_cpu_sort_call *call, void *memory, size_t bytes,
                                size_t workers) {
  enum { LEAST = 16 << 20 };
  struct touch t = {call, memory, bytes, workers};
  if (bytes < LEAST) return HEDDLE_OK;
  hd_cpu_sort_run(call->ctx, workers, touch_task, &t);
  return hd_cancellation_status(&call->token, call->sort->entry);
}

void hd_cpu_sort_call_end(struct hd_cpu_sort_call *call) {
  while (call->pieces) {
    call->pieces--;
    hd_release(call->ctx, call->piece[call->pieces].memory, call->piece[call->pieces].bytes);
  }
}

bool hd_cpu_sort_bytes(const struct hd_cpu_sort_call *call, size_t count, size_t *bytes) {
  enum { ALIGNING = 64 * (HD_SORT_PIECES + 1) };
  size_t items, more;
  if (hd_cpu_sort_is_counted(call, count)) {
    *bytes = hd_cpu_sort_counted_bytes(call) * hd_cpu_sort_workers(call->ctx, count) + ALIGNING;
    return true;
  }
  if (!hd_product(count, call->engine->bytes, &items)) return false;
  if (count <= call->near_items) {
    *bytes = 2 * items + ALIGNING;
    return true;
  }
  /* Keys are moved within the output, which has their size. */
  const bool in_output =
      call->io.layout == HD_SORT_KEY && call->engine->bytes == call->io.map.bits / 8;
  if (!in_output && !hd_product(items, 2, &items)) return false;
  more = hd_cpu_sort_partition_bytes(call, count) + ALIGNING;
  return !__builtin_add_overflow(items, more, bytes);
}

/* ---- threads ------------------------------------------------------------------------------- */

size_t hd_cpu_sort_workers(const heddle_context *ctx, size_t n) {
  enum { SHARE = 1 << 17 }; /* elements that are worth a thread */
  const size_t most = n / SHARE + 1;
  return most < ctx->threads ? most : ctx->threads;
}

void hd_cpu_sort_run(heddle_context *ctx, size_t workers, heddle_task *task, void *arg) {
  if (workers > 1)
    hd_parallel(ctx, workers, task, arg);
  else
    task(arg, 0);
}
