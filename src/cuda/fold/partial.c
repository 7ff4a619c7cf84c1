/* partial.c - totals of a run of elements, as other devices and hosts have them
 *
 * Method   The blocks of a run (order/runs.h) first grow, each ending where a larger one may begin,
 *          and then shrink. Each that grows is a fold of its own, for an aligned block's tree is that
 *          of an array; those that shrink are the slots of one fold, and so is the short chunk behind
 *          them. All leave their totals in pinned memory: the growing ones by level in one row of
 *          slots, the others in a second. They are put in order on the host once the call has left.
 * Limits   a growing block is a launch, a run at most one a level; arrays of the host come in slices */
#include <assert.h>
#include <string.h>

#include "cuda/core/inside.h"
#include "fold.h"

enum { ROW = HD_FOLD_SLOTS + HD_FOLD_TAIL_SLOTS }; /* slots of chunks, then of elements */

/* A run's blocks from `at` on, `left` elements in all. */
struct blocks {
  bool order_free;
  u32 chunk;
  u64 at, left;
};

/* Whether no block from here on is longer than the one before it. */
static bool shrinks(const struct blocks *b) {
  const u64 at = b->at / b->chunk, left = b->left / b->chunk;
  return b->order_free || !at || !left || hd_top_bit(left) <= hd_low_bit(at);
}

/* Elements of the next fold: a block, or all that shrink. */
static u64 next_fold(const struct blocks *b) {
  return shrinks(b) ? b->left : hd_run_block(b->chunk, b->at, b->left);
}

/* The slot of the next block, which has `elements`, in the two rows. */
static size_t slot_of(const struct blocks *b, u64 elements) {
  const size_t row = shrinks(b) ? ROW : 0;
  if (b->order_free) return row;
  if (elements < b->chunk) return row + HD_FOLD_SLOTS + hd_top_bit(elements);
  return row + hd_top_bit(elements / b->chunk);
}

static void advance(struct blocks *b, u64 elements) { b->at += elements, b->left -= elements; }

/* ---- the folds ------------------------------------------------------------------------------- */

struct partial {
  struct hd_cuda_call *call;
  const struct hd_fold *fold;
  struct hd_cuda_fold_run run; /* the fold under way, `rest` of whose elements are to come */
  cu_pointer memory, rows;
  struct blocks blocks; /* behind it */
  u64 all, rest;
  cu_pointer slots;
};

static void begin_fold(struct partial *p) {
  const u64 row = shrinks(&p->blocks) ? ROW : 0;
  p->all = p->rest = next_fold(&p->blocks);
  advance(&p->blocks, p->all);
  p->slots = p->rows + row * p->run.total_bytes;
  hd_cuda_fold_run_start(&p->run, p->fold);
  p->run.memory = p->memory;
}

/* `n` elements of the fold under way, at most what it still takes. */
static heddle_status feed(struct partial *p, cu_pointer x, cu_pointer y, size_t n) {
  const struct hd_cuda_fold_results results = {.slots = p->slots};
  const bool whole = n == p->all && hd_cuda_fold_at_once(&p->run, n);
  p->rest -= n;
  if (whole) return hd_cuda_fold_result_of(p->call, &p->run, x, y, n, results);
  HD_TRY(hd_cuda_fold_append(p->call, &p->run, x, y, n));
  return p->rest ? HEDDLE_OK : hd_cuda_fold_result_of(p->call, &p->run, 0, 0, 0, results);
}

static heddle_status take_slice(void *arg, u64 first, size_t n, const cu_pointer *device) {
  struct partial *p = arg;
  cu_pointer x = device[0], y = p->fold->verb == HD_DOT ? device[1] : 0;
  (void)first;
  while (n) {
    const struct hd_cuda_mark mark = hd_cuda_scratch_mark(p->call);
    if (!p->rest) begin_fold(p);
    const size_t part = p->rest < n ? (size_t)p->rest : n;
    HD_TRY(feed(p, x, y, part));
    hd_cuda_scratch_reset(p->call, mark); /* folds follow each other on the stream */
    x += part * p->run.element_bytes;
    if (y) y += part * p->run.element_bytes;
    n -= part;
  }
  return HEDDLE_OK;
}

static heddle_status fold_blocks(struct hd_cuda_call *call, const struct hd_fold *fold,
                                 const void *x, const void *y, const struct blocks *blocks,
                                 void *rows) {
  struct partial p = {.call = call, .fold = fold, .blocks = *blocks};
  struct hd_cuda_operand operands[2];
  hd_cuda_fold_run_start(&p.run, fold);
  HD_TRY(hd_cuda_fold_operands(call, &p.run.fold, x, y, (size_t)blocks->left, operands));
  HD_TRY(hd_cuda_output(call, "totals", rows, 2 * ROW * p.run.total_bytes, 1, &p.rows));
  HD_TRY(hd_cuda_scratch(call, hd_cuda_fold_run_bytes(&p.run), &p.memory));
  return hd_cuda_slices(call, operands, fold->verb == HD_DOT ? 2 : 1, (size_t)blocks->left,
                        hd_cuda_fold_granule(&p.run), take_slice, &p);
}

/* ---- the totals ------------------------------------------------------------------------------ */

/* Places count from the array's start. */
static void move_place(u64 first, void *total) {
  struct hd_arg_total arg;
  memcpy(&arg, total, sizeof arg);
  if (arg.index != HD_U64_MAX) arg.index += first;
  memcpy(total, &arg, sizeof arg);
}

static void put_in_order(const struct hd_fold *fold, struct blocks blocks,
                         const unsigned char *rows, unsigned char *totals) {
  const size_t bytes = hd_cuda_fold_total_bytes(fold);
  const u32 kind = hd_cuda_fold_form(fold).kind;
  u64 elements;
  for (; blocks.left; advance(&blocks, elements), totals += bytes) {
    elements = blocks.order_free ? blocks.left : hd_run_block(blocks.chunk, blocks.at, blocks.left);
    memcpy(totals, rows + slot_of(&blocks, elements) * bytes, bytes);
    if (kind == HD_TOTAL_ARG) move_place(blocks.at, totals);
    hd_totals_canonical(kind, totals, 1);
  }
}

heddle_status hd_cuda_partial(heddle_context *ctx, const struct hd_fold *fold, const void *x,
                              const void *y, struct hd_run run, void *totals) {
  _Alignas(16) unsigned char rows[2 * ROW * HD_FOLD_TOTAL_BYTES];
  const bool order_free = hd_cuda_fold_is_order_free(fold);
  const struct blocks blocks = {order_free, order_free ? 1 : hd_cuda_fold_chunk(fold), run.first,
                                run.count};
  struct hd_cuda_call call;
  assert(run.first % blocks.chunk == 0);
  if (!run.count) return HEDDLE_OK;
  HD_TRY(hd_cuda_enter(ctx, fold->entry, &call));
  const bool preparing = call.preparing;
  HD_TRY(hd_cuda_leave(&call, fold_blocks(&call, fold, x, y, &blocks, rows)));
  if (!preparing) put_in_order(fold, blocks, rows, totals);
  return HEDDLE_OK;
}
