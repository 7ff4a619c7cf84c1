/* bench.c - heddle bench: the speed of each primitive, against what this memory can do
 *
 * Method  time.c takes the times; here are the options and the three ways to show them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "commands/command.h"
#include "options/commands.h"
#include "output/json.h"
#include "text/element.h"
#include "time.h"

enum { SIZES = 16, SMALLEST = 4096 };

static int parse_sizes(const char *text, size_t sizes[SIZES], size_t *count, struct failure *why) {
  static const struct {
    char letter;
    unsigned shift;
  } units[] = {{'\0', 0}, {',', 0}, {'K', 10}, {'M', 20}, {'G', 30}};
  for (*count = 0; *text != '\0';) {
    char *end;
    unsigned long long n = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    bool valid = n > 0 && n < 1u << 31 && *count < SIZES;
    size_t u = 0;
    while (valid && u < 5 && units[u].letter != *end) u++;
    if (!valid || u == 5)
      return fail(why, EXIT_USAGE,
                  "--size takes bytes such as 32K,8M,1G, at most %d of them, not "
                  "'%s'",
                  SIZES, text);
    n <<= units[u].shift;
    if (n < SMALLEST || n > SIZE_MAX / 4)
      return fail(why, EXIT_USAGE, "--size takes at least %d bytes, not %llu", SMALLEST, n);
    sizes[(*count)++] = (size_t)n / 64 * 64;
    if (units[u].shift > 0) end++;
    if (*end == ',') end++;
    text = end;
  }
  return 0;
}

/* Bit i is set for bench_works[i]. */
static int parse_only(const char *text, uint32_t *wanted, struct failure *why) {
  *wanted = !text ? UINT32_MAX : 0;
  while (text && *text != '\0') {
    size_t length = strcspn(text, ",");
    char name[64], hint[160];
    struct suggestion near;
    (void)snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), text);
    suggest_start(&near, name);
    bool found = false;
    for (size_t i = 0; i < bench_work_count; i++) {
      suggest_add(&near, bench_works[i].family);
      if (strcmp(bench_works[i].family, name) != 0) continue;
      *wanted |= UINT32_C(1) << i;
      found = true;
    }
    if (!found)
      return fail(why, EXIT_USAGE,
                  "--only: there is no primitive '%s'%s it is one of: sum dot argmax "
                  "describe hist scan",
                  name, near.best ? suggest_text(&near, "", hint, sizeof hint) : ";");
    text += length;
    if (*text == ',') text++;
  }
  return 0;
}

static void ceilings(struct sink *out, const struct bench_times *r) {
  char size[NUMBER_TEXT];
  bytes_text(size, (double)r->bytes);
  sink_print(out, "\narrays of %s", size);
  if (r->read > 0) sink_print(out, "; reading goes at %.1f GB/s", r->read / 1e9);
  if (r->copy > 0) sink_print(out, "; copying at %.1f GB/s, read and written", r->copy / 1e9);
  sink_text(out, "\n\n");
}

static void table(struct sink *out, const heddle_device_info *info, const struct bench_times *r,
                  size_t count) {
  sink_print(out, "heddle %s on %s, %s, %u thread%s\n", heddle_version_string(), info->name,
             info->isa, info->threads, info->threads == 1 ? "" : "s");
  bool disturbed = false;
  for (size_t k = 0; k < count; k++) {
    ceilings(out, &r[k]);
    sink_print(out, "%-20s %12s %9s   %s\n", "primitive", "time", "GB/s", "share of the ceiling");
    for (size_t i = 0; i < r[k].count; i++) {
      const struct bench_timing *t = &r[k].timings[i];
      bool micro = t->seconds < 1e-3;
      sink_print(out, "%-20s %9.*f %s %9.2f   ", t->work->name, micro ? 2 : 3,
                 t->seconds * (micro ? 1e6 : 1e3), micro ? "us" : "ms",
                 (double)r[k].bytes * t->work->moved / t->seconds / 1e9);
      if (bench_disturbed(t))
        sink_text(out, "-    the ceiling was disturbed\n");
      else
        sink_print(out, "%3.0f%% of %s\n", 100 * t->ceiling / t->seconds,
                   t->work->copies ? "copying" : "reading");
      disturbed |= bench_disturbed(t);
    }
  }
  if (disturbed)
    sink_text(out,
              "\nOther work took so much of this machine that its memory seemed slower than the "
              "primitive.\nRun again while it is quiet.\n");
}

