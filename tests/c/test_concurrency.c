/* test_concurrency.c - many threads on one context and on many, executors, fork, and cancelling */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

enum { THREADS = 6, LENGTH = 1 << 20 };
static float *x;
static float expected_sum, expected_last;
static uint64_t expected_counts[64], expected_index;
static const heddle_bins bins = {sizeof bins, HEDDLE_BINS_EVEN, 64, -4, 4, 0, NULL, 0};

static int setup(void **state) {
  (void)state;
  heddle_context *ctx = open_cpu("scalar", 1);
  float *totals = allocate(LENGTH * 4);
  x = data_new(DATA_WIDE, HEDDLE_F32, 1, LENGTH);
  int failed =
      HEDDLE_OK != heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, LENGTH, &expected_sum, NULL);
  failed |= HEDDLE_OK !=
            heddle_scan(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, x, LENGTH, totals, NULL);
  failed |=
      HEDDLE_OK != heddle_histogram(ctx, HEDDLE_F32, x, LENGTH, &bins, expected_counts, NULL, NULL);
  failed |= HEDDLE_OK != heddle_argreduce(ctx, HEDDLE_ARGMAX, HEDDLE_F32, x, LENGTH, NULL,
                                          &expected_index, NULL);
  expected_last = totals[LENGTH - 1];
  free(totals);
  heddle_close(ctx);
  return failed;
}
static int teardown(void **state) {
  (void)state;
  free(x);
  return 0;
}

/* Every verb once; the number of answers that are wrong. */
static int wrong_answers(heddle_context *ctx, float *totals) {
  float sum = 0;
  uint64_t counts[64], index = 0;
  int wrong = 0;
  wrong += heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, x, LENGTH, &sum, NULL) != HEDDLE_OK;
  wrong += memcmp(&sum, &expected_sum, sizeof sum) != 0;
  wrong += heddle_scan(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, x, LENGTH, totals, NULL) !=
           HEDDLE_OK;
  wrong += memcmp(&totals[LENGTH - 1], &expected_last, sizeof sum) != 0;
  wrong += heddle_histogram(ctx, HEDDLE_F32, x, LENGTH, &bins, counts, NULL, NULL) != HEDDLE_OK;
  wrong += memcmp(counts, expected_counts, sizeof counts) != 0;
  wrong +=
      heddle_argreduce(ctx, HEDDLE_ARGMAX, HEDDLE_F32, x, LENGTH, NULL, &index, NULL) != HEDDLE_OK;
  wrong += index != expected_index;
  return wrong;
}

typedef struct caller {
  pthread_t thread;
  heddle_context *ctx; /* NULL: open one */
  int wrong, rounds;
} caller;

static void *call(void *argument) {
  caller *c = argument;
  float *totals = allocate(LENGTH * 4);
  for (int i = 0; i < c->rounds; i++) {
    heddle_context *ctx = c->ctx;
    if (!ctx && heddle_open("cpu:3", &ctx) != HEDDLE_OK) {
      c->wrong++;
      break;
    }
    c->wrong += wrong_answers(ctx, totals);
    if (!c->ctx) heddle_close(ctx);
  }
  free(totals);
  return NULL;
}

