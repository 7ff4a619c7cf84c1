/* pieces.cu - pieces of long groups, each by a block
 *
 * Result   slots[piece * width + column] = the total of the piece's rows
 * Defines  rows.h's; HEDDLE_COLUMNS: threads side by side, a power of two from 2 to PIECE_THREADS
 * Launch   any number of blocks of PIECE_THREADS, which take a piece and HEDDLE_COLUMNS vectors of columns after
 *          the other, pieces outermost
 * Method   Threads of a column share its rows: those of a chunk by the lowest bits of their lanes, so that rule 2's
 *          first halves meet in a thread and the others between threads; those of a piece below a chunk as runs of
 *          neighbours.
 * Order    v1: pieces are aligned blocks of chunks, or of rows
 * Limits   chunks of a piece: 2^GROUPS_PIECE_MOST rows
 * Source   docs/order.md, rules 2 to 5 */
#include "order/device/total.h"
#define COUNTER_LEVELS 8
#include "rows.h"

#ifdef TOTAL_LANES
#define LANES TOTAL_LANES
#else /* any association gives the same bits */
#define LANES 128
#endif
#define CHUNK_ROWS 16
#define CHUNK (CHUNK_ROWS * LANES)
#define CHUNK_BITS (LANES == 128 ? 11 : 10)
static_assert(CHUNK == 1 << CHUNK_BITS && (1 << GROUPS_PIECE_MOST) / CHUNK < 1 << COUNTER_LEVELS,
              "chunks of a piece");
#define PIECE_THREADS 128
#define SHARES (PIECE_THREADS / HEDDLE_COLUMNS)
#define OWN (LANES / SHARES) /* lanes of a thread */
#define LOG_OWN    \
  (OWN == 128  ? 7 \
   : OWN == 64 ? 6 \
   : OWN == 32 ? 5 \
   : OWN == 16 ? 4 \
   : OWN == 8  ? 3 \
   : OWN == 4  ? 2 \
   : OWN == 2  ? 1 \
               : 0)
static_assert(OWN >= 1 && OWN == 1 << LOG_OWN, "a lane a thread, at least");

/* Where a piece is: its first row in the order, and 2^bits rows. */
struct piece {
  u64 start;
  u32 bits;
};

HD_DEVICE struct piece piece_find(const struct groups_fold_args *a, u64 p) {
  const struct groups_long entry =
      ((const struct groups_long *)a->longs)[((const u32 *)a->owners)[p]];
  const u64 whole = entry.length >> a->bits;
  u64 k = p - entry.first;
  struct piece piece = {entry.start + (k << a->bits), a->bits};
  if (k < whole) return piece;
  piece.start = entry.start + (whole << a->bits);
  for (k -= whole;; k--) {
    do piece.bits--;
    while (!(entry.length >> piece.bits & 1u));
    if (!k) return piece;
    piece.start += 1ull << piece.bits;
  }
}

HD_DEVICE void sums_put(total *room, struct sums t) {
#pragma unroll
  for (int v = 0; v < VECTOR; v++) room[v * PIECE_THREADS + threadIdx.x] = t.of[v];
}
HD_DEVICE struct sums sums_get(const total *room, u32 thread) {
  struct sums t;
#pragma unroll
  for (int v = 0; v < VECTOR; v++) t.of[v] = room[v * PIECE_THREADS + thread];
  return t;
}

/* t op that of the share `apart` behind it, for shares of which `takes`. All threads arrive. */
HD_DEVICE struct sums block_join(struct sums t, total *room, u32 apart, bool takes) {
  __syncthreads(); /* what was there has been read */
  sums_put(room, t);
  __syncthreads(); /* all totals are there */
  return takes ? sums_op(t, sums_get(room, threadIdx.x + apart * HEDDLE_COLUMNS)) : t;
}

