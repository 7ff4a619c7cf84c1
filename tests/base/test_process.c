/* test_process.c - programs end as they say, and what they print arrives whole */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"

static struct string_list command(const char *a, const char *b, const char *c) {
  struct string_list l = {0};
  const char *const words[] = {a, b, c};
  for (size_t i = 0; i < 3 && words[i]; i++) string_list_add(&l, words[i]);
  return l;
}

/* What `script` prints and how it ends. */
static int shell(const char *script, struct text *out, struct text *errors) {
  struct string_list l = command("sh", "-c", script);
  const int status = process_run(&l, out, errors);
  string_list_free(&l);
  return status;
}

static void ends(void **arg) {
  (void)arg;
  static const struct {
    const char *script;
    int status;
  } rows[] = {{"exit 0", 0},
              {"exit 7", 7},
              {"exit 255", 255},
              {"kill -TERM $$", 128 + SIGTERM},
              {"kill -KILL $$", 128 + SIGKILL},
              {"kill -INT $$", 128 + SIGINT},
              {"kill -PIPE $$", 128 + SIGPIPE}};
  void (*const before)(int) = signal(SIGPIPE, SIG_IGN);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(shell(rows[i].script, NULL, NULL), rows[i].status);
  signal(SIGPIPE, before);
}

static void both_streams(void **arg) {
  (void)arg;
  struct text out = {0}, errors = {0};
  text_add_string(&out, "first ");
  assert_int_equal(shell("printf out; printf err >&2; exit 3", &out, &errors), 3);
  assert_string_equal(out.data, "first out");
  assert_string_equal(errors.data, "err");
  text_free(&out);
  text_free(&errors);
}

/* More than the pipes hold on both: who reads one after the other waits for ever. */
static void large_output(void **arg) {
  (void)arg;
  struct text out = {0}, errors = {0};
  const char script[] =
      "i=0; while [ $i -lt 3000 ]; do printf '%0500d' $i >&2; printf '%0400d' $i; "
      "i=$((i+1)); done";
  assert_int_equal(shell(script, &out, &errors), 0);
  assert_true(out.length == 3000 * 400 && errors.length == 3000 * 500);
  assert_string_equal(out.data + out.length - 5, "02999");
  assert_string_equal(errors.data + errors.length - 5, "02999");
  text_free(&out);
  text_free(&errors);
}

static size_t open_descriptors(void) {
  size_t count = 0;
  for (int fd = 0; fd < 256; fd++) count += fcntl(fd, F_GETFD) >= 0;
  return count;
}

static void what_cannot_start(void **arg) {
  (void)arg;
  struct text out = {0}, errors = {0};
  static const struct {
    const char *name;
    int reason;
  } rows[] = {{"/nowhere/program", ENOENT},
              {"no-such-program-at-all", ENOENT},
              {"/tmp", EACCES},
              {"/dev/null/x", ENOTDIR}};
  const size_t before = open_descriptors();
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct string_list l = command(rows[i].name, NULL, NULL);
    errno = 0;
    assert_int_equal(process_run(&l, &out, &errors), -1);
    assert_int_equal(errno, rows[i].reason);
    string_list_free(&l);
  }
  struct string_list nothing = {0};
  assert_int_equal(process_run(&nothing, NULL, NULL), -1);
  assert_int_equal(errno, EINVAL);
  assert_null(out.data);
  assert_int_equal(open_descriptors(), before);
}

static void languages(void **arg) {
  (void)arg;
  struct text out = {0}, errors = {0};
  setenv("LC_ALL", "de_DE.UTF-8", 1);
  assert_int_equal(shell("printf \"$LC_ALL\"", &out, NULL), 0);
  assert_string_equal(out.data, "de_DE.UTF-8");
  text_free(&out);
  assert_int_equal(shell("printf \"$LC_ALL\"", &out, &errors), 0);
  assert_string_equal(out.data, "C");
  text_free(&out);
  text_free(&errors);
}

static void interrupts(void **arg) {
  (void)arg;
  assert_ptr_equal(signal(SIGINT, SIG_DFL), SIG_DFL);
  assert_int_equal(shell("kill -INT $PPID", NULL, NULL), 0); /* the caller does not end by it */
  assert_ptr_equal(signal(SIGINT, SIG_DFL), SIG_DFL);
}

static void environments(void **arg) {
  (void)arg;
  struct string_list l = {0};
  static const char *const names[] = {"BASE_A", "BASE_C"};
  setenv("BASE_A", "1", 1);
  setenv("BASE_AB", "2", 1); /* begins like one that is left out */
  setenv("BASE_C", "3", 1);
  process_environment(&l, names, 2);
  bool seen = false;
  for (size_t i = 0; i < l.count; i++) {
    assert_true(strncmp(l.all[i], "BASE_A=", 7) != 0 && strncmp(l.all[i], "BASE_C=", 7) != 0);
    seen |= strcmp(l.all[i], "BASE_AB=2") == 0;
  }
  assert_true(seen);
  string_list_free(&l);
}

/* Folder, streams and environment as told, and a group that one signal ends. */
static void starts(void **arg) {
  (void)arg;
  struct process_start how = PROCESS_PLAIN;
  struct string_list variables = {0};
  struct string_list l =
      command("/bin/sh", "-c", "read a; echo \"$a $(pwd) $ONLY $HOME\"; sleep 60");
  int in[2], out[2];
  char got[64] = "";
  pid_t id = 0;
  assert_true(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
  assert_int_equal(write(in[1], "line\n", 5), 5);
  string_list_add(&variables, "ONLY=this");
  string_list_add(&variables, "PATH=/usr/bin:/bin");
  how.environment = &variables;
  how.folder = "/";
  how.input = in[0];
  how.out = out[1];
  how.group = true;
  assert_int_equal(process_start(&l, &how, &id), 0);
  assert_int_equal(read(out[0], got, sizeof got - 1), 13);
  assert_string_equal(got, "line / this \n");
  assert_int_equal(getpgid(id), id);
  assert_int_equal(kill(-id, SIGTERM), 0);
  assert_int_equal(process_wait(id), 128 + SIGTERM);
  for (int i = 0; i < 2; i++) {
    close(in[i]);
    close(out[i]);
  }
  string_list_free(&variables);
  string_list_free(&l);
}

/* A signal that this process blocks and ignores ends the program all the same. */
static void unblocked(void **arg) {
  (void)arg;
  struct process_start how = PROCESS_PLAIN;
  struct string_list l = command("sleep", "60", NULL);
  sigset_t blocked, before;
  pid_t id = 0;
  how.unblocked = true;
  sigfillset(&how.defaults);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  void (*const ignored)(int) = signal(SIGTERM, SIG_IGN);
  assert_int_equal(process_start(&l, &how, &id), 0);
  signal(SIGTERM, ignored);
  sigprocmask(SIG_SETMASK, &before, NULL);
  assert_int_equal(kill(id, SIGTERM), 0);
  assert_int_equal(process_wait(id), 128 + SIGTERM);
  string_list_free(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends),
                                     cmocka_unit_test(both_streams),
                                     cmocka_unit_test(large_output),
                                     cmocka_unit_test(languages),
                                     cmocka_unit_test(interrupts),
                                     cmocka_unit_test(environments),
                                     cmocka_unit_test(starts),
                                     cmocka_unit_test(unblocked),
                                     cmocka_unit_test(what_cannot_start)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
