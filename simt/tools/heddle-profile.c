/* heddle-profile: runs a CUDA C/C++ program on the software device in lockstep and shows, line by
 * line, what its warps, its memory accesses and its atomics would cost on a GPU.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/options.h"
#include "base/string_list.h"
#include "base/text.h"
#include "report/child.h"
#include "report/profile/figures_file.h"
#include "report/profile/read.h"
#include "toolchain/program/program.h"
#include "toolchain/symbols/symbols.h"

static const char *const help =
    "usage: heddle-profile PROGRAM.cu [MORE.cu ..] [options] [-- ARGUMENTS]\n"
    "Runs a CUDA C/C++ program in lockstep on the software device and shows by source line: SIMT\n"
    "efficiency, sectors a request, bank conflicts, contention of atomics, barriers; by kernel\n"
    "also steps, work and occupancy. All are estimates at the level of the source.\n"
    "\n"
    "  --json             writes JSON instead of text; --json=FILE: to FILE\n"
    "  --html FILE        writes a page, besides\n"
    "  --output FILE      text or JSON goes to FILE (-: standard output), not to standard error\n"
    "  --lines N          the N lines of each kernel that cost most; 0, the default: all\n"
    "  --gpu NAME         whose occupancy is shown (h200); --gpu list shows the names\n"
    "  --registers N      that a thread is assumed to need (32)\n"
    "  --schedule ORDER   forward, reverse or random:SEED: the order of blocks and warps\n"
    "  --timeout SECONDS  a kernel without progress for so long is ended; 0: never\n"
    "  --help             this text\n"
    "\n"
    "Options of the compiler are as heddle-run has them. The exit status is the program's.\n";

struct request {
  const char *html, *json_file, *output, *lines, *gpu, *registers;
  bool json;
  unsigned most_lines;
  struct profile profile;
};

/* ---- The program ----------------------------------------------------------------------------- */

static void set(const char *name, const char *value) {
  if (value) setenv(name, value, 1);
}

/* Whether the input is a program and not a source. */
static bool is_program(const struct options *o) {
  return o->input_count == 1 && o->inputs[0].language != LANGUAGE_OBJECT &&
         symbols_is_elf(o->inputs[0].path);
}

/* One that stops at its basic blocks. */
static bool is_profiled(const char *path) {
  struct text t = {0};
  const bool is = files_read(path, &t) && memmem(t.data, t.length, "libsimt.so", 10) &&
                  memmem(t.data, t.length, "__sanitizer_cov_trace_pc", 24);
  text_free(&t);
  if (!is) fprintf(stderr, "heddle-profile: %s was not made by heddle-cc --profile\n", path);
  return is;
}

static char *program_name(const struct options *o) {
  const char *path = o->inputs[0].path, *dot = strrchr(path, '.');
  if (is_program(o) || !dot || strchr(dot, '/')) dot = path + strlen(path);
  return text_copy(path, (size_t)(dot - path));
}

static void set_all(const struct options *o, int file) {
  char *path = text_format("/proc/self/fd/%d", file);
  set("SIMT_PROFILE", path);
  free(path);
  set("SIMT_SCHEDULE", o->schedule);
  set("SIMT_TIMEOUT", o->timeout);
  set("SIMT_COUNTS", o->counts);
  unsetenv("SIMT_CHECK");
}

/* The program's status, as a shell has it. */
static int run(const struct options *o, const char *path, int file) {
  struct check_end end = {0};
  struct string_list w = {0};
  char *called = program_name(o);
  set_all(o, file);
  string_list_add(&w, called);
  for (size_t i = 0; i < o->argument_count; i++) string_list_add(&w, o->arguments[i]);
  fflush(NULL);
  const bool started = check_child_run(path, w.all, &end);
  if (!started) fprintf(stderr, "heddle-profile: cannot start %s: %s\n", path, strerror(errno));
  string_list_free(&w);
  free(called);
  if (!started) return 1;
  return end.signal ? 128 + end.signal : end.exited;
}

/* ---- The report ------------------------------------------------------------------------------ */

enum form { FORM_TEXT, FORM_JSON, FORM_HTML };

static bool print(const struct request *r, enum form form, FILE *out) {
  if (form == FORM_HTML) return profile_print_html(&r->profile, out) == 0;
  if (form == FORM_JSON)
    profile_print_json(&r->profile, out);
  else
    profile_print_text(&r->profile, r->most_lines, out);
  return true;
}

