/* compact.cu - the elements that are selected, in order, in one pass
 *
 * Result   values, or positions, or both, of the selected elements, behind those of a.before; a.total
 * Defines  flags.h's; HEDDLE_VALUE_BYTES: 0, or 1 to 16, of an element of a.in
 *          HEDDLE_SAME       1: a.in is a.of
 *          HEDDLE_POSITIONS  0, 4 or 8: of a position
 *          HEDDLE_REST       1: values that are not selected come behind a.all that are
 *          HEDDLE_IN_PLACE   1: a.out may be a.in
 *          HEDDLE_BLOCKS     of an SM, at least
 * Launch   any number of blocks, which take tiles by tickets
 * Memory   dynamic shared memory: twice a tile's values and 16 bytes, then two bytes an element if positions are
 *          wanted. a.ticket and a.nodes are left for the next launch
 * Order    stable
 * Method   A tile is read once, by vectors of 16 bytes. A warp's vectors follow one another, so that counts of its
 *          lanes, all rows of them in one word, give places; what is selected goes to its place in shared memory
 *          and from there, as neighbours, to the output. A block has three tiles at a time: one on its way from
 *          memory, one whose count it has told, and the one before, for which it looks back only now: the
 *          tiles before that one have told theirs in the meantime, and nobody waits.
 *          Values that are not what is tested find their flags, as bits, in shared memory.
 * In place Proof that nothing is written over before it is read. An element of tile t is read by t and, as a left
 *          neighbour, by t + 1. A tile tells its count once what it reads is in registers or shared memory,
 *          behind a fence; it writes once it has seen, directly or by a sum that includes them, the counts of
 *          all tiles before it, then a fence. The k-th selected element has a number of at least k, so a tile
 *          writes at or before itself: into tiles that have told, as far as t's own reads go. Left are t + 1's
 *          reads of t's last element, which t itself overwrites before t + 1 tells only if all of t and all
 *          before it are selected: then every element of t is in its place, and t writes nothing.
 * Source   Merrill and Garland 2016; Bakunas-Milanowski et al. 2017 (compaction) */
#include "look_back.h"
#include "staged.h"

/* A tile as it is read. */
struct loaded {
  struct select_tile tile;
  struct key_vectors keys;
#if HAS_BITS
  struct value_vectors values;
#endif
};

/* ---- a tile ---------------------------------------------------------------------------------- */

/* A tile's elements, into registers. */
HD_DEVICE void thread_load_tile(const struct select_args *a, u32 t, struct loaded *l) {
  l->tile = tile_find(a, t);
  thread_load_keys(a, &l->tile, &l->keys);
#if HAS_BITS
  thread_load_values(a, &l->tile, &l->values);
#endif
}

#if HAS_BITS
/* Flags to the words of bits; all lanes of a warp arrive. */
HD_DEVICE void warp_keep_flags(struct half *s, const struct tile_flags *flags) {
#pragma unroll
  for (u32 j = 0; j < KEY_ROWS; j++) {
    const u32 place = key_place(j);
    if (KEY_VECTORS < HEDDLE_THREADS && place >= SELECT_TILE) continue; /* the whole warp */
    u32 set = flags->row[j];
#if KEY_VECTOR == 16
    ((u16 *)s->bits)[place / 16] = (u16)set;
#else
#pragma unroll
    for (u32 n = KEY_VECTOR; n < 8; n *= 2)
      set |= __shfl_down_sync(HD_ALL, set, n / KEY_VECTOR) << n;
    if (place % 8 == 0) ((u8 *)s->bits)[place / 8] = (u8)set;
#endif
  }
}

/* And what is before each word of them. All threads arrive. */
HD_DEVICE void block_keep_starts(struct half *s, const struct tile_ranks *ranks) {
#pragma unroll
  for (u32 j = 0; j < KEY_ROWS; j++) {
    const u32 place = key_place(j);
    if (place < SELECT_TILE && place % 32 == 0) s->starts[place / 32] = ranks->row[j];
  }
  __syncthreads(); /* words and what is before them are there */
}
#endif

/* By one warp: how many are selected before the tile. */
HD_DEVICE void warp_find_before(const struct select_args *a, const struct told_tile *told,
                                struct half *s) {
  const u32 found = warp_count_before(a, told->t, s->tag);
#if HEDDLE_IN_PLACE
  __threadfence(); /* what others have read was read before */
  __syncwarp();    /* of the tiles that each lane has seen */
#endif
  if (threadIdx.x) return;
  const u64 before = (a->before ? *(const u64 *)a->before : 0) + found;
  s->before = before;
#if HEDDLE_REST
  const u64 first = (u64)(told->tile.first + tile_begin(&told->tile));
  s->rest = *(const u64 *)a->all + (a->first + first - before);
#endif
  if (told->t + 1 < a->tiles) return;
  if (a->total) *(u64 *)a->total = before + told->count;
#if HEDDLE_POSITIONS
  if (a->ends)
    ((select_position *)a->positions)[before + told->count] =
        (select_position)(a->first + a->count);
#endif
}

