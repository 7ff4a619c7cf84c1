/* choose.c - which kernels fold or scan rows: the tables, and the sizes of their launches
 *
 * Method   The first line of a table that takes the rows lays the launch out. The bits of the
 *          results do not depend on the choice. Segments are shared out on the device, which alone
 *          may know the offsets. */
#include "choose.h"

#include "cuda/core/tune.h"

enum {
  SEGMENT_WARPS = 8, /* a block of kernels/rows/segments.cu */
  PASS_PIECE = 128,  /* kernels/rows/pass.h: a stage is a whole number of these bytes */
  OWN_BYTES = 2048,  /* of its own shared memory, at most, and what the driver takes */
  THREADS = 128,
  WARPS = THREADS / 32,
  PER_BLOCK_THREADS = 256,
  MOST_WARP_ROWS = 32,
  MOST_PARTS = 32768,   /* of all rows */
  LEAST_LEVEL = 3,      /* of a part */
  SHORT_CHUNKS = 8,     /* rows of fewer are a warp's own, */
  FEW_LENGTH = 768,     /* unless they are few and longer than that */
  COLUMN_LEVELS = 15,   /* kernels/rows/columns.cu: COUNTER_LEVELS - 1 */
  COLUMNS_TOGETHER = 8, /* neighbouring rows that make a load of a warp worth its sectors */
  GROUP_WIDTH = 32,     /* rows of a group, or more if there are enough */
  GROUP_BYTES = 512,    /* and so many of its totals: groups share the sectors at their ends */
  GROUP_THREADS = 512,
  SHORT_THREADS = 256,
  SHORT_BLOCKS = 8,        /* a multiprocessor: of more, as many as run at once */
  SHORT_BYTES = 128,       /* of a row's totals */
  SHORT_ELEMENTS = 16,     /* of a thread, as far as it has rows enough */
  MOST_SHORT_ROWS = 8,     /* of a thread */
  LEAST_GROUP_LENGTH = 64, /* elements of a row that keep the warps of a block busy */
  SOFTWARE_GROUP_LENGTH = 5,
  SOFTWARE_GROUP_WARPS = 3,
  GROUP_WARPS = 16,        /* a multiprocessor: of more rows than that a thread each is enough */
  GROUP_BLOCKS = 3,        /* a multiprocessor, if there are as many chunks */
  MOST_GROUP_PARTS = 2048, /* kernels/rows/column_blocks.cu: block_sink_items */
  MOST_SCAN_PARTS = 8192,  /* of all rows */
  LEAST_SCAN_LEVEL = 2,
  MOST_SCAN_BLOCKS = 1 << 30
};

/* The rows that a choice is for. */
struct rows {
  const struct hd_cuda_limits *limits;
  const struct hd_cuda_row_job *job;
  const struct row_view *view;
  i64 step;
  u64 chunks; /* of a row */
};
typedef const struct rows rows_t;
typedef struct hd_cuda_rows_choice choice_t;

static u64 divide_up(u64 a, u64 b) { return (a + b - 1) / b; }

/* Warps that a device runs at once, more or less. */
static u64 warps_at_once(rows_t *r) { return (u64)r->limits->sms * 32; }

static i64 magnitude(i64 x) { return x < 0 ? -x : x; }

/* ---- which line takes rows ------------------------------------------------------------------- */

static bool are_segments(rows_t *r) { return r->view->offsets != 0; }

/* Neighbours in memory, or nearly, belong to neighbouring rows. */
static bool are_side_by_side(rows_t *r) {
  const i64 apart = magnitude(r->view->stride[0]);
  return apart < magnitude(r->step) && apart <= 4;
}

static bool are_columns(rows_t *r) {
  const struct row_view *view = r->view;
  if ((!r->job->is_number && r->job->fold->verb != HD_ARGREDUCE) || view->length < 2) return false;
  return view->shape[0] >= COLUMNS_TOGETHER && are_side_by_side(r);
}

/* Of numbers, and too few to keep a thread each busy. */
static bool are_few_columns(rows_t *r) {
  const struct row_view *view = r->view;
  const bool software = r->limits->software;
  const u64 least = software ? SOFTWARE_GROUP_LENGTH : LEAST_GROUP_LENGTH;
  const u64 warps = software ? SOFTWARE_GROUP_WARPS : GROUP_WARPS * (u64)r->limits->sms;
  return r->job->is_number && view->length >= least && view->shape[0] >= 2 && are_side_by_side(r) &&
         divide_up(view->rows, 32) < warps;
}

/* Of numbers, side by side in memory, and so short that they keep no warp busy. */
static bool are_short(rows_t *r) {
  const struct row_view *view = r->view;
  return r->job->is_number && view->dims == 1 && r->step == 1 && view->length &&
         view->length * r->job->total_bytes <= SHORT_BYTES && view->stride[0] >= (i64)view->length;
}

