/* options.c - each value is looked at when it is read: the first mistake is the one named */
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/string_list.h"
#include "base/suggest.h"
#include "base/text.h"
#include "failure.h"

static const char help[] =
    "Usage: heddle ladder [FAMILY [RUNG]] [options]\n"
    "       heddle ladder pictures [--out FOLDER]\n"
    "\n"
    "Compiles and runs the rungs of the ladder, small CUDA C programs that each show one idea,\n"
    "verifies their results, and prints what they cost. Families: hierarchy, divergence, warp,\n"
    "reduce, scan, histogram, sort, bykey, pictures; none: all. A rung is a number or a name.\n"
    "'heddle ladder pictures' also leaves the pictures in FOLDER (default: here).\n"
    "\n"
    "  --device D     simt (default): the software device; steps, work and traffic are counted\n"
    "                 cuda: a GPU, with nvcc; times, GB/s, share of the ceiling measured beside\n"
    "  --size N       elements, or pixels a side: 1000, 64K, 100M (powers of 1024), 2^20\n"
    "  --data KIND    uniform constant two four skewed and3 sorted text\n"
    "  --seed S       of the random data (default 1)\n"
    "  --repeat R     timed runs of a rung, 1 to 100 (default 1 on simt, 11 on cuda)\n"
    "  --schedule S   of simt's blocks and warps: forward, reverse, random:SEED\n"
    "  --profile      simt: also what a profiler counts: efficiency, transactions, conflicts\n"
    "  --no-check     simt: without the checker, twice as fast; races need it\n"
    "  --html FILE    simt: a page with each rung's idea, source, figures, findings, picture\n"
    "  --plot FILE    an SVG: measured complexity where the scan family runs, else bars\n"
    "  --limit SEC    seconds that a rung may take, compilation included (default 60)\n"
    "  --out FOLDER   where the pictures go\n"
    "  --json         the table as JSON\n"
    "  --list         the rungs, without running them\n"
    "  -h, --help     this text\n"
    "\n"
    "The last line is \"R right, C caught, 0 wrong\". Caught: a planted bug that was found, by "
    "the\n"
    "checker in its class and on its lines. Where no checker runs, some need check instead.\n"
    "Exit status: 0 nothing wrong, 1 something wrong, 2 usage, 130 interrupted.\n";

static bool is_size(const char *text) {
  char *end = NULL;
  errno = 0;
  const unsigned long long value = strtoull(text, &end, 10);
  if (end == text || text[0] == '-' || text[0] == '+' || errno) return false;
  if (value == 2 && *end == '^') {
    const unsigned long long exponent = strtoull(end + 1, &end, 10);
    return *end == 0 && end[-1] != '^' && exponent <= 62;
  }
  return *end == 0 || (strchr("KMG", *end) && end[1] == 0);
}

/* As a number of elements; 0 also for 0. */
static double size_value(const char *text) {
  char *end = NULL;
  const double value = strtod(text, &end);
  double scale = 1;
  if (*end == '^') {
    for (long i = strtol(end + 1, NULL, 10); i > 1; i--) scale *= 2;
  } else if (*end) {
    for (const char *s = "KMG"; *s; s++) {
      scale *= 1024;
      if (*s == *end) break;
    }
  }
  return value * scale;
}

static void check_size(const char *text) {
  if (!is_size(text))
    fail("--size '%s' is no number of elements; say 1000, 64K, 100M or 2^20", text);
  if (size_value(text) < 1) fail("--size must be at least 1");
  const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  if (size_value(text) > memory)
    fail("--size %s does not fit into memory: this machine has %.1f GiB", text,
         memory / 1073741824.0);
}

static void check_word(const char *option, const char *text, const char *const *known) {
  struct suggestion s;
  char near[128];
  suggest_start(&s, text);
  struct text all = {0};
  for (int i = 0; known[i]; i++) {
    if (strcmp(known[i], text) == 0) {
      text_free(&all);
      return;
    }
    suggest_add(&s, known[i]);
    text_add_format(&all, "%s%s", i ? ", " : "", known[i]);
  }
  fail("%s '%s' is none of %s%s", option, text, all.data, suggest_text(&s, "", near, sizeof near));
}

static void check_schedule(const char *text) {
  static const char *const words[] = {"forward", "reverse", "random:SEED", NULL};
  if (strncmp(text, "random:", 7) == 0) {
    if (text[7] && strspn(text + 7, "0123456789") == strlen(text + 7)) return;
    fail("--schedule '%s': the seed is no number", text);
  }
  check_word("--schedule", text, words);
}