static void run_callers(heddle_context *shared) {
  caller callers[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    callers[i] = (caller){0, shared, 0, lightness() > 1 ? 3 : 8};
    assert_int_equal(pthread_create(&callers[i].thread, NULL, call, &callers[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(callers[i].thread, NULL), 0);
    assert_int_equal(callers[i].wrong, 0);
  }
}

static void many_threads_on_one_context(void **state) {
  (void)state;
  heddle_context *ctx = NULL;
  assert_int_equal(heddle_open("cpu:4", &ctx), HEDDLE_OK);
  run_callers(ctx);
  heddle_close(ctx);
}

static void many_threads_on_many_contexts(void **state) {
  (void)state;
  run_callers(NULL);
}

/* ---- executors ---------------------------------------------------------------------------- */

static atomic_size_t tasks_run;

static void run_in_order(void *user, size_t count, heddle_task *task, void *arg) {
  assert_ptr_equal(user, &tasks_run);
  for (size_t i = 0; i < count; i++) task(arg, i);
  tasks_run += count;
}
static void run_in_reverse(void *user, size_t count, heddle_task *task, void *arg) {
  (void)user;
  for (size_t i = count; i-- > 0;) task(arg, i);
  tasks_run += count;
}

typedef struct share {
  heddle_task *task;
  void *arg;
  size_t index;
} share;
static void *run_share(void *argument) {
  const share *s = argument;
  s->task(s->arg, s->index);
  return NULL;
}
/* A thread for each task, all at once. */
static void run_at_once(void *user, size_t count, heddle_task *task, void *arg) {
  (void)user;
  pthread_t *threads = calloc(count, sizeof *threads);
  share *shares = calloc(count, sizeof *shares);
  for (size_t i = 0; i < count; i++) {
    shares[i] = (share){task, arg, i};
    assert_int_equal(pthread_create(&threads[i], NULL, run_share, &shares[i]), 0);
  }
  for (size_t i = 0; i < count; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
  tasks_run += count;
  free(threads);
  free(shares);
}

static void executors(void **state) {
  (void)state;
  static heddle_executor *const all[] = {run_in_order, run_in_reverse, run_at_once};
  float *totals = allocate(LENGTH * 4);
  for (size_t i = 0; i < 3; i++) {
    heddle_context *ctx = NULL;
    assert_int_equal(heddle_open("cpu:5", &ctx), HEDDLE_OK);
    assert_int_equal(heddle_set_executor(ctx, all[i], &tasks_run), HEDDLE_OK);
    tasks_run = 0;
    assert_int_equal(wrong_answers(ctx, totals), 0);
    assert_true(tasks_run > 4); /* it was asked, and for more than one task a call */
    assert_int_equal(heddle_set_executor(ctx, NULL, NULL), HEDDLE_OK);
    tasks_run = 0;
    assert_int_equal(wrong_answers(ctx, totals), 0);
    assert_int_equal(tasks_run, 0);
    heddle_close(ctx);
  }
  free(totals);
}

/* ---- fork ----------------------------------------------------------------------------------- */

static int child_of(heddle_context *ctx, float *totals) {
  (void)fflush(NULL);
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    (void)alarm(60); /* a child that hangs is a failure */
    int wrong = wrong_answers(ctx, totals);
    heddle_context *own = NULL;
    wrong += heddle_open("cpu:3", &own) != HEDDLE_OK;
    if (own) wrong += wrong_answers(own, totals);
    heddle_close(own);
    heddle_close(ctx);
    _exit(wrong ? 1 : 0);
  }
  int status = -1;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  return status;
}

static void fork_in_the_middle(void **state) {
  (void)state;
  if (thread_sanitized()) skip(); /* it does not support threads in a child of threads */
  heddle_context *ctx = NULL;
  float *totals = allocate(LENGTH * 4);
  assert_int_equal(heddle_open("cpu:4", &ctx), HEDDLE_OK);
  assert_int_equal(child_of(ctx, totals), 0); /* before any thread has started */
  assert_int_equal(wrong_answers(ctx, totals), 0);
  for (int i = 0; i < 5; i++) {
    assert_int_equal(child_of(ctx, totals), 0);
    assert_int_equal(wrong_answers(ctx, totals), 0);
  }
  heddle_close(ctx);
  free(totals);
}

/* ---- cancelling ------------------------------------------------------------------------------ */

static atomic_int polls;
static int count_polls(void *user) {
  assert_ptr_equal(user, &polls);
  polls++;
  return 0;
}
static int stop_at_once(void *user) {
  (void)user;
  polls++;
  return 1;
}

/* A call that lasts: many rounds over few pages, by an axis of stride 0. */
static heddle_status long_call(heddle_context *ctx, float *sum) {
  const size_t shape[] = {1, (size_t)1 << 44};
  const ptrdiff_t strides[] = {0, 0};
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.dims = 2;
  rows.axis = 1;
  rows.shape = shape;
  rows.strides = strides;
  return heddle_reduce_rows(ctx, HEDDLE_SUM, HEDDLE_F32, x, &rows, sum, NULL);
}

/* Rows that are long, so that all threads work on one, and done well before the poll is due. */
static void many_long_rows_can_be_cancelled(void **state) {
  (void)state;
  enum { ROWS = 20000 };
  const size_t length = (size_t)3 << 19, shape[] = {ROWS, length};
  const ptrdiff_t strides[] = {0, 1};
  heddle_context *ctx = open_cpu("avx512", 2);
  if (!ctx) ctx = open_cpu("scalar", 2);
  float *in = calloc(length, sizeof *in), *sums = calloc(ROWS, sizeof *sums);
  assert_true(in && sums);
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.dims = 2;
  rows.axis = 1;
  rows.shape = shape;
  rows.strides = strides;
  polls = 0;
  assert_int_equal(heddle_set_poll(ctx, stop_at_once, NULL), HEDDLE_OK);
  same_status(HEDDLE_CANCELLED,
              heddle_reduce_rows(ctx, HEDDLE_SUM, HEDDLE_F32, in, &rows, sums, NULL), "rows");
  assert_int_equal(polls, 1);
  assert_non_null(strstr(heddle_message(), "heddle_reduce_rows"));
  free(in);
  free(sums);
  heddle_close(ctx);
}

static void cancelling(void **state) {
  (void)state;
  (void)alarm(60); /* one that is not cancelled would last for hours */
  for (unsigned threads = 1; threads <= 3; threads += 2) {
    heddle_context *ctx = open_cpu("scalar", threads);
    float *totals = allocate(LENGTH * 4), sum = 77;
    assert_int_equal(heddle_set_poll(ctx, stop_at_once, NULL), HEDDLE_OK);
    polls = 0;
    struct timespec start, end;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    same_status(HEDDLE_CANCELLED, long_call(ctx, &sum), "a call of hours");
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    assert_true(end.tv_sec - start.tv_sec < 5);
    assert_int_equal(polls, 1);
    assert_non_null(strstr(heddle_message(), "poll"));
    assert_int_equal(heddle_set_poll(ctx, NULL, NULL), HEDDLE_OK);
    assert_int_equal(wrong_answers(ctx, totals), 0);
    assert_int_equal(heddle_set_poll(ctx, count_polls, &polls), HEDDLE_OK);
    assert_int_equal(wrong_answers(ctx, totals), 0);
    free(totals);
    heddle_close(ctx);
  }
  (void)alarm(0);
}

/* Each verb over 32 GiB that are only promised: none may read them all before it asks. */
static void every_verb_can_be_cancelled(void **state) {
  (void)state;
  const size_t bytes = (size_t)1 << 35, n = bytes / 4;
  const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  float *in = mmap(NULL, bytes, PROT_READ, kind, -1, 0), sum;
  float *to = mmap(NULL, bytes, PROT_READ | PROT_WRITE, kind, -1, 0);
  if (in == MAP_FAILED || to == MAP_FAILED) skip();
  const uint64_t offsets[] = {0, n / 2, n};
  heddle_rows rows = HEDDLE_ROWS_INIT;
  rows.offsets = offsets;
  rows.segments = 2;
  for (size_t i = 0; i < ISAS; i++)
    for (unsigned threads = 1; threads <= 2; threads++) {
      heddle_context *ctx = open_cpu(isa_names[i], threads);
      if (!ctx) continue;
      heddle_description d = HEDDLE_DESCRIPTION_INIT;
      uint64_t index, counts[64];
      assert_int_equal(heddle_set_poll(ctx, stop_at_once, NULL), HEDDLE_OK);
      const heddle_status got[] = {
          heddle_reduce(ctx, HEDDLE_SUM, HEDDLE_F32, in, n, &sum, NULL),
          heddle_dot(ctx, HEDDLE_F32, in, in, n, &sum, NULL),
          heddle_argreduce(ctx, HEDDLE_ARGMAX, HEDDLE_F32, in, n, NULL, &index, NULL),
          heddle_describe(ctx, HEDDLE_F32, in, n, &d, NULL),
          heddle_scan(ctx, HEDDLE_SUM, HEDDLE_INCLUSIVE, HEDDLE_F32, in, n, to, NULL),
          heddle_histogram(ctx, HEDDLE_F32, in, n, &bins, counts, NULL, NULL),
          heddle_reduce_rows(ctx, HEDDLE_MAX, HEDDLE_F32, in, &rows, to, NULL),
          heddle_scan_rows(ctx, HEDDLE_SUM, HEDDLE_EXCLUSIVE, HEDDLE_F32, in, &rows, to, NULL)};
      for (size_t k = 0; k < sizeof got / sizeof *got; k++)
        same_status(HEDDLE_CANCELLED, got[k], "verb %zu on %s, %u threads", k, isa_names[i],
                    threads);
      heddle_close(ctx);
    }
  (void)munmap(in, bytes);
  (void)munmap(to, bytes);
}

/* The poll comes about every 50 ms, on the calling thread. */
static pthread_t caller_thread;
static struct timespec last_poll;
static int rounds_left, too_late, elsewhere;
static int watch_time(void *user) {
  (void)user;
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  const double passed =
      (double)(now.tv_sec - last_poll.tv_sec) + (double)(now.tv_nsec - last_poll.tv_nsec) * 1e-9;
  too_late += passed > 2.0;
  elsewhere += !pthread_equal(pthread_self(), caller_thread);
  last_poll = now;
  return rounds_left-- <= 0;
}

static void polls_keep_coming(void **state) {
  (void)state;
  heddle_context *ctx = open_cpu("scalar", 2);
  float sum;
  caller_thread = pthread_self();
  (void)alarm(60);
  rounds_left = 6;
  too_late = elsewhere = 0;
  (void)clock_gettime(CLOCK_MONOTONIC, &last_poll);
  assert_int_equal(heddle_set_poll(ctx, watch_time, NULL), HEDDLE_OK);
  same_status(HEDDLE_CANCELLED, long_call(ctx, &sum), "seven polls");
  assert_int_equal(too_late, 0);
  assert_int_equal(elsewhere, 0);
  (void)alarm(0);
  heddle_close(ctx);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_threads_on_one_context),
      cmocka_unit_test(many_threads_on_many_contexts),
      cmocka_unit_test(executors),
      cmocka_unit_test(fork_in_the_middle),
      cmocka_unit_test(every_verb_can_be_cancelled),
      cmocka_unit_test(many_long_rows_can_be_cancelled),
      cmocka_unit_test(cancelling),
      cmocka_unit_test(polls_keep_coming),
  };
  return cmocka_run_group_tests_name("concurrency", tests, setup, teardown);
}
