/* The device's bodies put into the host's text, hunk by hunk (arch.h).
 *
 * Limits  outside functions the host's text stands, but for functions and variables of the
 *         device that only one of the texts has
 */
#include "arch.h"

#include <stdlib.h>
#include <string.h>

static bool is_device_only(const struct declaration *d) {
  return (d->flags & (IS_DEVICE | IS_GLOBAL | IS_CONSTANT)) && !(d->flags & IS_HOST);
}

/* The innermost function around tokens [from, to), or NULL. */
static const struct declaration *around(const struct unit *u, uint32_t from, uint32_t to) {
  const struct declaration *best = NULL;
  for (size_t i = 0; i < u->declaration_count; i++) {
    const struct declaration *d = &u->declarations[i];
    if (d->body == NONE || d->body >= from || d->end < to) continue;
    if (!best || d->body > best->body) best = d;
  }
  return best;
}

static const struct declaration *with_body(const struct unit *u, uint32_t body) {
  for (size_t i = 0; i < u->declaration_count; i++) {
    if (u->declarations[i].body == body) return &u->declarations[i];
  }
  return NULL;
}

/* The device's text of tokens [from, to], then a marker that leads back to host token `next`. */
static char *device_text(const struct unit *device, uint32_t from, uint32_t to,
                         const struct unit *host, uint32_t next) {
  const struct token *first = &device->tokens[from], *last = &device->tokens[to];
  const struct token *back = &host->tokens[next];
  return text_format("\n# %u \"%s\"\n%.*s\n# %u \"%s\"\n", first->line,
                     device->files[first->file].name,
                     (int)(last->start + last->length - first->start), device->text + first->start,
                     back->line, host->files[back->file].name);
}

/* A function whose bodies differ: the device's, or both. */
static void choose_body(struct unit *host, const struct declaration *h, const struct unit *device,
                        const struct declaration *d) {
  if (!(h->flags & (IS_DEVICE | IS_GLOBAL)) && !(d->flags & IS_DEVICE)) return;
  if (is_device_only(h)) {
    char *text = device_text(device, d->body, d->end, host, h->end);
    for (uint32_t i = h->body; i <= h->end; i++) edit_delete(host, i);
    edit_after(host, h->end, "%s", text);
    free(text);
    return;
  }
  char *text = device_text(device, d->body, d->end, host, h->body);
  const char *constant = h->flags & IS_CONST
                             ? "!__builtin_is_constant_evaluated() && simt_on_device()"
                             : "simt_on_device()";
  edit_before(host, h->body, "{ if (%s) %s else ", constant, text);
  edit_after(host, h->end, " }");
  free(text);
}

static bool has_same_parameters(const struct unit *host, const struct declaration *h,
                                const struct unit *device, const struct declaration *d) {
  if (h->open == NONE || d->open == NONE || h->close - h->open != d->close - d->open) return false;
  for (uint32_t i = h->open, j = d->open; i < h->close; i++, j++) {
    const struct token *a = &host->tokens[i], *b = &device->tokens[j];
    if (a->length != b->length ||
        memcmp(host->text + a->start, device->text + b->start, a->length)) {
      return false;
    }
  }
  return true;
}

static bool has_same_name(const struct unit *host, const struct declaration *h,
                          const struct unit *device, const struct declaration *d) {
  if (h->name == NONE || d->name == NONE) return false;
  const struct token *a = &host->tokens[h->name], *b = &device->tokens[d->name];
  return a->length == b->length &&
         !memcmp(host->text + a->start, device->text + b->start, a->length);
}

/* A declaration of the device that only its text has goes where the difference is. */
static void add_declaration(struct unit *host, const struct hunk *k, const struct unit *device,
                            const struct declaration *d) {
  for (size_t i = 0; i < host->declaration_count; i++) {
    const struct declaration *h = &host->declarations[i];
    if (h->first < k->host || h->end >= k->host_end || !has_same_name(host, h, device, d)) continue;
    if (is_device_only(h) || !has_same_parameters(host, h, device, d)) continue;
    if (h->body != NONE && d->body != NONE) choose_body(host, h, device, d);
    return; /* otherwise the host's stands for both */
  }
  char *text = device_text(device, d->first, d->end, host, k->host_end);
  edit_before(host, k->host_end, "%s", text);
  free(text);
}

static void merge_outside_functions(struct unit *host, const struct hunk *k,
                                    const struct unit *device) {
  for (size_t i = 0; i < host->declaration_count; i++) {
    const struct declaration *h = &host->declarations[i];
    if (h->first < k->host || h->end >= k->host_end || !is_device_only(h)) continue;
    for (uint32_t t = h->first; t <= h->end; t++) edit_delete(host, t);
  }
  for (size_t i = 0; i < device->declaration_count; i++) {
    const struct declaration *d = &device->declarations[i];
    if (d->first < k->device || d->end >= k->device_end || d->name == NONE) continue;
    if (is_device_only(d)) add_declaration(host, k, device, d);
  }
}

void rewrite_merge_arch(struct unit *host, struct unit *device, struct text *out) {
  struct hunks hunks;
  hunks_find(host, device, &hunks);
  bool *done = text_allocate(host->declaration_count + 1);
  for (size_t i = 0; i < hunks.count; i++) {
    const struct hunk *k = &hunks.all[i];
    const struct declaration *h = around(host, k->host, k->host_end);
    if (!h) {
      merge_outside_functions(host, k, device);
      continue;
    }
    bool *h_done = &done[h - host->declarations];
    const uint32_t body = hunks.device_of[h->body];
    const struct declaration *d = body == NONE ? NULL : with_body(device, body);
    if (d && !*h_done) choose_body(host, h, device, d);
    *h_done = true;
  }
  unit_write(host, out);
  free(done);
  hunks_free(&hunks);
}
