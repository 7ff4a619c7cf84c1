/* plan.c - heddle info --plan: the library asked at sizes all over, and both sides of every change
 *
 * Method   heddle_explain answers at the powers of two; where two neighbours differ in strategy or
 *          kernel, halving finds the sizes between them where each begins. A line is a strategy, with
 *          what it has at its first size and at its last. */
#include "plan.h"

#include <stdio.h>
#include <string.h>

#include "commands/command.h"
#include "families.h"
#include "output/json.h"

enum { MOST_LINES = 64 };

struct line {
  uint64_t from, to;
  heddle_plan first, last;
};

struct table {
  struct subject subject;
  heddle_context *ctx;
  struct line line[MOST_LINES];
  size_t lines;
};

/* ---- asking ------------------------------------------------------------------------------------ */

static heddle_status ask(const struct table *t, uint64_t n, heddle_plan *plan) {
  return families_ask(t->ctx, &t->subject, n, plan);
}

static bool same(const heddle_plan *a, const heddle_plan *b) {
  return strcmp(a->strategy, b->strategy) == 0 && strcmp(a->kernel, b->kernel) == 0;
}

/* The first size after `from`, up to `to`, whose plan is not from's, which `to` has not either. */
static heddle_status find_change(const struct table *t, uint64_t from, uint64_t to,
                                 uint64_t *change) {
  heddle_plan of_from, of_middle;
  heddle_status status = ask(t, from, &of_from);
  while (!status && to - from > 1) {
    const uint64_t middle = from + (to - from) / 2;
    status = ask(t, middle, &of_middle);
    if (same(&of_from, &of_middle))
      from = middle;
    else
      to = middle;
  }
  *change = to;
  return status;
}

static heddle_status add_line(struct table *t, uint64_t from) {
  struct line *line = &t->line[t->lines++];
  line->from = line->to = from;
  return ask(t, from, &line->first);
}

/* Lines from the last one's first size up to `to`. */
static heddle_status extend(struct table *t, uint64_t to) {
  heddle_plan plan;
  heddle_status status = ask(t, to, &plan);
  while (!status && t->lines < MOST_LINES) {
    struct line *line = &t->line[t->lines - 1];
    uint64_t change;
    if (same(&line->first, &plan)) {
      line->to = to;
      line->last = plan;
      return HEDDLE_OK;
    }
    status = find_change(t, line->to, to, &change);
    line->to = change - 1;
    if (!status) status = ask(t, line->to, &line->last);
    if (!status) status = add_line(t, change);
  }
  return status;
}

static heddle_status fill(struct table *t) {
  t->lines = 0;
  heddle_status status = add_line(t, 1);
  for (uint64_t n = 2; !status && n <= t->subject.most; n *= 2) status = extend(t, n);
  return status;
}

/* ---- showing ------------------------------------------------------------------------------------- */

static void show_pair(struct sink *out, uint64_t first, uint64_t last, size_t columns) {
  char text[48], end[24];
  (void)snprintf(text, sizeof text, first ? "%llu" : "fill", (unsigned long long)first);
  (void)snprintf(end, sizeof end, last ? "%llu" : "fill", (unsigned long long)last);
  if (strcmp(text, end) != 0) {
    strcat(text, "-");
    strcat(text, end);
  }
  sink_right(out, text, columns);
}

static void show_table(struct sink *out, const struct table *t) {
  sink_print(out, "\n%s\n", t->subject.title);
  sink_right(out, t->subject.unit, 11);
  sink_text(out, "  strategy                 threads       blocks      shared  kernel\n");
  for (size_t i = 0; i < t->lines; i++) {
    const struct line *line = &t->line[i];
    char text[24];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)line->from);
    sink_right(out, text, 11);
    sink_text(out, "  ");
    sink_left(out, line->first.strategy, 22);
    show_pair(out, line->first.threads, line->last.threads, 10);
    show_pair(out, line->first.blocks, line->last.blocks, 13);
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)line->last.shared_bytes);
    sink_right(out, text, 12);
    sink_print(out, "  %s\n", line->first.kernel);
  }
}

