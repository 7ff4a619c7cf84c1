/* heddle-check: runs a CUDA C/C++ program on the software device and says what is wrong with it.
 *
 * Method   the program is built for checking and started with a file for its findings
 *          (SIMT_CHECK); when it has ended, however it did, the file is read and reported. A
 *          command behind `--` has a folder instead, where each process that it leads to makes a
 *          file of its own
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/string_list.h"
#include "base/text.h"
#include "report/check/findings_file.h"
#include "report/check/gather.h"
#include "report/check/options.h"
#include "report/check/show.h"
#include "report/child.h"
#include "toolchain/compile/build.h"
#include "toolchain/program/program.h"

static const char name[] = "heddle-check";

static void set(const char *variable, const char *value) {
  if (value) setenv(variable, value, 1);
}

/* findings: the file or folder for them */
static void set_all(const struct check_options *o, const char *findings) {
  set("SIMT_CHECK", findings);
  set("SIMT_SCHEDULE", o->common.schedule);
  set("SIMT_THREADS", o->common.threads);
  set("SIMT_TIMEOUT", o->common.timeout);
  set("SIMT_COUNTS", o->common.counts);
  set("SIMT_SAMPLE", o->sample);
  unsetenv("SIMT_PROFILE");
}

/* ---- The program ----------------------------------------------------------------------------- */

/* Whether the input is a program and not a source. */
static bool is_program(const struct options *o) {
  return o->input_count == 1 && o->inputs[0].language != LANGUAGE_OBJECT &&
         symbols_is_elf(o->inputs[0].path);
}

/* One that tells libsimt.so of its accesses. */
static bool is_checked(const char *path) {
  struct text t = {0};
  const bool is = files_read(path, &t) && memmem(t.data, t.length, "libsimt.so", 10) &&
                  memmem(t.data, t.length, "__tsan_init", 11) &&
                  !memmem(t.data, t.length, "__sanitizer_cov_trace_pc", 24);
  text_free(&t);
  if (!is) fprintf(stderr, "%s: %s was not made by heddle-cc --check\n", name, path);
  return is;
}

/* What the program sees as its own name: the source's, without its ending. */
static char *program_name(const struct options *o) {
  const char *path = o->inputs[0].path, *dot = strrchr(path, '.');
  if (is_program(o) || !dot || strchr(dot, '/')) dot = path + strlen(path);
  return text_copy(path, (size_t)(dot - path));
}

static bool run(const struct check_options *o, const char *path, struct check_end *end) {
  struct string_list w = {0};
  for (size_t i = 0; o->exec && o->exec[i]; i++) string_list_add(&w, o->exec[i]);
  char *called = o->exec ? NULL : program_name(&o->common);
  if (called) string_list_add(&w, called);
  for (size_t i = 0; !o->exec && i < o->common.argument_count; i++)
    string_list_add(&w, o->common.arguments[i]);
  fflush(NULL);
  const bool started = check_child_run(path, w.all, end);
  if (!started) fprintf(stderr, "%s: cannot start %s: %s\n", name, path, strerror(errno));
  string_list_free(&w);
  free(called);
  return started;
}

/* ---- The report ------------------------------------------------------------------------------ */

static bool put(const char *path, const struct text *t) {
  if (!t->length) return true;
  if (path && strcmp(path, "-") != 0) return files_write(path, t->data, t->length);
  FILE *out = path ? stdout : stderr;
  return fwrite(t->data, 1, t->length, out) == t->length && !fflush(out);
}

/* A further file, if it is asked for. */
static bool
put_as(const char *path, const struct check_report *r, const struct check_outcome *outcome,
       void (*write)(const struct check_report *, const struct check_outcome *, struct text *)) {
  struct text t = {0};
  if (!path) return true;
  write(r, outcome, &t);
  const bool fine = put(path, &t);
  if (!fine) fprintf(stderr, "%s: cannot write %s: %s\n", name, path, strerror(errno));
  text_free(&t);
  return fine;
}

