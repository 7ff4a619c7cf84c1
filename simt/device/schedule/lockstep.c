/* Which of a warp's stopped lanes go next, by a key each.
 *
 * Method   a stopped lane has a key that ascends with the distance of its stack's end from the top
 *          and its address, so that the lowest key goes first. Lanes that poll are found by two
 *          signs: atomic operations that changed nothing again and again (their headers say so),
 *          and requests that repeat to the last address for a while. Such lanes then wait for all
 *          others, as they do in the usual schedule; so do lanes that have kept the others waiting
 *          for PATIENCE issues
 */
#include "lockstep.h"

enum {
  HINTS = 8,    /* polls without change, by one group, that are too many */
  ROUND = 4096, /* issues of one warp between two looks at what repeats */
  WINDOW = 256, /* issues that are looked at */
  PATIENCE = 1 << 20,
};

struct sd_lockstep sd_lockstep;

/* What the running warp has done since the warp before it. */
static struct {
  const struct warp *warp;
  unsigned issues;
  unsigned hint_lanes, hints;
  unsigned kept, repeated; /* hashes of the window's first half; hits in the second */
  bool fresh;              /* there was one that had not been in the first */
  uint64_t hashes[WINDOW / 2];
} streak;

/* 32 bits for the depth in steps of 16 bytes, 31 for the address, one for no basic block. */
static inline uint64_t key_of(struct lane *lane, uintptr_t frame, const void *pc) {
  const struct stack *stack = lane->stack;
  if (lane->measured != stack) {
    lane->measured = stack;
    lane->top = (uintptr_t)(stack->base + stack->bytes) - stack->colour;
  }
  const uint64_t depth = (lane->top - frame) >> 4;
  return (~depth << 32) | ((uintptr_t)pc & 0x7FFFFFFF) << 1;
}

static inline __attribute__((always_inline)) void stop(struct worker *me, uint64_t key,
                                                       const void *pc) {
  struct lane *lane = me->lane;
  struct warp *warp = me->block->warp;
  me->locked = 1;
  lane->key = key;
  lane->stopped = pc;
  warp->held |= lane->bit;
  const unsigned ready = warp->ready;
  if (!ready) {
    sd_suspend();
    return;
  }
  struct lane *next = &warp->lanes[__builtin_ctz(ready)];
  warp->ready = ready & (ready - 1);
  sd_count(&me->switches);
  me->lane = next;
  threadIdx = next->index;
  sd_swap(&lane->sp, next->sp);
  sd_current->locked = 0;
}

/* All lanes of a warp begin at one turn, one after the other: that is the first issue, for which
 * none has to stop. */
static void enter(struct block *block, struct warp *warp, const struct lane *lane, const void *pc) {
  if (!warp->issues) sd_lockstep.issue(block, warp, pc, lane->bit | warp->unstarted);
  warp->entered |= lane->bit;
}

/* Called by the program at the beginning of every basic block. */
SIMT_API void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
  struct worker *me = sd_current;
  if (!sd_lockstep.on || !me || me->locked || !me->lane) return;
  const void *pc = __builtin_return_address(0);
  struct warp *warp = me->block->warp;
  if (!(warp->entered & me->lane->bit)) {
    enter(me->block, warp, me->lane, pc);
    return;
  }
  stop(me, key_of(me->lane, *(uintptr_t *)__builtin_frame_address(0), pc), pc);
}

/* In the calling function's own frame other lanes have other addresses: the depth is that of the
 * lane's last stop. */
void sd_lockstep_split(struct worker *me, const void *pc) {
  const uint64_t depth = me->lane->key >> 32 << 32;
  stop(me, depth | ((uintptr_t)pc & 0x7FFFFFFF) << 1 | 1, pc);
}

void sd_lockstep_polled(struct worker *me) {
  const unsigned bit = me->lane->bit;
  if (!(streak.hint_lanes & bit)) {
    streak.hint_lanes = 0;
    streak.hints = 0;
  }
  streak.hints++;
}

/* ---- What repeats ---------------------------------------------------------------------------- */

static void begin_streak(const struct warp *warp) {
  streak.warp = warp;
  streak.issues = 0;
  streak.hints = 0;
  sd_lockstep.hashed = false;
}

/* `hash`: of the issue that is over. True: the window is over and nothing in it was new. */
static bool repeats(uint64_t hash) {
  const unsigned turn = streak.issues % ROUND;
  if (streak.issues < ROUND || turn > WINDOW) return false;
  if (turn == 0) {
    sd_lockstep.hashed = true;
    streak.kept = streak.repeated = 0;
    streak.fresh = false;
    return false;
  }
  if (hash) {
    unsigned i = 0;
    while (i < streak.kept && streak.hashes[i] != hash) i++;
    if (turn <= WINDOW / 2) {
      if (i == streak.kept && i < WINDOW / 2) streak.hashes[streak.kept++] = hash;
    } else if (i < streak.kept) {
      streak.repeated++;
    } else {
      streak.fresh = true;
    }
  }
  if (turn < WINDOW) return false;
  sd_lockstep.hashed = false;
  return streak.repeated && !streak.fresh;
}

/* ---- The next issue -------------------------------------------------------------------------- */

static unsigned lowest(const struct warp *warp, const struct lane **first) {
  uint64_t least = UINT64_MAX;
  unsigned group = 0;
  for (unsigned m = warp->held; m; m &= m - 1) {
    const struct lane *lane = &warp->lanes[__builtin_ctz(m)];
    if (lane->key < least) {
      least = lane->key;
      group = 0;
      *first = lane;
    }
    if (lane->key == least) group |= m & -m;
  }
  return group;
}

void sd_lockstep_next(struct block *block, struct warp *warp) {
  const struct lane *first = NULL;
  const uint64_t hash = sd_lockstep.end();
  if (streak.warp != warp) begin_streak(warp);
  const unsigned group = lowest(warp, &first);
  const bool polls = streak.hints >= HINTS && !(streak.hint_lanes & ~group);
  if (streak.hint_lanes != group) {
    streak.hint_lanes = group;
    streak.hints = 0;
  }
  streak.issues++;
  if (repeats(hash) || streak.issues == PATIENCE || polls) {
    begin_streak(NULL);
    warp->held &= ~group;
    warp->polling |= group;
    return;
  }
  if (!(first->key & 1)) sd_lockstep.issue(block, warp, first->stopped, group);
  warp->held &= ~group;
  sd_make_ready(block, warp, group);
}