static bool write_file(const char *path, const struct request *r, enum form form) {
  FILE *out = strcmp(path, "-") != 0 ? fopen(path, "w") : stdout;
  bool ok = out && print(r, form, out);
  if (out) ok = (out == stdout ? fflush(out) : fclose(out)) == 0 && ok;
  if (!ok) fprintf(stderr, "heddle-profile: cannot write %s: %s\n", path, strerror(errno));
  return ok;
}

static bool report(struct request *r, const struct build *b, const char *path, int file) {
  struct figures *figures = profile_file_read(file);
  struct text why = {0};
  bool ok = true;
  if (!figures) {
    fputs("heddle-profile: the program has destroyed its figures\n", stderr);
    return false;
  }
  profile_read(&r->profile, figures, path, b->home.include, &why);
  if (why.length) fprintf(stderr, "heddle-profile: %s\n", why.data);
  if (r->json_file && !write_file(r->json_file, r, FORM_JSON)) ok = false;
  if (r->output || !r->json_file) {
    const enum form form = r->json ? FORM_JSON : FORM_TEXT;
    if (r->output && !write_file(r->output, r, form)) ok = false;
    if (!r->output) print(r, form, stderr);
  }
  if (r->html && !write_file(r->html, r, FORM_HTML)) ok = false;
  text_free(&why);
  profile_free(&r->profile);
  free(figures);
  return ok;
}

static int profile(struct request *r, const struct options *o, const struct build *b,
                   const char *path) {
  const int file = profile_file_make();
  if (file < 0) {
    fprintf(stderr, "heddle-profile: cannot make a file for the figures: %s\n", strerror(errno));
    return 2;
  }
  int status = r->profile.status = run(o, path, file);
  if (!report(r, b, path, file) && !status) status = 2;
  close(file);
  return status;
}

static int build_and_profile(struct request *r, const struct options *o) {
  struct build b;
  char *path = NULL;
  bool kept = false;
  int status = build_open(&b, "heddle-profile", o) ? 0 : 1;
  if (!status && is_program(o)) {
    path = is_profiled(o->inputs[0].path) ? realpath(o->inputs[0].path, NULL) : NULL;
    if (!path) status = 2;
  } else if (!status) {
    status = program_make(&b, o->keep, &path, &kept);
  }
  if (!status) status = profile(r, o, &b, path);
  free(path);
  build_close(&b);
  return status;
}

/* ---- The command line ------------------------------------------------------------------------ */

static bool read_number(const char *option, const char *text, unsigned *value) {
  char *end = NULL;
  if (!text) return true;
  errno = 0;
  const unsigned long n = strtoul(text, &end, 10);
  if (!*text || *end || *text == '-' || errno || n > 1000000) {
    fprintf(stderr, "heddle-profile: %s takes a number, not '%s'\n", option, text);
    return false;
  }
  *value = (unsigned)n;
  return true;
}

static int list_gpus(void) {
  for (size_t i = 0; gpu_at(i); i++) printf("%-12s %s\n", gpu_at(i)->name, gpu_at(i)->title);
  return 0;
}

static bool read_settings(struct request *r, const struct options *o) {
  r->profile.registers = 32;
  r->profile.program = o->inputs[0].path;
  r->profile.gpu = gpu_find(r->gpu ? r->gpu : "h200");
  if (!r->profile.gpu) {
    fprintf(stderr, "heddle-profile: no GPU '%s' is known; --gpu list shows which are\n", r->gpu);
    return false;
  }
  return read_number("--lines", r->lines, &r->most_lines) &&
         read_number("--registers", r->registers, &r->profile.registers);
}

int main(int argc, char **argv) {
  struct request r = {0};
  const struct option_entry own[] = {
      {"--json", .flag = &r.json},
      {"--json", .value = &r.json_file},
      {"--html", .value = &r.html},
      {"--output", .value = &r.output},
      {"--lines", .value = &r.lines},
      {"--gpu", .value = &r.gpu},
      {"--registers", .value = &r.registers},
  };
  const struct tool tool = {.name = "heddle-profile",
                            .runs = true,
                            .mode = MODE_PROFILE,
                            .own = own,
                            .own_count = sizeof own / sizeof *own};
  struct options o;
  int status = 2;
  if (options_read(&o, argc, argv, &tool)) {
    if (o.help || o.version) {
      fputs(o.help ? help : "heddle-profile: CUDA 13.0 on the software device\n", stdout);
      status = 0;
    } else if (r.gpu && !strcmp(r.gpu, "list")) {
      status = list_gpus();
    } else if (!o.input_count) {
      fputs("heddle-profile: no source file; heddle-profile --help shows the options\n", stderr);
    } else if (read_settings(&r, &o)) {
      status = build_and_profile(&r, &o);
    }
  }
  options_free(&o);
  return status;
}
