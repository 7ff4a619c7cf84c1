/* The watchdog: turns for lanes that spin, an end for grids that never finish.
 *
 * Method   a thread of its own looks at the workers every few milliseconds while a grid runs.
 *          A worker that has not changed lanes gets a signal, in which its lane is looked at
 *          (spin.c): if it polls plain memory it waits for the others, as on a GPU with
 *          independent thread scheduling; if it computes it goes on.
 *          When no thread has returned, no barrier opened, no function of a warp was completed and
 *          no block ended while every worker has
 *          spent the time limit on lanes that poll or wait, the grid ends with
 *          cudaErrorLaunchTimeout; progress without a single thread returning is allowed ten
 *          times as long. What counts is processor time and naps, so a busy machine changes
 *          nothing, and as long as one worker's lane computes nobody is stuck
 *          A grid whose launch has returned may wait for the host, as long as the host does not wait for
 *          it: no such time counts
 * Limits   a lane that computes for ever is not ended; a note says so once
 */
#include "grid.h"
#include "queue.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

enum { TICK_NANOSECONDS = 4000000, LAUNCH_TIMEOUT = 702, PATIENCE = 10 };
enum { OBSERVED_PATIENCE = 3, LOOKING = 2 };

#define COMPUTES 0.1 /* seconds of one turn in which a lane was not found to poll */

struct view {
  uint64_t switches, progress, exits, spins, late;
  double at, turn_at; /* seconds of the worker's own time: of the last look, of the turn's first */
  bool computes;
};

/* What the workers did between two looks. */
struct tick {
  bool progress, exits, computes;
  double spent;   /* by the one that spent least */
  double mistake; /* seconds before, in which a lane computed that was taken for one that waits */
};

static struct grid *running_grid;
static bool running;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static struct view views[MAX_WORKERS];
static double stuck, unreturned, computing; /* seconds of the grid */
static bool noted;
static bool looking;      /* the observer is to be noted where a lane is */
static double looked_for; /* seconds of the grid, since then */

static double seconds_of(const struct worker *worker) {
  clockid_t clock;
  struct timespec t;
  if (pthread_getcpuclockid(worker->thread, &clock) || clock_gettime(clock, &t)) return 0;
  return (double)t.tv_sec + 1e-9 * ((double)t.tv_nsec + (double)atomic_load(&worker->slept));
}

static void end_grid(struct grid *grid, const char *what, double seconds, double spent) {
  if (atomic_load(&grid->error)) return;
  if (sd_observer) {
    /* The worker looks for the lane. If it does not find it, the grid ends all the same. */
    looked_for += spent;
    if (!looking) {
      looking = true;
      looked_for = 0;
      grid->overdue_seconds = seconds;
      atomic_store(&grid->overdue, what);
    } else if (looked_for > LOOKING) {
      sd_fail_grid(grid, LAUNCH_TIMEOUT);
    }
    return;
  }
  sd_report_end("watchdog: kernel %s (%s:%d): %s for %.3g s; it is ended with "
                "cudaErrorLaunchTimeout (SIMT_TIMEOUT sets the seconds, 0 is no limit)",
                grid->kernel->name, grid->kernel->file, grid->kernel->line, what, seconds);
  sd_fail_grid(grid, LAUNCH_TIMEOUT);
}

/* A lane that has had its turn for long computes, unless it was found to poll. The observer gives
 * turns by count, and there all time is spent alike. */
static bool computes(struct view *view, const struct worker *worker, uint64_t switches,
                     double now) {
  const uint64_t spins = atomic_load(&worker->spins), late = atomic_load(&worker->late);
  if (switches != view->switches || spins != view->spins) view->turn_at = now;
  if (late != view->late) view->turn_at = now - 2 * COMPUTES;
  view->switches = switches;
  view->spins = spins;
  view->late = late;
  return !sd_observer && now - view->turn_at > COMPUTES;
}

