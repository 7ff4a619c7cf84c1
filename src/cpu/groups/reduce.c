/* reduce.c - each group's rows folded, on a CPU
 *
 * Result   what heddle_reduce_rows gives of the gathered rows, to the bit
 * Method   Ids that were in order: the rows are those of a plain call. Else threads take groups by a ticket,
 *          gather a few hundred KiB of their rows, of many small groups at once or of a part of a large one, into
 *          memory that stays in a cache, and fold them there. A group as large as a share of all threads' is gathered
 *          and folded by all of them together. Few and long groups: all rows are moved first (windows.c).
 * Memory   a thread: half a MiB; the rows of the largest such group, or all */
#include "reduce.h"

#include <string.h>

#include "host/status.h"

enum {
  LONG_BYTES = 4 << 20, /* of a group that all threads fold together */
  TICKET_ELEMENTS = 1 << 16
};

/* ---- one column ---------------------------------------------------------------------------------- */

const char *hd_cpu_groups_elements(const struct hd_cpu_groups_reduce *call, size_t begin, size_t n,
                                   unsigned char *to) {
  const struct hd_cpu_groups *groups = call->groups;
  const size_t bytes = call->element_bytes;
  if (!groups->order) return call->in + begin * bytes;
  const char *order = (const char *)groups->order + begin * groups->index_bytes;
  hd_cpu_gather_rows(bytes, call->in, order, groups->index_bytes, 0, n, to);
  return (const char *)to;
}

static heddle_status result(const struct hd_cpu_groups_reduce *call, const void *total, u64 count,
                            void *to) {
  return hd_cpu_fold_result(call->fold, call->kernel, total, count, true,
                            (struct hd_fold_out){to, NULL, NULL});
}

heddle_status hd_cpu_groups_empty(const struct hd_cpu_groups_reduce *call, size_t group) {
  char *to = hd_cpu_groups_out(call, group);
  struct hd_exact_guess guess = {0, 0};
  _Alignas(64) unsigned char total[HD_TOTAL_BYTES_MOST];
  for (size_t c = 0; c < call->width; c++, to += call->out_bytes) {
    if (call->fold->exact) {
      hd_cpu_exact_short(&call->exact, &guess, to, NULL, 0, to);
      continue;
    }
    call->kernel->merge.identity(total, NULL);
    HD_TRY(result(call, total, 0, to));
  }
  return HEDDLE_OK;
}

/* n gathered elements, all of a group, which fit a piece. */
static heddle_status fold_elements(const struct hd_cpu_groups_reduce *call,
                                   struct hd_exact_guess *guess, const char *x, size_t n,
                                   char *to) {
  const struct hd_cpu_fold_kernel *kernel = call->kernel;
  _Alignas(64) unsigned char total[HD_MAX_CUSTOM_BYTES];
  unsigned char slots[HD_COUNTER_SLOTS * HD_TOTAL_BYTES_MOST];
  struct hd_counter counter;
  if (call->fold->exact && n <= HD_EXACT_BLOCK) {
    hd_cpu_exact_short(&call->exact, guess, x, NULL, n, to);
    return HEDDLE_OK;
  }
  if (call->fold->exact) {
    struct hd_exact sum;
    hd_exact_clear(&sum, call->exact.span);
    hd_cpu_exact_take(&call->exact, guess, &sum, x, NULL, n);
    hd_cpu_exact_result(&call->exact, &sum, to);
    return HEDDLE_OK;
  }
  const size_t chunks = n / kernel->chunk, done = chunks * kernel->chunk;
  if (hd_cpu_fold_is_few(kernel, chunks)) {
    HD_TRY(hd_cpu_fold_few(kernel, x, NULL, chunks, total, NULL));
  } else {
    hd_counter_start(&counter, &kernel->merge, NULL, slots);
    HD_TRY(hd_cpu_fold_chunks(kernel, &counter, x, NULL, chunks));
    HD_TRY(hd_counter_prefix(&counter, total));
  }
  if (n > done)
    HD_TRY(kernel->tail(x + done * kernel->element_bytes, NULL, done, n - done, total, NULL));
  return result(call, total, n, to);
}