static void show_csv(struct sink *out, const struct table *t) {
  for (size_t i = 0; i < t->lines; i++) {
    const struct line *line = &t->line[i];
    sink_csv(out, t->subject.title);
    sink_print(out, ",%s,%llu,%llu,%s,%s,%s,%s,%u,%u,%llu,%llu,%llu,%llu\n", t->subject.unit,
               (unsigned long long)line->from, (unsigned long long)line->to, line->first.strategy,
               line->first.kernel, line->last.then, line->first.file, line->first.threads,
               line->last.threads, (unsigned long long)line->first.blocks,
               (unsigned long long)line->last.blocks, (unsigned long long)line->first.shared_bytes,
               (unsigned long long)line->last.shared_bytes);
  }
}

static void json_pair(struct json *j, const char *name, uint64_t first, uint64_t last) {
  json_name(j, name);
  json_open(j, '[');
  json_u64(j, first);
  json_u64(j, last);
  json_close(j, ']');
}

static void json_line(struct json *j, const struct line *line) {
  const struct {
    const char *name, *text;
  } texts[] = {{"strategy", line->first.strategy},
               {"kernel", line->first.kernel},
               {"then", line->last.then},
               {"file", line->first.file}};
  json_open(j, '{');
  json_name(j, "from");
  json_u64(j, line->from);
  json_name(j, "to");
  json_u64(j, line->to);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    json_name(j, texts[i].name);
    json_text(j, texts[i].text);
  }
  json_pair(j, "threads", line->first.threads, line->last.threads);
  json_pair(j, "blocks", line->first.blocks, line->last.blocks);
  json_pair(j, "shared_bytes", line->first.shared_bytes, line->last.shared_bytes);
  json_close(j, '}');
}

static void show_json(struct json *j, const struct table *t) {
  json_open(j, '{');
  json_name(j, "call");
  json_text(j, t->subject.title);
  json_name(j, "unit");
  json_text(j, t->subject.unit);
  json_name(j, "lines");
  json_open(j, '[');
  for (size_t i = 0; i < t->lines; i++) json_line(j, &t->line[i]);
  json_close(j, ']');
  json_close(j, '}');
}

/* ---- the whole ------------------------------------------------------------------------------------ */

static void show_head(const struct settings *s, struct sink *out, struct json *j,
                      const char *device, const heddle_plan *plan) {
  if (s->style == STYLE_CSV) {
    sink_text(out, "call,unit,from,to,strategy,kernel,then,file,threads,threads_last,blocks,"
                   "blocks_last,shared_bytes,shared_bytes_last\n");
  } else if (s->style == STYLE_JSON) {
    json_start(j, out);
    json_open(j, '{');
    json_name(j, "device");
    json_text(j, device);
    json_name(j, "isa");
    json_text(j, plan->isa);
    json_name(j, "processors");
    json_u64(j, plan->processors);
    json_name(j, "shared_most");
    json_u64(j, plan->shared_most);
    json_name(j, "plan");
    json_open(j, '[');
  } else {
    sink_print(out, "device %s, %s, %u processors, %llu bytes of shared memory a block\n", device,
               plan->isa, plan->processors, (unsigned long long)plan->shared_most);
  }
}

static int show_families(const struct settings *s, heddle_context *ctx, struct sink *out,
                         struct failure *why) {
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  struct table t = {.ctx = ctx};
  struct json j;
  bool headed = false, shown;
  if (command_check(heddle_info(ctx, &info), NULL, why) != 0) return -1;
  for (size_t i = 0; families_get(i, s, &t.subject, &shown); i++) {
    if (!shown) continue;
    if (command_check(fill(&t), NULL, why) != 0) return -1;
    if (t.lines == MOST_LINES)
      return fail(why, EXIT_DATA, "%s: the plan has more than %d lines", t.subject.title,
                  MOST_LINES - 1);
    if (!headed) show_head(s, out, &j, info.device, &t.line[0].first);
    headed = true;
    if (s->style == STYLE_JSON)
      show_json(&j, &t);
    else if (s->style == STYLE_CSV)
      show_csv(out, &t);
    else
      show_table(out, &t);
  }
  if (s->style != STYLE_JSON) return 0;
  json_close(&j, ']');
  json_close(&j, '}');
  json_end(&j);
  return 0;
}

int plan_show(const struct settings *s, struct failure *why) {
  heddle_context *ctx;
  struct sink out;
  if (command_context(s, &ctx, why) != 0) return -1;
  int result = sink_open(&out, s->output, why);
  if (result == 0) {
    result = show_families(s, ctx, &out, why);
    if (result == 0)
      result = sink_close(&out, why);
    else
      sink_drop(&out);
  }
  heddle_close(ctx);
  return result;
}
