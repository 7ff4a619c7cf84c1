/* What runs: a grid's blocks, their warps and lanes, and the OS threads that run them.
 *
 * Method   all lanes of a block run on one OS thread (a worker), one at a time. A lane runs
 *          until it waits; the next lane of its warp goes on. A warp's lanes are bits in
 *          masks, one mask a state, so that a step is a few instructions
 * Limits   one running grid at a time; blocks up to 1024 threads
 */
#ifndef SIMT_GRID_H
#define SIMT_GRID_H

#include "deal.h"
#include "device.h"
#include "fibre.h"
#include "module.h"
#include "observer.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

enum { LANES = 32, MAX_WARPS = 32, MAX_WORKERS = 64, CALLS = 32 };

struct lane {
  /* what a barrier touches, in one cache line */
  void *sp; /* while it waits */
  struct uint3 index;
  unsigned bit;     /* in its warp's masks */
  const char *file; /* of the call in which it waits */
  int line;
  int return_line; /* the last simt_return */
  unsigned result;
  union {
    simt_collective_fn collective;
    int (*ready)(void *user);
  } call;
  struct stack *stack;

  void *argument;
  uintptr_t site; /* a convergence point's identity; the lowest goes first */
  const char *what;
  unsigned mask;
  /* in lockstep: where it has stopped; the lowest key goes first */
  uint64_t key;
  const void *stopped;
  const struct stack *measured; /* the stack whose top that is */
  uintptr_t top;
  /* while there is an observer */
  const void *pc,
      *frame;            /* where the program called in which it waits, and that function's frame */
  const void *return_pc; /* of the last simt_return */
  struct sd_location taken_at; /* a shuffle that read from a lane that was not there */
  uint64_t taken_over;         /* the lane's own value then */
  int polling;                 /* it evaluates the condition of a polling loop: simt_polling */
} __attribute__((aligned(64)));

/* A lane's bit is in exactly one of these masks, or it is the running lane. */
struct warp {
  unsigned unstarted, ready;
  unsigned barrier;    /* at the block's barrier */
  unsigned collective; /* at a function of the warp */
  unsigned converging; /* at printf or __activemask */
  unsigned resting;    /* goes on when all others of the block have had a turn */
  unsigned polling;    /* found no change; goes on when the others have had a turn */
  unsigned waiting;    /* for lane.call.ready */
  unsigned grid;       /* at the grid's barrier */
  unsigned held;       /* in lockstep: stopped at a basic block */
  unsigned finished;
  unsigned present;       /* all lanes that exist */
  unsigned preempted;     /* of the polling ones: they do not poll, their turn was over */
  unsigned preempted_led; /* how often others at a convergence point have waited for them */
  uint64_t issues;        /* in lockstep */
  unsigned entered;       /* in lockstep: have been at the kernel's first basic block */
  struct lane *lanes;
};

/* A row of shuffles as they make a reduction, while there is an observer; lanes as bits. */
struct shuffles {
  unsigned mask, distances; /* that have been */
  unsigned taken;           /* the last one read from a lane that was not there */
  unsigned used;            /* have used such a value */
};

struct text {
  char *bytes;
  size_t used, room;
};

/* A barrier that is known by its number, of some of the block's threads. */
struct named_barrier {
  unsigned arrived, phase;
};
enum { NAMED_BARRIERS = 16 };

struct block {
  struct grid *grid;
  struct block *newer, *older; /* among the blocks of its worker's run queue */
  uint64_t sequence;           /* its number in the order of starting */
  struct uint3 index;
  size_t bytes; /* of this record */
  unsigned threads, warps;
  unsigned live;       /* threads that have not returned */
  unsigned at_barrier; /* of these, how many wait there */
  const char *file;    /* of the first that came to the barrier */
  int line;
  bool lines_differ;        /* another one came elsewhere */
  simt_block_fn collective; /* what the lanes at the barrier do together, or NULL */
  unsigned ones_here;       /* predicates that were not 0, so far */
  unsigned ones;            /* at the barrier before */
  unsigned at_grid;
  unsigned runnable;   /* a bit for each warp that may have something to run */
  struct warp *warp;   /* the running lane's */
  uint64_t grid_phase; /* of the grid's barrier that it waits for */
  bool started;
  void *observer_data; /* the observer's record of it */
  void *shared_copy;   /* of the static shared memory, while another block has it */
  size_t copy_room;    /* its size: of the largest module that this record has served */
  void *parked;        /* what its lanes have on their stacks, while another block has these */
  size_t parked_room;  /* its size */
  struct region *dynamic;
  struct text text;
  bool barrier_reported, collective_reported; /* to the observer; what follows may come of it */
  struct sd_location met[MAX_WARPS][2]; /* the last two lines at which lanes met in __syncwarp */
  struct shuffles shuffles[MAX_WARPS];
  struct named_barrier named[NAMED_BARRIERS];
  struct warp warp_list[MAX_WARPS];
  struct lane lanes[];
};

