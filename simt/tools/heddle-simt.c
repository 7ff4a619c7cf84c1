/* heddle-simt: runs a command in whose processes the CUDA driver and NVRTC are the software
 * device's, such as a Python program that knows nothing of it.
 *
 * Method   the dynamic linker is told to ask libsimt_redirect.so for both (LD_AUDIT), and the
 *          process becomes the command. With --check it becomes heddle-check --exec instead,
 *          which takes its own options
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
#include "toolchain/home.h"

static const char name[] = "heddle-simt";

static const char help[] =
    "usage: heddle-simt [options] COMMAND [ARGUMENTS]\n"
    "       heddle-simt --check [options] COMMAND [ARGUMENTS]\n"
    "Runs a command with the software device's CUDA driver (libcuda.so.1) and NVRTC\n"
    "(libnvrtc.so) in front of all others: a Python program over cuda.bindings, cuda.core or\n"
    "ctypes, or any other that loads these two, runs on the processor.\n"
    "\n"
    "  --schedule ORDER    order of blocks and warps: forward, reverse, random:SEED\n"
    "  --threads N         uses N processors\n"
    "  --timeout SECONDS   ends a kernel that only waits for so long (10)\n"
    "  --help, --version\n"
    "\n"
    "  --check             says what is wrong with the kernels: heddle-check --exec\n"
    "With it, those of heddle-check:\n"
    "  --json FILE         the report as JSON; --sarif FILE, --junit FILE: as these, too\n"
    "  --output FILE, --quiet, --max N, --status N, --suppress RULE, --suppressions FILE,\n"
    "  --allow CLASS, --leaks WORD, --sample N[,M], --seed N\n"
    "\n"
    "The exit status is the command's own; of --check 3 if something was found.\n";

struct line {
  bool check, quiet, help, version;
  const char *schedule, *threads, *timeout;
  struct string_list handed; /* options of heddle-check */
  char **command;
};

/* ---- The command line ------------------------------------------------------------------------ */

enum { HANDED = 12 };
static const char *const handed_names[HANDED] = {
    "--json",  "--sarif",        "--junit",    "--output", "--max",    "--status",
    "--leaks", "--suppressions", "--suppress", "--allow",  "--sample", "--seed"};

static int refuse(const char *what, const char *word) {
  fprintf(stderr, "%s: %s %s; heddle-simt --help shows the options\n", name, what, word);
  return OPTION_BARE;
}

/* Reads one option; how many words it is. */
static int read_option(struct line *l, char *const *words, int left) {
  const char *value = NULL;
  struct option_entry table[HANDED];
  size_t row;
  const struct option_entry own[] = {
      {"--check", .flag = &l->check},      {"--quiet", .flag = &l->quiet},
      {"--help", .flag = &l->help},        {"-h", .flag = &l->help},
      {"--version", .flag = &l->version},  {"--schedule", .value = &l->schedule},
      {"--threads", .value = &l->threads}, {"--timeout", .value = &l->timeout},
  };
  int used = option_take(own, sizeof own / sizeof *own, words, left, NULL);
  if (used != OPTION_NONE)
    return used == OPTION_BARE ? refuse("a value is missing for", *words) : used;
  for (size_t i = 0; i < HANDED; i++)
    table[i] = (struct option_entry){handed_names[i], .value = &value};
  used = option_take(table, HANDED, words, left, &row);
  if (used == OPTION_NONE) return refuse("unknown option", *words);
  if (used == OPTION_BARE) return refuse("a value is missing for", *words);
  string_list_take(&l->handed, text_format("%s=%s", handed_names[row], value));
  return used;
}

static bool read_line(struct line *l, int argc, char **argv) {
  int at = 1;
  while (at < argc && argv[at][0] == '-' && strcmp(argv[at], "--") != 0) {
    const int used = read_option(l, argv + at, argc - at);
    if (used < 0) return false;
    at += used;
  }
  if (at < argc && !strcmp(argv[at], "--")) at++;
  l->command = argv + at;
  if (l->help || l->version) return true;
  if (!l->check && (l->handed.count || l->quiet)) {
    refuse("only with --check:", l->quiet ? "--quiet" : l->handed.all[0]);
    return false;
  }
  if (*l->command) return true;
  fprintf(stderr, "%s: no command, such as: heddle-simt python3 program.py\n", name);
  return false;
}

/* ---- The environment ------------------------------------------------------------------------- */

static void set(const char *variable, const char *value) {
  if (value) setenv(variable, value, 1);
}

/* The folder in which a package looks for a toolkit's headers, and for nvcc. */
static void set_toolkit(const struct home *home) {
  char *toolkit = text_format("%s/cuda", home->library);
  if (!access(toolkit, R_OK | X_OK)) {
    set("CUDA_PATH", toolkit);
    set("CUDA_HOME", toolkit);
  }
  free(toolkit);
}

/* In front of what else audits; nothing is there twice. */
static bool set_audit(const struct home *home) {
  char *own = text_format("%s/libsimt_redirect.so", home->library);
  const char *others = getenv("LD_AUDIT");
  const bool fine = !access(own, R_OK) && !strchr(own, ':');
  if (!fine) {
    fprintf(stderr, "%s: cannot use %s: %s\n", name, own,
            strchr(own, ':') ? "its path has a colon" : strerror(errno));
  } else if (!others || !*others) {
    set("LD_AUDIT", own);
  } else if (strncmp(others, own, strlen(own)) != 0 || !strchr(":", others[strlen(own)])) {
    char *all = text_format("%s:%s", own, others);
    set("LD_AUDIT", all);
    free(all);
  }
  free(own);
  return fine;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void add_option(struct string_list *words, const char *option, const char *value) {
  if (value) string_list_take(words, text_format("%s=%s", option, value));
}

static int become(const char *path, char *const *words) {
  fflush(NULL);
  execvp(path, words);
  const int error = errno;
  fprintf(stderr, "%s: cannot start %s: %s\n", name, path, strerror(error));
  return error == ENOENT ? 127 : 126;
}

static int become_checked(const struct line *l) {
  struct string_list words = {0};
  char *folder = files_own_folder();
  char *path = text_format("%s/heddle-check", folder ? folder : ".");
  string_list_add(&words, path);
  string_list_add_all(&words, &l->handed);
  if (l->quiet) string_list_add(&words, "--quiet");
  add_option(&words, "--schedule", l->schedule);
  add_option(&words, "--threads", l->threads);
  add_option(&words, "--timeout", l->timeout);
  string_list_add(&words, "--exec");
  for (char **word = l->command; *word; word++) string_list_add(&words, *word);
  const int status = become(path, words.all);
  string_list_free(&words);
  free(path);
  free(folder);
  return status;
}

static int run(const struct line *l) {
  struct home home;
  const bool found = home_find(&home, name);
  const bool ready = found && set_audit(&home);
  if (ready) set_toolkit(&home);
  home_free(&home);
  if (!ready) return 2;
  if (l->check) return become_checked(l);
  set("SIMT_SCHEDULE", l->schedule);
  set("SIMT_THREADS", l->threads);
  set("SIMT_TIMEOUT", l->timeout);
  return become(l->command[0], l->command);
}

int main(int argc, char **argv) {
  struct line l = {0};
  int status = 2;
  if (read_line(&l, argc, argv)) {
    if (l.help || l.version) {
      fputs(l.help ? help : "heddle-simt: CUDA 13.0 on the software device\n", stdout);
      status = 0;
    } else {
      status = run(&l);
    }
  }
  string_list_free(&l.handed);
  return status;
}
