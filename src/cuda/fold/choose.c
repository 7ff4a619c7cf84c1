/* choose.c - which kernel folds a piece of an array: the table, and the sizes of a launch
 *
 * Method   The first line of the table that takes the piece lays the launch out. The bits of the
 *          result do not depend on the choice. */
#include "choose.h"

#include <assert.h>

#include "cuda/core/tune.h"

enum {
  ORDER_FREE_THREADS = 256,
  VECTOR = 16,
  REST = 64, /* totals that are left beside the groups' */
  MOST_PER_BLOCK = 8,
  BLOCK_LEVEL = 3, /* a group of 2^3 chunks keeps the warps of a block busy */
  GROUPS_EACH = 8, /* larger ones, a multiprocessor: they end at about the same time */
  FEW_CHUNKS = 16384,
  FEW_EACH = 3, /* of so many chunks with totals in f64: their groups begin and end more slowly */
  MOST_TAGGED = 4096 /* groups, or blocks of order_free, whose totals are tagged */
};

typedef const struct hd_cuda_limits limits_t;
typedef const struct hd_cuda_fold_run run_t;
typedef const struct hd_cuda_fold_piece piece_t;

static const struct hd_cuda_tune_fold *tune(limits_t *limits) {
  return &hd_cuda_tune(limits)->fold;
}

/* ---- what the kernels have room for ---------------------------------------------------------- */

bool hd_cuda_fold_is_tagged(run_t *run) {
  const enum hd_verb verb = run->fold.verb;
  return run->fold.op != HEDDLE_OP_CUSTOM && verb != HD_DESCRIBE && verb != HD_FIGURE;
}
/* What fits shared memory, and what one block folds quickly. */
u32 hd_cuda_fold_most_levels(run_t *run) {
  u32 levels = 10;
  for (u32 bytes = 8; bytes < run->total_bytes; bytes *= 2) levels--;
  return levels;
}
u32 hd_cuda_fold_most_groups(run_t *run) {
  if (hd_cuda_fold_is_tagged(run)) return MOST_TAGGED;
  return run->total_bytes <= 128 ? 1024 : 512;
}
u64 hd_cuda_fold_most_chunks(run_t *run) {
  return (u64)(hd_cuda_fold_most_groups(run) - 2) << hd_cuda_fold_most_levels(run);
}

/* ---- which line takes a piece ---------------------------------------------------------------- */

/* Integers, extremes, any and all, argreduce: any order gives the same bits. */
static bool is_order_free(limits_t *limits, run_t *run, piece_t *piece) {
  (void)limits, (void)piece;
  return run->order_free;
}

/* Groups of one block: more than one only where every chunk is a group. */
static u32 per_block(limits_t *limits, run_t *run, u32 groups, u32 level) {
  const u32 sms = (u32)limits->sms, per = (groups + sms - 1) / sms;
  if (level > 0 || !hd_cuda_fold_is_tagged(run)) return 1;
  return per < 1 ? 1 : per < MOST_PER_BLOCK ? per : MOST_PER_BLOCK;
}

/* A whole array whose totals are small, of so few chunks that more blocks would take longer, or that
 * there would be one of one_wave. */
static bool is_single_block(limits_t *limits, run_t *run, piece_t *piece) {
  const u64 chunks = piece->count / run->chunk;
  if (!hd_cuda_fold_is_tagged(run) || piece->first || piece->state) return false;
  if (chunks <= tune(limits)->single_block) return true;
  return chunks <= MOST_PER_BLOCK && chunks <= per_block(limits, run, (u32)chunks, 0);
}

/* The same of more chunks, all in flight at once. */
static bool is_one_wave(limits_t *limits, run_t *run, piece_t *piece) {
  const u64 chunks = piece->count / run->chunk;
  if (!hd_cuda_fold_is_tagged(run) || piece->first || piece->state) return false;
  return chunks <= tune(limits)->one_wave;
}

static bool is_any(limits_t *limits, run_t *run, piece_t *piece) {
  (void)limits, (void)run, (void)piece;
  return true;
}

/* ---- the launch of each line ----------------------------------------------------------------- */

/* Large totals need registers: fewer warps a block, and blocks a multiprocessor; so do the slots of
 * a state beside two rows of f64, or beside NaN that a variance leaves out, and the keys of i64 on
 * sm_100. */
static void lay_out_block(limits_t *limits, run_t *run, bool state,
                          struct hd_cuda_fold_choice *choice) {
  const bool large = run->total_bytes > 32, describes = run->fold.verb == HD_DESCRIBE;
  const bool tight = describes ? run->fold.type == HEDDLE_F64
                     : run->fold.verb == HD_FIGURE
                         ? run->fold.nan == HEDDLE_NAN_SKIP
                         : run->fold.verb == HD_DOT && run->total_bytes == 8;
  /* As sm_90 has instructions, registers hold three of a figure of anything but f64. */
  const bool three =
      run->fold.verb == HD_FIGURE && run->fold.type != HEDDLE_F64 && limits->cc == 90;
  choice->blocks_per_sm = !large ? 2 + three : describes ? 3 : 1;
  if ((state && tight) || (describes && run->fold.type == HEDDLE_I64)) choice->blocks_per_sm--;
  choice->launch.threads = 32 * (large ? 4 : 8);
}

