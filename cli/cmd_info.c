/* cmd_info.c - heddle info: what this is, and what it runs on */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "json.h"
#include "sink.h"

struct fact {
  const char *name;
  char text[160];
  bool number;
};

enum { FACTS = 10 };

/* What the input layer was built with; it has no parts that can be left out. */
static const char features[] = "npy raw text gzip zstd";

static size_t gather(heddle_context *ctx, struct fact facts[FACTS], struct failure *why) {
  heddle_device_info info = HEDDLE_DEVICE_INFO_INIT;
  if (command_check(heddle_info(ctx, &info), NULL, why) != 0) return 0;
  const struct {
    const char *name, *text;
    long number;
  } list[] = {{"version", heddle_version_string(), 0},
              {"abi", NULL, heddle_abi()},
              {"order", NULL, HEDDLE_ORDER},
              {"device", info.device, 0},
              {"processor", info.name, 0},
              {"isa", info.isa, 0},
              {"threads", NULL, (long)info.threads},
              {"input", features, 0},
              {"note", info.note, 0}};
  size_t count = sizeof list / sizeof *list;
  for (size_t i = 0; i < count; i++) {
    facts[i].name = list[i].name;
    facts[i].number = list[i].text == NULL;
    if (facts[i].number)
      (void)snprintf(facts[i].text, sizeof facts[i].text, "%ld", list[i].number);
    else
      (void)snprintf(facts[i].text, sizeof facts[i].text, "%s", list[i].text);
  }
  return *info.note == '\0' ? count - 1 : count;
}

static void json(struct sink *out, const struct fact *facts, size_t count) {
  struct json j;
  json_start(&j, out);
  json_open(&j, '{');
  for (size_t i = 0; i < count; i++) {
    json_name(&j, facts[i].name);
    unsigned long long number = 0;
    if (facts[i].number && sscanf(facts[i].text, "%llu", &number) == 1)
      json_u64(&j, number);
    else
      json_text(&j, facts[i].text);
  }
  json_close(&j, '}');
  json_end(&j);
}

int command_info(const struct settings *s, struct failure *why) {
  struct fact facts[FACTS];
  heddle_context *ctx;
  struct sink out;
  if (command_context(s, &ctx, why) != 0) return -1;
  size_t count = gather(ctx, facts, why);
  heddle_close(ctx);
  if (count == 0 || sink_open(&out, s->output, why) != 0) return -1;
  if (s->style == STYLE_JSON) {
    json(&out, facts, count);
    return sink_close(&out, why);
  }
  if (s->style == STYLE_CSV) sink_text(&out, "name,value\n");
  for (size_t i = 0; i < count; i++) {
    if (s->style == STYLE_CSV) {
      sink_print(&out, "%s,", facts[i].name);
      sink_csv(&out, facts[i].text);
    } else {
      sink_left(&out, facts[i].name, 11);
      sink_text(&out, facts[i].text);
    }
    sink_text(&out, "\n");
  }
  return sink_close(&out, why);
}
