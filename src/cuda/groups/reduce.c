/* reduce.c - groups folded column by column: kernels/groups/fold.cu, pieces.cu and end.cu
 *
 * Method   Short groups have a thread for some neighbouring columns each. Long ones have blocks for their pieces, and then
 *          a thread a column for what those left. As many columns a thread as 16 bytes of totals have room
 *          for, where rows and results are aligned to that.
 * Memory   a total for each piece of a long group and column */
#include "cuda/fold/fold.h"
#include "groups.h"

enum {
  THREADS = 128,
  VECTOR_BYTES = 16,
  MOST_VECTOR = 4,
  LONG_BLOCKS = 1 << 14 /* for pieces and ends, at most: blocks take several */
};

struct launches {
  const struct hd_cuda_groups_fold *f;
  struct groups_fold_args args;
  u32 total_bytes;
  u32 vector;  /* columns of a thread */
  u32 columns; /* threads side by side */
};

static bool is_aligned(const struct hd_cuda_groups_fold *f, u32 vector) {
  const u64 in = (u64)vector * f->element_bytes, out = (u64)vector * f->out_bytes;
  const u64 out_unit = out < VECTOR_BYTES ? out : VECTOR_BYTES;
  return f->width % vector == 0 && in <= VECTOR_BYTES && f->in % in == 0 && f->out % out_unit == 0;
}

static void lay_out(struct launches *l) {
  const struct hd_cuda_groups_fold *f = l->f;
  l->vector = MOST_VECTOR;
  while (l->vector > 1 && (l->vector * l->total_bytes > VECTOR_BYTES || !is_aligned(f, l->vector)))
    l->vector /= 2;
  l->columns = 1;
  while (l->columns < THREADS && l->columns < f->width / l->vector) l->columns *= 2;
}

static heddle_status find_kernel(const struct launches *l, const char *file, const char *name,
                                 u32 vector, u32 columns, struct hd_cuda_kernel *kernel) {
  const struct hd_cuda_groups_fold *f = l->f;
  struct hd_cuda_kernel_key key;
  hd_cuda_kernel_file(&key, file);
  hd_cuda_fold_defines(&key, f->fold);
  hd_cuda_kernel_define(&key, "HEDDLE_VECTOR", vector);
  hd_cuda_kernel_define(&key, "HEDDLE_ORDER_BYTES", f->groups->order_bytes);
  hd_cuda_kernel_define(&key, "HEDDLE_OUT", f->fold->out_type);
  if (columns) hd_cuda_kernel_define(&key, "HEDDLE_COLUMNS", columns);
  return hd_cuda_kernel(f->call, &key, name, THREADS, 0, kernel);
}

static u64 divide_up(u64 a, u64 b) { return (a + b - 1) / b; }

static heddle_status fold_short(const struct launches *l) {
  const struct hd_cuda_groups_fold *f = l->f;
  struct hd_cuda_kernel kernel;
  HD_TRY(find_kernel(l, "groups/fold.cu", "heddle_groups_fold", l->vector, l->columns, &kernel));
  u64 blocks = divide_up(f->groups->groups, THREADS / l->columns * GROUPS_TOGETHER) *
               divide_up(f->width / l->vector, l->columns);
  if (blocks > INT32_MAX) blocks = INT32_MAX; /* blocks take several */
  return hd_cuda_launch(f->call, &kernel, blocks, &l->args, sizeof l->args);
}

static u64 blocks_for(u64 work) { return work < LONG_BLOCKS ? work : LONG_BLOCKS; }

