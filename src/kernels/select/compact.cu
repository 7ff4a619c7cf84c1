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
 * Memory   dynamic shared memory: a tile's values and 16 bytes, then two bytes an element if positions are
 *          wanted. a.ticket and a.nodes are left for the next launch
 * Order    stable
 * Method   A tile is read once, by vectors of 16 bytes, while the block looks for what is before its last one
 *          and writes that. A warp's vectors follow one another, so that counts of its lanes, all rows of them
 *          in one word, give places; what is selected goes to its place in shared memory and from there, as
 *          neighbours, to the output. The tile's count is told before that.
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
#include "ranks.h"

#define WORDS (SELECT_TILE / 32)
#define HAS_BITS (HEDDLE_VALUE_BYTES && !HEDDLE_SAME)

#if HEDDLE_VALUE_BYTES == 16
typedef uint4 select_value;
#elif HEDDLE_VALUE_BYTES == 8
typedef u64 select_value;
#elif HEDDLE_VALUE_BYTES == 4
typedef u32 select_value;
#elif HEDDLE_VALUE_BYTES == 2
typedef u16 select_value;
#else
typedef u8 select_value;
#endif

extern __shared__ uint4 staged[];

struct compact {
#if HAS_BITS
  u32 bits[WORDS + 1];   /* and a word of zeros */
  u32 starts[WORDS + 1]; /* selected elements of the tile before each word */
#endif
  u32 sums[HEDDLE_THREADS / 32];
  u32 next, tag; /* the next tile */
  u64 before;    /* selected elements before the tile */
  u64 rest;      /* where the tile's others go */
};

#define STAGED_VALUES ((select_value *)staged)
#define STAGED_POSITIONS \
  ((u16 *)((u8 *)staged + (HEDDLE_VALUE_BYTES ? SELECT_TILE * HEDDLE_VALUE_BYTES + 16 : 0)))

/* ---- values ---------------------------------------------------------------------------------- */

#if HEDDLE_VALUE_BYTES

#define VALUE_VECTOR (16 / HEDDLE_VALUE_BYTES)

#if HEDDLE_SAME

#define VALUE_ROWS KEY_ROWS
HD_DEVICE i32 value_place(const struct select_args *a, const struct select_tile *tile, u32 j) {
  return (void)a, (void)tile, (i32)key_place(j);
}

#else

/* One more, of the first thread: a tile that begins between vectors of values ends in another one. */
#define VALUE_ROWS ((SELECT_TILE / VALUE_VECTOR + HEDDLE_THREADS - 1) / HEDDLE_THREADS + 1)

/* Where in a tile the thread's vector j of values begins. */
HD_DEVICE i32 value_place(const struct select_args *a, const struct select_tile *tile, u32 j) {
  const u64 at = a->in + (u64)tile->first * HEDDLE_VALUE_BYTES;
  return (i32)((threadIdx.x + j * HEDDLE_THREADS) * VALUE_VECTOR) -
         (i32)(at % 16 / HEDDLE_VALUE_BYTES);
}

#endif

struct value_vectors {
  struct vector row[VALUE_ROWS];
};

#if !HEDDLE_SAME
HD_DEVICE void thread_load_values(const struct select_args *a, const struct select_tile *tile,
                                  struct value_vectors *values) {
  const u8 *in = (const u8 *)a->in;
#pragma unroll
  for (u32 j = 0; j < VALUE_ROWS; j++) {
    const i32 place = value_place(a, tile, j);
    if (place >= SELECT_TILE) continue;
    const i64 e = tile->first + place;
    if (e >= 0 && e + VALUE_VECTOR <= (i64)a->count)
      values->row[j] = vector_load(in + e * HEDDLE_VALUE_BYTES);
    else
      values->row[j] = vector_load_some(in, e, HEDDLE_VALUE_BYTES, (i64)a->count);
  }
}
#endif

/* What is selected of a vector, and how many elements of the tile before it are. */
struct vector_flags_at {
  u32 flags, rank;
};

#if HEDDLE_SAME
HD_DEVICE struct vector_flags_at flags_at(const struct compact *s, const struct tile_flags *flags,
                                          const struct tile_ranks *ranks, u32 j, i32 place) {
  (void)s, (void)place;
  return {flags->row[j], ranks->row[j]};
}
#else
HD_DEVICE struct vector_flags_at flags_at(const struct compact *s, const struct tile_flags *flags,
                                          const struct tile_ranks *ranks, u32 j, i32 place) {
  const u32 all = (1u << VALUE_VECTOR) - 1;
  (void)flags, (void)ranks, (void)j;
  if (place < 0) return {s->bits[0] << -place & all, 0};
  const u32 word = (u32)place / 32, shift = (u32)place % 32, bits = s->bits[word];
  const u32 rank = s->starts[word] + (u32)__popc(bits & ((1u << shift) - 1));
  const u32 next = shift ? s->bits[word + 1] << (32 - shift) : 0;
  return {(bits >> shift | next) & all, rank};
}
#endif

