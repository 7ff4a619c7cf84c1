/* table.c - columns as wide as their headings
 *
 * simt  steps   parallel steps of one thread           words     32-bit words of global memory,
 *       work    operations, as the rung counts them              read and written
 *       barriers  passed, each block's counted         atomics   on global and on shared memory
 *       and, of a profile: simt  efficiency   sectors  of 32 bytes in global memory, and a request
 *       (/ideal)   banks  the degree of bank conflicts   one  the most atomics at one address
 * cuda  ms, GB/s, share of the ceiling, speed against the rung before on as many elements
 */
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/escape.h"
#include "base/json/value.h"
#include "base/text.h"
#include "run/figures.h"

static const char *const outcome_names[OUTCOMES] = {"right", "caught", "needs check", "wrong"};

/* A count with commas between the thousands, or "-" if it is not known. */
static void cell(const char *heading_width, double value) {
  char digits[32], text[48];
  const int width = (int)strlen(heading_width);
  size_t used = 0;
  if (value < 0) {
    printf(" %*s", width, "-");
    return;
  }
  snprintf(digits, sizeof digits, "%.0f", value);
  const size_t length = strlen(digits);
  for (size_t i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) text[used++] = ',';
    text[used++] = digits[i];
  }
  text[used] = 0;
  printf(" %*s", width, text);
}

static double sum_of(const struct json_value *v, const char *a, const char *b) {
  const double x = json_number(v, a, -1), y = json_number(v, b, -1);
  if (x < 0) return y;
  return y < 0 ? x : x + y;
}

static const char *const columns[] = {"      steps", "       work", "      words", " barriers",
                                      "    atomics"};

static void print_counts(const struct result *r) {
  cell(columns[0], json_number(&r->json, "steps", -1));
  cell(columns[1], json_number(&r->json, "work", -1));
  cell(columns[2], sum_of(&r->json, "reads", "writes"));
  cell(columns[3], r->barriers);
  cell(columns[4], sum_of(&r->json, "atomics", "shared_atomics"));
}

static const char *const profile_columns[] = {"   simt", "     sectors", "/request",  "/ideal",
                                              "banks",   " worst",       "    at one"};

static void ratio(const char *heading_width, double value, double scale, const char *unit) {
  const int width = (int)(strlen(heading_width) - strlen(unit));
  if (isnan(value))
    printf(" %*s", (int)strlen(heading_width), "-");
  else
    printf(" %*.1f%s", width, scale * value, unit);
}

static void print_profile(const struct result *r) {
  struct figures f;
  if (!figures_of(r, &f)) {
    for (size_t i = 0; i < sizeof profile_columns / sizeof profile_columns[0]; i++)
      cell(profile_columns[i], -1);
    return;
  }
  ratio(profile_columns[0], figures_efficiency(&f), 100, "%");
  cell(profile_columns[1], f.requests > 0 ? f.sectors : -1);
  ratio(profile_columns[2], figures_sectors(&f), 1, "");
  ratio(profile_columns[3], figures_ideal(&f), 1, "");
  ratio(profile_columns[4], figures_degree(&f), 1, "");
  cell(profile_columns[5], f.shared_requests > 0 ? f.degree_worst : -1);
  cell(profile_columns[6], f.atomics > 0 ? f.most_at_one : -1);
}

static double gbs(const struct result *r) {
  const double ms = json_number(&r->json, "ms", 0), bytes = json_number(&r->json, "bytes", 0);
  return ms > 0 ? bytes / ms * 1e-6 : 0;
}

static double best_of(const struct ceiling *c) {
  return c->read_gbs > c->copy_gbs ? c->read_gbs : c->copy_gbs;
}

/* Against the rung before in the same family, if both took the same number of elements and were
 * timed; else 0. */
