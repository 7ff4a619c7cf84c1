/* columns_tmpl.h - one scan kernel down columns: vectors across neighbouring columns, line by line
 *
 * Parameters  those of op_tmpl.h, which includes it; SCAN_ORDERED: 1 where rules 2 and 6 bind it
 * Method      A line's result is stored when the next line has been read, so that an exclusive scan
 *             is the same text, one line further down. In an ordered kernel 16 lines are one tree:
 *             a left half's total moves the carry for the right half. Above them the counter of
 *             blocks gives the carry, a vector a slot. Other operators carry one vector on.
 * Limits      A line is at least a vector long. Where it is no multiple of one, its last vector laps
 *             over the one before: out may not be x then. */
struct SCAN_FN(at) {
  const char *x;
  char *out; /* line i of it takes what comes before line i + 1, or before i of an exclusive scan */
  ptrdiff_t x_pitch, out_pitch;
  bool exclusive;
  char *state; /* ordered: carry, start, totals, carries */
  size_t pitch;
};

static inline __attribute__((always_inline)) SCAN_V SCAN_FN(line)(const struct SCAN_FN(at) * k,
                                                                  size_t i, SCAN_V carry) {
  SCAN_V v;
  memcpy(&v, k->x + (ptrdiff_t)i * k->x_pitch, VEC_BYTES);
  if (i || k->exclusive) {
    carry = SCAN_CLEAN(carry);
    memcpy(k->out + (ptrdiff_t)i * k->out_pitch, &carry, VEC_BYTES);
  }
  return v;
}

#if SCAN_ORDERED

/* 2, 4, 8, 16 lines from line i on; gives their total. */
static inline __attribute__((always_inline)) SCAN_V SCAN_FN(lines2)(const struct SCAN_FN(at) * k,
                                                                    size_t i, SCAN_V carry) {
  SCAN_V left = SCAN_FN(line)(k, i, carry);
  return SCAN_OPV(left, SCAN_FN(line)(k, i + 1, SCAN_OPV(carry, left)));
}
static inline __attribute__((always_inline)) SCAN_V SCAN_FN(lines4)(const struct SCAN_FN(at) * k,
                                                                    size_t i, SCAN_V carry) {
  SCAN_V left = SCAN_FN(lines2)(k, i, carry);
  return SCAN_OPV(left, SCAN_FN(lines2)(k, i + 2, SCAN_OPV(carry, left)));
}
static inline __attribute__((always_inline)) SCAN_V SCAN_FN(lines8)(const struct SCAN_FN(at) * k,
                                                                    size_t i, SCAN_V carry) {
  SCAN_V left = SCAN_FN(lines4)(k, i, carry);
  return SCAN_OPV(left, SCAN_FN(lines4)(k, i + 4, SCAN_OPV(carry, left)));
}
static inline __attribute__((always_inline)) SCAN_V SCAN_FN(lines16)(const struct SCAN_FN(at) * k,
                                                                     SCAN_V carry) {
  SCAN_V left = SCAN_FN(lines8)(k, 0, carry);
  return SCAN_OPV(left, SCAN_FN(lines8)(k, 8, SCAN_OPV(carry, left)));
}

/* Fewer lines than 16, the last of the column: the blocks that tile them. Gives what is behind. */
static inline SCAN_V SCAN_FN(lines_rest)(const struct SCAN_FN(at) * k, size_t lines, SCAN_V carry) {
  size_t i = 0;
  if (lines & 8) carry = SCAN_OPV(carry, SCAN_FN(lines8)(k, i, carry)), i += 8;
  if (lines & 4) carry = SCAN_OPV(carry, SCAN_FN(lines4)(k, i, carry)), i += 4;
  if (lines & 2) carry = SCAN_OPV(carry, SCAN_FN(lines2)(k, i, carry)), i += 2;
  if (lines & 1) carry = SCAN_OPV(carry, SCAN_FN(line)(k, i, carry));
  return carry;
}

/* Vector i of the column's state, which is aligned. */
static inline SCAN_V *SCAN_FN(state)(const struct SCAN_FN(at) * k, size_t i) {
  return (SCAN_V *)(void *)(k->state + i * k->pitch);
}

