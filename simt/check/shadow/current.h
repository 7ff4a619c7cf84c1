/* The current access: the state of the running block, warp and lane as the race rules see it.
 *
 * Method   one OS thread runs everything, so there is one such state, ck_current. Times are group
 *          numbers: an access happened before T if its group is below T
 * Who      blocks.c sets what a block, a barrier or a launch changes, symbols.c the variables of
 *          the running module, ck_turn_to the lane, access.h the rest
 */
#ifndef SIMT_CHECK_CURRENT_H
#define SIMT_CHECK_CURRENT_H

#include "check.h"
#include "groups.h"

struct ck_node; /* race/order.h */
struct ck_row;

struct ck_lane {
  struct ck_node *observed; /* will be acquired by a fence */
  uint32_t observed_launch;
  uint64_t observed_block;
  struct ck_node *acquired; /* since the block's last barrier (at `epoch`) */
  uint32_t epoch;
  uint32_t fence_time, fence_barrier; /* 0: no fence yet */
  uint8_t fence_scope;
  struct ck_row *fence_row;
  uint64_t async_block; /* whose are: */
  uint32_t async_launch, async_first, async_batch;
};

struct ck_warp {
  bool rows;              /* `known` says more than the block's barrier */
  uint32_t known[32][32]; /* lane i has seen all of lane j below this */
};

/* An atomic write that was read: `modified`, by an operation that wrote, too. */
struct ck_observed {
  uintptr_t address;
  uint32_t writer, barrier;
  uint16_t thread;
  bool modified;
};

/* CK_TURN accesses without a wait, then other lanes have a turn. */
enum { CK_OBSERVED = 16, CK_TURN = 1 << 16 };

struct ck_block {
  struct ck_block *next, *before; /* among the live or the spare ones */
  size_t mapped;
  uint64_t sequence;
  uint32_t first;   /* groups of this block are from here on */
  uint32_t barrier; /* its last barrier */
  uint32_t fenced;  /* the last barrier before which a thread had a fence; 0: none */
  uint8_t fenced_scope;
  bool fence_since; /* a fence since the last barrier */
  uint8_t fence_since_scope;
  bool skipped; /* not in the sample */
  struct ck_node *acquired, *pending;
  struct ck_observed observed[CK_OBSERVED];
  unsigned observed_count;
  struct cell *static_cells, *dynamic_cells;
  uint32_t tags[32]; /* of its warps: a new one at each synchronisation */
  struct ck_warp *warps;
  struct ck_lane *lanes;
};

/* Plain reads of the running lane, the last few. */
struct ck_read {
  uintptr_t address;
  uint32_t word;
};
enum { CK_READS = 8 };

/* A pointer of the running lane that is misaligned for its type. Accesses up to the one of this
 * number may go through it to a part of what it points to. */
struct ck_pointer {
  uintptr_t pointer;
  size_t multiple;
  uint64_t until;
};
enum { CK_POINTERS = 4 };

struct ck_current {
  /* what a fast access needs, together */
  uintptr_t arena, arena_bytes;
  struct cell *arena_cells;
  uintptr_t static_begin, static_bytes;
  uintptr_t dynamic_begin, dynamic_bytes; /* the whole region of the block */
  struct cell *static_cells, *dynamic_cells;
  uintptr_t symbols, symbols_bytes;
  struct cell *symbol_cells;
  uintptr_t constants, constant_bytes; /* of the symbols, those that only the host writes */
  uint32_t ordered;                    /* groups below are ordered before this launch */
  uint32_t from;                       /* groups from here on are this block's */
  uint32_t barrier;                    /* this block's last barrier */
  uint32_t first;                      /* of this block */
  const struct lane *lane;             /* at the last access; NULL: a new block, or it has ended */
  const struct warp *warp;             /* the lane's; NULL: a new block */
  uint32_t warp_from;                  /* groups from here on are of this warp's turn */
  uintptr_t stack, stack_bytes;
  const uint32_t *tag; /* of its warp */
  uint32_t lane_word;
  uint32_t word;                   /* of the last access */
  uint32_t read_count, reads_from; /* reads_from: the lane's first */
  struct ck_read reads[CK_READS];
  uint32_t pointer_count; /* since the lane's turn began */
  struct ck_pointer pointers[CK_POINTERS];
  struct finding *outside; /* of the access that is about to be made */
  uint32_t quiet;          /* accesses that are not looked at: a finding has been made of them */
  uint32_t turn;           /* accesses until the lane lets others run */
  uint32_t writes;         /* plain ones, of callers' local variables too */
  union {
    struct {
      bool skipped;   /* the block is not in the sample */
      bool unsettled; /* an access's finding waits for the value that it writes (race.c) */
      bool odd_sizes; /* an allocation ends inside a cell */
      bool doubtful;  /* what the lane has read of its own had not been written (access/local.c) */
    };
    uint32_t unusual; /* any of them */
  };
  bool fences;   /* the launch has had one, or a release */
  bool polled;   /* the access is a volatile read that waits for a write */
  bool of_block; /* an atomic operation whose scope is the block */
  struct ck_block *block;
  uint32_t launch; /* its number */
  uint64_t accesses;
  uintptr_t looked_at; /* by the last volatile or atomic access */
};
extern struct ck_current ck_current;

enum ck_space { CK_GLOBAL, CK_SHARED };

/* An access of the running lane. Its word's group knows the instruction and the kind. */
struct ck_access {
  uintptr_t address, at; /* at: the cell's */
  size_t bytes;
  uint32_t word;
  enum ck_space space;
};

/* ck_turn_to - another lane runs than at the last access; ck_turn - the same, without a call */
void ck_turn_to(const struct worker *me);

static inline __attribute__((always_inline)) void ck_turn(const struct worker *me) {
  const struct block *block = me->block;
  const struct lane *lane = me->lane;
  const struct warp *warp = block->warp;
  ck_current.lane = lane;
  ck_current.pointer_count = 0;
  ck_current.reads_from = ck_current.read_count;
  ck_current.stack = (uintptr_t)lane->stack->base;
  ck_current.stack_bytes = lane->stack->bytes;
  ck_current.lane_word = (uint32_t)__builtin_ctz(lane->bit) << CK_LANE_SHIFT;
  if (warp == ck_current.warp) return;
  ck_current.warp = warp;
  ck_current.warp_from = ck_next_group;
  if (ck_current.block) ck_current.tag = &ck_current.block->tags[warp - block->warp_list];
}

#endif