/* Groups of 2^level chunks that the chunks from .. to - 1 touch. */
static u32 groups_of(u64 from, u64 to, u32 level) {
  return to > from ? (u32)(((to - 1) >> level) - (from >> level)) + 1 : 0;
}

/* Few chunks are one block's; else groups are as large as fills the device, and then as keeps their
 * number in bounds. */
static u32 level_of(limits_t *limits, run_t *run, u64 from, u64 to) {
  const u64 chunks = to - from;
  u32 level = 0, groups = hd_cuda_fold_most_groups(run);
  if (tune(limits)->groups < groups) groups = tune(limits)->groups;
  if (chunks <= tune(limits)->single_block) return 5;
  if (hd_cuda_fold_is_tagged(run) && chunks <= tune(limits)->ungrouped) return 0;
  const u64 each = chunks <= FEW_CHUNKS && run->total_bytes > 4 ? FEW_EACH : GROUPS_EACH;
  while (level < tune(limits)->level &&
         chunks >> (level + 1) >= (level < BLOCK_LEVEL ? 1 : each) * (u64)limits->sms)
    level++;
  while (level < hd_cuda_fold_most_levels(run) && groups_of(from, to, level) > groups) level++;
  assert(groups_of(from, to, level) <= hd_cuda_fold_most_groups(run));
  return level;
}

static void one_pass(limits_t *limits, run_t *run, piece_t *piece,
                     struct hd_cuda_fold_choice *choice) {
  const u64 from = piece->first, to = from + piece->count / run->chunk;
  lay_out_block(limits, run, from > 0 || piece->state, choice);
  choice->level = level_of(limits, run, from, to);
  const u32 groups = groups_of(from, to, choice->level);
  const u32 per = choice->per_block = per_block(limits, run, groups, choice->level);
  if (groups < 2) return;
  choice->launch.blocks = (groups + per - 1) / per + (piece->count % run->chunk > 0);
  choice->partials = groups + REST;
}

static void single_block(limits_t *limits, run_t *run, piece_t *piece,
                         struct hd_cuda_fold_choice *choice) {
  (void)limits, (void)piece;
  lay_out_block(limits, run, false, choice);
  choice->whole = true;
}

static void one_wave(limits_t *limits, run_t *run, piece_t *piece,
                     struct hd_cuda_fold_choice *choice) {
  const u32 chunks = (u32)(piece->count / run->chunk);
  const u32 per = choice->per_block = per_block(limits, run, chunks, 0);
  lay_out_block(limits, run, false, choice);
  choice->whole = true;
  choice->launch.blocks = (chunks + per - 1) / per + (piece->count % run->chunk > 0);
  choice->partials = chunks + REST;
}

/* Spans of whole batches of a block, longer where blocks would be too many. */
static void order_free(limits_t *limits, run_t *run, piece_t *piece,
                       struct hd_cuda_fold_choice *choice) {
  const u64 least = tune(limits)->span, most = tune(limits)->blocks;
  const u64 vectors = (piece->count - piece->head) / (VECTOR / run->element_bytes);
  choice->span = least;
  if (vectors > least * most)
    choice->span = ((vectors + most - 1) / most + least - 1) / least * least;
  choice->launch.threads = ORDER_FREE_THREADS;
  if (vectors) choice->launch.blocks = (vectors + choice->span - 1) / choice->span;
  choice->partials = choice->launch.blocks;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct strategy {
  const char *name, *file, *kernel;
  bool (*takes)(limits_t *, run_t *, piece_t *);
  void (*lay_out)(limits_t *, run_t *, piece_t *, struct hd_cuda_fold_choice *);
} table[] = {
    {"order_free", "fold/order_free.cu", "heddle_fold_order_free", is_order_free, order_free},
    {"single_block", "fold/single_block.cu", "heddle_fold_single_block", is_single_block,
     single_block},
    {"one_wave", "fold/one_wave.cu", "heddle_fold_one_wave", is_one_wave, one_wave},
    {"one_pass", "fold/one_pass.cu", "heddle_fold_one_pass", is_any, one_pass},
};

void hd_cuda_fold_choose(limits_t *limits, run_t *run, piece_t *piece,
                         struct hd_cuda_fold_choice *choice) {
  const struct strategy *line = table;
  while (!line->takes(limits, run, piece)) line++;
  *choice = (struct hd_cuda_fold_choice){
      .launch = {.strategy = line->name, .file = line->file, .kernel = line->kernel, .blocks = 1}};
  line->lay_out(limits, run, piece, choice);
  if (choice->launch.blocks == 1) choice->partials = 0;
}