#define BLOCKS_NAME SCAN_FN(lines)
#define BLOCKS_COUNTER const struct SCAN_FN(at)
#define BLOCKS_T SCAN_V
#define BLOCKS_OP(k, a, b) SCAN_OPV(a, b)
#define BLOCKS_SLOT(k, i) *SCAN_FN(state)(k, HD_SCAN_STATE_TOTALS + (i))
#define BLOCKS_KEEP(k, i, t) (*SCAN_FN(state)(k, HD_SCAN_STATE_TOTALS + (i)) = (t))
#define BLOCKS_CARRY(k, i) *SCAN_FN(state)(k, HD_SCAN_STATE_CARRIES + (i))
#define BLOCKS_START(k) *SCAN_FN(state)(k, HD_SCAN_STATE_START)
#include "order/blocks_tmpl.h"

static inline SCAN_V SCAN_FN(vector_down)(const struct SCAN_FN(at) * k, size_t lines, u64 block,
                                          const char *next, SCAN_V carry) {
  if (lines < HD_SCAN_BLOCK_LINES) return SCAN_FN(lines_rest)(k, lines, carry);
  if (!block) *SCAN_FN(state)(k, HD_SCAN_STATE_START) = carry;
  SCAN_V total = SCAN_FN(lines16)(k, carry);
  if (!next) return SCAN_FN(lines_carry)(k, block, total);
  memcpy(&carry, next, VEC_BYTES);
  return carry;
}

/* Lanes of rule 2: line i of a chunk goes to lane i modulo their number. */
static void SCAN_FN(lanes)(const struct hd_cpu_scan_lines *b, char *lanes) {
  enum { LANES = HD_ROW_BYTES / sizeof(SCAN_A) };
  const size_t last = b->bytes - VEC_BYTES, first = (size_t)b->block * HD_SCAN_BLOCK_LINES;
  char *lane = lanes + first % LANES * b->pitch;
  for (size_t s = 0; s < b->bytes; s += VEC_BYTES)
    for (size_t i = 0; i < HD_SCAN_BLOCK_LINES; i++) {
      SCAN_V v, *a = (SCAN_V *)(void *)(lane + i * b->pitch + s);
      memcpy(&v, b->x + (ptrdiff_t)i * b->x_pitch + (s < last ? s : last), VEC_BYTES);
      *a = first < LANES ? v : SCAN_OPV(*a, v);
    }
}

/* The lanes' totals, left in the first. */
static void SCAN_FN(lanes_total)(char *lanes, size_t pitch) {
  for (size_t h = HD_ROW_BYTES / sizeof(SCAN_A) / 2; h; h /= 2)
    for (size_t at = 0; at < h * pitch; at += VEC_BYTES) {
      SCAN_V *a = (SCAN_V *)(void *)(lanes + at), *b = (SCAN_V *)(void *)(lanes + h * pitch + at);
      *a = SCAN_OPV(*a, *b);
    }
}
#define SCAN_COLUMNS SCAN_FN(lines), SCAN_FN(lanes), SCAN_FN(lanes_total)

#else

static inline SCAN_V SCAN_FN(vector_down)(const struct SCAN_FN(at) * k, size_t lines, u64 block,
                                          const char *next, SCAN_V carry) {
  (void)block, (void)next;
  for (size_t i = 0; i < lines; i++) {
    SCAN_V v = SCAN_FN(line)(k, i, carry);
    carry = SCAN_OPV(carry, v);
  }
  return carry;
}
#define SCAN_COLUMNS SCAN_FN(lines), NULL, NULL

#endif

static void SCAN_FN(lines)(const struct hd_cpu_scan_lines *b) {
  const size_t last = b->bytes - VEC_BYTES;
  struct SCAN_FN(at) k = {.x_pitch = b->x_pitch,
                          .out_pitch = b->out_pitch,
                          .exclusive = b->exclusive,
                          .pitch = b->pitch};
  for (size_t s = 0; s < b->bytes; s += VEC_BYTES) {
    const size_t at = s < last ? s : last;
    SCAN_V carry, *kept = (SCAN_V *)(void *)(b->state + s);
    k.x = b->x + at;
    k.out = b->out + at - (b->exclusive ? 0 : b->out_pitch);
    k.state = b->state + s;
    *kept = carry =
        SCAN_FN(vector_down)(&k, b->lines, b->block, b->next ? b->next + s : NULL, *kept);
    if (b->exclusive) continue;
    carry = SCAN_CLEAN(carry);
    memcpy(k.out + (ptrdiff_t)b->lines * b->out_pitch, &carry, VEC_BYTES);
  }
}