/* A group that no piece holds. */
static heddle_status fold_pieces(const struct hd_cpu_groups_reduce *call,
                                 struct hd_exact_guess *guess, size_t begin, size_t n,
                                 unsigned char *room, char *to) {
  const struct hd_cpu_fold_kernel *kernel = call->kernel;
  const size_t chunk = kernel->chunk, count = n, bytes = call->element_bytes;
  const size_t piece = HD_GROUPS_PIECE / bytes / chunk * chunk;
  _Alignas(64) unsigned char total[HD_TOTAL_BYTES_MOST];
  unsigned char slots[HD_COUNTER_SLOTS * HD_TOTAL_BYTES_MOST];
  struct hd_counter counter;
  struct hd_exact sum;
  hd_counter_start(&counter, &kernel->merge, NULL, slots);
  if (call->fold->exact) hd_exact_clear(&sum, call->exact.span);
  for (size_t m; n >= chunk || (n && call->fold->exact); begin += m, n -= m) {
    m = n < piece ? n : piece;
    if (!call->fold->exact) m = m / chunk * chunk;
    const char *x = hd_cpu_groups_elements(call, begin, m, room);
    if (call->fold->exact)
      hd_cpu_exact_take(&call->exact, guess, &sum, x, NULL, m);
    else
      HD_TRY(hd_cpu_fold_chunks(kernel, &counter, x, NULL, m / chunk));
  }
  if (call->fold->exact) {
    hd_cpu_exact_result(&call->exact, &sum, to);
    return HEDDLE_OK;
  }
  HD_TRY(hd_counter_prefix(&counter, total));
  if (n)
    HD_TRY(kernel->tail(hd_cpu_groups_elements(call, begin, n, room), NULL, count - n, n, total,
                        NULL));
  return result(call, total, count, to);
}

static bool is_long(const struct hd_cpu_groups_reduce *call, size_t rows) {
  return call->width == 1 && call->groups->ctx->threads > 1 &&
         rows >= LONG_BYTES / call->element_bytes;
}

/* Groups first .. end; those that all threads fold are left out. */
static heddle_status fold_narrow(const struct hd_cpu_groups_reduce *call, size_t first, size_t end,
                                 unsigned char *room) {
  const u64 *offsets = call->groups->offsets;
  const size_t most = HD_GROUPS_PIECE / call->element_bytes;
  struct hd_exact_guess guess = {0, 0};
  while (first < end) {
    const size_t begin = (size_t)offsets[first];
    size_t last = first;
    while (last < end && offsets[last + 1] - begin <= most) last++;
    if (last == first) {
      const size_t n = (size_t)offsets[first + 1] - begin;
      if (!is_long(call, n))
        HD_TRY(fold_pieces(call, &guess, begin, n, room, hd_cpu_groups_out(call, first)));
      first++;
    } else {
      const char *x = hd_cpu_groups_elements(call, begin, (size_t)offsets[last] - begin, room);
      for (; first < last; first++) {
        const size_t at = (size_t)offsets[first] - begin;
        const size_t n = (size_t)(offsets[first + 1] - offsets[first]);
        HD_TRY(fold_elements(call, &guess, x + at * call->element_bytes, n,
                             hd_cpu_groups_out(call, first)));
      }
    }
    if (hd_poll(call->token)) return HEDDLE_OK;
  }
  return HEDDLE_OK;
}

/* ---- the threads ---------------------------------------------------------------------------------- */

