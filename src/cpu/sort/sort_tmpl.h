/* sort_tmpl.h - every sort kernel of one ISA; included once, after the vocabulary
 *
 * Result  sort_kernels, the table that kernels.h declares. */
#include "kernels.h"

#include <string.h>

/* Measured on Zen 4, 2026-11: u32 and u64 of 2^10 to 2^17 items in the second-level cache. */
enum {
  SORT_FEW_U32 = 48, /* items of such keys whose ranks are counted faster; whole vectors */
  SORT_FEW_U64 = 24,
  SORT_SHORT = 768,     /* fewer items: digits of SORT_WIDTH_SHORT bits at most */
  SORT_WIDTH_SHORT = 8, /* bits */
  SORT_WIDTH = 11,      /* bits */
  SORT_LOOK = 64,       /* items that are looked at before it is asked whether they are in order */
  SORT_AT_ONCE = 8,     /* items of a scatter */
  SORT_WIDTH_MOST = 11, /* the greater of both */
  SORT_TELL = 4,        /* bits beyond log2(n) that tell all but few of n random keys apart */
  SORT_SAMPLE = 24, /* of at least so many items, whose ends are looked at before those of all */
  SORT_MOVES = 1    /* that insertion may take an item */
};

#ifdef VEC_NONTEMPORAL
static inline void sort_nontemporal_lines(char *line, const char *stage, size_t bytes) {
  nontemporal_lines(line, stage, bytes);
}
static inline void sort_nontemporal_fence(void) { nontemporal_fence(); }
#else
static inline void sort_nontemporal_lines(char *line, const char *stage, size_t bytes) {
  memcpy(line, stage, bytes);
}
static inline void sort_nontemporal_fence(void) {}
#endif

#define SORT_U u8
#define SORT_KEY u32
#define SORT_FLOATS 0
#include "map_tmpl.h"
#define SORT_U u16
#define SORT_KEY u32
#define SORT_FLOATS 1
#include "map_tmpl.h"
#define SORT_U u32
#define SORT_KEY u32
#define SORT_FLOATS 1
#include "map_tmpl.h"
#define SORT_U u64
#define SORT_KEY u64
#define SORT_FLOATS 1
#include "map_tmpl.h"
#include "pack_tmpl.h"

#define SORT_VECTOR(lane) SORT_VECTOR_(lane)
#define SORT_VECTOR_(lane) v##lane
#include "sort_lanes.h"

#if VEC_BYTES == 64
#define SORT_LANES_U32 16
#define SORT_LANES_U64 8
#elif VEC_BYTES == 32
#define SORT_LANES_U32 8
#define SORT_LANES_U64 4
#else
#define SORT_LANES_U32 4
#define SORT_LANES_U64 2
#endif
/* Elements of rows that are sorted a row a lane, at most. */
enum { SORT_SHORT_u32 = VEC_BYTES > 16 ? 64 : 48, SORT_SHORT_u64 = VEC_BYTES > 16 ? 48 : 8 };
/* Items that a network sorts. */
enum {
  SORT_ROWS = VEC_BYTES == 64 ? 32 : 16, /* vectors: half of AVX-512's have to wait in memory */
  SORT_NETWORK_u32 = SORT_ROWS * SORT_LANES_U32,
  SORT_NETWORK_u64 = (VEC_BYTES > 16 ? SORT_ROWS : 8) * SORT_LANES_U64
};
#define SORT_LANE u32
#define SORT_LANES SORT_LANES_U32
#include "network_tmpl.h"
#define SORT_LANE u64
#define SORT_LANES SORT_LANES_U64
#include "network_tmpl.h"

#define SORT_LANE u32
#include "lanes_tmpl.h"
#define SORT_LANE u64
#include "lanes_tmpl.h"
#include "short_tmpl.h"

#ifdef VEC_HAS_SPLIT
#define SORT_HAS_QUICK 1
#define SORT_LANE u32
#include "quick_tmpl.h"
#define SORT_LANE u64
#include "quick_tmpl.h"
#else
#define SORT_HAS_QUICK 0
static inline bool sort_quick_u32(u32 *x, u32 *room, size_t n) {
  return (void)x, (void)room, n < 2;
}
static inline bool sort_quick_u64(u64 *x, u64 *room, size_t n) {
  return (void)x, (void)room, n < 2;
}
#endif

typedef struct {
  u64 word[2];
} sort_item_16;
typedef struct {
  u64 word[3];
} sort_item_24;
typedef struct {
  u64 word[4];
} sort_item_32;

#define SORT_SIZE 4
#define SORT_TAGGED 0
#define SORT_NETWORK sort_network_u32
#define SORT_QUICK sort_quick_u32
#define SORT_NETWORK_MOST SORT_NETWORK_u32
#define SORT_LANE u32
#define SORT_ITEM u32
#define SORT_KEY_OF(item) ((u64)(item))
#define SORT_LINE_ITEMS 64
#include "engine_tmpl.h"
#define SORT_SIZE 8
#define SORT_TAGGED 0
#define SORT_NETWORK sort_network_u64
#define SORT_QUICK sort_quick_u64
#define SORT_NETWORK_MOST SORT_NETWORK_u64
#define SORT_LANE u64
#define SORT_ITEM u64
#define SORT_KEY_OF(item) (item)
#define SORT_LINE_ITEMS 32
#include "engine_tmpl.h"
#define SORT_SIZE 16
#define SORT_TAGGED SORT_HAS_QUICK
#define SORT_LANE u64
#define SORT_ITEM sort_item_16
#define SORT_KEY_OF(item) ((item).word[0])
#define SORT_LINE_ITEMS 4
#include "engine_tmpl.h"
#define SORT_SIZE 24
#define SORT_TAGGED SORT_HAS_QUICK
#define SORT_LANE u64
#define SORT_ITEM sort_item_24
#define SORT_KEY_OF(item) ((item).word[0])
#define SORT_LINE_ITEMS 8
#include "engine_tmpl.h"
#define SORT_SIZE 32
#define SORT_TAGGED SORT_HAS_QUICK
#define SORT_LANE u64
#define SORT_ITEM sort_item_32
#define SORT_KEY_OF(item) ((item).word[0])
#define SORT_LINE_ITEMS 2
#include "engine_tmpl.h"

#undef SORT_VECTOR
#undef SORT_VECTOR_

static const struct hd_cpu_sort_kernels sort_kernels = {
    .engine = {&sort_engine_4, &sort_engine_8, &sort_engine_16, &sort_engine_24, &sort_engine_32},
    .quick = SORT_HAS_QUICK,
    .load = sort_load,
    .pack = sort_pack,
    .unpack = sort_unpack,
    .special = sort_special,
    .short_rows = sort_short,
    .short_most = {SORT_NETWORK_u32, SORT_NETWORK_u64},
    .tally = sort_tally,
    .fill = sort_fill,
};
