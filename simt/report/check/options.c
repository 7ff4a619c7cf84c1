/* heddle-check's own options, then those of the toolchain (options.h). */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/string_list.h"
#include "base/text.h"

static const char name[] = "heddle-check";

const char check_options_help[] =
    "usage: heddle-check PROGRAM.cu [MORE.cu ..] [options] [-- ARGUMENTS]\n"
    "       heddle-check [options] --exec PROGRAM [ARGUMENTS]\n"
    "       heddle-check [options] -- COMMAND [ARGUMENTS]\n"
    "Compiles a CUDA C/C++ program, runs it and says what is wrong with its kernels. A program\n"
    "made by heddle-cc --check may stand instead of the sources. Of a COMMAND, such as ctest or\n"
    "make test, all programs that it runs are checked which heddle-nvcc --check has built.\n"
    "\n"
    "  --json              writes JSON instead of text; --json=FILE: to FILE\n"
    "  --sarif FILE        writes the report as SARIF 2.1.0, too\n"
    "  --junit FILE        writes it as JUnit's XML, too\n"
    "  --output FILE       writes the report to FILE ('-': standard output), not to standard "
    "error\n"
    "  --quiet             writes nothing if nothing was found, and no last line\n"
    "  --max N             shows so many findings (100) and counts the others\n"
    "  --status N          exit status if something was found (3)\n"
    "  --suppress RULE     leaves out what CLASS:FUNCTION, CLASS:FILE or CLASS:FILE:LINE is about\n"
    "  --suppressions FILE reads such rules, one a line\n"
    "  --allow CLASS       leaves out a class of findings, such as leak or same-value\n"
    "  --leaks WORD        memory that is never freed is a finding (yes), a note (note, the "
    "default)\n"
    "                      or not looked for (no)\n"
    "  --sample N[,M]      checks one launch in N, and of it one block in M\n"
    "  --seed N            the same as --schedule random:N\n"
    "  --exec PROGRAM ..   runs a program that loads the CUDA driver and NVRTC, and was told to "
    "load\n"
    "                      libsimt_cuda.so and libsimt_nvrtc.so; checks the kernels that it "
    "compiles\n"
    "  -O1, --optimize     compiles with -O1; by default the source is checked as it stands (-O0)\n"
    "  --help              this text\n"
    "\n"
    "All options of heddle-run are taken: --schedule, --timeout, -I, -D, -std and so on. The exit\n"
    "status is 3 if something was found, else the program's; 1 if it does not compile.\n";

static bool read_number(const char *option, const char *text, uint64_t least, uint64_t most,
                        uint64_t *value) {
  if (option_number(text, least, most, value)) return true;
  fprintf(stderr, "%s: %s is a whole number from %llu", name, option, (unsigned long long)least);
  if (most < UINT64_MAX) fprintf(stderr, " to %llu", (unsigned long long)most);
  fprintf(stderr, ", not '%s'\n", text);
  return false;
}

/* N or N,M: launches, blocks. */
static bool read_sample(const char *text) {
  uint64_t number;
  const char *comma = strchr(text, ',');
  char *launches = text_copy(text, comma ? (size_t)(comma - text) : strlen(text));
  const bool fine = read_number("--sample", launches, 1, UINT32_MAX, &number) &&
                    (!comma || read_number("--sample", comma + 1, 1, UINT32_MAX, &number));
  free(launches);
  return fine;
}

static bool read_leaks(struct check_options *o, const char *text) {
  if (!strcmp(text, "no")) return check_rules_allow(&o->rules, name, "leak");
  if (!strcmp(text, "note")) return true;
  if (!strcmp(text, "yes")) return o->rules.leaks = true;
  fprintf(stderr, "%s: --leaks is yes, no or note, not '%s'\n", name, text);
  return false;
}

struct given {
  const char *json_file, *status, *most, *seed, *leaks;
  struct string_list suppress, suppressions, allow;
};

static bool read_values(struct check_options *o, const struct given *g) {
  uint64_t number = 0;
  if (g->status) {
    if (!read_number("--status", g->status, 0, 255, &number)) return false;
    o->status = (int)number;
  }
  if (g->most && !read_number("--max", g->most, 0, UINT64_MAX, &o->most)) return false;
  if (o->sample && !read_sample(o->sample)) return false;
  if (g->seed) {
    if (!read_number("--seed", g->seed, 0, UINT64_MAX, &number)) return false;
    o->schedule = text_format("random:%llu", (unsigned long long)number);
    o->common.schedule = o->schedule;
  }
  if (g->leaks && !read_leaks(o, g->leaks)) return false;
  bool fine = true;
  for (size_t i = 0; i < g->suppress.count; i++)
    fine &= check_rules_add(&o->rules, name, g->suppress.all[i]);
  for (size_t i = 0; i < g->suppressions.count; i++)
    fine &= check_rules_read(&o->rules, name, g->suppressions.all[i]);
  for (size_t i = 0; i < g->allow.count; i++)
    fine &= check_rules_allow(&o->rules, name, g->allow.all[i]);
  if (g->json_file) {
    o->json = true;
    o->output = g->json_file;
  }
  if (!o->output && o->common.output) o->output = o->common.output;
  return fine;
}

/* Everything behind it is another program's. */
static int find_exec(struct check_options *o, int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "--exec") != 0) continue;
    o->exec = argv + i + 1;
    return i;
  }
  return argc;
}

bool check_options_read(struct check_options *o, int argc, char **argv) {
  *o = (struct check_options){.status = 3, .most = 100};
  argc = find_exec(o, argc, argv);
  struct given g = {0};
  const struct option_entry own[] = {
      {"--json", .flag = &o->json},       {"--json", .value = &g.json_file},
      {"--output", .value = &o->output},  {"--quiet", .flag = &o->quiet},
      {"--max", .value = &g.most},        {"--status", .value = &g.status},
      {"--suppress", .all = &g.suppress}, {"--suppressions", .all = &g.suppressions},
      {"--allow", .all = &g.allow},       {"--leaks", .value = &g.leaks},
      {"--sample", .value = &o->sample},  {"--seed", .value = &g.seed},
      {"--sarif", .value = &o->sarif},    {"--junit", .value = &o->junit},
  };
  const struct tool tool = {.name = name,
                            .runs = true,
                            .mode = MODE_CHECK,
                            .own = own,
                            .own_count = sizeof own / sizeof *own};
  const bool fine = options_read(&o->common, argc, argv, &tool) && read_values(o, &g);
  string_list_free(&g.suppress);
  string_list_free(&g.suppressions);
  string_list_free(&g.allow);
  return fine;
}

void check_options_free(struct check_options *o) {
  options_free(&o->common);
  check_rules_free(&o->rules);
  free(o->schedule);
}