/* Or so few that a block each is no more than there is room for. */
static bool are_long(rows_t *r) {
  return r->chunks >= SHORT_CHUNKS ||
         (r->view->length >= FEW_LENGTH && r->view->rows <= 2 * (u64)r->limits->sms);
}

/* Long, and too few to give every warp rows of its own. */
static bool are_long_and_few(rows_t *r) {
  return r->chunks >= SHORT_CHUNKS && r->view->rows < 4 * warps_at_once(r);
}

static bool are_any(rows_t *r) { return (void)r, true; }

/* ---- the launches of each line --------------------------------------------------------------- */

/* Bytes of a block's stages, as kernels/rows/pass.h lays them out; none for want of bulk copies or
 * of room. As many blocks as run at once. */
static void segments(rows_t *r, choice_t *c) {
  const u64 half = r->job->element_bytes == 8 ? 512 : 1024;
  const u64 array =
      ((half + half / 8) * r->job->element_bytes + 2 * PASS_PIECE - 1) / PASS_PIECE * PASS_PIECE;
  const u64 arrays = r->job->fold->verb == HD_DOT ? 2 : 1;
  const u64 room = (u64)r->limits->shared_per_block, stage = SEGMENT_WARPS * arrays * array;
  u32 stages = r->job->is_number ? hd_cuda_tune(r->limits)->rows.stages : 0;
  if (2 * (stages * stage + OWN_BYTES) > room && stages > 1) stages = 1; /* two blocks each */
  if (stages * stage + OWN_BYTES > room) stages = 0;
  c->stages = stages;
  c->launch.threads = SEGMENT_WARPS * 32;
  c->launch.shared_bytes = stages * (u32)stage;
}

static void scan_segments(rows_t *r, choice_t *c) {
  (void)r;
  c->launch.threads = THREADS;
}

/* Threads enough without parts, or nothing to part: a thread a row. Else a thread a part, and then
 * a thread a row. */
static void per_thread(rows_t *r, choice_t *c) {
  const u64 groups = divide_up(r->view->rows, 32), warps = warps_at_once(r);
  u64 parts = r->chunks;
  while (c->level < COLUMN_LEVELS && (parts * groups > 8 * warps || parts >> COLUMN_LEVELS))
    parts = r->chunks >> ++c->level;
  if (!(r->chunks >> COLUMN_LEVELS) && (groups > 2 * warps || !parts)) parts = 0;
  c->columns = true;
  c->parts = parts;
  c->launch.threads = c->then.threads = THREADS;
  c->launch.blocks = divide_up(groups * (parts ? parts : 1), WARPS);
  c->then.blocks = divide_up(r->view->rows, THREADS);
  if (!parts) c->then.kernel = NULL;
}

/* CB_WARPS of kernels/rows/column_blocks.cu, as threads: no more than a chunk has lanes for. */
static u32 group_threads(rows_t *r, u32 width) {
  const u32 lanes = r->job->chunk / HD_CHUNK_ROWS, threads = lanes * width;
  return threads < GROUP_THREADS ? threads : GROUP_THREADS;
}

/* A block a part of some neighbouring rows, and one for what no part has. */
static void per_group(rows_t *r, choice_t *c) {
  const u64 rows = r->view->rows, enough = GROUP_BLOCKS * (u64)r->limits->sms;
  c->width = 2;
  while (c->width < GROUP_WIDTH && c->width < r->view->shape[0]) c->width *= 2;
  while (
      c->width < r->view->shape[0] && c->width * 2 * r->job->total_bytes <= GROUP_BYTES &&
      (c->width >= rows / 2 || divide_up(rows, 2 * c->width) * (r->chunks + !r->chunks) >= enough))
    c->width *= 2;
  const u64 groups = divide_up(rows, c->width);
  if (groups <= HD_ROW_COUNTERS && r->chunks) {
    while (groups * (r->chunks >> (c->level + 1)) >= enough ||
           r->chunks >> c->level > MOST_GROUP_PARTS)
      c->level++;
    c->parts = r->chunks >> c->level;
  }
  const bool rest = r->view->length > (c->parts << c->level) * r->job->chunk;
  if (c->parts == 1 && !rest) c->parts = 0;
  c->columns = true;
  c->launch.threads = group_threads(r, c->width);
  c->launch.blocks = groups * (c->parts ? c->parts + rest : 1);
}

/* A block a part, or a row. */
static void per_block(rows_t *r, choice_t *c) {
  const u64 rows = r->view->rows;
  u32 level = hd_cuda_tune(r->limits)->rows.level;
  while (level > LEAST_LEVEL && (r->chunks >> level) * rows < warps_at_once(r)) level--;
  while ((r->chunks >> level) > MOST_PARTS / rows) level++;
  if (rows <= HD_ROW_COUNTERS && r->chunks >> level > 1) c->parts = (u32)(r->chunks >> level);
  c->level = level;
  c->launch.threads = PER_BLOCK_THREADS;
  c->launch.blocks = c->parts ? c->parts * rows : rows;
}

