/* White-box: the queue of what the host has issued keeps its order, waits, and goes on by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "queue.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ADDERS = 3, EACH = 3000 };

struct note {
  unsigned int adder, number;
};

static unsigned int seen[ADDERS + 1], total; /* no locks: operations come one after the other */
static unsigned int disorders;
static atomic_int gate;

static void look(void *data) {
  const struct note *note = data;
  if (seen[note->adder]++ != note->number) disorders++;
  total++;
}

static void wait_at_gate(void *data) {
  (void)data;
  while (!atomic_load(&gate)) usleep(100);
}

static uint64_t add_note(unsigned int adder, unsigned int number) {
  struct note *note = sd_queue_add(sizeof *note, look);
  assert_non_null(note);
  *note = (struct note){adder, number};
  return sd_queue_commit();
}

static uint64_t add_gate(void) {
  atomic_store(&gate, 0);
  assert_non_null(sd_queue_add(0, wait_at_gate));
  return sd_queue_commit();
}

static void *add_many(void *argument) {
  const unsigned int adder = *(const unsigned int *)argument;
  for (unsigned int i = 0; i < EACH; i++) {
    const uint64_t place = add_note(adder, i);
    if (i % 7 == 0) sd_queue_wait(place);
    if (i % 7 == 0) assert_true(sd_queue_is_done(place));
    if (i % 500 == 0) sd_queue_drain();
  }
  sd_queue_drain();
  return NULL;
}

static void forget(void) {
  sd_queue_drain();
  memset(seen, 0, sizeof seen);
  total = disorders = 0;
}

static void test_threads_keep_their_order(void **state) {
  (void)state;
  unsigned int numbers[ADDERS];
  pthread_t threads[ADDERS];
  forget();
  for (unsigned int i = 0; i < ADDERS; i++) {
    numbers[i] = i;
    assert_int_equal(pthread_create(&threads[i], NULL, add_many, &numbers[i]), 0);
  }
  for (unsigned int i = 0; i < ADDERS; i++) pthread_join(threads[i], NULL);
  assert_int_equal(total, ADDERS * EACH);
  assert_int_equal(disorders, 0);
  assert_true(sd_queue_is_done(sd_queue_last()));
}

/* The caller goes on while an operation waits for it. */
static void test_adding_returns(void **state) {
  (void)state;
  forget();
  const uint64_t waits = add_gate();
  uint64_t behind = 0;
  for (unsigned int i = 0; i < 100; i++) behind = add_note(0, i);
  assert_false(sd_queue_is_done(waits));
  assert_false(sd_queue_is_done(behind));
  atomic_store(&gate, 1);
  sd_queue_wait(behind);
  assert_true(sd_queue_is_done(waits));
  assert_int_equal(seen[0], 100);
  assert_int_equal(disorders, 0);
}

/* After a pause in which its thread has gone to sleep, too. */
static void test_nobody_has_to_wait(void **state) {
  (void)state;
  static const useconds_t pauses[] = {0, 2000, 300000};
  for (size_t i = 0; i < sizeof pauses / sizeof *pauses; i++) {
    forget();
    usleep(pauses[i]);
    const uint64_t place = add_note(0, 0);
    for (int looks = 0; looks < 20000 && !sd_queue_is_done(place); looks++) usleep(500);
    assert_true(sd_queue_is_done(place));
  }
}

static void *wait_for_all(void *unused) {
  (void)unused;
  sd_queue_drain();
  return NULL;
}

static void test_whether_anybody_waits(void **state) {
  (void)state;
  pthread_t thread;
  forget();
  const uint64_t place = add_gate();
  for (int looks = 0; looks < 20000 && sd_queue_is_awaited(); looks++) usleep(500);
  assert_false(sd_queue_is_awaited());
  assert_false(sd_queue_ask(place));
  assert_true(sd_queue_is_awaited());
  assert_false(sd_queue_is_awaited());
  assert_int_equal(pthread_create(&thread, NULL, wait_for_all, NULL), 0);
  for (int looks = 0; looks < 20000 && !sd_queue_is_awaited(); looks++) usleep(500);
  assert_true(sd_queue_is_awaited());
  assert_false(sd_queue_is_done(place));
  atomic_store(&gate, 1);
  pthread_join(thread, NULL);
  assert_true(sd_queue_is_done(place));
}

static void try_inside(void *data) {
  void *const *refused = data;
  *(bool *)*refused = sd_queue_add(0, look) == NULL;
  sd_queue_drain();
}

static void test_what_is_refused(void **state) {
  (void)state;
  bool refused = false;
  assert_null(sd_queue_add(SD_QUEUE_BYTES + 1, look));
  void **place = sd_queue_add(sizeof *place, try_inside);
  assert_non_null(place);
  assert_int_equal((uintptr_t)place % 64, 0);
  *place = &refused;
  sd_queue_commit();
  sd_queue_drain();
  assert_true(refused);
}

/* ThreadSanitizer ends a child that starts a thread. */
#if defined(__SANITIZE_THREAD__)
enum { CHILD_GOES_ON = 0 };
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
enum { CHILD_GOES_ON = 0 };
#else
enum { CHILD_GOES_ON = 1 };
#endif
#else
enum { CHILD_GOES_ON = 1 };
#endif

static void test_forks(void **state) {
  (void)state;
  int status = -1;
  forget();
  for (unsigned int i = 0; i < 200; i++) add_note(0, i);
  const pid_t child = fork();
  if (child == 0) {
    const bool before = total == 200 && sd_queue_is_done(sd_queue_last());
    struct note *note = CHILD_GOES_ON ? sd_queue_add(sizeof *note, look) : NULL;
    if (note) {
      *note = (struct note){0, 200};
      sd_queue_commit();
    }
    sd_queue_drain();
    _exit(before && total == 200 + CHILD_GOES_ON && !disorders ? 0 : 1);
  }
  assert_true(child > 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  sd_queue_drain();
  assert_int_equal(total, 200);
}

/* What is added behind an operation that has returned and is not over waits, whoever asks. */
static void test_held_operations_keep_others_back(void **state) {
  (void)state;
  forget();
  const uint64_t held = sd_queue_hold();
  assert_true(sd_queue_is_held());
  assert_int_equal(held, sd_queue_last());
  const uint64_t first = add_note(0, 0), last = add_note(0, 1);
  usleep(20000);
  assert_int_equal(total, 0);
  assert_true(sd_queue_is_done(held - 1));
  assert_false(sd_queue_is_done(held) || sd_queue_is_done(first));
  sd_queue_go_on();
  assert_false(sd_queue_is_held());
  assert_true(sd_queue_is_done(last));
  assert_int_equal(total, 2);
  assert_int_equal(disorders, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads_keep_their_order),
      cmocka_unit_test(test_adding_returns),
      cmocka_unit_test(test_nobody_has_to_wait),
      cmocka_unit_test(test_whether_anybody_waits),
      cmocka_unit_test(test_what_is_refused),
      cmocka_unit_test(test_forks),
      cmocka_unit_test(test_held_operations_keep_others_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
