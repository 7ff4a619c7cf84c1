/* Barriers that are known by number: bar.sync and bar.arrive of PTX.
 *
 * Method   threads are counted; the last one to come opens the barrier for those that wait
 * Limits   waiting is looked at when nothing else of the block can run
 * Source   PTX ISA, section Parallel Synchronization and Communication Instructions
 */
#include "grid.h"
#include "observer.h"

enum { MISUSED = 719 /* cudaErrorLaunchFailure */ };

struct ticket {
  const struct named_barrier *barrier;
  unsigned phase;
};

static int is_open(void *user) {
  const struct ticket *ticket = user;
  return ticket->barrier->phase != ticket->phase;
}

void simt_named_barrier(unsigned number, unsigned threads, int waits, const char *file, int line) {
  struct worker *me = sd_current;
  if (!me || !me->lane) return;
  if (number >= NAMED_BARRIERS || threads == 0 || threads % LANES) {
    const struct sd_location locations[2] = {{file, line}, {NULL, 0}};
    sd_report_finding(
        SD_BAD_CALL, locations,
        "bar.sync: kernel %s (%s:%d): there are barriers 0 to %d, for multiples of %d threads",
        me->grid->kernel->name, file, line, NAMED_BARRIERS - 1, LANES);
    sd_fail_launch(MISUSED);
  }
  struct named_barrier *barrier = &me->block->named[number];
  struct ticket ticket = {barrier, barrier->phase};
  SD_NOTIFY(release, barrier, SIMT_FENCE_BLOCK);
  if (++barrier->arrived == threads) {
    barrier->arrived = 0;
    barrier->phase++;
  } else if (waits) {
    simt_wait(is_open, &ticket, "bar.sync", file, line);
  }
  if (waits) SD_NOTIFY(acquire, barrier, SIMT_FENCE_BLOCK);
}