HD_DEVICE select_value value_of(const struct vector *v, u32 i) {
#if HEDDLE_VALUE_BYTES == 16
  const uint4 value = {v->word[0], v->word[1], v->word[2], v->word[3]};
  return (void)i, value;
#else
  return (select_value)vector_element(v, i, HEDDLE_VALUE_BYTES);
#endif
}

/* Values to their places in shared memory: those selected, then, of a partition, the others. */
HD_DEVICE void thread_stage_values(const struct select_args *a, const struct select_tile *tile,
                                   const struct compact *s, const struct tile_flags *flags,
                                   const struct tile_ranks *ranks, const struct vector *row,
                                   u32 count) {
  const i32 begin = (i32)tile_begin(tile), end = (i32)tile_end(a, tile);
#pragma unroll
  for (u32 j = 0; j < VALUE_ROWS; j++) {
    const i32 place = value_place(a, tile, j);
    if (place >= SELECT_TILE) continue;
    const struct vector_flags_at v = flags_at(s, flags, ranks, j, place);
    u32 rank = v.rank;
#pragma unroll
    for (u32 i = 0; i < VALUE_VECTOR; i++) {
      const i32 at = place + (i32)i;
      const bool set = v.flags >> i & 1u;
      if (set)
        STAGED_VALUES[rank] = value_of(row + j, i);
      else if (HEDDLE_REST && at >= begin && at < end)
        STAGED_VALUES[count + (u32)(at - begin) - rank] = value_of(row + j, i);
      rank += set;
    }
  }
}

/* `count` values from number `from` on of shared memory, to the output from number `to` on. */
HD_DEVICE void thread_store_values(const struct select_args *a, u32 from, u64 to, u32 count) {
  select_value *out = (select_value *)a->out + to;
  const select_value *values = STAGED_VALUES + from;
#if HEDDLE_VALUE_BYTES >= 4
#pragma unroll 4
  for (u32 i = threadIdx.x; i < count; i += HEDDLE_THREADS) out[i] = values[i];
#else
  /* words of four bytes, and what is before and behind them */
  const u32 per = 4 / HEDDLE_VALUE_BYTES, skew = (u32)((u64)out / HEDDLE_VALUE_BYTES) % per;
  u32 head = (per - skew) % per;
  if (head > count) head = count;
  const u32 words = (count - head) / per, tail = head + words * per;
  if (threadIdx.x < head) out[threadIdx.x] = values[threadIdx.x];
  if (threadIdx.x < count - tail) out[tail + threadIdx.x] = values[tail + threadIdx.x];
  for (u32 i = threadIdx.x; i < words; i += HEDDLE_THREADS) {
    u32 word;
    load_words_shared((const u8 *)(values + head + i * per), 4, HEDDLE_VALUE_BYTES, &word);
    *(u32 *)(out + head + i * per) = word;
  }
#endif
}

#endif

/* ---- positions ------------------------------------------------------------------------------- */

#if HEDDLE_POSITIONS
HD_DEVICE void thread_stage_positions(const struct tile_flags *flags,
                                      const struct tile_ranks *ranks) {
#pragma unroll
  for (u32 j = 0; j < KEY_ROWS; j++) {
    const u32 place = key_place(j);
    if (KEY_VECTORS < HEDDLE_THREADS && place >= SELECT_TILE) continue;
    const u32 set = flags->row[j];
    u32 rank = ranks->row[j];
#pragma unroll
    for (u32 i = 0; i < KEY_VECTOR; i++)
      if (set >> i & 1u) STAGED_POSITIONS[rank++] = (u16)(place + i);
  }
}

#if HEDDLE_POSITIONS == 8
typedef u64 select_position;
#else
typedef u32 select_position;
#endif