static double speed_up(const struct result *first, const struct result *r) {
  if (r == first || strcmp(r[-1].rung->family, r->rung->family) != 0) return 0;
  const struct json_value *before = &r[-1].json, *now = &r->json;
  if (json_number(before, "size", -1) != json_number(now, "size", -2)) return 0;
  const double old_ms = json_number(before, "ms", 0), ms = json_number(now, "ms", 0);
  return ms > 0 ? old_ms / ms : 0;
}

static void print_times(const struct result *first, const struct result *r,
                        const struct ceiling *c) {
  const double ms = json_number(&r->json, "ms", 0), rate = gbs(r), faster = speed_up(first, r);
  if (ms > 0)
    printf("  %10.4f", ms);
  else
    printf("  %10s", "-");
  if (rate > 0)
    printf("  %8.1f  %6.1f%%", rate, 100 * rate / best_of(c));
  else
    printf("  %8s  %7s", "-", "-");
  if (faster > 0)
    printf("  %8.3gx", faster);
  else
    printf("  %9s", "-");
}

static void print_heading(const char *family, bool cuda, bool profiled) {
  printf("\n%-53s %-11s", family, "");
  if (cuda) {
    printf("  %10s  %8s  %7s  %9s", "ms", "GB/s", "ceiling", "v. before");
  } else {
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) printf(" %s", columns[i]);
    for (size_t i = 0; profiled && i < sizeof profile_columns / sizeof profile_columns[0]; i++)
      printf(" %s", profile_columns[i]);
  }
  printf("\n");
}

static void print_row(const struct result *first, const struct result *r, bool cuda,
                      const struct ceiling *c) {
  printf("%.2s %-50.50s %-11s", r->rung->name, r->rung->title, outcome_names[r->outcome]);
  if (cuda)
    print_times(first, r, c);
  else
    print_counts(r);
  if (r->profile.asked) print_profile(r);
  printf("\n");
  if (r->outcome != OUTCOME_RIGHT) printf("     %s\n", r->says);
}

size_t table_wrong(const struct result *result, size_t count) {
  size_t wrong = 0;
  for (size_t i = 0; i < count; i++) wrong += result[i].outcome == OUTCOME_WRONG;
  return wrong;
}

static void outcomes(const struct result *result, size_t count, size_t of[OUTCOMES]) {
  memset(of, 0, OUTCOMES * sizeof of[0]);
  for (size_t i = 0; i < count; i++) of[result[i].outcome]++;
}

void table_print(const struct result *result, size_t count, bool cuda,
                 const struct ceiling *ceiling) {
  size_t of[OUTCOMES];
  for (size_t i = 0; i < count && !*json_string(&result[i].json, "device", ""); i++)
    if (i + 1 == count) printf("no rung said on what device it ran\n");
  for (size_t i = 0; i < count; i++) {
    const char *device = json_string(&result[i].json, "device", NULL);
    if (!device) continue;
    printf("On %s", device);
    if (cuda)
      printf("; ceiling: read %.0f GB/s, copy %.0f GB/s", ceiling->read_gbs, ceiling->copy_gbs);
    printf("\n");
    break;
  }
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || strcmp(result[i].rung->family, result[i - 1].rung->family) != 0)
      print_heading(result[i].rung->family, cuda, result[i].profile.asked);
    print_row(result, &result[i], cuda, ceiling);
  }
  outcomes(result, count, of);
  printf("\n%zu right, %zu caught, ", of[OUTCOME_RIGHT], of[OUTCOME_CAUGHT]);
  if (of[OUTCOME_NEEDS_CHECK]) printf("%zu need check, ", of[OUTCOME_NEEDS_CHECK]);
  printf("%zu wrong\n", of[OUTCOME_WRONG]);
}

static void add_number(struct text *t, const char *name, double value) {
  if (isnan(value))
    text_add_format(t, ", \"%s\": null", name);
  else
    text_add_format(t, ", \"%s\": %.10g", name, value);
}