static void reduce_task(void *arg, size_t worker) {
  struct hd_cpu_groups_reduce *call = arg;
  unsigned char *room = call->room + worker * call->room_bytes;
  const size_t groups = call->groups->groups;
  for (;;) {
    const size_t first =
        atomic_fetch_add_explicit(&call->next, call->together, memory_order_relaxed);
    if (first >= groups || atomic_load(&call->failed) || hd_poll(call->token)) return;
    const size_t end = groups - first < call->together ? groups : first + call->together;
    const heddle_status status = call->width == 1 ? fold_narrow(call, first, end, room)
                                 : call->fold->exact
                                     ? hd_cpu_groups_wide_exact(call, first, end, room)
                                     : hd_cpu_groups_wide(call, first, end, room);
    if (status) atomic_store(&call->failed, (int)status);
  }
}

/* The groups that are left. */
static heddle_status fold_long(const struct hd_cpu_groups_reduce *call) {
  const struct hd_cpu_groups *groups = call->groups;
  heddle_context *ctx = groups->ctx;
  heddle_status status = HEDDLE_OK;
  for (size_t g = 0; g < groups->groups && !status; g++) {
    const size_t begin = (size_t)groups->offsets[g], n = (size_t)groups->offsets[g + 1] - begin;
    if (!is_long(call, n)) continue;
    const u64 offsets[] = {0, n};
    const heddle_rows row = {.size = sizeof row, .segments = 1, .offsets = offsets};
    const struct hd_fold_out out = {hd_cpu_groups_out(call, g), NULL, NULL};
    char *rows = hd_allocate(ctx, n * call->element_bytes);
    if (!rows) return HEDDLE_OUT_OF_MEMORY;
    hd_large_pages(rows, n * call->element_bytes);
    const struct hd_cpu_groups part = {.ctx = ctx,
                                       .count = n,
                                       .order = (char *)groups->order + begin * groups->index_bytes,
                                       .index_bytes = groups->index_bytes};
    status = hd_cpu_groups_gather((void *)&part, call->element_bytes, call->in, rows);
    if (!status && call->fold->exact)
      status = hd_cpu_exact_rows(ctx, call->fold, rows, NULL, &row, out);
    else if (!status)
      status = hd_cpu_fold_rows(ctx, call->fold, rows, NULL, &row, out);
    hd_release(ctx, rows, n * call->element_bytes);
  }
  return status;
}

static heddle_status fold_by_threads(struct hd_cpu_groups_reduce *call) {
  const struct hd_cpu_groups *groups = call->groups;
  heddle_context *ctx = groups->ctx;
  const size_t elements = groups->count * call->width + groups->groups;
  const size_t mean = elements / groups->groups + 1;
  call->together = TICKET_ELEMENTS / mean + 1;
  struct hd_cancellation token;
  size_t workers = hd_cpu_groups_workers(ctx, elements);
  call->token = &token;
  const size_t tickets = groups->groups / call->together + 1;
  if (workers > tickets) workers = tickets;
  call->room_bytes = call->width == 1 ? HD_GROUPS_PIECE : hd_cpu_groups_wide_bytes(call);
  call->room = hd_allocate(ctx, workers * call->room_bytes);
  if (!call->room) return HEDDLE_OUT_OF_MEMORY;
  atomic_init(&call->next, 0);
  atomic_init(&call->failed, 0);
  hd_cancellation_start(call->token, ctx);
  pthread_mutex_lock(&ctx->lock);
  hd_cpu_groups_run(ctx, workers, reduce_task, call);
  pthread_mutex_unlock(&ctx->lock);
  hd_release(ctx, call->room, workers * call->room_bytes);
  HD_TRY(hd_cancellation_status(call->token, call->fold->entry));
  HD_TRY((heddle_status)atomic_load(&call->failed));
  return fold_long(call);
}

/* Of rows of one element that lie group after group. */
static heddle_status fold_rows(const struct hd_cpu_groups *groups, const struct hd_fold *fold,
                               const void *rows_in, void *out) {
  const heddle_rows rows = {
      .size = sizeof rows, .segments = groups->groups, .offsets = groups->offsets};
  const struct hd_fold_out to = {out, NULL, NULL};
  return fold->exact ? hd_cpu_exact_rows(groups->ctx, fold, rows_in, NULL, &rows, to)
                     : hd_cpu_fold_rows(groups->ctx, fold, rows_in, NULL, &rows, to);
}

