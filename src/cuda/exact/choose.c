/* choose.c - which kernel sums an array or rows exactly, and the sizes of a launch
 *
 * Method   An array is shared out to as many blocks as the device runs at once. Rows
 *          side by side and short ones have a lane each; others some lanes each, which hold them in registers, or,
 *          if more than a sum is asked for, a warp each; long ones a block each or, if rows are
 *          few, several; very long ones are arrays. The first line of the table that takes rows lays the launch out. Nothing of it shows in the result. */
#include "exact.h"

enum {
  THREADS = 256,
  WARPS = THREADS / 32,
  VECTOR = 16,
  BULK_CC = 90,           /* from which there are bulk copies */
  MEASURED_CC = 90,       /* for later ones sums of f64 take more registers */
  STAGED = 96 << 10,      /* bytes that they bring at a time to a multiprocessor: more are slower */
  MOST_VECTORS = 1 << 24, /* of a block */
  WAVES = 2,              /* of rows, */
  BLOCKS_AT_ONCE = 4,     /* a multiprocessor's */
  SIDE = 32,              /* rows side by side of a block */
  SIDE_LEAST = 8,         /* that are worth a lane each */
  SHORT_ROW = 64,         /* elements that a lane's windows have room for, */
  SHORT_BYTES = 80,       /* where few lanes would have too little to do */
  LEAST_LANES = 2,        /* of a held row */
  LONG_ROW = 1 << 13,     /* from which a block has a row, */
  ARRAY_ROW = 1 << 24,    /* and all blocks */
  PART = 1 << 12,         /* elements of a part of a row, at least */
  GRANULE = 256,          /* that parts are multiples of */
  LONG_LINE = 3           /* of the table: exact_long_rows */
};

/* Loads, stages and blocks an SM, as registers hold. */
static void shape(int cc, const struct hd_cuda_exact_array *array, struct hd_cuda_exact_choice *c) {
  const bool narrow = array->element_bytes == 2, wide = array->element_bytes == 8;
  const u32 arrays = array->products == HD_EXACT_OF_PRODUCTS ? 2 : 1;
  if (array->products == HD_EXACT_OF_VALUES) {
    c->loads = narrow ? 2 : c->stages ? 4 : 6;
    c->at_once = array->skips || narrow ? 2 : 3;
  } else {
    c->loads = narrow ? 1 : !wide ? 3 : array->skips ? 2 : 4;
    c->at_once = 2;
  }
  if (wide && (cc > MEASURED_CC || (array->skips && !c->stages))) c->at_once = 1;
  if (c->stages) c->stages = STAGED / (c->at_once * WARPS * 32 * VECTOR * c->loads * arrays);
  c->launch.shared_bytes = c->stages * WARPS * 32 * VECTOR * c->loads * arrays;
}

