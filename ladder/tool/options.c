/* options.c - the command line; see options.h */
#include "options.h"

#include "base/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: heddle ladder [FAMILY [RUNG]] [options]\n"
    "       heddle ladder pictures [--out FOLDER]\n"
    "\n"
    "Compiles and runs the rungs of the ladder, small CUDA C programs that each show one idea,\n"
    "verifies their results, and prints what they cost. Families: hierarchy, divergence, warp,\n"
    "reduce, scan, histogram, pictures; none: all of them. A rung is a number or a name.\n"
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
    for (long i = strtol(end + 1, NULL, 10); i > 1; --i) scale *= 2;
  } else if (*end) {
    for (const char *s = "KMG"; *s; ++s) {
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
  for (int i = 0; known[i]; ++i) {
    if (strcmp(known[i], text) == 0) {
      free(all.data);
      return;
    }
    suggest_add(&s, known[i]);
    text_add(&all, "%s%s", i ? ", " : "", known[i]);
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
static const char *const value_names[] = {"--device", "--size",     "--data", "--seed",
                                          "--repeat", "--schedule", "--plot", "--html",
                                          "--limit",  "--out",      NULL};
static const char *const flag_names[] = {"--json", "--list", "--profile", "--no-check",
                                         "--help", "-h",     NULL};

static void set_value(struct options *o, int which, const char *value) {
  static const char *const devices[] = {"simt", "cuda", NULL};
  static const char *const kinds[] = {"uniform", "constant", "two",  "four", "skewed",
                                      "and3",    "sorted",   "text", NULL};
  switch (which) {
  case DEVICE:
    check_word("--device", value, devices);
    o->cuda = strcmp(value, "cuda") == 0;
    return;
  case SIZE: check_size(o->size = value); return;
  case DATA: check_word("--data", o->data = value, kinds); return;
  case SEED: check_number("--seed", o->seed = value, 0, 1e18); return;
  case REPEAT: check_number("--repeat", o->repeat = value, 1, 100); return;
  case SCHEDULE: check_schedule(o->schedule = value); return;
  case PLOT: o->plot = value; return;
  case HTML: o->html = value; return;
  case LIMIT:
    check_number("--limit", value, 0.1, 86400);
    o->limit_seconds = strtod(value, NULL);
    return;
  default: o->out = value;
  }
}

static void unknown(const char *word) {
  struct suggestion s;
  char near[128];
  suggest_start(&s, word);
  for (int i = 0; value_names[i]; ++i) suggest_add(&s, value_names[i]);
  for (int i = 0; flag_names[i]; ++i) suggest_add(&s, flag_names[i]);
  fail("no option '%s'%s", word, suggest_text(&s, "", near, sizeof near));
}

/* Takes the option at argv[at] and its value. Returns how many words that were. */
static int take_option(struct options *o, int argc, char **argv, int at) {
  const char *word = argv[at], *equals = strchr(word, '=');
  const size_t length = equals ? (size_t)(equals - word) : strlen(word);
  for (int i = 0; i < VALUES; ++i) {
    if (strncmp(word, value_names[i], length) != 0 || value_names[i][length]) continue;
    if (!equals && at + 1 == argc) fail("%s needs a value", word);
    set_value(o, i, equals ? equals + 1 : argv[at + 1]);
    return equals ? 1 : 2;
  }
  if (strcmp(word, "--json") == 0)
    o->json = true;
  else if (strcmp(word, "--list") == 0)
    o->list = true;
  else if (strcmp(word, "--profile") == 0)
    o->profile = true;
  else if (strcmp(word, "--no-check") == 0)
    o->check = false;
  else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    fputs(help, stdout);
    exit(0);
  } else
    unknown(word);
  return 1;
}

void options_read(struct options *o, int argc, char **argv) {
  *o = (struct options){.out = ".", .limit_seconds = 60, .check = true};
  for (int i = 1; i < argc;) {
    if (argv[i][0] == '-') {
      i += take_option(o, argc, argv, i);
    } else {
      list_add(&o->names, format("%s", argv[i++]));
    }
  }
  if (o->names.count > 2)
    fail("a family and a rung are enough; '%s' is too much", o->names.item[2]);
  o->pictures = o->names.count == 1 && strcmp(o->names.item[0], "pictures") == 0;
  if (o->cuda && o->schedule) fail("--schedule is for --device simt; a GPU has its own");
  if (o->cuda && (o->profile || o->html))
    fail("%s is for --device simt", o->html ? "--html" : "--profile");
  if (o->cuda) o->check = false;
  if (o->html) o->profile = true;
}

void options_free(struct options *o) { list_free(&o->names); }