/* All threads arrive; what they have put into shared memory is seen behind the barrier. */
HD_DEVICE void block_store_tile(const struct select_args *a, const struct told_tile *told,
                                struct half *s) {
  if (threadIdx.x < 32) warp_find_before(a, told, s);
  __syncthreads(); /* what is before the tile is known, it is in shared memory */
#if HEDDLE_POSITIONS
  if (a->positions) thread_store_positions(a, told, s->before);
#endif
#if HEDDLE_VALUE_BYTES
  const u32 begin = tile_begin(&told->tile), there = tile_end(a, &told->tile) - begin;
  const select_value *values = STAGED_VALUES(told->half);
  /* see the proof above */
  const u64 to = a->out + s->before * HEDDLE_VALUE_BYTES;
  const u64 from = a->in + (u64)(told->tile.first + begin) * HEDDLE_VALUE_BYTES;
  const bool there_already = HEDDLE_IN_PLACE && told->count == there && to == from;
  if (!there_already) thread_store_values(a, values, s->before, told->count);
#if HEDDLE_REST
  thread_store_values(a, values + told->count, s->rest, there - told->count);
#endif
#endif
}

/* By the first warp: the tile's count, to those behind. */
HD_DEVICE void warp_tell(const struct select_args *a, const struct half *s, u32 t, u32 count) {
#if HEDDLE_IN_PLACE
  __threadfence(); /* the block has read what is the tile's */
#endif
  if (threadIdx.x == 0) node_tell(a, 0, t, s->tag, count);
  warp_tell_nodes(a, t, s->tag, count);
}

/* What is selected of a tile goes to shared memory, and its count to those behind; *next is the tile after it. All
 * threads arrive, the first with the ticket that it drew last. */
HD_DEVICE struct told_tile block_stage_tile(const struct select_args *a, struct half *s, u32 t,
                                            u32 half, const struct loaded *l, u64 *ticket,
                                            u32 *next) {
  struct tile_flags flags;
  struct tile_ranks ranks;
  warp_tile_flags(a, &l->tile, &l->keys, tile_key_before(a, &l->tile), &flags);
  warp_rank_rows(&flags, &ranks, s->sums);
#if HAS_BITS
  warp_keep_flags(s, &flags);
#endif
  if (threadIdx.x == 0) {
    s->next = (u32)*ticket;
    if (s->next < a->tiles) *ticket = ticket_next((u64 *)a->ticket);
  }
  __syncthreads(); /* warps have counted, the tile before the last is stored */
  const u32 count = thread_rank_rows(s->sums, &ranks);
  *next = s->next;
  if (!HEDDLE_IN_PLACE && threadIdx.x < 32) warp_tell(a, s, t, count);
#if HAS_BITS
  block_keep_starts(s, &ranks);
#endif
#if HEDDLE_POSITIONS
  if (a->positions) thread_stage_positions(&flags, &ranks, half);
#endif
#if HAS_BITS
  thread_stage_values(a, &l->tile, s, &flags, &ranks, l->values.row, count, half);
#elif HEDDLE_VALUE_BYTES
  thread_stage_values(a, &l->tile, s, &flags, &ranks, l->keys.row, count, half);
#endif
#if HEDDLE_IN_PLACE
  __syncthreads(); /* the tile is in shared memory */
  if (threadIdx.x < 32) warp_tell(a, s, t, count);
#endif
  return {l->tile, t, count, half};
}

/* All threads arrive: the first tile. */
HD_DEVICE u32 block_begin(const struct select_args *a, struct half *halves, u64 *ticket) {
  if (threadIdx.x == 0) {
    *ticket = ticket_next((u64 *)a->ticket);
    halves[1].next = (u32)*ticket;
    halves[0].tag = halves[1].tag = ticket_tag(*ticket);
    if ((u32)*ticket < a->tiles) *ticket = ticket_next((u64 *)a->ticket);
#if HAS_BITS
    for (u32 h = 0; h < 2; h++) halves[h].bits[WORDS] = halves[h].starts[WORDS] = 0;
#endif
  }
  __syncthreads(); /* the first tile is known */
  return halves[1].next;
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, HEDDLE_BLOCKS)
    heddle_select_compact(const __grid_constant__ struct select_args a) {
  __shared__ struct half halves[2];
  struct loaded l;
  struct told_tile last = {{0, false}, 0, 0, 1};
  bool is_told = false; /* the last tile, and not stored */
  u64 ticket = 0;
  u32 t = block_begin(&a, halves, &ticket);
  if (t < a.tiles) thread_load_tile(&a, t, &l);
  while (t < a.tiles || is_told) {
    const bool is_tile = t < a.tiles;
    struct told_tile told = last;
    if (is_tile) {
      const u32 half = last.half ^ 1;
      told = block_stage_tile(&a, halves + half, t, half, &l, &ticket, &t);
      if (t < a.tiles) thread_load_tile(&a, t, &l); /* on its way while the last one is stored */
    }
    if (is_told) block_store_tile(&a, &last, halves + last.half);
    last = told, is_told = is_tile;
  }
  const u32 tag = halves[0].tag;
  if (threadIdx.x == 0) ticket_end((u64 *)a.ticket, (u32)ticket, a.tiles, a.drawers, tag);
  if (threadIdx.x < 32) warp_tag_wrap((u64 *)a.ticket, (u64 *)a.nodes, a.words, a.drawers, tag);
}