/* Dynamic shared memory: its end lies at a guard page. */
struct region {
  unsigned char *end;
  struct region *next;
};

struct counters {
  uint64_t blocks, threads, barriers, collectives, switches;
};

struct grid {
  const struct simt_kernel *kernel;
  const struct simt_module *module; /* whose kernel it is */
  void *body;
  struct simt_config config;
  uint64_t blocks;
  unsigned threads;
  struct sd_deal deal;    /* by sequence number */
  _Atomic int error;      /* first cudaError, or 0 */
  _Atomic int soft_error; /* the grid goes on: a failed assertion */
  _Atomic uint64_t grid_arrived, grid_phase, finished;
  atomic_bool grid_uneven;
  atomic_bool barrier_reported, collective_reported;
  unsigned kernel_depth;         /* calls around the kernel's own function; 0: not known */
  _Atomic(const char *) overdue; /* why it must end, until its lane has been found */
  double overdue_seconds;
  struct sd_location barrier_location; /* the grid's barrier, while there is an observer */
  unsigned workers;
  bool child;      /* launched by a kernel */
  bool polls_host; /* the observer has seen it poll memory that the host may write */
  bool late;       /* its launch has returned: what it prints is written when the host waits */
  bool by_blocks;  /* a block is one lane, which runs it as phases */
  bool alone;      /* worker 0 has not yet called the others */
  long long begun; /* if so, since when */
  struct counters counters;
  struct child *children; /* grids that its threads launched */
  struct child **last_child;
  pthread_mutex_t lock; /* children, text */
  struct waiting_text *texts;
};

enum leave { LEFT_FINISHED, LEFT_POLLING, LEFT_WAITING, LEFT_GRID, LEFT_ABORTED };

enum { SD_SPIN_STEPS = 4096 };

/* A thread that has run for long is looked at: spin.c. */
struct sd_spin {
  const struct lane *lane;
  uint64_t turn, chunk; /* which turn of it */
  double since;         /* processor time of the worker */
  unsigned ticks;       /* in this turn */
  size_t wanted;        /* instructions to look at; 0: none */
  size_t known;         /* so many have shown the last one that polled */
  size_t count, behind;
  bool round;
  uint64_t hashes[SD_SPIN_STEPS];
};

struct worker {
  unsigned number;
  pthread_t thread;
  struct grid *grid;   /* NULL while idle */
  struct block *block; /* the one that runs */
  struct lane *lane;   /* the one that runs; NULL in plain kernels */
  void *main_sp;       /* the worker's own context, while a block runs */
  enum leave leave;    /* why a block came back to it */
  struct stack_pool stacks;
  struct stack_pool common_stacks; /* of all blocks of a cooperative launch: park.c */
  struct stack_pool plain_stacks;
  struct stack *plain_stack;
  struct simt_range range; /* of a plain kernel */
  bool restart;            /* the stack's lane was abandoned */
  bool plain, diagnosing;
  bool parks;             /* its blocks have their stacks in common */
  struct block *resident; /* if so, whose lanes are on them */
  volatile int locked;    /* inside the scheduler or a callback: no preemption */
  _Atomic uint64_t switches, progress, exits;
  _Atomic uint64_t spins;  /* how often its thread was found to poll */
  _Atomic uint64_t late;   /* how often one gave way that was not */
  _Atomic uint64_t slept;  /* nanoseconds in which it had nothing to do but wait */
  _Atomic uint64_t oldest; /* the lowest sequence number among its unfinished blocks */
  struct region *regions;
  struct region *entered;       /* sd_shared_enter */
  struct block *spare;          /* one block record kept for the next block */
  unsigned char *static_shared; /* this OS thread's copy of the program's shared variables */
  size_t static_shared_bytes;
  struct sd_storage storage;  /* in which that lies, for modules */
  struct block *shared_owner; /* whose contents it holds, if that block is not over */
  uint64_t random;
  struct counters counters;
  siginfo_t fault; /* of a plain kernel, until its thread is known */
  int fault_signal;
  struct sd_spin spin;
};

extern __thread struct worker *sd_current;

/* ---- schedule.c: which lane runs next ------------------------------------------------------- */

