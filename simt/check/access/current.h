/* The state of the running block, warp and lane as the race rules see it.
 *
 * Method   one OS thread runs everything, so there is one such state. Times are group numbers:
 *          an access happened before T if its group is below T
 */
#ifndef SIMT_CHECK_CURRENT_H
#define SIMT_CHECK_CURRENT_H

#include "check.h"
#include "groups.h"
#include "race/order.h"

struct ck_lane {
  struct ck_node *observed; /* will be acquired by a fence */
  uint32_t observed_launch;
  uint64_t observed_block;
  struct ck_node *acquired; /* since the block's last barrier (at `epoch`) */
  uint32_t epoch;
  uint32_t fence_time, fence_barrier; /* 0: no fence yet */
  uint8_t fence_scope;
  struct ck_row *fence_row;
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
  unsigned int observed_count;
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

struct ck_now {
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
  uintptr_t stack, stack_bytes;
  const uint32_t *tag; /* of its warp */
  uint32_t lane_word;
  uint32_t word; /* of the last access */
  uint32_t read_count;
  struct ck_read reads[CK_READS];
  struct finding *outside; /* of the access that is about to be made */
  uint32_t quiet;          /* accesses that are not looked at: a finding has been made of them */
  uint32_t turn;           /* accesses until the lane lets others run */
  uint32_t writes;         /* plain ones, of callers' local variables too */
  bool skipped;            /* the block is not in the sample */
  bool fences;             /* the launch has had one, or a release */
  bool polled;             /* the access is a volatile read that waits for a write */
  struct ck_block *block;
  uint32_t launch; /* its number */
  uint64_t accesses;
};
extern struct ck_now ck_now;

enum ck_space { CK_GLOBAL, CK_SHARED };

/* An access of the running lane. Its word's group knows the instruction and the kind. */
struct ck_access {
  uintptr_t address, at; /* at: the cell's */
  size_t bytes;
  uint32_t word;
  enum ck_space space;
};

/* ---- race.c */
/* ck_race - the access and the earlier one of `word` touch the same bytes: reports it unless they
 * are in order or both atomic */
enum ck_then { CK_READ, CK_READ_UNWRITTEN, CK_WROTE, CK_WROTE_UNWRITTEN };
void ck_race(const struct ck_access *access, uint32_t word, enum ck_then earlier);
/* ck_race_review - at a barrier or the end of the block: of races within a warp, those whose memory
 * other warps have accessed, too */
void ck_race_review(void);
void ck_race_settle(void); /* a write whose value was not yet known */
extern bool ck_unsettled;
/* ck_is_ordered - the access of `word` happened before what the running lane does now; if not,
 * *reason is what would order them */
bool ck_is_ordered(uint32_t word, uintptr_t at, const char **reason);
/* ck_earlier - describes the access of `word`; ck_side - that of the running lane */
void ck_earlier(struct finding_side *side, uint32_t word);
void ck_side(struct finding_side *side, const struct ck_access *access);

/* ---- guess.c: plain reads that a compare and exchange makes good */
/* ck_is_guess - such a read of the word at `at`. ck_doubt - a race of it with an atomic operation
 * has been told with these keys, and may have to be withdrawn */
bool ck_is_guess(uintptr_t at, const struct group *reader);
void ck_doubt(uintptr_t at, const struct group *reader, uint64_t key_a, uint64_t key_b);
/* ck_guess - the program's own compare and exchange, which is about to be done */
void ck_guess(const volatile void *memory, size_t bytes, const void *expected);

/* ---- invalid.c: accesses that are wrong by themselves */
/* ck_first_touch - nobody has written this cell yet. false: no variable and no allocation is
 * there, the access must not be entered into the cell */
bool ck_first_touch(const struct ck_access *access, struct cell *cell, bool reads);
void ck_misaligned(const struct ck_access *access);
void ck_constant_write(const struct ck_access *access);
/* ck_outside - of global memory; ends the launch where it would fault */
void ck_outside(const struct ck_access *access);
/* ck_fault_if_closed - ends the launch if nothing can be accessed there */
void ck_fault_if_closed(uintptr_t address, size_t bytes);
extern bool ck_odd_sizes; /* an allocation ends inside a cell */
/* ck_not_unwritten - a read of what nobody had written turns out to be a race */
void ck_not_unwritten(uint32_t reader);
/* ck_elsewhere - neither device memory, nor shared, nor the lane's own stack */
void ck_elsewhere(uintptr_t address, size_t bytes, enum finding_access kind, const void *pc,
                  const void *frame);
void ck_name_shared(uintptr_t address, char *text, size_t size);
void ck_name(struct finding *f, enum ck_space space, uintptr_t address, size_t bytes);

/* ---- atomic.c */
/* ck_observe - the running lane reads what another may have released; strict: only a fence
 * behind it makes that an acquire */
void ck_observe(uintptr_t address, int scope, bool strict, bool modified);
void ck_publish_write(uintptr_t address, bool ordered, int scope, bool keeps);

/* ---- symbols.c: variables of the program, by address */
bool ck_symbol(uintptr_t address, bool shared, const char **name, uintptr_t *begin, size_t *bytes);

bool ck_have_symbols(void);
/* ck_is_behind_variables - an overrun of a __device__ variable that no other one catches */
bool ck_is_behind_variables(uintptr_t address);
/* ck_open_symbols - the cells of the variables of a module whose kernel is launched */
void ck_open_symbols(const struct simt_module *module);
/* ck_each_symbols - for the variables of each module, whose cells are found meanwhile */
void ck_each_symbols(void (*each)(uintptr_t begin, size_t bytes));

/* ---- blocks.c */
uint32_t ck_new_tag(void);
void ck_blocks_forget(void);

/* ---- launch_numbers.c */
struct ck_launch {
  uint32_t number;
  char name[FINDING_NAME]; /* of the kernel, which may be gone; "" for a copy */
  struct uint3 grid, block;
  uint64_t blocks;
};
const struct ck_launch *ck_launch_of(uint32_t number);
/* ck_next_launch - a number for a launch, copy or fill */
uint32_t ck_next_launch(const struct grid *grid);
void ck_forget(void); /* all but what has been written */

#endif