void hd_cuda_exact_choose(const struct hd_cuda_limits *limits,
                          const struct hd_cuda_exact_array *array,
                          struct hd_cuda_exact_choice *choice) {
  const bool bulk = limits->cc >= BULK_CC && array->align == VECTOR;
  *choice = (struct hd_cuda_exact_choice){.launch = {.strategy = "exact_array",
                                                     .file = "exact/array.cu",
                                                     .kernel = "heddle_exact_array",
                                                     .threads = THREADS},
                                          .stages = bulk};
  shape(limits->cc, array, choice);
  const u64 batch = (u64)THREADS * choice->loads;
  u64 most = limits->software ? 4 : (u64)limits->sms * choice->at_once;
  if (most < array->vectors / MOST_VECTORS) most = array->vectors / MOST_VECTORS;
  choice->launch.blocks = (array->vectors + batch - 1) / batch;
  if (!array->vectors) choice->launch.blocks = 1;
  if (choice->launch.blocks > most) choice->launch.blocks = most;
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef const struct hd_cuda_limits limits_t;
typedef const struct hd_cuda_exact_rows rows_t;

static bool is_array(rows_t *rows) {
  return !rows->segments && rows->step == 1 && rows->length >= ARRAY_ROW;
}
static bool is_columns(rows_t *rows) {
  const bool beside = rows->near == 1 || rows->near == -1;
  return !rows->segments && beside && rows->step != 1 && rows->rows >= SIDE_LEAST;
}
static bool is_short(rows_t *rows) {
  return !rows->segments && rows->plain && rows->length <= SHORT_ROW &&
         rows->length * rows->element_bytes <= SHORT_BYTES;
}
static bool is_long(rows_t *rows) { return !rows->segments && rows->length >= LONG_ROW; }
static bool is_held(rows_t *rows) { return rows->plain; }
static bool is_any(rows_t *rows) { return (void)rows, true; }

static u64 units(rows_t *rows) { return rows->rows; }
static u64 groups(rows_t *rows) { return (rows->rows + SIDE - 1) / SIDE; }
static u64 threads(rows_t *rows) { return (rows->rows + THREADS - 1) / THREADS; }
static u64 warps(rows_t *rows) { return (rows->rows + WARPS - 1) / WARPS; }

/* Of a row, as few as can hold it; what no warp holds, and rows of any length, have one each. */
static u32 lanes(rows_t *rows) {
  u32 lanes = LEAST_LANES;
  if (rows->segments) return 32;
  while (lanes < 32 && lanes * HD_EXACT_HELD(rows->element_bytes, rows->products) < rows->length)
    lanes *= 2;
  return lanes;
}
static u64 held(rows_t *rows) {
  const u64 each = WARPS * (32 / lanes(rows));
  return (rows->rows + each - 1) / each;
}

/* Blocks of rows that are not cut, and whether each row or group of them may have more than one. */
static const struct line {
  struct hd_cuda_choice launch;
  bool (*takes)(rows_t *);
  u64 (*blocks)(rows_t *);
  bool in_parts, any_blocks;
} table[] = {
    {{"exact_array", "exact/array.cu", "heddle_exact_array", THREADS, 0, 0},
     is_array,
     units,
     false,
     true},
    {{"exact_columns", "exact/columns.cu", "heddle_exact_columns", THREADS, 0, 0},
     is_columns,
     groups,
     true,
     false},
    {{"exact_short_rows", "exact/short_rows.cu", "heddle_exact_short_rows", THREADS, 0, 0},
     is_short,
     threads,
     false,
     false},
    {{"exact_long_rows", "exact/long_rows.cu", "heddle_exact_long_rows", THREADS, 0, 0},
     is_long,
     units,
     true,
     true},
    {{"exact_held_rows", "exact/held_rows.cu", "heddle_exact_held_rows", THREADS, 0, 0},
     is_held,
     held,
     false,
     true},
    {{"exact_rows", "exact/rows.cu", "heddle_exact_rows", THREADS, 0, 0},
     is_any,
     warps,
     false,
     true},
};

/* Few blocks become some a row, of at least PART elements each. */
static void cut(limits_t *limits, rows_t *rows, u64 blocks,
                struct hd_cuda_exact_rows_choice *choice) {
  const u64 wanted = limits->software ? 4 : (u64)limits->sms * BLOCKS_AT_ONCE;
  u64 parts = blocks ? wanted / blocks : 1;
  if (parts > rows->length / PART) parts = rows->length / PART;
  if (parts < 2) return;
  choice->each = (rows->length / parts + GRANULE) / GRANULE * GRANULE;
  choice->parts = (rows->length + choice->each - 1) / choice->each;
}

void hd_cuda_exact_choose_rows(limits_t *limits, rows_t *rows,
                               struct hd_cuda_exact_rows_choice *choice) {
  const u64 most = limits->software ? 4 : (u64)limits->sms * BLOCKS_AT_ONCE * WAVES;
  const struct line *line = table;
  while (!line->takes(rows)) line++;
  *choice = (struct hd_cuda_exact_rows_choice){.launch = line->launch, .parts = 1};
  choice->each = rows->length;
  choice->by_array = line == table;
  choice->lanes = line->takes == is_held ? lanes(rows) : 0;
  u64 blocks = line->blocks(rows);
  if (line->in_parts) cut(limits, rows, blocks, choice);
  blocks *= choice->parts;
  choice->launch.blocks = line->any_blocks && blocks > most ? most : blocks;
  if (!rows->segments) return;
  choice->then = table[LONG_LINE].launch;
  choice->then.blocks = rows->rows < most ? rows->rows : most;
}