/* sd_suspend - the running lane, already entered in one of the wait masks, stops here */
void sd_suspend(void);
/* sd_lane_bit - the running lane's bit in its warp */
static inline unsigned sd_lane_bit(void) { return sd_current->lane->bit; }
/* sd_count - a counter that only its own worker changes */
static inline void sd_count(_Atomic uint64_t *counter) {
  atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1,
                        memory_order_relaxed);
}
unsigned sd_lane_number(const struct lane *lane);
void sd_make_ready(struct block *block, struct warp *warp, unsigned lanes);
/* sd_run_block - starts or continues a block on this worker; why it stopped is returned */
enum leave sd_run_block(struct worker *me, struct block *block);
/* sd_abandon_lane - ends the running lane where it stands */
void sd_abandon_lane(void) __attribute__((noreturn));
/* sd_leave - back to the worker's own context, the running lane is lost */
void sd_leave(enum leave why) __attribute__((noreturn));

/* ---- barrier.c, collective.c, wait.c: what lanes wait for ------------------------------------ */

void sd_barrier_complete(struct block *block);      /* all live lanes have come */
void sd_release_stuck_barrier(struct block *block); /* they never will: report, release */
void sd_grid_complete(struct block *block); /* all live lanes wait for the grid: did all come? */
void sd_collective_exit(struct block *block, struct warp *warp);
bool sd_release_stuck_collectives(struct block *block); /* true: some were released */
void sd_converge(struct block *block, struct warp *warp);
bool sd_wake_waiting(struct block *block);          /* true: some go on */
void sd_grid_leave(struct grid *grid);              /* a block has finished */
bool sd_has_passed_grid(const struct block *block); /* its phase of the grid's barrier is over */
void sd_grid_arrive(struct block *block);
void sd_grid_release(struct block *block);

/* sd_barrier_arrive - enters the running lane; the last one to come opens the barrier */
static inline void sd_barrier_arrive(struct worker *me, const char *file, int line) {
  struct lane *lane = me->lane;
  struct block *block = me->block;
  lane->file = file;
  lane->line = line;
  if (block->at_barrier == 0) {
    block->file = file;
    block->line = line;
  } else if (block->line != line || block->file != file) {
    block->lines_differ = true;
  }
  block->warp->barrier |= lane->bit;
  if (++block->at_barrier == block->live) sd_barrier_complete(block);
}

/* ---- lane_position.c: where lanes stand in the kernel's text, while there is an observer ----- */

static inline bool sd_on_stack(const struct lane *lane, const void *frame) {
  return (uintptr_t)frame - (uintptr_t)lane->stack->base < lane->stack->bytes - 2 * sizeof frame;
}
/* sd_note_position - the lane is in a call from the program; frame: the calling function's own,
 * which must not be left before this has read it, hence not a call itself */
static inline __attribute__((always_inline)) void sd_note_position(struct lane *lane,
                                                                   const void *frame) {
  const void *const *f = frame;
  lane->pc = lane->frame = NULL;
  for (unsigned i = 0; i < 4 && sd_on_stack(lane, f); i++, f = f[0])
    if (sd_in_program(f[1])) {
      lane->pc = f[1];
      lane->frame = f[0];
      return;
    }
}
/* sd_call_stack - return addresses in the program from there outwards */
size_t sd_call_stack(const struct lane *lane, const void **pcs, size_t room);
uint64_t
sd_call_stack_hash(const struct lane *lane); /* of those around the call in which it waits */
bool sd_same_file(const char *a, const char *b);
bool sd_in_kernel(const struct simt_kernel *kernel, const char *file, int line);
void sd_note_return(void);
bool sd_returned_behind(const struct block *block, const struct lane *waiting,
                        const struct lane *gone);
bool sd_waits_before(const struct block *block, const struct lane *a, const struct lane *b);
/* sd_speak_for - for the observer, what is found now is this lane's; returns the running one, to be
 * put back into sd_current->lane */
struct lane *sd_speak_for(const struct lane *lane);
void sd_observed_barrier(const char *file, int line);
void sd_observed_yield(void);

/* ---- mask.c: what is wrong with the masks of a warp's functions ------------------------------ */

void sd_mask_without_caller(struct block *block, const struct warp *warp, const struct lane *lane);
void sd_mask_stuck(struct block *block, struct warp *warp, struct lane *lane, unsigned group);
void sd_mask_complete(struct block *block, struct warp *warp, unsigned group, bool sync);
void sd_mask_report(struct block *block, const struct warp *warp, const struct lane *lane,
                    unsigned group, const char *why);
