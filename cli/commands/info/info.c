/* info.c - heddle info: what this is, and what it runs on */
#include <stdio.h>
#include <string.h>

#include "commands/command.h"
#include "commands/devices.h"
#include "options/commands.h"
#include "output/json.h"
#include "output/sink.h"
#include "plan.h"

struct fact {
  const char *name;
  char text[160];
  bool number;
};

enum { FACTS = 10 };

/* What the input layer was built with; it has no parts that can be left out. */
static const char features[] =
    "npy npz safetensors arrow parquet hdf5 fits netcdf wav raw text gzip zstd xz bzip2 zip";

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
    facts[i].number = !list[i].text;
    if (facts[i].number)
      (void)snprintf(facts[i].text, sizeof facts[i].text, "%ld", list[i].number);
    else
      (void)snprintf(facts[i].text, sizeof facts[i].text, "%s", list[i].text);
  }
  return *info.note == '\0' ? count - 1 : count;
}

static void json_devices(struct json *j, const struct device_entry *devices, size_t count) {
  json_name(j, "devices");
  json_open(j, '[');
  for (size_t i = 0; i < count; i++) {
    json_open(j, '{');
    json_name(j, "device");
    json_text(j, devices[i].device);
    json_name(j, "found");
    json_bool(j, devices[i].found);
    json_name(j, devices[i].found ? "processor" : "message");
    json_text(j, devices[i].text);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void json(struct sink *out, const struct fact *facts, size_t count,
                 const struct device_entry *devices, size_t device_count) {
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
  json_devices(&j, devices, device_count);
  json_close(&j, '}');
  json_end(&j);
}

static void line(struct sink *out, const struct settings *s, const char *name, const char *text) {
  if (s->style == STYLE_CSV) {
    sink_print(out, "%s,", name);
    sink_csv(out, text);
  } else {
    sink_left(out, name, 11);
    sink_safe(out, text);
  }
  sink_text(out, "\n");
}

int command_info(const struct settings *s, struct failure *why) {
  if (s->plan) return plan_show(s, why);
  if (s->type || s->op != HEDDLE_SUM)
    return fail(why, EXIT_USAGE, "--%s is for info --plan; add it", s->type ? "type" : "op");
  struct fact facts[FACTS];
  struct device_entry devices[DEVICES];
  heddle_context *ctx;
  struct sink out;
  if (command_context(s, &ctx, why) != 0) return -1;
  size_t count = gather(ctx, facts, why);
  heddle_close(ctx);
  size_t device_count = devices_list(devices);
  if (count == 0 || sink_open(&out, s->output, why) != 0) return -1;
  if (s->style == STYLE_JSON) {
    json(&out, facts, count, devices, device_count);
    return sink_close(&out, why);
  }
  if (s->style == STYLE_CSV) sink_text(&out, "name,value\n");
  for (size_t i = 0; i < count; i++) line(&out, s, facts[i].name, facts[i].text);
  for (size_t i = 0; i < device_count; i++) {
    char text[sizeof devices[0].device + sizeof devices[0].text + 16];
    (void)snprintf(text, sizeof text, "%.*s: %.*s", (int)sizeof devices[i].device - 1,
                   devices[i].device, (int)sizeof devices[i].text - 1, devices[i].text);
    line(&out, s, devices[i].found ? "found" : "not found", text);
  }
  return sink_close(&out, why);
}