static void check_number(const char *option, const char *text, double least, double most) {
  char *end = NULL;
  const double value = strtod(text, &end);
  if (end == text || *end || !(value >= least && value <= most))
    fail("%s must be a number from %g to %g, not '%s'", option, least, most, text);
}

enum { DEVICE, SIZE, DATA, SEED, REPEAT, SCHEDULE, PLOT, HTML, LIMIT, OUT, VALUES };
enum { FLAGS = 6 };

/* What becomes something else before it is an option. */
struct given {
  const char *device, *limit;
  bool unchecked, help;
};

/* The value that was just given; those without a row here may be anything. */
static void check_value(struct options *o, const struct given *g, size_t row) {
  static const char *const devices[] = {"simt", "cuda", NULL};
  static const char *const kinds[] = {"uniform", "constant", "two",  "four", "skewed",
                                      "and3",    "sorted",   "text", NULL};
  switch (row) {
  case DEVICE:
    check_word("--device", g->device, devices);
    o->cuda = strcmp(g->device, "cuda") == 0;
    return;
  case SIZE: check_size(o->size); return;
  case DATA: check_word("--data", o->data, kinds); return;
  case SEED: check_number("--seed", o->seed, 0, 1e18); return;
  case REPEAT: check_number("--repeat", o->repeat, 1, 100); return;
  case SCHEDULE: check_schedule(o->schedule); return;
  case LIMIT:
    check_number("--limit", g->limit, 0.1, 86400);
    o->limit_seconds = strtod(g->limit, NULL);
    return;
  default: return;
  }
}

static void unknown(const struct option_entry *table, const char *word) {
  struct suggestion s;
  char near[128];
  suggest_start(&s, word);
  for (size_t i = 0; i < VALUES + FLAGS; i++) suggest_add(&s, table[i].name);
  fail("no option '%s'%s", word, suggest_text(&s, "", near, sizeof near));
}

/* Takes the option at words[0] and its value. Returns how many words that were. */
static int take_option(struct options *o, char **words, int left) {
  struct given g = {NULL, NULL, false, false};
  const struct option_entry table[VALUES + FLAGS] = {
      [DEVICE] = {"--device", .value = &g.device},
      [SIZE] = {"--size", .value = &o->size},
      [DATA] = {"--data", .value = &o->data},
      [SEED] = {"--seed", .value = &o->seed},
      [REPEAT] = {"--repeat", .value = &o->repeat},
      [SCHEDULE] = {"--schedule", .value = &o->schedule},
      [PLOT] = {"--plot", .value = &o->plot},
      [HTML] = {"--html", .value = &o->html},
      [LIMIT] = {"--limit", .value = &g.limit},
      [OUT] = {"--out", .value = &o->out},
      [VALUES] = {"--json", .flag = &o->json},
      {"--list", .flag = &o->list},
      {"--profile", .flag = &o->profile},
      {"--no-check", .flag = &g.unchecked},
      {"--help", .flag = &g.help},
      {"-h", .flag = &g.help},
  };
  size_t row = 0;
  const int used = option_take(table, VALUES + FLAGS, words, left, &row);
  if (used == OPTION_NONE) unknown(table, words[0]);
  if (used == OPTION_BARE) fail("%s needs a value", words[0]);
  check_value(o, &g, row);
  if (g.unchecked) o->check = false;
  if (g.help) {
    fputs(help, stdout);
    exit(0);
  }
  return used;
}

void options_read(struct options *o, int argc, char **argv) {
  *o = (struct options){.out = ".", .limit_seconds = 60, .check = true};
  for (int i = 1; i < argc;) {
    if (argv[i][0] == '-') {
      i += take_option(o, argv + i, argc - i);
    } else {
      string_list_add(&o->names, argv[i++]);
    }
  }
  if (o->names.count > 2) fail("a family and a rung are enough; '%s' is too much", o->names.all[2]);
  o->pictures = o->names.count == 1 && strcmp(o->names.all[0], "pictures") == 0;
  if (o->cuda && o->schedule) fail("--schedule is for --device simt; a GPU has its own");
  if (o->cuda && (o->profile || o->html))
    fail("%s is for --device simt", o->html ? "--html" : "--profile");
  if (o->cuda) o->check = false;
  if (o->html) o->profile = true;
}

void options_free(struct options *o) { string_list_free(&o->names); }