/* Numbers that the device alone knows are taken for the greatest they can be. */
static heddle_status fold_long(struct launches *l) {
  const struct hd_cuda_groups_fold *f = l->f;
  const struct hd_cuda_groups *g = f->groups;
  const bool there = g->found_there;
  const u64 longs = there ? hd_cuda_groups_most_long(g->count) : hd_cuda_groups_long_count(g);
  const u64 pieces = there ? hd_cuda_groups_most_pieces(g->count) : hd_cuda_groups_pieces(g);
  const u32 columns = l->columns < 2 ? 2 : l->columns;
  struct hd_cuda_kernel kernel;
  if (!longs || g->count < GROUPS_LONG) return HEDDLE_OK;
  HD_TRY(hd_cuda_scratch(f->call, (size_t)(pieces * f->width) * l->total_bytes, &l->args.slots));
  HD_TRY(find_kernel(l, "groups/pieces.cu", "heddle_groups_pieces", l->vector, columns, &kernel));
  HD_TRY(hd_cuda_launch(f->call, &kernel,
                        blocks_for(pieces * divide_up(f->width / l->vector, columns)), &l->args,
                        sizeof l->args));
  HD_TRY(find_kernel(l, "groups/end.cu", "heddle_groups_end", 1, 0, &kernel));
  return hd_cuda_launch(f->call, &kernel, blocks_for(divide_up(longs * f->width, THREADS)),
                        &l->args, sizeof l->args);
}

heddle_status hd_cuda_groups_fold_rows(const struct hd_cuda_groups_fold *f) {
  const struct hd_cuda_groups *g = f->groups;
  struct launches l = {.f = f, .total_bytes = (u32)hd_cuda_fold_total_bytes(f->fold)};
  l.args = (struct groups_fold_args){.x = f->in,
                                     .order = g->order,
                                     .offsets = g->offsets,
                                     .out = f->out,
                                     .groups = g->groups,
                                     .width = f->width,
                                     .longs = g->longs,
                                     .owners = g->owners,
                                     .long_count = hd_cuda_groups_long_count(g),
                                     .pieces = hd_cuda_groups_pieces(g),
                                     .divisor = f->fold->divisor,
                                     .bits = g->bits,
                                     .found = g->found_there,
                                     .has_init = f->fold->init != NULL};
  hd_cuda_fold_ends(f->fold, f->fold->init != NULL, &l.args.ends);
  lay_out(&l);
  HD_TRY(fold_short(&l));
  return fold_long(&l);
}

static heddle_status reduce(struct hd_cuda_groups_fold *f, const void *in, void *out) {
  const struct hd_cuda_groups *g = f->groups;
  const u64 results = g->groups * f->width * f->out_bytes;
  struct hd_cuda_array to;
  HD_TRY(hd_cuda_array_out(f->call, "out", out, results, f->out_bytes, &to));
  HD_TRY(hd_cuda_array_in(f->call, "in", in, g->count * f->width * f->element_bytes,
                          f->element_bytes, &f->in));
  f->out = to.device;
  if (f->fold->exact || (f->width == 1 && !g->order))
    HD_TRY(hd_cuda_groups_columns(f));
  else
    HD_TRY(hd_cuda_groups_fold_rows(f));
  return hd_cuda_array_send(f->call, &to, results);
}

heddle_status hd_cuda_groups_reduce(void *handle, const struct hd_fold *fold, const void *in,
                                    size_t width, void *out) {
  const struct hd_cuda_groups *g = handle;
  struct hd_cuda_call call;
  struct hd_cuda_groups_fold f = {.call = &call,
                                  .groups = g,
                                  .fold = fold,
                                  .width = width,
                                  .element_bytes = (u32)heddle_type_size(fold->type),
                                  .out_bytes = (u32)heddle_type_size(fold->out_type)};
  HD_TRY(hd_cuda_enter(g->own.ctx, fold->entry, &call));
  return hd_cuda_leave(&call, reduce(&f, in, out));
}

/* For heddle_explain, which records: nothing of the handle is read but what it says. */
heddle_status hd_cuda_groups_reduce_asked(heddle_context *ctx, const struct hd_asked *asked,
                                          size_t count, const void *in, void *out) {
  const cu_pointer none = (cu_pointer)(uintptr_t)in;
  struct hd_cuda_groups groups = {.own = {.ctx = ctx},
                                  .count = count,
                                  .groups = asked->wanted,
                                  .order_bytes = count > UINT32_MAX ? 8 : 4,
                                  .bits = hd_cuda_groups_piece_bits(count),
                                  .order = none,
                                  .offsets = none,
                                  .longs = none,
                                  .owners = none};
  return hd_cuda_groups_reduce(&groups, &asked->scan.fold, in, asked->width, out);
}
