/* The watchdog: turns for lanes that spin, an end for grids that never finish.
 *
 * Method   a thread of its own looks at the workers every few milliseconds while a grid runs.
 *          A worker that has not changed lanes gets a signal, which makes its lane wait for
 *          the others: so lanes that poll plain memory make progress, as on a GPU with
 *          independent thread scheduling. A worker that has used the time limit without any
 *          thread returning, barrier opening or block ending ends the grid with
 *          cudaErrorLaunchTimeout; progress without a single thread returning is allowed ten
 *          times as long
 */
#include "grid.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

enum { TICK_NANOSECONDS = 4000000, LAUNCH_TIMEOUT = 702, PATIENCE = 10 };
enum { WATCHED_PATIENCE = 3, LOOKING = 2 };

struct view {
  uint64_t switches, progress, exits;
  double progress_at, exit_at; /* seconds of the worker's own time */
};

static struct grid *watched;
static bool running;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static struct view views[MAX_WORKERS];
static double overdue_since; /* seconds of the worker, since who watches is to be told; or 0 */

static double seconds_of(const struct worker *worker) {
  clockid_t clock;
  struct timespec t;
  if (pthread_getcpuclockid(worker->thread, &clock) || clock_gettime(clock, &t)) return 0;
  return (double)t.tv_sec + 1e-9 * ((double)t.tv_nsec + (double)atomic_load(&worker->slept));
}

static void end_grid(struct grid *grid, const char *what, double seconds, double now) {
  if (atomic_load(&grid->error)) return;
  if (sd_observer) {
    /* The worker looks for the lane. If it does not find it, the grid ends all the same. */
    if (overdue_since == 0) {
      overdue_since = now;
      grid->overdue_seconds = seconds;
      atomic_store(&grid->overdue, what);
    } else if (now - overdue_since > LOOKING) {
      sd_fail_grid(grid, LAUNCH_TIMEOUT);
    }
    return;
  }
  sd_note("watchdog: kernel %s (%s:%d): %s for %.3g s; it is ended with "
          "cudaErrorLaunchTimeout (SIMT_TIMEOUT sets the seconds, 0 is no limit)",
          grid->kernel->name, grid->kernel->file, grid->kernel->line, what, seconds);
  sd_fail_grid(grid, LAUNCH_TIMEOUT);
}

static void look_at(struct grid *grid, struct worker *worker, struct view *view) {
  const uint64_t switches = atomic_load(&worker->switches);
  const uint64_t exits = atomic_load(&worker->exits);
  const uint64_t progress = atomic_load(&worker->progress) + exits;
  const double limit = sd_options()->timeout_seconds;
  const double now = seconds_of(worker);
  const double patience = (sd_observer ? WATCHED_PATIENCE : PATIENCE) * limit;
  if (progress != view->progress) view->progress_at = now;
  if (exits != view->exits || worker->plain) view->exit_at = now;
  if (limit > 0 && now - view->progress_at > limit)
    end_grid(grid, "no thread returned, no barrier opened, no block ended", limit, now);
  if (limit > 0 && now - view->exit_at > patience)
    end_grid(grid, "no thread returned", patience, now);
  if (atomic_load(&grid->error) || atomic_load(&grid->overdue) ||
      (switches == view->switches && !worker->plain))
    pthread_kill(worker->thread, SIGURG);
  view->switches = switches;
  view->exits = exits;
  view->progress = progress;
}

static void *watch_main(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!watched) pthread_cond_wait(&wake, &lock);
    struct grid *grid = watched;
    for (unsigned int w = 0; w < grid->workers; ++w) {
      struct worker *worker = &sd_workers()[w];
      if (worker->grid == grid) look_at(grid, worker, &views[w]);
    }
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
  running = pthread_create(&thread, &attributes, watch_main, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_attr_destroy(&attributes);
}

/* sd_watch_forget - after a fork its thread is not there */
void sd_watch_forget(void) {
  running = false;
  watched = NULL;
  pthread_mutex_init(&lock, NULL);
}

void sd_watch_start(void) {
  if (!running) start();
}

void sd_watch(struct grid *grid) {
  pthread_mutex_lock(&lock);
  const bool asleep = watched == NULL;
  watched = grid;
  if (grid) {
    overdue_since = 0;
    for (unsigned int w = 0; w < grid->workers; ++w) {
      const double now = seconds_of(&sd_workers()[w]);
      views[w].progress_at = views[w].exit_at = now;
    }
    if (asleep) pthread_cond_signal(&wake);
  }
  pthread_mutex_unlock(&lock);
}