/* Rule 2 down to SHARES lanes, of the chunk that begins with row i of the order. */
HD_DEVICE struct sums thread_chunk_share(const struct group_rows *rows, u64 i, u32 share) {
  struct sums_counter lanes;
  sums_counter_begin(&lanes);
#pragma unroll 1
  for (u32 n = 0; n < OWN; n++) {
    /* In the order of reversed bits halves are neighbours. */
    const u32 own = LOG_OWN ? __brev(n) >> ((32 - LOG_OWN) & 31) : 0;
    struct sums t = sums_identity();
#pragma unroll
    for (u32 r = 0; r < CHUNK_ROWS; r += BATCH) {
      struct sums x[BATCH];
      thread_load_batch(x, rows, i + (u64)r * LANES + own * SHARES + share, LANES, BATCH);
      t = r ? sums_op(t, x[0]) : x[0];
#pragma unroll
      for (u32 k = 1; k < BATCH; k++) t = sums_op(t, x[k]);
    }
    sums_counter_push(&lanes, t, LOG_OWN + 1);
  }
  return sums_counter_fold(&lanes, sums_identity(), LOG_OWN + 1);
}

/* The whole piece, for threads of share 0. */
HD_DEVICE struct sums block_chunks(const struct group_rows *rows, struct piece piece, u32 share,
                                   total *room) {
  struct sums_counter chunks;
  sums_counter_begin(&chunks);
#pragma unroll 1
  for (u32 c = 0; c < 1u << (piece.bits - CHUNK_BITS); c++) {
    struct sums t = thread_chunk_share(rows, piece.start + (u64)c * CHUNK, share);
#pragma unroll 1
    for (u32 h = SHARES / 2; h; h /= 2) t = block_join(t, room, h, share < h);
    sums_counter_push(&chunks, t, COUNTER_LEVELS);
  }
  return sums_counter_fold(&chunks, sums_identity(), COUNTER_LEVELS);
}

/* The same of fewer rows than a chunk. */
HD_DEVICE struct sums block_rows(const struct group_rows *rows, struct piece piece, u32 share,
                                 total *room) {
  const u32 all = 1u << piece.bits, each = all > SHARES ? all / SHARES : 1, active = all / each;
  struct sums t = sums_identity();
  if (share < active)
    t = thread_fold_rows(t, rows, piece.start + (u64)share * each, each, COUNTER_LEVELS);
#pragma unroll 1
  for (u32 h = 1; h < active; h *= 2)
    t = block_join(t, room, h, share < active && share % (2 * h) == 0);
  return t;
}

HD_DEVICE void block_piece(const struct groups_fold_args *a, u64 p, u64 some, total *room) {
  const u64 vectors = a->width / VECTOR;
  const u64 own = some * HEDDLE_COLUMNS + threadIdx.x % HEDDLE_COLUMNS;
  const u64 column = (own < vectors ? own : vectors - 1) * VECTOR;
  const u32 share = threadIdx.x / HEDDLE_COLUMNS;
  const struct group_rows rows = group_rows_of(a, column);
  const struct piece piece = piece_find(a, p);
  const struct sums t = piece.bits >= CHUNK_BITS ? block_chunks(&rows, piece, share, room)
                                                 : block_rows(&rows, piece, share, room);
  if (share || own >= vectors) return;
  total *slots = (total *)a->slots + (p * a->width + column);
#pragma unroll
  for (int v = 0; v < VECTOR; v++) slots[v] = t.of[v];
}

HD_KERNEL __launch_bounds__(PIECE_THREADS, 2)
    heddle_groups_pieces(const __grid_constant__ struct groups_fold_args a) {
  __shared__ total room[VECTOR * PIECE_THREADS];
  const u64 across = (a.width / VECTOR + HEDDLE_COLUMNS - 1) / HEDDLE_COLUMNS;
  const u64 blocks = piece_count(&a) * across;
#pragma unroll 1
  for (u64 b = blockIdx.x; b < blocks; b += gridDim.x) {
    const u64 p = b / across;
    block_piece(&a, p, b - p * across, room);
  }
}