/* Threads take some rows each; of very many blocks take several tiles. */
static void short_rows(rows_t *r, choice_t *c) {
  c->rows = 1;
  while (c->rows < MOST_SHORT_ROWS && c->rows * 2 * r->view->length <= SHORT_ELEMENTS) c->rows *= 2;
  c->pitch = (u32)r->view->length | 1;
  c->launch.threads = SHORT_THREADS;
  c->launch.shared_bytes = (u32)c->rows * SHORT_THREADS * c->pitch * r->job->total_bytes;
  const u64 tiles = divide_up(r->view->rows, c->rows * SHORT_THREADS);
  if (tiles <= SHORT_BLOCKS * (u64)r->limits->sms) c->launch.blocks = tiles;
}

/* A warp takes rows one after the other: few enough for every warp to have some. */
static void per_warp(rows_t *r, choice_t *c) {
  const u64 most = hd_cuda_tune(r->limits)->rows.batch;
  c->rows = MOST_WARP_ROWS;
  while (c->rows > 1 &&
         (c->rows * r->view->length > most || r->view->rows / c->rows < 2 * warps_at_once(r)))
    c->rows /= 2;
  c->launch.threads = THREADS;
  c->launch.blocks = divide_up(divide_up(r->view->rows, c->rows), WARPS);
}

/* A warp a part: its total, then its outputs. */
static void by_parts(rows_t *r, choice_t *c) {
  c->level = LEAST_SCAN_LEVEL;
  while ((r->chunks >> c->level) * r->view->rows > MOST_SCAN_PARTS && r->chunks >> c->level > 1)
    c->level++;
  c->parts = r->chunks >> c->level;
  c->launch.threads = c->then.threads = THREADS;
  c->launch.blocks = divide_up(c->parts * r->view->rows, WARPS);
  c->then.blocks = divide_up((c->parts + 1) * r->view->rows, WARPS);
}

/* A warp a row; of more rows than blocks of a grid, warps take several. */
static void scan_per_warp(rows_t *r, choice_t *c) {
  const u64 blocks = divide_up(r->view->rows, WARPS);
  c->launch.threads = THREADS;
  c->launch.blocks = blocks < MOST_SCAN_BLOCKS ? blocks : MOST_SCAN_BLOCKS;
}

/* ---- the tables ------------------------------------------------------------------------------ */

struct strategy {
  const char *name, *file, *kernel, *then;
  bool (*takes)(rows_t *);
  void (*lay_out)(rows_t *, choice_t *);
};

static const struct strategy folds[] = {
    {"segments", "rows/segments.cu", "heddle_fold_rows_segments", NULL, are_segments, segments},
    {"short", "rows/short.cu", "heddle_fold_rows_short", NULL, are_short, short_rows},
    {"per_group", "rows/column_blocks.cu", "heddle_fold_rows_per_group", NULL, are_few_columns,
     per_group},
    {"per_thread", "rows/columns.cu", "heddle_fold_rows_per_thread",
     "heddle_fold_rows_per_thread_end", are_columns, per_thread},
    {"per_block", "rows/strided.cu", "heddle_fold_rows_per_block", NULL, are_long, per_block},
    {"per_warp", "rows/strided.cu", "heddle_fold_rows_per_warp", NULL, are_any, per_warp},
};

static const struct strategy scans[] = {
    {"segments", "rows/scan.cu", "heddle_scan_rows_segments", NULL, are_segments, scan_segments},
    {"totals", "rows/scan.cu", "heddle_scan_rows_totals", "heddle_scan_rows_outputs",
     are_long_and_few, by_parts},
    {"per_warp", "rows/scan.cu", "heddle_scan_rows_per_warp", NULL, are_any, scan_per_warp},
};

static void choose(const struct strategy *line, rows_t *rows, choice_t *choice) {
  while (!line->takes(rows)) line++;
  *choice =
      (choice_t){.launch = {.strategy = line->name, .file = line->file, .kernel = line->kernel},
                 .then = {.strategy = line->name, .file = line->file, .kernel = line->then}};
  line->lay_out(rows, choice);
}

void hd_cuda_rows_choose_fold(const struct hd_cuda_limits *limits,
                              const struct hd_cuda_row_job *job, const struct row_view *view,
                              i64 step, struct hd_cuda_rows_choice *choice) {
  const struct rows rows = {limits, job, view, step, view->length / job->chunk};
  choose(folds, &rows, choice);
}

void hd_cuda_rows_choose_scan(const struct hd_cuda_limits *limits,
                              const struct hd_cuda_row_job *job, const struct row_view *view,
                              i64 step, struct hd_cuda_rows_choice *choice) {
  const struct rows rows = {limits, job, view, step, view->length / job->chunk};
  choose(scans, &rows, choice);
}
