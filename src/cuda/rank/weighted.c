/* weighted.c - quantiles by weights: elements sorted with them, and exact sums searched: kernels/rank/weigh.cu
 *
 * Result   as cpu/rank/weighted.c, to the bit
 * Method   Weights are looked at where they are, sorted with their elements, and summed in levels, which shares are
 *          looked for in, RANK_PICKED a launch. Nothing waits for the host.
 *          Rows are sorted all together; a warp weighs one of up to RANK_ROW elements, longer ones go as arrays.
 * Memory   elements and weights sorted, and what their sort takes; a sum for each RANK_WEIGHED weights */
#include <string.h>

#include "cuda/core/inside.h"
#include "order/exact/format.h"
#include "rank.h"

enum {
  WEIGH_THREADS = 256, /* as weigh.cu has them */
  FIND_THREADS = 128,
  WARP = 32,
  RESULT_THREADS = 256
};

struct weighing {
  struct hd_cuda_rank rank; /* of pairs */
  heddle_type type;         /* of weights */
  u32 weight_bytes, limbs;
  struct rank_weigh_args args;
  struct rank_weighed_args elements;
  struct rank_weigh_rows_args rows;
  u64 nodes[RANK_LEVELS]; /* of each level */
};

/* In place: the job points at its rank. */
static void make_weighing(struct weighing *w, const struct hd_cuda_rank *rank) {
  const struct hd_quantiles *job = rank->wanted.quantiles;
  const struct hd_exact_span span =
      hd_exact_span_of(hd_exact_format_of_type(job->weights_type), false);
  struct hd_sort pairs = rank->sort;
  *w = (struct weighing){.type = job->weights_type,
                         .weight_bytes = (u32)heddle_type_size(job->weights_type),
                         .limbs = span.end - span.first,
                         .args = {.skip = job->nan == HEDDLE_NAN_SKIP}};
  pairs.what = HD_SORT_PAIRS;
  pairs.value_bytes = w->weight_bytes;
  hd_cuda_rank_make(&w->rank, rank->call, &pairs);
  w->rank.wanted = rank->wanted;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* A kernel of weigh.cu, of which a block has `each` of `work`. */
static heddle_status weigh(struct weighing *w, const char *name, u32 threads, u64 work, u64 each) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_kernel_file(&key, "rank/weigh.cu");
  hd_cuda_kernel_define(&key, "HEDDLE_TYPE", w->type);
  hd_cuda_kernel_define(&key, "HEDDLE_PRODUCTS", 0);
  hd_cuda_kernel_define(&key, "HEDDLE_NAN", 0);
  HD_TRY(hd_cuda_kernel(w->rank.call, &key, name, threads, 0, &kernel));
  const u64 blocks = hd_cuda_rank_blocks(&w->rank, &kernel, work, each);
  return hd_cuda_launch(w->rank.call, &kernel, blocks, &w->args, sizeof w->args);
}

/* One of weighed.cu, of one block if there is no work. */
static heddle_status look(struct weighing *w, const char *name, u64 work) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  hd_cuda_rank_key(&w->rank, "rank/weighed.cu", &key);
  hd_cuda_kernel_define(&key, "HEDDLE_THREADS", RESULT_THREADS);
  HD_TRY(hd_cuda_kernel(w->rank.call, &key, name, RESULT_THREADS, 0, &kernel));
  const u64 blocks = work ? hd_cuda_rank_blocks(&w->rank, &kernel, work, RESULT_THREADS) : 1;
  return hd_cuda_launch(w->rank.call, &kernel, blocks, &w->elements, sizeof w->elements);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static heddle_status check(struct weighing *w, cu_pointer weights) {
  struct hd_cuda_call *call = w->rank.call;
  HD_TRY(hd_cuda_scratch(call, sizeof(struct rank_weigh_state), &w->args.state));
  HD_TRY(hd_cuda_zero(call, w->args.state, sizeof(struct rank_weigh_state)));
  w->args.weights = weights;
  w->args.fault = hd_cuda_fault(call); /* arrays of the host are there by now */
  return weigh(w, "heddle_rank_weigh_check", WEIGH_THREADS, w->args.count, WEIGH_THREADS);
}

static heddle_status sort(struct weighing *w, cu_pointer in, cu_pointer weights) {
  struct hd_cuda_call *call = w->rank.call;
  const u64 count = w->args.count;
  const struct hd_cuda_sort_rows row = {.rows = 1, .length = count, .elements = count};
  struct hd_cuda_sort_arrays arrays = {.keys = in, .values = weights};
  HD_TRY(hd_cuda_scratch(call, count * w->rank.job.key_bytes, &arrays.keys_out));
  HD_TRY(hd_cuda_scratch(call, count * w->weight_bytes, &arrays.values_out));
  HD_TRY(hd_cuda_sort_dense(&w->rank.job, &arrays, &row));
  w->args.weights = arrays.values_out;
  w->elements.sorted = arrays.keys_out;
  w->elements.count = count;
  w->elements.state = w->args.state;
  w->elements.infinity = w->rank.sort.map.infinity;
  w->elements.fault = w->args.fault;
  return look(w, "heddle_rank_numbers", 0);
}

