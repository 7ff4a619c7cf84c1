/* spread.c - pieces of work to the members of a group, which work at once
 *
 * Method   Each piece belongs to the member whose memory it needs; what needs none's is dealt out in turn.
 *          A member that has pieces gets a thread, which does them in order, but the first, which has the
 *          calling one; or they are tasks of the caller's executor. All have ended when the call returns.
 * Errors   a failure keeps later pieces from being begun; the message of the failed thread becomes the
 *          caller's. Of several that of the first piece counts: it does not depend on who was quicker.
 * Limits   a thread that cannot be made leaves its member's pieces to the calling one */
#include <string.h>

#include "group.h"

struct round;
struct worker {
  struct round *round;
  unsigned member;
  heddle_status status;
  size_t failed; /* piece */
  struct hd_message message;
  pthread_t thread;
};

struct round {
  struct hd_group_call call;
  size_t pieces;
  unsigned char *member_of;
  hd_piece_task *task;
  void *arg;
  atomic_size_t failed; /* the first piece so far */
  unsigned workers, ended;
  struct worker worker[HD_GROUP_MOST];
  pthread_mutex_t lock; /* of ended */
  pthread_cond_t end;
};

static void work(struct worker *w) {
  struct round *round = w->round;
  heddle_context *member = hd_group(round->call.ctx)->member[w->member];
  for (size_t i = 0; i < round->pieces && !w->status; i++) {
    if (round->member_of[i] != w->member) continue;
    if (i > atomic_load(&round->failed)) return;
    w->status = round->task(member, round->arg, i);
    w->failed = i;
  }
  if (!w->status) return;
  size_t first = atomic_load(&round->failed);
  while (w->failed < first && !atomic_compare_exchange_weak(&round->failed, &first, w->failed)) {
  }
  hd_message_keep(&w->message);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void *thread_main(void *arg) {
  struct worker *w = arg;
  const unsigned long saved = hd_float_enter();
  work(w);
  hd_float_leave(saved);
  pthread_mutex_lock(&w->round->lock);
  w->round->ended++;
  pthread_cond_signal(&w->round->end);
  pthread_mutex_unlock(&w->round->lock);
  return NULL;
}

/* The calling thread has the poll callback to ask while others work. */
static void await(struct round *round, unsigned threads) {
  enum { NAP_NS = 20 * 1000 * 1000 };
  pthread_mutex_lock(&round->lock);
  while (round->ended < threads) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += NAP_NS;
    if (until.tv_nsec >= 1000 * 1000 * 1000) until.tv_sec++, until.tv_nsec -= 1000 * 1000 * 1000;
    if (!round->call.ctx->poll)
      pthread_cond_wait(&round->end, &round->lock);
    else if (pthread_cond_timedwait(&round->end, &round->lock, &until))
      (void)hd_poll(&round->call.token);
  }
  pthread_mutex_unlock(&round->lock);
}

static void work_at_once(struct round *round) {
  bool made[HD_GROUP_MOST] = {false};
  unsigned threads = 0;
  pthread_mutex_init(&round->lock, NULL);
  pthread_cond_init(&round->end, NULL);
  for (unsigned i = 1; i < round->workers; i++) {
    made[i] = !pthread_create(&round->worker[i].thread, NULL, thread_main, &round->worker[i]);
    threads += made[i];
  }
  for (unsigned i = 0; i < round->workers; i++)
    if (!made[i]) work(&round->worker[i]);
  await(round, threads);
  for (unsigned i = 1; i < round->workers; i++)
    if (made[i]) pthread_join(round->worker[i].thread, NULL);
  pthread_cond_destroy(&round->end);
  pthread_mutex_destroy(&round->lock);
}

static void run_worker(void *arg, size_t index) {
  struct round *round = arg;
  const unsigned long saved = hd_float_enter();
  work(&round->worker[index]);
  hd_float_leave(saved);
}

/* ---- dealing out ----------------------------------------------------------------------------- */

static void deal(struct round *round, const void *const *where) {
  heddle_context *ctx = round->call.ctx;
  const struct hd_group *group = hd_group(ctx);
  unsigned next = 0;
  for (size_t i = 0; i < round->pieces; i++) {
    unsigned m = hd_group_owner(ctx, where[i]);
    if (m == group->members) m = next++ % group->members;
    round->member_of[i] = (unsigned char)m;
  }
  for (unsigned m = 0; m < group->members; m++)
    if (memchr(round->member_of, (int)m, round->pieces))
      round->worker[round->workers++] = (struct worker){.round = round, .member = m};
}

/* What the workers came to. */
static heddle_status outcome(const struct round *round) {
  const struct worker *first = NULL;
  for (unsigned i = 0; i < round->workers; i++) {
    const struct worker *w = &round->worker[i];
    if (w->status && (!first || w->failed < first->failed)) first = w;
  }
  if (!first) return HEDDLE_OK;
  hd_message_restore(&first->message);
  return first->status;
}

heddle_status hd_group_spread(heddle_context *ctx, size_t pieces, const void *const *where,
                              hd_piece_task *task, void *arg) {
  if (!pieces) return HEDDLE_OK;
  struct round *round = hd_allocate(ctx, sizeof *round + pieces);
  if (!round) return HEDDLE_OUT_OF_MEMORY;
  memset(round, 0, sizeof *round);
  round->pieces = pieces;
  round->member_of = (unsigned char *)(round + 1);
  round->task = task;
  round->arg = arg;
  atomic_init(&round->failed, SIZE_MAX);
  hd_group_enter(&round->call, ctx);
  deal(round, where);
  if (round->workers == 1)
    work(&round->worker[0]);
  else if (ctx->run)
    ctx->run(ctx->run_user, round->workers, run_worker, round);
  else
    work_at_once(round);
  const heddle_status status = outcome(round);
  (void)hd_group_leave(&round->call, status);
  hd_release(ctx, round, sizeof *round + pieces);
  return status;
}