static void json_timing(struct json *j, const struct bench_times *r, const struct bench_timing *t) {
  double moved = (double)r->bytes * t->work->moved;
  json_open(j, '{');
  json_name(j, "name");
  json_text(j, t->work->name);
  json_name(j, "seconds");
  json_double(j, t->seconds);
  json_name(j, "bytes");
  json_double(j, moved);
  json_name(j, "bytes_per_second");
  json_double(j, moved / t->seconds);
  json_name(j, "ceiling");
  json_text(j, t->work->copies ? "copy" : "read");
  json_name(j, "ceiling_bytes_per_second");
  json_double(j, moved / t->ceiling);
  json_name(j, "share");
  json_double(j, t->ceiling / t->seconds);
  json_name(j, "disturbed");
  json_bool(j, bench_disturbed(t));
  json_close(j, '}');
}

static void json(struct sink *out, const heddle_device_info *info, const struct bench_times *r,
                 size_t count) {
  struct json j;
  const struct {
    const char *name, *text;
  } facts[] = {{"version", heddle_version_string()},
               {"device", info->device},
               {"processor", info->name},
               {"isa", info->isa}};
  json_start(&j, out);
  json_open(&j, '{');
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
    json_name(&j, facts[i].name);
    json_text(&j, facts[i].text);
  }
  json_name(&j, "threads");
  json_u64(&j, info->threads);
  json_name(&j, "results");
  json_open(&j, '[');
  for (size_t k = 0; k < count; k++) {
    json_open(&j, '{');
    json_name(&j, "array_bytes");
    json_u64(&j, r[k].bytes);
    json_name(&j, "primitives");
    json_open(&j, '[');
    for (size_t i = 0; i < r[k].count; i++) json_timing(&j, &r[k], &r[k].timings[i]);
    json_close(&j, ']');
    json_close(&j, '}');
  }
  json_close(&j, ']');
  json_close(&j, '}');
  json_end(&j);
}

static void csv(struct sink *out, const struct bench_times *r, size_t count) {
  sink_text(out, "array_bytes,name,seconds,bytes_per_second,ceiling,share,disturbed\n");
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < r[k].count; i++) {
      const struct bench_timing *t = &r[k].timings[i];
      sink_print(out, "%zu,", r[k].bytes);
      sink_csv(out, t->work->name);
      sink_print(out, ",%.6g,%.6g,%s,%.4f,%s\n", t->seconds,
                 (double)r[k].bytes * t->work->moved / t->seconds,
                 t->work->copies ? "copy" : "read", t->ceiling / t->seconds,
                 bench_disturbed(t) ? "true" : "false");
    }
  }
}

int command_bench(const struct settings *s, struct failure *why) {
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  static struct bench_times results[SIZES];
  size_t sizes[SIZES], count = 0;
  uint32_t wanted;
  heddle_context *ctx;
  struct sink out;
  if (parse_sizes(s->sizes ? s->sizes : "256M", sizes, &count, why) != 0 ||
      parse_only(s->only, &wanted, why) != 0 || command_context(s, &ctx, why) != 0)
    return -1;
  int status = command_check(heddle_info(ctx, &info), NULL, why);
  for (size_t k = 0; k < count && status == 0; k++)
    status = bench_time(ctx, info.threads, wanted, sizes[k], &results[k], why);
  heddle_close(ctx);
  if (status != 0 || sink_open(&out, s->output, why) != 0) return -1;
  if (s->style == STYLE_JSON)
    json(&out, &info, results, count);
  else if (s->style == STYLE_CSV)
    csv(&out, results, count);
  else
    table(&out, &info, results, count);
  return sink_close(&out, why);
}