/* Sums of all levels up to that of a single one. */
static heddle_status add(struct weighing *w) {
  u64 nodes = w->args.count;
  u32 levels = 0;
  for (u64 each = RANK_WEIGHED; levels < 2 || nodes > 1; each = RANK_NODES) {
    assert(levels < RANK_LEVELS);
    nodes = nodes / each + (nodes % each != 0);
    w->nodes[levels] = nodes;
    HD_TRY(hd_cuda_scratch(w->rank.call, nodes * w->limbs * sizeof(i64), &w->args.sums[levels]));
    levels++;
  }
  w->args.levels = levels;
  HD_TRY(weigh(w, "heddle_rank_weigh_sums", WEIGH_THREADS, w->nodes[0], 1));
  for (w->args.level = 0; w->args.level + 1 < levels; w->args.level++)
    HD_TRY(weigh(w, "heddle_rank_weigh_add", WEIGH_THREADS, w->nodes[w->args.level + 1], 1));
  return HEDDLE_OK;
}

static heddle_status find(struct weighing *w, cu_pointer out) {
  const struct hd_cuda_rank_wanted *wanted = &w->rank.wanted;
  HD_TRY(hd_cuda_scratch(w->rank.call, RANK_PICKED * sizeof(u64), &w->args.at));
  w->elements.at = w->args.at;
  for (u64 done = 0; done < wanted->count; done += w->args.shares) {
    const u64 left = wanted->count - done;
    w->args.shares = left < RANK_PICKED ? (u32)left : RANK_PICKED;
    for (u32 j = 0; j < w->args.shares; j++) w->args.share[j] = wanted->shares[done + j];
    HD_TRY(weigh(w, "heddle_rank_weigh_find", FIND_THREADS, w->args.shares, FIND_THREADS / WARP));
    w->elements.shares = w->args.shares;
    w->elements.out = out + done * sizeof(f64);
    HD_TRY(look(w, "heddle_rank_weighed", w->args.shares));
  }
  return HEDDLE_OK;
}

/* ---- an array -------------------------------------------------------------------------------- */

static heddle_status weigh_array(struct weighing *w, cu_pointer in, cu_pointer weights, u64 count,
                                 cu_pointer out) {
  w->args.count = count;
  HD_TRY(check(w, weights));
  HD_TRY(sort(w, in, weights));
  HD_TRY(add(w));
  return find(w, out);
}

