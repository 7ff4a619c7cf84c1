/* Does the running thread only wait for another one to write?
 *
 * Result   a thread that has not given way for a few milliseconds is looked at instruction by
 *          instruction. If its registers and the top of its stack go round and round, it polls: no
 *          turn of its loop differs from the one before, so nothing but another thread can end it,
 *          and it makes no difference at which turn it gives way. Anything else computes, and is
 *          left alone
 * Method   the processor's trap flag, for so many instructions; a hash after each. The last ones
 *          must be the same as those a period before, for three periods: a counter in memory that
 *          the loop steps shows in the flags. How many instructions depends on how long the thread
 *          has run
 * Limits   a loop that counts its turns is not known to poll: its thread gives way after PATIENCE
 *          seconds (on one OS thread: those of --timeout, so that a run can be repeated). Vector
 *          registers count with their lower halves. Under a debugger, which wants the traps for
 *          itself, nothing is looked at
 */
#include "grid.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
  TRAP_FLAG = 0x100,
  RESUME_FLAG = 0x10000,
  FEWEST = 64,  /* instructions, at the first look; four times as many at each later one */
  PERIODS = 3,  /* that must repeat */
  BEHIND = 512, /* instructions until the thread is in the program again */
  WINDOW = 640, /* bytes of the stack, the ones below its end among them */
  BELOW = 128,
};

#define PATIENCE 0.25

static struct sigaction before;
static bool traps;

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline uint64_t mixed(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 32;
}

static uint64_t hash_of(const struct worker *me, const ucontext_t *c) {
  const greg_t *r = c->uc_mcontext.gregs;
  uint64_t hash = 1, word;
  for (int i = REG_R8; i <= REG_RIP; i++) hash = mixed(hash, (uint64_t)r[i]);
  hash = mixed(hash, (uint64_t)(r[REG_EFL] & ~(greg_t)(TRAP_FLAG | RESUME_FLAG)));
  const unsigned char *vectors = (const unsigned char *)c->uc_mcontext.fpregs->_xmm;
  for (size_t i = 0; i < sizeof c->uc_mcontext.fpregs->_xmm; i += sizeof word) {
    memcpy(&word, vectors + i, sizeof word);
    hash = mixed(hash, word);
  }
  const struct stack *stack = me->lane ? me->lane->stack : me->plain_stack;
  const uintptr_t from = ((uintptr_t)r[REG_RSP] - BELOW) & ~(uintptr_t)7;
  const uintptr_t end = (uintptr_t)stack->base + stack->bytes;
  if (from < (uintptr_t)stack->base || from + WINDOW > end) return hash;
  for (uintptr_t at = from; at < from + WINDOW; at += sizeof word) {
    memcpy(&word, (const void *)at, sizeof word);
    hash = mixed(hash, word);
  }
  return hash;
}

static bool goes_round(const struct sd_spin *spin) {
  const size_t last = spin->count - 1;
  size_t period = 1;
  while (period < last && spin->hashes[last - period] != spin->hashes[last]) period++;
  if (PERIODS * period > last) return false;
  for (size_t i = last - PERIODS * period; i + period <= last; i++)
    if (spin->hashes[i] != spin->hashes[i + period]) return false;
  return true;
}

static bool may_stop(const struct worker *me, const ucontext_t *c) {
  return !me->locked && sd_in_program((const void *)c->uc_mcontext.gregs[REG_RIP]);
}

/* After an instruction: on to the next one, or the end of the look, and maybe another thread's
 * turn. */
static void step(struct worker *me, ucontext_t *c) {
  struct sd_spin *spin = &me->spin;
  if (spin->count < spin->wanted) {
    spin->hashes[spin->count++] = hash_of(me, c);
    if (spin->count == spin->wanted) {
      spin->round = goes_round(spin);
      if (spin->round || spin->known == spin->wanted) spin->known = spin->round ? spin->wanted : 0;
    }
    if (spin->count < spin->wanted || spin->round) return;
  } else if (!may_stop(me, c) && ++spin->behind < BEHIND) {
    return;
  }
  const bool gives_way = spin->round && may_stop(me, c);
  spin->wanted = 0;
  c->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
  if (!gives_way) return;
  sd_count(&me->spins);
  spin->ticks = 0;
  if (me->lane) simt_yield();
}

static void on_trap(int signal, siginfo_t *info, void *context) {
  struct worker *me = sd_current;
  ucontext_t *c = context;
  if (info->si_code != TRAP_TRACE) {
    sigaction(signal, &before, NULL);
    raise(signal);
    return;
  }
  const int saved = errno;
  if (me && me->spin.wanted && me->spin.lane == me->lane && (me->lane || me->plain) &&
      me->spin.turn == me->switches + me->exits) {
    step(me, c);
  } else {
    if (me) me->spin.wanted = 0;
    c->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
  }
  errno = saved;
}

/* ---- The turn of a thread -------------------------------------------------------------------- */

/* Longer and longer intervals: what is looked at for nothing costs a few percent at most. */
static size_t wanted_at(unsigned tick, size_t known) {
  size_t steps = FEWEST;
  if (tick == 1 && known) return known;
  for (uint64_t t = 1; t < tick; t *= 4)
    if (steps < SD_SPIN_STEPS) steps *= 4;
  return tick & (tick - 1) || __builtin_ctz(tick) & 1 ? 0 : steps;
}

static void give_way(struct worker *me) {
  me->locked = 1;
  me->block->warp->polling |= sd_lane_bit();
  me->block->warp->preempted |= sd_lane_bit();
  sd_suspend();
}

void sd_spin_look(struct worker *me, void *context) {
  ucontext_t *c = context;
  struct sd_spin *spin = &me->spin;
  const uint64_t turn = me->switches + me->exits;
  if (spin->wanted && spin->turn == turn) return;
  if (spin->turn != turn || spin->lane != me->lane || spin->chunk != me->progress) {
    spin->ticks = 0;
    spin->turn = turn;
    spin->lane = me->lane;
    spin->chunk = me->progress;
    spin->since = processor_seconds();
  }
  const double limit = sd_options()->timeout_seconds;
  const double patience = sd_options()->threads > 1 ? PATIENCE : limit > 0 ? limit : 10;
  if (me->lane && processor_seconds() - spin->since > patience) {
    sd_count(&me->late);
    give_way(me);
    return;
  }
  const size_t wanted = wanted_at(++spin->ticks, spin->known);
  if (!wanted || !traps || sigismember(&c->uc_sigmask, SIGTRAP)) return;
  spin->count = spin->behind = 0;
  spin->round = false;
  spin->wanted = wanted;
  c->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

/* A debugger has the number of its process in our status. */
static bool is_debugged(void) {
  char text[4096];
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t n = read(file, text, sizeof text - 1);
  close(file);
  text[n > 0 ? n : 0] = 0;
  const char *tracer = strstr(text, "TracerPid:");
  return tracer && strtol(tracer + strlen("TracerPid:"), NULL, 10) != 0;
}

void sd_spin_prepare(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_trap;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  traps = !is_debugged() && sigaction(SIGTRAP, &action, &before) == 0;
}
