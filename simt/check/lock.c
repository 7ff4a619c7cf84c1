/* A recursive mutex that a lane of the running kernel passes, and whoever has waited for three
 * seconds: the kernel may be waiting for that thread. */
#include "lock.h"
#include "grid.h"

#include <time.h>

bool ck_on;

static pthread_mutex_t alone;

void ck_lock_open(void) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&alone, &recursive);
}

bool ck_enter(void) {
  struct timespec until;
  if (sd_current && sd_current->lane) return false;
  if (pthread_mutex_trylock(&alone) == 0) return true;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 3;
  return pthread_mutex_timedlock(&alone, &until) == 0;
}

bool ck_try_enter(void) { return pthread_mutex_trylock(&alone) == 0; }

void ck_leave(const bool *entered) {
  if (*entered) pthread_mutex_unlock(&alone);
}