/* Moved by windows first. */
static heddle_status fold_moved(const struct hd_cpu_groups *groups, const struct hd_fold *fold,
                                const void *in, void *out) {
  const size_t size = heddle_type_size(fold->type), bytes = groups->count * size;
  struct hd_cancellation token;
  void *moved = hd_allocate(groups->ctx, bytes);
  if (!moved) return HEDDLE_OUT_OF_MEMORY;
  hd_large_pages(moved, bytes);
  hd_cancellation_start(&token, groups->ctx);
  pthread_mutex_lock(&groups->ctx->lock);
  heddle_status status = hd_cpu_groups_windows(groups, size, in, moved, &token);
  pthread_mutex_unlock(&groups->ctx->lock);
  if (!status) status = hd_cancellation_status(&token, fold->entry);
  if (!status) status = fold_rows(groups, fold, moved, out);
  hd_release(groups->ctx, moved, bytes);
  return status;
}

heddle_status hd_cpu_groups_reduce(void *handle, const struct hd_fold *fold, const void *in,
                                   size_t width, void *out) {
  const struct hd_cpu_groups *groups = handle;
  heddle_context *ctx = groups->ctx;
  struct hd_cpu_fold_kernel storage;
  struct hd_cpu_groups_reduce call = {.groups = groups,
                                      .fold = fold,
                                      .in = in,
                                      .width = width,
                                      .element_bytes = heddle_type_size(fold->type),
                                      .out_bytes = heddle_type_size(fold->out_type),
                                      .out = out};
  if (!groups->order && width == 1) return fold_rows(groups, fold, in, out);
  if (width == 1 && hd_cpu_groups_have_windows(groups, call.element_bytes))
    return fold_moved(groups, fold, in, out);
  call.kernel = hd_cpu_fold_kernel(ctx->kernels, fold, &storage);
  if (fold->exact) call.exact = hd_cpu_exact_call(ctx->kernels, fold);
  return fold_by_threads(&call);
}

void hd_cpu_groups_choose(heddle_context *ctx, const struct hd_asked *asked, size_t count,
                          struct hd_cpu_choice *choice) {
  const struct hd_fold *fold = &asked->scan.fold;
  const struct hd_cpu_groups groups = {.ctx = ctx,
                                       .count = count,
                                       .groups = asked->wanted,
                                       .order = choice, /* there is one */
                                       .index_bytes = count > UINT32_MAX ? 8 : 4};
  const size_t elements = count * asked->width + asked->wanted;
  const size_t tickets = asked->wanted / (TICKET_ELEMENTS / (elements / asked->wanted + 1) + 1) + 1;
  const bool moved =
      asked->width == 1 && hd_cpu_groups_have_windows(&groups, heddle_type_size(fold->type));
  const size_t workers = hd_cpu_groups_workers(ctx, moved ? count : elements);
  struct hd_cpu_fold_kernel storage;
  const bool scattered =
      asked->call == HEDDLE_CALL_SCATTER_REDUCE && hd_cpu_groups_are_moved(asked->width, count);
  *choice = (struct hd_cpu_choice){.strategy = moved ? "windows" : "gathered",
                                   .file = moved               ? "cpu/groups/windows.c"
                                           : asked->width == 1 ? "cpu/groups/reduce.c"
                                                               : "cpu/groups/wide.c",
                                   .threads = !moved && workers > tickets ? tickets : workers};
  if (scattered) {
    const bool chunked = hd_cpu_groups_are_chunked(ctx, fold, asked->width, count, asked->wanted);
    choice->strategy = chunked ? "chunked" : "moved";
    choice->file = chunked ? "cpu/groups/chunked.c" : "cpu/groups/move.c";
    choice->threads = hd_cpu_groups_workers(ctx, count);
  }
  choice->kernel = fold->exact ? hd_cpu_exact_call(ctx->kernels, fold).kernel->name
                               : hd_cpu_fold_kernel(ctx->kernels, fold, &storage)->name;
}