void sd_shuffle_begin(struct block *block, struct warp *warp);

/* ---- block.c: making and ending blocks ------------------------------------------------------- */

struct block *sd_block_start(struct worker *me, struct grid *grid, uint64_t sequence);
void sd_block_end(struct worker *me, struct block *block);
/* sd_shared_enter, sd_shared_leave - a worker without a block has shared memory, as a kernel of phases
 * wants it; false: there is no memory */
bool sd_shared_enter(struct worker *me, const struct grid *grid);
void sd_shared_leave(struct worker *me);
/* sd_scheduled - what comes at this number of the schedule, among 0 .. total - 1 */
uint64_t sd_scheduled(uint64_t sequence, uint64_t total);
struct uint3 sd_block_index(const struct grid *grid, uint64_t sequence);
void sd_block_enter(struct worker *me, struct block *block);

/* ---- park.c: one set of stacks for all blocks of a cooperative launch ------------------------- */

void sd_park_begin(struct worker *me, const struct grid *grid);
/* sd_park_enter - puts the lanes of `block` on the stacks and those before away; false: no memory */
bool sd_park_enter(struct worker *me, struct block *block);
void sd_park_discard(struct block *block); /* the copy of a record that goes */
void sd_park_end(struct worker *me);

/* ---- grid_launch.c --------------------------------------------------------------------------- */

void sd_forget_kernels(uintptr_t begin, uintptr_t end); /* of a module that goes */

/* ---- worker.c, plain.c ----------------------------------------------------------------------- */

void sd_prepare_grid(struct grid *grid);
void sd_run_grid(struct grid *grid);
bool sd_let_host(struct grid *grid); /* true: it has had a turn, since the grid polls for it */
void sd_call_others_if_due(struct grid *grid);
/* sd_is_ranged - in such blocks it runs as loops over its threads: not one of phases in another
 * schedule */
bool sd_is_ranged(const struct simt_kernel *kernel, struct uint3 block);
void sd_run_plain(struct worker *me, struct grid *grid);
/* sd_is_by_blocks - the same of one of phases whose blocks wait for the grid */
bool sd_is_by_blocks(const struct simt_kernel *kernel, struct uint3 block);
void sd_run_fibres(struct worker *me, struct grid *grid);
uint64_t sd_random(uint64_t *state);
struct worker *sd_workers(void);

/* ---- spin.c: threads that run for long ------------------------------------------------------- */

void sd_spin_prepare(void);
/* sd_spin_look - in a signal handler, `context` is its third argument: the running thread has not
 * changed since the last tick of the watchdog. It gives way if it polls */
void sd_spin_look(struct worker *me, void *context);

/* ---- fault.c, watchdog.c, print.c ------------------------------------------------------------ */

void sd_report_fault_anew(struct worker *me); /* the thread was not found: report without */
void sd_fault_prepare(void);                  /* this OS thread can have faults */
void sd_watchdog_start(void);
void sd_watchdog_forget(void);
void sd_watchdog_set(struct grid *grid); /* NULL: nothing runs */
/* sd_end_if_overdue - if the watchdog wants the grid to end: tells that its lane was at pc, and
 * ends it */
void sd_end_if_overdue(const void *pc, const void *frame);
/* sd_end_waiting_if_overdue - the same where no lane runs; block: one of those that wait, or
 * NULL */
void sd_end_waiting_if_overdue(struct grid *grid, const struct block *block);
void sd_text_commit(struct worker *me, struct block *block);
void sd_text_flush(struct grid *grid);
void sd_fail_grid(struct grid *grid, int error);
/* sd_fail_out_of_memory - ends the grid with cudaErrorMemoryAllocation, and says so */
void sd_fail_out_of_memory(struct grid *grid, const char *what);
const char *sd_where(char *text, size_t bytes); /* "kernel k (f.cu:3), block (..), thread (..)" */

void sd_count_launch(const struct grid *grid);
void sd_counts_write(void);

/* ---- host_guard.c: memory of the host, or of another device, that a kernel was given ---------- */

void sd_guard_host(const struct grid *grid);
/* sd_would_guard - whether it would close anything: then the host's code must not run meanwhile */
bool sd_would_guard(const struct simt_kernel *kernel, const void *body);
void sd_unguard_host(void);
/* sd_open_host - before that, since host code needs the pages; false: they cannot be opened */
bool sd_open_host(void);
/* sd_opened_since - the page at which host code has faulted is open by now */
bool sd_opened_since(const void *address);

#endif
