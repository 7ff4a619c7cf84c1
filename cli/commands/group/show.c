/* show.c - groups and their figures as a table, CSV or JSON */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "group.h"
#include "output/json.h"
#include "text/element.h"

static const char *label(const struct grouping *g) {
  return g->key_label ? g->key_label : g->s->keys[0];
}

/* A group's key as a string, to be freed. */
static char *key_of(const struct grouping *g, uint32_t id, struct failure *why) {
  size_t length;
  const char *const text = keys_text(&g->keys, id, &length);
  char *const copy = command_allocate(length + 1, 1, "a key", why);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

static const void *figure_of(const struct grouping *g, size_t f, uint32_t id) {
  return (const char *)g->of[f].result + (size_t)id * sizeof(uint64_t);
}

/* Columns wide enough for what stands in them, of at most 60 characters. */
enum { WIDEST = 60 };
static size_t key_width(const struct grouping *g) {
  size_t width = strlen(label(g));
  for (size_t i = 0; i < g->keys.count; i++) {
    size_t length;
    (void)keys_text(&g->keys, (uint32_t)i, &length);
    if (length > width) width = length;
  }
  return width < WIDEST ? width : WIDEST;
}
static size_t figure_width(const struct grouping *g, size_t f) {
  char text[NUMBER_TEXT];
  size_t width = strlen(g->of[f].name);
  for (size_t i = 0; i < g->keys.count; i++) {
    const int length = element_text(text, g->of[f].type, figure_of(g, f, (uint32_t)i));
    if ((size_t)length > width) width = (size_t)length;
  }
  return width;
}

static void show_table(const struct grouping *g, struct sink *out, struct failure *why,
                       int *status) {
  char text[NUMBER_TEXT];
  size_t width[GROUP_FIGURES];
  const size_t first = key_width(g);
  for (size_t f = 0; f < g->figures; f++) width[f] = figure_width(g, f) + 2;
  sink_left(out, label(g), first);
  for (size_t f = 0; f < g->figures; f++) sink_right(out, g->of[f].name, width[f]);
  sink_text(out, "\n");
  for (size_t i = 0; i < g->keys.count && *status == 0; i++) {
    char *const key = key_of(g, g->order[i], why);
    if (!key) *status = -1;
    if (!key) return;
    sink_left(out, key, first);
    free(key);
    for (size_t f = 0; f < g->figures; f++) {
      element_text(text, g->of[f].type, figure_of(g, f, g->order[i]));
      sink_right(out, text, width[f]);
    }
    sink_text(out, "\n");
  }
}

static void show_csv(const struct grouping *g, struct sink *out, struct failure *why, int *status) {
  char text[NUMBER_TEXT];
  sink_csv(out, label(g));
  for (size_t f = 0; f < g->figures; f++) {
    sink_text(out, ",");
    sink_csv(out, g->of[f].name);
  }
  sink_text(out, "\n");
  for (size_t i = 0; i < g->keys.count; i++) {
    char *const key = key_of(g, g->order[i], why);
    if (!key) *status = -1;
    if (!key) return;
    sink_csv(out, key);
    free(key);
    for (size_t f = 0; f < g->figures; f++) {
      element_text(text, g->of[f].type, figure_of(g, f, g->order[i]));
      sink_text(out, ",");
      sink_text(out, text);
    }
    sink_text(out, "\n");
  }
}

static void show_json(const struct grouping *g, struct sink *out, struct failure *why,
                      int *status) {
  struct json j;
  json_start(&j, out);
  json_open(&j, '{');
  json_member(&j, "file", g->path);
  json_member(&j, "key", label(g));
  json_name(&j, "rows");
  json_u64(&j, g->rows);
  json_name(&j, "groups");
  json_open(&j, '[');
  for (size_t i = 0; i < g->keys.count; i++) {
    char *const key = key_of(g, g->order[i], why);
    if (!key) *status = -1;
    if (!key) return;
    json_open(&j, '{');
    json_member(&j, "key", key);
    free(key);
    for (size_t f = 0; f < g->figures; f++) {
      json_name(&j, g->of[f].name);
      json_element(&j, g->of[f].type, figure_of(g, f, g->order[i]));
    }
    json_close(&j, '}');
  }
  json_close(&j, ']');
  json_close(&j, '}');
  json_end(&j);
}

int group_show(const struct grouping *g, struct failure *why) {
  struct sink out;
  int status = 0;
  if (sink_open(&out, g->s->output, why) != 0) return -1;
  switch (g->s->style) {
  case STYLE_JSON: show_json(g, &out, why, &status); break;
  case STYLE_CSV: show_csv(g, &out, why, &status); break;
  default: show_table(g, &out, why, &status);
  }
  if (status == 0) return sink_close(&out, why);
  sink_drop(&out);
  return -1;
}
