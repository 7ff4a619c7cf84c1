/* pool.c - worker threads: hd_parallel over a queue of jobs that all contexts share
 *
 * Method   One mutex, one queue. A job hands out its indices in rising order; the caller works on
 *          its own job too, so a job ends even if no worker can be had. Jobs of several callers
 *          interleave: a worker takes from the job at the head, and a job whose indices are all
 *          handed out leaves the queue.
 * Fork     The child has no workers and an empty queue; they start anew at its first need. A pool
 *          of this kind survives fork, where OpenMP's hangs.
 * Limits   Tasks are large (tens of microseconds and more), so the mutex is not contended. */
#include "pool.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

enum { MAX_WORKERS = 1023 };

static struct {
  pthread_mutex_t lock;
  pthread_cond_t work, done;
  struct hd_job *first, **last;
  pthread_t thread[MAX_WORKERS];
  size_t threads, users;
  size_t generation; /* workers of an earlier one end */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .work = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER,
          .last = &pool.first};

static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static _Thread_local bool inside_task;

static void before_fork(void) { pthread_mutex_lock(&pool.lock); }
static void after_fork_parent(void) { pthread_mutex_unlock(&pool.lock); }
static void after_fork_child(void) {
  pthread_cond_init(&pool.work, NULL);
  pthread_cond_init(&pool.done, NULL);
  pool.first = NULL;
  pool.last = &pool.first;
  pool.threads = 0;
  pthread_mutex_unlock(&pool.lock); /* taken by this thread's original, in before_fork */
}
static void register_fork(void) {
  pthread_atfork(before_fork, after_fork_parent, after_fork_child);
}

static void run_task(heddle_task *task, void *arg, size_t index) {
  bool outer = inside_task;
  inside_task = true;
  unsigned long saved = hd_float_enter();
  task(arg, index);
  hd_float_leave(saved);
  inside_task = outer;
}

/* Takes the next index of a queued job; the job leaves the queue with its last one. Locked. */
static bool take(struct hd_job *job, size_t *index) {
  if (job->next == job->count) return false;
  *index = job->next++;
  if (job->next < job->count) return true;
  for (struct hd_job **at = &pool.first; *at; at = &(*at)->later)
    if (*at == job) {
      *at = job->later;
      if (!*at) pool.last = at;
      break;
    }
  return true;
}

/* Runs one index with the lock released in between. Locked. */
static void run_one(struct hd_job *job, size_t index) {
  pthread_mutex_unlock(&pool.lock);
  run_task(job->task, job->arg, index);
  pthread_mutex_lock(&pool.lock);
  if (++job->done == job->count) pthread_cond_broadcast(&pool.done);
}

static void *work(void *generation) {
  pthread_mutex_lock(&pool.lock);
  while (pool.generation == (size_t)generation) {
    struct hd_job *job = pool.first;
    size_t index;
    if (job && take(job, &index))
      run_one(job, index);
    else
      pthread_cond_wait(&pool.work, &pool.lock);
  }
  pthread_mutex_unlock(&pool.lock);
  return NULL;
}

/* At least `wanted` workers, or as many as the system grants. Locked. */
static void grow(size_t wanted) {
  if (wanted > MAX_WORKERS) wanted = MAX_WORKERS;
  if (pool.threads >= wanted) return;
  sigset_t all, before;
  sigfillset(&all); /* the program's signals are its own threads' business */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (pool.threads < wanted &&
         !pthread_create(&pool.thread[pool.threads], NULL, work, (void *)pool.generation))
    pool.threads++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct trampoline {
  heddle_task *task;
  void *arg;
};

static void run_trampoline(void *arg, size_t index) {
  const struct trampoline *t = arg;
  run_task(t->task, t->arg, index);
}

/* On the context's executor or on this thread; false: the job is for the pool. */
static bool run_elsewhere(heddle_context *ctx, size_t count, heddle_task *task, void *arg) {
  if (ctx->run && !inside_task) {
    struct trampoline t = {task, arg};
    ctx->run(ctx->run_user, count, run_trampoline, &t);
    return true;
  }
  if (!inside_task) return false;
  for (size_t i = 0; i < count; i++) run_task(task, arg, i);
  return true;
}

static void enqueue(struct hd_job *job, size_t workers) {
  pthread_mutex_lock(&pool.lock);
  *pool.last = job;
  pool.last = &job->later;
  grow(workers);
  if (workers == 1)
    pthread_cond_signal(&pool.work);
  else
    pthread_cond_broadcast(&pool.work);
  pthread_mutex_unlock(&pool.lock);
}

void hd_parallel_begin(heddle_context *ctx, struct hd_job *job, size_t count, heddle_task *task,
                       void *arg) {
  *job = (struct hd_job){task, arg, count, 0, 0, NULL};
  if (run_elsewhere(ctx, count, task, arg))
    job->next = job->done = count;
  else if (count)
    enqueue(job, count);
}

void hd_parallel_end(struct hd_job *job) {
  size_t index;
  pthread_mutex_lock(&pool.lock);
  while (take(job, &index)) run_one(job, index);
  while (job->done < job->count) pthread_cond_wait(&pool.done, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
}

void hd_parallel(heddle_context *ctx, size_t count, heddle_task *task, void *arg) {
  if (run_elsewhere(ctx, count, task, arg)) return;
  if (count < 2) {
    for (size_t i = 0; i < count; i++) run_task(task, arg, i);
    return;
  }
  struct hd_job job = {task, arg, count, 0, 0, NULL};
  enqueue(&job, count - 1);
  hd_parallel_end(&job);
}

void hd_pool_enter(void) {
  pthread_once(&fork_once, register_fork);
  pthread_mutex_lock(&pool.lock);
  pool.users++;
  pthread_mutex_unlock(&pool.lock);
}

void hd_pool_leave(void) {
  pthread_t thread[MAX_WORKERS];
  size_t threads = 0;
  pthread_mutex_lock(&pool.lock);
  if (--pool.users == 0) {
    threads = pool.threads;
    memcpy(thread, pool.thread, threads * sizeof *thread);
    pool.threads = 0;
    pool.generation++;
    pthread_cond_broadcast(&pool.work);
  }
  pthread_mutex_unlock(&pool.lock);
  for (size_t i = 0; i < threads; i++) pthread_join(thread[i], NULL);
}
