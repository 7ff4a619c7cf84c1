/* Inline assembly in functions of the device is PTX, which becomes C++ (ptx.c).
 *
 * Limits  functions of the host keep theirs: there it is the processor's own
 */
#include <stdlib.h>
#include <string.h>

#include "rewrite/passes.h"
#include "rewrite/ptx/ptx.h"

struct ptx_statement {
  uint32_t first, open, close;
  struct ptx_operand operands[PTX_OPERANDS];
  size_t count;
};

/* The bytes of a string literal: the escapes that PTX needs. */
static void add_string(const struct unit *u, uint32_t i, struct text *out) {
  const char *from = u->text + u->tokens[i].start, *end = from + u->tokens[i].length;
  const bool raw = *from == 'R';
  while (from < end && *from != '"') from++;
  if (raw) {
    const char *open = memchr(from, '(', (size_t)(end - from));
    const size_t mark = open ? (size_t)(open - from) : 0;
    if (open && (size_t)(end - open) > mark + 2) {
      text_add(out, open + 1, (size_t)(end - open) - mark - 2);
    }
    return;
  }
  for (from++; from + 1 < end; from++) {
    if (*from != '\\') {
      text_add(out, from, 1);
      continue;
    }
    from++;
    text_add(out, *from == 'n' ? "\n" : *from == 't' ? " " : from, 1);
  }
}

/* [name] "constraint" (expression), ... up to the next colon; returns where it stopped. */
static uint32_t read_operands(const struct unit *u, uint32_t i, struct ptx_statement *s) {
  while (i < s->close && !is_mark(u, i, ':') && !is_mark(u, i, MARK_SCOPE)) {
    char *name = NULL;
    if (is_mark(u, i, '[') && is_name(u, i + 1) && is_mark(u, i + 2, ']')) {
      name = unit_spelling(u, i + 1);
      i += 3;
    }
    const bool shaped = u->tokens[i].kind == TOKEN_STRING && is_mark(u, i + 1, '(') &&
                        u->tokens[i + 1].match != NONE && s->count < PTX_OPERANDS;
    if (!shaped) {
      free(name);
      return NONE;
    }
    const uint32_t end = u->tokens[i + 1].match;
    s->operands[s->count++] = (struct ptx_operand){name, unit_render(u, i + 2, end)};
    i = end + 1;
    if (is_mark(u, i, ',')) i++;
  }
  return i;
}

static bool read_statement(const struct unit *u, uint32_t i, struct ptx_statement *s,
                           struct text *text) {
  *s = (struct ptx_statement){.first = i};
  i++;
  for (int k = 0; k < 3 && is_name(u, i); k++) i++; /* volatile */
  if (!is_mark(u, i, '(') || u->tokens[i].match == NONE) return false;
  s->open = i, s->close = u->tokens[i].match;
  for (i++; u->tokens[i].kind == TOKEN_STRING; i++) add_string(u, i, text);
  if (i == s->open + 1) return false;
  for (int part = 0; part < 2 && i < s->close; part++) {
    if (is_mark(u, i, MARK_SCOPE)) { /* no outputs: `::` */
      if (part == 1) break;
      part = 1;
    } else if (!is_mark(u, i, ':')) {
      return false;
    }
    i = read_operands(u, i + 1, s);
    if (i == NONE) return false;
  }
  return true;
}

static void rewrite_statement(struct unit *u, uint32_t i) {
  struct ptx_statement s;
  struct text text = {0}, made = {0};
  text_add(&text, "", 0);
  text_add(&made, "", 0);
  if (read_statement(u, i, &s, &text)) {
    char *unknown = NULL;
    if (ptx_translate(text.data, s.operands, s.count, &made, &unknown)) {
      for (uint32_t k = s.first; k <= s.close; k++) edit_delete(u, k);
      edit_replace(u, s.first, "do { %s } while (0)", made.data);
    } else if (u->inside[i] == INSIDE_DEVICE) {
      unit_error(u, i, "simt has no PTX '%s'", unknown ? unknown : text.data);
    }
    free(unknown);
  }
  for (size_t k = 0; k < s.count; k++) {
    free(s.operands[k].name);
    free(s.operands[k].expression);
  }
  text_free(&text);
  text_free(&made);
}

void rewrite_asm(struct unit *u) {
  for (uint32_t i = 0; i + 1 < u->token_count; i++) {
    const bool word = is_keyword(u, i, KEYWORD_ASM) || is_keyword(u, i, KEYWORD_ASM2) ||
                      is_keyword(u, i, KEYWORD_ASM3);
    if (word && u->inside[i] >= INSIDE_DEVICE) rewrite_statement(u, i);
  }
}