heddle_status hd_cuda_rank_weighted(struct hd_cuda_rank *rank, const void *in, const void *weights,
                                    u64 count, f64 *out) {
  struct weighing w;
  const struct hd_cuda_sort_job *job = &w.rank.job;
  cu_pointer to, from, weighing;
  make_weighing(&w, rank);
  HD_TRY(
      hd_cuda_result(rank->call, "out", out, rank->wanted.count * sizeof *out, sizeof *out, &to));
  HD_TRY(hd_cuda_sort_bring_array(job, "in", in, count, job->key_bytes, &from));
  HD_TRY(
      hd_cuda_sort_bring_array(job, "options->weights", weights, count, w.weight_bytes, &weighing));
  return weigh_array(&w, from, weighing, count, to);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* A kernel of either file for rows, of which a block has `each` of `work`. */
static heddle_status launch_rows(struct weighing *w, const char *file, const char *name,
                                 u32 threads, u64 work, u64 each) {
  struct hd_cuda_kernel_key key;
  struct hd_cuda_kernel kernel;
  if (!strcmp(file, "rank/weigh.cu")) {
    hd_cuda_kernel_file(&key, file);
    hd_cuda_kernel_define(&key, "HEDDLE_TYPE", w->type);
    hd_cuda_kernel_define(&key, "HEDDLE_PRODUCTS", 0);
    hd_cuda_kernel_define(&key, "HEDDLE_NAN", 0);
  } else {
    hd_cuda_rank_key(&w->rank, file, &key);
    hd_cuda_kernel_define(&key, "HEDDLE_THREADS", RESULT_THREADS);
  }
  HD_TRY(hd_cuda_kernel(w->rank.call, &key, name, threads, 0, &kernel));
  const u64 blocks = hd_cuda_rank_blocks(&w->rank, &kernel, work, each);
  return hd_cuda_launch(w->rank.call, &kernel, blocks, &w->rows, sizeof w->rows);
}

/* All rows sorted with their weights, and how many numbers each has. */
static heddle_status sort_rows(struct weighing *w, const struct hd_cuda_sort_rows *rows,
                               cu_pointer in, cu_pointer weights) {
  struct hd_cuda_call *call = w->rank.call;
  const u64 keys = w->rank.job.key_bytes, values = w->weight_bytes, n = rows->elements;
  const u64 first = rows->offsets ? rows->offsets[0] : 0; /* segments name elements of the array */
  cu_pointer sorted, weighing;
  w->args.count = n;
  HD_TRY(check(w, weights + first * values));
  HD_TRY(hd_cuda_scratch(call, n * keys, &sorted));
  HD_TRY(hd_cuda_scratch(call, n * values, &weighing));
  const struct hd_cuda_sort_arrays arrays = {.keys = in,
                                             .values = weights,
                                             .keys_out = sorted - first * keys,
                                             .values_out = weighing - first * values};
  if (n) HD_TRY(hd_cuda_sort_dense(&w->rank.job, &arrays, rows));
  w->rows = (struct rank_weigh_rows_args){.weights = weighing,
                                          .sorted = sorted,
                                          .offsets = rows->offsets ? rows->device : 0,
                                          .first = first,
                                          .rows = rows->rows,
                                          .length = rows->length,
                                          .state = w->args.state,
                                          .fault = w->args.fault,
                                          .infinity = w->rank.sort.map.infinity,
                                          .each = w->rank.wanted.count,
                                          .skip = w->args.skip};
  HD_TRY(hd_cuda_scratch(call, rows->rows * sizeof(u64), &w->rows.numbers));
  return launch_rows(w, "rank/weighed.cu", "heddle_rank_numbers_rows", RESULT_THREADS, rows->rows,
                     RESULT_THREADS);
}

static heddle_status find_rows(struct weighing *w, cu_pointer out) {
  const struct hd_cuda_rank_wanted *wanted = &w->rank.wanted;
  const u64 most = wanted->count < RANK_PICKED ? wanted->count : RANK_PICKED;
  HD_TRY(hd_cuda_scratch(w->rank.call, w->rows.rows * most * sizeof(u64), &w->rows.at));
  w->rows.out = out;
  for (; w->rows.done < wanted->count; w->rows.done += w->rows.shares) {
    const u64 left = wanted->count - w->rows.done;
    w->rows.shares = left < RANK_PICKED ? (u32)left : RANK_PICKED;
    for (u32 j = 0; j < w->rows.shares; j++) w->rows.share[j] = wanted->shares[w->rows.done + j];
    HD_TRY(launch_rows(w, "rank/weigh.cu", "heddle_rank_weigh_rows", FIND_THREADS, w->rows.rows,
                       FIND_THREADS / WARP));
    HD_TRY(launch_rows(w, "rank/weighed.cu", "heddle_rank_weighed_rows", RESULT_THREADS,
                       w->rows.rows * w->rows.shares, RESULT_THREADS));
  }
  return HEDDLE_OK;
}

/* Those that no warp has weighed. */
static heddle_status weigh_long_rows(struct weighing *w, const struct hd_cuda_sort_rows *rows,
                                     cu_pointer in, cu_pointer weights, cu_pointer out) {
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(w->rank.call);
  w->args.row = true;
  for (u64 r = 0; rows->length > RANK_ROW && r < rows->rows; r++) {
    const u64 start = rows->offsets ? rows->offsets[r] : r * rows->length;
    const u64 n = rows->offsets ? rows->offsets[r + 1] - start : rows->length;
    if (n <= RANK_ROW) continue;
    HD_TRY(weigh_array(w, in + start * w->rank.job.key_bytes, weights + start * w->weight_bytes, n,
                       out + r * w->rank.wanted.count * sizeof(f64)));
    hd_cuda_scratch_reset(w->rank.call, mark); /* the next row is behind it on the stream */
  }
  return HEDDLE_OK;
}

heddle_status hd_cuda_rank_weighted_rows(struct hd_cuda_rank *rank,
                                         const struct hd_cuda_sort_rows *rows, cu_pointer in,
                                         cu_pointer weights, cu_pointer out) {
  struct weighing w;
  const struct hd_cuda_mark mark = hd_cuda_scratch_mark(rank->call);
  make_weighing(&w, rank);
  HD_TRY(sort_rows(&w, rows, in, weights));
  HD_TRY(find_rows(&w, out));
  hd_cuda_scratch_reset(rank->call, mark);
  return weigh_long_rows(&w, rows, in, weights, out);
}
