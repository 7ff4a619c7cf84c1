/* Host code that looks at memory to see what a kernel does.
 *
 * Result   a kernel that waits for the host goes on where the host reads memory of the device by a
 *          volatile or atomic access, or the same words again and again. What the kernel did before
 *          what is read so, is in order. Once a kernel has failed nothing of the device is run any
 *          more: host code that then reads the same few words for some seconds of its own time waits
 *          for what never comes, and the process ends, as what was found has been written
 * Limits   words that library functions read; a loop that does other work between its reads takes
 *          as long as the program is given
 */
#include "check.h"
#include "host.h"

#include "runtime.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 3.0 /* seconds of the thread */

enum { WORDS = 4, LOOK = 1 << 12, FOUND_STATUS = 3 };

static _Thread_local struct {
  uintptr_t words[WORDS];
  unsigned used;
  uint64_t reads;
  double since;
} wait;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_known(uintptr_t address) {
  for (unsigned i = 0; i < wait.used; i++)
    if (wait.words[i] == address) return true;
  return false;
}

/* Under the checker a kernel that waits for the host is the same OS thread. */
static void let_kernel(uintptr_t address, bool is_volatile) {
  if (sd_launch_waits() && (is_volatile || wait.reads)) sd_resume_launch(false);
  if (is_volatile && ck_try_enter()) {
    static const bool entered = true;
    ck_host_sees(address);
    ck_leave(&entered);
  }
}

void ck_host_reads_again(uintptr_t address, bool is_volatile) {
  let_kernel(address, is_volatile);
  if (!is_known(address)) {
    if (wait.used == WORDS) wait.used = 0;
    wait.words[wait.used++] = address;
    wait.reads = 0;
    return;
  }
  if (++wait.reads == 1) wait.since = seconds();
  if (wait.reads % LOOK != 0 || !rt_lost() || seconds() - wait.since < PATIENCE) return;
  sd_note("the host waits for a kernel that has been ended: so is the program");
  fflush(NULL);
  _exit(FOUND_STATUS);
}