static int status_of(const struct check_options *o, const struct check_report *r,
                     const struct check_end *end) {
  return r->count ? o->status : end->signal ? 128 + end->signal : end->exited;
}

static int show(const struct check_options *o, const struct check_report *r,
                const struct check_outcome *given) {
  const struct check_outcome outcome = *given;
  int status = outcome.status;
  struct text report = {0}, summary = {0};
  if (o->json)
    check_show_json(r, &outcome, &report);
  else
    check_show_text(r, &outcome, &report);
  check_show_summary(r, &outcome, &summary);
  /* JSON on standard error is to stay JSON. */
  const bool last = !(o->json && !o->output) && !(o->quiet && !outcome.signal);
  bool fine = true;
  if (o->output) {
    if (!o->json) text_add(&report, summary.data, summary.length);
    fine = put(o->output, &report);
  } else {
    put(NULL, &report);
  }
  bool further = put_as(o->sarif, r, &outcome, check_show_sarif);
  further &= put_as(o->junit, r, &outcome, check_show_junit);
  if (!further) status = 2;
  if (!fine) {
    fprintf(stderr, "%s: cannot write %s: %s\n", name, o->output, strerror(errno));
    status = 2;
  }
  if (last) put(NULL, &summary);
  text_free(&report);
  text_free(&summary);
  return status;
}

