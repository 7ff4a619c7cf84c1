/* The queue of ../queue.h: its thread, and threads of the host that take its part while they wait. */
#include "queue.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

/* The thread looks at the queue more and more seldom while it finds nothing, and then sleeps until it
 * is called, which takes the caller some microseconds. */
enum { PLACES = 1024, FIRST_NAP = 50000, LAST_NAP = 800000, NAPS = 80, PATIENCE = 20000 };

struct place {
  void (*run)(void *data);
  unsigned char data[SD_QUEUE_BYTES] __attribute__((aligned(64)));
};

static struct place places[PLACES]; /* number n is at n % PLACES */
static _Atomic uint64_t added, done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, progress = PTHREAD_COND_INITIALIZER;
static uint64_t wanted = UINT64_MAX; /* the lowest place that a sleeping thread waits for */
static atomic_uint awaited;          /* threads that wait */
static atomic_bool asked;            /* a thread has looked in vain */
static atomic_bool running;          /* an operation is being done */
static uint64_t held;                /* the operation that has returned and is not over; 0: none */
static bool started, asleep;         /* the queue's thread */
static _Thread_local bool inside;    /* this thread is doing an operation */

/* Under the lock. */
static void is_over(uint64_t place) {
  atomic_store(&done, place);
  if (place < wanted) return;
  wanted = UINT64_MAX;
  pthread_cond_broadcast(&progress);
}

/* Under the lock, which is given up meanwhile: the next operation, if there is one and none is being
 * done. */
static bool do_next(void) {
  const uint64_t next = atomic_load(&done) + 1;
  if (held || atomic_load(&running) || next > atomic_load(&added)) return false;
  struct place *place = &places[next % PLACES];
  atomic_store(&running, true);
  pthread_mutex_unlock(&lock);
  inside = true;
  place->run(place->data);
  inside = false;
  pthread_mutex_lock(&lock);
  atomic_store(&running, false);
  if (!held) is_over(next);
  return true;
}

/* ---- The thread ------------------------------------------------------------------------------ */

static void *queue_main(void *unused) {
  (void)unused;
  long nap = FIRST_NAP;
  unsigned naps = 0;
  pthread_mutex_lock(&lock);
  for (;;) {
    if (do_next()) {
      nap = FIRST_NAP;
      naps = 0;
      continue;
    }
    if (naps++ < NAPS || atomic_load(&added) != atomic_load(&done)) {
      pthread_mutex_unlock(&lock);
      nanosleep(&(struct timespec){0, nap}, NULL);
      pthread_mutex_lock(&lock);
      if (nap < LAST_NAP) nap *= 2;
      continue;
    }
    asleep = true;
    while (asleep) pthread_cond_wait(&work, &lock);
    nap = FIRST_NAP;
    naps = 0;
  }
  return NULL;
}

/* Signals that the program handles are for its own threads. */
static void start(void) {
  static const int ours[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGURG, SIGTRAP, SIGABRT};
  pthread_t thread;
  pthread_attr_t attributes;
  sigset_t most, old;
  sigfillset(&most);
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) sigdelset(&most, ours[i]);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &most, &old);
  asleep = false;
  started = pthread_create(&thread, &attributes, queue_main, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_attr_destroy(&attributes);
}

/* ---- Forks ----------------------------------------------------------------------------------- */

/* The child has all that was issued before, done, and no thread. */
static void before_fork(void) {
  sd_queue_drain();
  if (!inside) pthread_mutex_lock(&lock);
}

static void after_fork(void) {
  if (!inside) pthread_mutex_unlock(&lock);
}

static void in_child(void) {
  pthread_mutex_init(&lock, NULL);
  pthread_cond_init(&work, NULL);
  pthread_cond_init(&progress, NULL);
  atomic_store(&done, atomic_load(&added));
  atomic_store(&running, false);
  atomic_store(&awaited, 0);
  wanted = UINT64_MAX;
  held = 0;
  started = asleep = false;
}

static void follow_forks(void) { pthread_atfork(before_fork, after_fork, in_child); }

/* ---- Waiting --------------------------------------------------------------------------------- */

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Another thread is at it: it may be done sooner than a sleep would be over. */
static void spin(uint64_t place) {
  const long long begin = now();
  while (atomic_load(&running) && !sd_queue_is_done(place) && now() - begin < PATIENCE) {
  }
}

/* Under the lock. */
static void wait_for(uint64_t place) {
  bool spun = false;
  atomic_fetch_add(&awaited, 1);
  while (!sd_queue_is_done(place)) {
    if (do_next()) continue;
    if (!spun) {
      pthread_mutex_unlock(&lock);
      spin(place);
      pthread_mutex_lock(&lock);
      spun = true;
      continue;
    }
    if (place < wanted) wanted = place;
    pthread_cond_wait(&progress, &lock);
  }
  atomic_fetch_sub(&awaited, 1);
}

uint64_t sd_queue_last(void) { return atomic_load(&added); }

bool sd_queue_is_done(uint64_t place) { return atomic_load(&done) >= place; }

void sd_queue_wait(uint64_t place) {
  if (sd_queue_is_done(place) || inside) return;
  pthread_mutex_lock(&lock);
  wait_for(place);
  pthread_mutex_unlock(&lock);
}

void sd_queue_drain(void) { sd_queue_wait(sd_queue_last()); }

bool sd_queue_ask(uint64_t place) {
  if (sd_queue_is_done(place)) return true;
  atomic_store(&asked, true);
  return false;
}

bool sd_queue_is_awaited(void) {
  const bool lately = atomic_exchange(&asked, false);
  return lately || atomic_load(&awaited) || !atomic_load(&running);
}

/* ---- Holding --------------------------------------------------------------------------------- */

uint64_t sd_queue_hold(void) {
  pthread_mutex_lock(&lock);
  if (!inside) atomic_fetch_add(&added, 1);
  const uint64_t place = held = atomic_load(&done) + 1;
  pthread_mutex_unlock(&lock);
  return place;
}

bool sd_queue_is_held(void) { return held != 0; }

void sd_queue_go_on(void) {
  pthread_mutex_lock(&lock);
  is_over(held);
  held = 0;
  atomic_fetch_add(&awaited, 1);
  while (do_next()) {
  }
  atomic_fetch_sub(&awaited, 1);
  pthread_mutex_unlock(&lock);
}

/* ---- Adding ---------------------------------------------------------------------------------- */

void *sd_queue_add(size_t bytes, void (*run)(void *data)) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (bytes > SD_QUEUE_BYTES || inside) return NULL;
  pthread_once(&once, follow_forks);
  pthread_mutex_lock(&lock);
  const bool has_room = atomic_load(&added) - atomic_load(&done) < PLACES;
  if (!held && !started) start();
  if (held ? !has_room : !started) {
    pthread_mutex_unlock(&lock);
    return NULL;
  }
  /* Others may have used the room while this thread slept. */
  uint64_t last;
  while ((last = atomic_load(&added)) - atomic_load(&done) >= PLACES) wait_for(last - PLACES / 2);
  struct place *place = &places[(last + 1) % PLACES];
  place->run = run;
  return place->data;
}

uint64_t sd_queue_commit(void) {
  const uint64_t place = atomic_load(&added) + 1;
  atomic_store(&added, place);
  if (asleep) {
    asleep = false;
    pthread_cond_signal(&work);
  }
  pthread_mutex_unlock(&lock);
  return place;
}