static void add_profile(struct text *t, const struct result *r) {
  struct figures f;
  if (!r->profile.asked || !figures_of(r, &f)) return;
  text_add_format(t, ", \"profile\": {\"steps\": %.0f, \"work\": %.0f", f.steps, f.work);
  add_number(t, "efficiency", figures_efficiency(&f));
  add_number(t, "requests", f.requests);
  add_number(t, "sectors", f.sectors);
  add_number(t, "sectors_per_request", figures_sectors(&f));
  add_number(t, "ideal_per_request", figures_ideal(&f));
  add_number(t, "bank_conflict_degree", figures_degree(&f));
  add_number(t, "bank_conflict_worst", f.degree_worst);
  add_number(t, "atomics_contention", figures_contention(&f));
  add_number(t, "atomics_contention_worst", f.contention_worst);
  add_number(t, "most_atomics_at_one_address", f.most_at_one);
  add_number(t, "barriers", f.barriers);
  add_number(t, "occupancy_percent", f.occupancy);
  text_add_string(t, "}");
}

/* The rung's own members, then what only the tool knows. */
static void add_rung(struct text *t, const struct result *first, const struct result *r, bool cuda,
                     const struct ceiling *ceiling) {
  text_add_format(t, "{\"family\": \"%s\", \"name\": \"%s\", \"title\": ", r->rung->family,
                  r->rung->name);
  json_quote(t, r->rung->title, NULL);
  text_add_format(t, ", \"outcome\": \"%s\", \"says\": ", outcome_names[r->outcome]);
  json_quote(t, r->says, NULL);
  text_add_format(t, ", \"seconds\": %.3f", r->job.seconds);
  if (r->barriers >= 0)
    text_add_format(t, ", \"launches\": %.0f, \"barriers\": %.0f, \"collectives\": %.0f",
                    r->launches, r->barriers, r->collectives);
  if (cuda && gbs(r) > 0)
    text_add_format(t, ", \"gbs\": %.6g, \"of_ceiling\": %.6g, \"against_rung_before\": %.6g",
                    gbs(r), gbs(r) / best_of(ceiling), speed_up(first, r));
  if (r->check.asked && json_find(&r->check.report, "findings")) {
    text_add_string(t, ", \"findings\": ");
    json_write(t, json_find(&r->check.report, "findings"));
  }
  add_profile(t, r);
  text_add_string(t, ", \"said\": ");
  json_write(t, &r->json);
  text_add_string(t, "}");
}

void table_json(const struct result *result, size_t count, bool cuda,
                const struct ceiling *ceiling) {
  static const char *const keys[OUTCOMES] = {"right", "caught", "need_check", "wrong"};
  struct text t = {0};
  size_t of[OUTCOMES];
  outcomes(result, count, of);
  text_add_format(&t, "{\"device\": \"%s\", ", cuda ? "cuda" : "simt");
  if (cuda)
    text_add_format(&t, "\"read_gbs\": %.6g, \"copy_gbs\": %.6g, ", ceiling->read_gbs,
                    ceiling->copy_gbs);
  text_add_string(&t, "\"rungs\": [");
  for (size_t i = 0; i < count; i++) {
    text_add_string(&t, i ? ",\n  " : "\n  ");
    add_rung(&t, result, &result[i], cuda, ceiling);
  }
  text_add_format(&t, "],\n\"%s\": %zu", keys[0], of[0]);
  for (int i = 1; i < OUTCOMES; i++) text_add_format(&t, ", \"%s\": %zu", keys[i], of[i]);
  printf("%s}\n", t.data);
  free(t.data);
}

void table_list(const struct result *result, size_t count) {
  static const char *const expectations[] = {"right", "caught", "needs check"};
  for (size_t i = 0; i < count; i++) {
    const struct rung *r = result[i].rung;
    if (i == 0 || strcmp(r->family, result[i - 1].rung->family) != 0)
      printf("%s%s\n", i ? "\n" : "", r->family);
    printf("  %-28s  %-50s  %s%s%s\n", r->name, r->title, expectations[r->expect],
           r->class[0] ? ": " : "", r->class);
  }
}