static int check(const struct check_options *o, const char *path, const char *own) {
  struct check_end end;
  struct check_log log;
  const int findings = check_file_make();
  if (findings < 0) {
    fprintf(stderr, "%s: cannot make a file for the findings: %s\n", name, strerror(errno));
    return 2;
  }
  char *named = text_format("/proc/self/fd/%d", findings);
  set_all(o, named);
  free(named);
  if (!run(o, path, &end)) {
    close(findings);
    return 1;
  }
  const bool whole = check_file_read(findings, &log);
  close(findings);
  if (!whole) {
    fprintf(stderr, "%s: the program has overwritten the list of its findings\n", name);
    check_log_free(&log);
    return o->status;
  }
  struct check_report r;
  check_report_make(&r, &log, path, own, &o->rules);
  const struct check_outcome outcome = {.name = o->exec ? o->exec[0] : o->common.inputs[0].path,
                                        .exited = end.exited,
                                        .signal = end.signal,
                                        .status = status_of(o, &r, &end),
                                        .most = o->most};
  const int status = show(o, &r, &outcome);
  check_report_free(&r);
  return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static int check_program(const struct check_options *o, const char *own) {
  const char *given = o->common.inputs[0].path;
  if (!is_checked(given)) return 2;
  char *path = realpath(given, NULL);
  const int status = path ? check(o, path, own) : 2;
  free(path);
  return status;
}

/* As a shell finds it; to be freed. */
static char *find_program(const char *word) {
  const char *path = getenv("PATH");
  if (strchr(word, '/')) return realpath(word, NULL);
  while (path && *path) {
    const size_t length = strcspn(path, ":");
    char *whole = text_format("%.*s/%s", (int)length, path, word);
    char *real = access(whole, X_OK) ? NULL : realpath(whole, NULL);
    free(whole);
    if (real) return real;
    path += length + (path[length] == ':');
  }
  errno = ENOENT;
  return NULL;
}

/* The kernels that it compiles leave their objects in a folder of ours. */
static int check_exec(const struct check_options *o) {
  struct build b;
  char *path = NULL;
  int status = 2;
  if (!o->exec[0]) {
    fprintf(stderr, "%s: --exec needs a program\n", name);
    return status;
  }
  if (!build_open(&b, name, &o->common)) return status;
  path = find_program(o->exec[0]);
  if (!path) fprintf(stderr, "%s: no program %s: %s\n", name, o->exec[0], strerror(errno));
  if (path && build_folder(&b)) {
    set("SIMT_MODULES", b.folder);
    status = check(o, path, b.home.include);
  }
  free(path);
  build_close(&b);
  return status;
}

/* ---- A command and all that it starts ---------------------------------------------------------- */

static char *whole_command(const struct check_options *o) {
  struct text t = {0};
  for (size_t i = 0; i < o->common.argument_count; i++)
    text_add_format(&t, "%s%s", i ? " " : "", o->common.arguments[i]);
  return t.data;
}

static int show_gathered(const struct check_options *o, const struct check_gathered *g,
                         const struct check_end *end) {
  struct check_run *runs = text_allocate((g->count + 1) * sizeof *runs);
  for (size_t i = 0; i < g->count; i++)
    runs[i] = (struct check_run){g->list[i].called, &g->list[i].report};
  char *command = whole_command(o);
  const struct check_outcome outcome = {.name = command,
                                        .exited = end->exited,
                                        .signal = end->signal,
                                        .status = status_of(o, &g->all, end),
                                        .most = o->most,
                                        .runs = runs,
                                        .run_count = g->count,
                                        .unchecked = &g->unchecked};
  int status = show(o, &g->all, &outcome);
  if (g->broken) {
    fprintf(stderr, "%s: %zu processes have overwritten the list of their findings\n", name,
            g->broken);
    status = o->status;
  }
  free(command);
  free(runs);
  return status;
}

/* Each checked process leaves a file in a folder of ours. */
static int check_command(const struct check_options *o) {
  struct build b;
  struct check_end end;
  struct check_gathered g;
  const char *word = o->common.arguments[0];
  int status = 2;
  if (!build_open(&b, name, &o->common)) return status;
  char *path = find_program(word);
  if (!path) {
    fprintf(stderr, "%s: no program %s: %s\n", name, word, strerror(errno));
  } else if (build_folder(&b)) {
    set_all(o, b.folder);
    fflush(NULL);
    if (!check_child_run(path, o->common.arguments, &end)) {
      fprintf(stderr, "%s: cannot start %s: %s\n", name, path, strerror(errno));
    } else if (!check_gather(&g, b.folder, b.home.include, &o->rules)) {
      fprintf(stderr, "%s: cannot read %s: %s\n", name, b.folder, strerror(errno));
    } else {
      status = show_gathered(o, &g, &end);
      check_gathered_free(&g);
    }
  }
  free(path);
  build_close(&b);
  return status;
}

static int build_and_check(const struct check_options *o) {
  struct build b;
  char *path = NULL;
  bool kept = false;
  int status = build_open(&b, name, &o->common) ? 0 : 1;
  if (!status && is_program(&o->common)) {
    status = check_program(o, b.home.include);
  } else if (!status) {
    status = program_make(&b, o->common.keep, &path, &kept);
    if (!status) status = check(o, path, b.home.include);
  }
  free(path);
  build_close(&b);
  return status;
}

/* The report's file is made before the program runs for minutes. */
static bool can_write(const char *path) {
  if (!path || !strcmp(path, "-")) return true;
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd >= 0) return close(fd) == 0;
  fprintf(stderr, "%s: cannot write %s: %s\n", name, path, strerror(errno));
  return false;
}

static bool can_write_all(const struct check_options *o) {
  return can_write(o->output) && can_write(o->sarif) && can_write(o->junit);
}

int main(int argc, char **argv) {
  struct check_options o;
  int status = 2;
  if (!check_options_read(&o, argc, argv)) {
    check_options_free(&o);
    return status;
  }
  if (o.common.help || o.common.version) {
    fputs(o.common.help ? check_options_help : "heddle-check: CUDA 13.0 on the software device\n",
          stdout);
    status = 0;
  } else if (o.exec && o.common.input_count) {
    fputs("heddle-check: sources or --exec, not both\n", stderr);
  } else if (o.exec) {
    if (can_write_all(&o)) status = check_exec(&o);
  } else if (!o.common.input_count && o.common.argument_count) {
    if (can_write_all(&o)) status = check_command(&o);
  } else if (!o.common.input_count) {
    fputs("heddle-check: no source file; heddle-check --help shows the options\n", stderr);
  } else if (can_write_all(&o)) {
    status = build_and_check(&o);
  }
  check_options_free(&o);
  return status;
}
