/* Where the host's and the device's text of one source differ (arch.h).
 *
 * Method  both texts pass through the same files in the same order, and conditional text stands
 *         on lines of its own: after a difference, the text on the smaller line moves on until
 *         file, line and spelling agree again. Linear in the tokens
 */
#include <stdlib.h>
#include <string.h>

#include "arch.h"

static bool is_same_line(const struct unit *h, uint32_t i, const struct unit *d, uint32_t j) {
  const struct token *a = &h->tokens[i], *b = &d->tokens[j];
  return a->line == b->line && !strcmp(h->files[a->file].name, d->files[b->file].name);
}

static bool is_same_token(const struct unit *h, uint32_t i, const struct unit *d, uint32_t j) {
  const struct token *a = &h->tokens[i], *b = &d->tokens[j];
  return a->kind == b->kind && a->length == b->length &&
         !memcmp(h->text + a->start, d->text + b->start, a->length) &&
         (a->kind == TOKEN_END || is_same_line(h, i, d, j));
}

static uint32_t next_line(const struct unit *u, uint32_t i) {
  const struct token *at = &u->tokens[i];
  while (!is_end(u, i) && u->tokens[i].line == at->line && u->tokens[i].file == at->file) i++;
  return i;
}

/* Moves on past a difference at *i, *j, by lines. `file` is where both were last together. */
static void resynchronise(const struct unit *h, uint32_t *i, const struct unit *d, uint32_t *j,
                          const char *file) {
  while (!is_end(h, *i) && !is_end(d, *j)) {
    if (is_same_line(h, *i, d, *j)) {
      if (is_same_token(h, *i, d, *j)) return;
      *i = next_line(h, *i), *j = next_line(d, *j);
      continue;
    }
    const struct token *a = &h->tokens[*i], *b = &d->tokens[*j];
    const bool host_here = !strcmp(h->files[a->file].name, file);
    const bool device_here = !strcmp(d->files[b->file].name, file);
    const bool host_first = host_here != device_here ? !host_here : a->line < b->line;
    if (host_first) {
      *i = next_line(h, *i);
    } else {
      *j = next_line(d, *j);
    }
  }
  while (!is_end(h, *i)) (*i)++;
  while (!is_end(d, *j)) (*j)++;
}

void hunks_find(const struct unit *host, const struct unit *device, struct hunks *out) {
  *out = (struct hunks){.device_of = text_allocate(host->token_count * sizeof(uint32_t))};
  for (size_t k = 0; k < host->token_count; k++) out->device_of[k] = NONE;
  uint32_t i = 0, j = 0;
  const char *file = "";
  for (;;) {
    if (is_same_token(host, i, device, j)) {
      out->device_of[i] = j;
      file = host->files[host->tokens[i].file].name;
      if (is_end(host, i)) return;
      i++, j++;
      continue;
    }
    struct hunk at = {.host = i, .device = j};
    resynchronise(host, &i, device, &j, file);
    at.host_end = i, at.device_end = j;
    out->all = array_room(out->all, out->count, &out->room, sizeof *out->all);
    out->all[out->count++] = at;
  }
}

void hunks_free(struct hunks *h) {
  free(h->all);
  free(h->device_of);
}