HD_DEVICE void thread_store_positions(const struct select_args *a, const struct select_tile *tile,
                                      u64 to, u32 count) {
  select_position *out = (select_position *)a->positions + to;
  const select_position first = (select_position)(a->first + (u64)tile->first);
#pragma unroll 4
  for (u32 i = threadIdx.x; i < count; i += HEDDLE_THREADS) out[i] = first + STAGED_POSITIONS[i];
}
#endif

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
HD_DEVICE void warp_keep_flags(struct compact *s, const struct tile_flags *flags) {
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
HD_DEVICE void block_keep_starts(struct compact *s, const struct tile_ranks *ranks) {
#pragma unroll
  for (u32 j = 0; j < KEY_ROWS; j++) {
    const u32 place = key_place(j);
    if (place < SELECT_TILE && place % 32 == 0) s->starts[place / 32] = ranks->row[j];
  }
  __syncthreads(); /* words and what is before them are there */
}
#endif

/* By one warp: how many are selected before the tile, told to those behind. */
HD_DEVICE void warp_find_before(const struct select_args *a, const struct select_tile *tile,
                                struct compact *s, u32 t, u32 count) {
  const u32 found = warp_count_before(a, t, s->tag, count);
#if HEDDLE_IN_PLACE
  __threadfence(); /* what others have read was read before */
  __syncwarp();    /* of the tiles that each lane has seen */
#endif
  if (threadIdx.x) return;
  const u64 before = (a->before ? *(const u64 *)a->before : 0) + found;
  s->before = before;
#if HEDDLE_REST
  s->rest = *(const u64 *)a->all + (a->first + (u64)(tile->first + tile_begin(tile)) - before);
#endif
  if (t + 1 < a->tiles) return;
  if (a->total) *(u64 *)a->total = before + count;
#if HEDDLE_POSITIONS
  if (a->ends)
    ((select_position *)a->positions)[before + count] = (select_position)(a->first + a->count);
#endif
  (void)tile;
}

HD_DEVICE void block_store_tile(const struct select_args *a, const struct select_tile *tile,
                                const struct compact *s, u32 count) {
#if HEDDLE_POSITIONS
  if (a->positions) thread_store_positions(a, tile, s->before, count);
#endif
#if HEDDLE_VALUE_BYTES
  const u32 begin = tile_begin(tile), there = tile_end(a, tile) - begin;
  /* see the proof above */
  const u64 to = a->out + s->before * HEDDLE_VALUE_BYTES;
  const u64 from = a->in + (u64)(tile->first + begin) * HEDDLE_VALUE_BYTES;
  const bool there_already = HEDDLE_IN_PLACE && count == there && to == from;
  if (!there_already) thread_store_values(a, 0, s->before, count);
#if HEDDLE_REST
  thread_store_values(a, count, s->rest, there - count);
#endif
#endif
}

/* What is selected of a tile goes to shared memory, and its count to those behind; *next is the tile after it. All
 * threads arrive, the first with the ticket that it drew last. */
HD_DEVICE u32 block_stage_tile(const struct select_args *a, struct compact *s, u32 t,
                               const struct loaded *l, u64 *ticket, u32 *next) {
  struct tile_flags flags;
  struct tile_ranks ranks;
  warp_tile_flags(a, &l->tile, &l->keys, &flags);
  warp_rank_rows(&flags, &ranks, s->sums);
#if HAS_BITS
  warp_keep_flags(s, &flags);
#endif
  if (threadIdx.x == 0) {
    s->next = (u32)*ticket;
    if (s->next < a->tiles) *ticket = ticket_next((u64 *)a->ticket);
  }
  __syncthreads(); /* warps have counted, the last tile is stored */
  const u32 count = thread_rank_rows(s->sums, &ranks);
  *next = s->next;
  if (!HEDDLE_IN_PLACE && threadIdx.x == 0) count_tell(a, t, s->tag, count);
#if HAS_BITS
  block_keep_starts(s, &ranks);
#endif
#if HEDDLE_POSITIONS
  if (a->positions) thread_stage_positions(&flags, &ranks);
#endif
#if HAS_BITS
  thread_stage_values(a, &l->tile, s, &flags, &ranks, l->values.row, count);
#elif HEDDLE_VALUE_BYTES
  thread_stage_values(a, &l->tile, s, &flags, &ranks, l->keys.row, count);
#endif
#if HEDDLE_IN_PLACE
  __syncthreads(); /* the tile is in shared memory */
  if (threadIdx.x == 0) {
    __threadfence();
    count_tell(a, t, s->tag, count);
  }
#endif
  return count;
}

HD_KERNEL __launch_bounds__(HEDDLE_THREADS, HEDDLE_BLOCKS)
    heddle_select_compact(const __grid_constant__ struct select_args a) {
  __shared__ struct compact s;
  struct loaded l;
  struct select_tile tile;
  u64 ticket = 0;
  if (threadIdx.x == 0) {
    ticket = ticket_next((u64 *)a.ticket);
    s.next = (u32)ticket, s.tag = ticket_tag(ticket);
    if (s.next < a.tiles) ticket = ticket_next((u64 *)a.ticket);
#if HAS_BITS
    s.bits[WORDS] = s.starts[WORDS] = 0;
#endif
  }
  __syncthreads(); /* the first tile is known */
  u32 next = s.next, count = 0, staged_tile = a.tiles;
  __syncthreads(); /* all have read it */
  for (;;) {
    const u32 t = next;
    if (t < a.tiles) thread_load_tile(&a, t, &l);
    if (staged_tile < a.tiles) { /* the tile before: the loads above are on their way */
      if (threadIdx.x < 32) warp_find_before(&a, &tile, &s, staged_tile, count);
      __syncthreads(); /* what is before it is known, it is in shared memory */
      block_store_tile(&a, &tile, &s, count);
    }
    if (t >= a.tiles) break;
    count = block_stage_tile(&a, &s, t, &l, &ticket, &next);
    staged_tile = t, tile = l.tile;
  }
  if (threadIdx.x == 0) ticket_end((u64 *)a.ticket, (u32)ticket, a.tiles, a.drawers, s.tag);
  if (threadIdx.x < 32) warp_tag_wrap((u64 *)a.ticket, (u64 *)a.nodes, a.words, a.drawers, s.tag);
}