static void look_at(struct grid *grid, struct worker *worker, struct view *view,
                    struct tick *tick) {
  const uint64_t switches = atomic_load(&worker->switches);
  const uint64_t exits = atomic_load(&worker->exits);
  const uint64_t progress = atomic_load(&worker->progress) + exits;
  const double now = seconds_of(worker), spent = now - view->at;
  if (atomic_load(&grid->error) || atomic_load(&grid->overdue) || switches == view->switches)
    pthread_kill(worker->thread, SIGURG);
  tick->progress |= progress != view->progress;
  tick->exits |= exits != view->exits;
  const bool before = view->computes;
  view->computes = computes(view, worker, switches, now);
  tick->computes |= view->computes;
  if (view->computes && !before && now - view->turn_at > tick->mistake)
    tick->mistake = now - view->turn_at;
  if (tick->spent < 0 || spent < tick->spent) tick->spent = spent;
  view->exits = exits;
  view->progress = progress;
  view->at = now;
}

static void note_computing(const struct grid *grid, double limit, double spent) {
  computing += spent;
  if (noted || computing < PATIENCE * limit) return;
  noted = true;
  sd_note("watchdog: kernel %s (%s:%d): a thread has computed for %.3g s without waiting for "
          "another one; it goes on",
          grid->kernel->name, grid->kernel->file, grid->kernel->line, PATIENCE * limit);
}

static double waited(double seconds, const struct tick *tick, double spent) {
  if (!tick->computes) return seconds + spent;
  return seconds > tick->mistake ? seconds - tick->mistake : 0;
}

/* A host that asks again and again is not heard in every tick: those in which it is not do not count.
 * One that has not asked for half of the limit has other things to do. */
static bool is_awaited(double limit) {
  static unsigned unasked;
  if (sd_queue_is_awaited()) {
    unasked = 0;
    return true;
  }
  if (++unasked * (TICK_NANOSECONDS * 1e-9) > limit / 2) stuck = unreturned = 0;
  return false;
}

static void look(struct grid *grid) {
  const double limit = sd_options()->timeout_seconds;
  const double patience = (sd_observer ? OBSERVED_PATIENCE : PATIENCE) * limit;
  struct tick tick = {.spent = -1};
  for (unsigned w = 0; w < grid->workers; w++) {
    struct worker *worker = &sd_workers()[w];
    if (worker->grid == grid) look_at(grid, worker, &views[w], &tick);
  }
  const double spent = tick.spent < 0 || !is_awaited(limit) ? 0 : tick.spent;
  stuck = tick.progress ? 0 : waited(stuck, &tick, spent);
  unreturned = tick.exits ? 0 : waited(unreturned, &tick, spent);
  computing = tick.progress || !tick.computes ? 0 : computing;
  if (limit == 0) return;
  if (tick.computes) note_computing(grid, limit, spent);
  if (stuck > limit)
    end_grid(grid, "no thread returned, no barrier opened, no block ended", limit, spent);
  else if (unreturned > patience)
    end_grid(grid, "no thread returned", patience, spent);
}

static void *watchdog_main(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!running_grid) pthread_cond_wait(&wake, &lock);
    look(running_grid);
    pthread_mutex_unlock(&lock);
    nanosleep(&(struct timespec){0, TICK_NANOSECONDS}, NULL);
    pthread_mutex_lock(&lock);
  }
  return NULL;
}

static void start(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  sigset_t all, old;
  sigfillset(&all);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  running = pthread_create(&thread, &attributes, watchdog_main, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_attr_destroy(&attributes);
}

/* sd_watchdog_forget - after a fork its thread is not there */
void sd_watchdog_forget(void) {
  running = false;
  running_grid = NULL;
  pthread_mutex_init(&lock, NULL);
}

void sd_watchdog_start(void) {
  if (!running) start();
}

void sd_watchdog_set(struct grid *grid) {
  pthread_mutex_lock(&lock);
  const bool asleep = !running_grid;
  running_grid = grid;
  if (grid) {
    looked_for = stuck = unreturned = computing = 0;
    noted = looking = false;
    for (unsigned w = 0; w < grid->workers; w++) {
      views[w].at = views[w].turn_at = seconds_of(&sd_workers()[w]);
      views[w].computes = false;
    }
    if (asleep) pthread_cond_signal(&wake);
  }
  pthread_mutex_unlock(&lock);
}
