/* Shared memory.
 *
 * Result  `__shared__ T x[..]` is a thread_local object, aligned to 16 at least: a block runs on
 *         one OS thread;
 *         `extern __shared__ T s[]` is a pointer into the block's dynamic shared memory. At
 *         file scope the pointer is made anew in every function that names it
 *         In a program to be checked 256 bytes of nobody's follow each variable, and precede the
 *         first of the file, so that what runs over its end does not land in the next one
 * Limits  a local variable that hides a file-scope dynamic array keeps hiding it. The gap
 *         between variables of one declaration is as large as 64 of them
 */
#include <stdlib.h>
#include <string.h>

#include "rewrite/passes.h"

enum { LONGEST_STATEMENT = 1024 }; /* bounds hostile text */

struct span {
  uint32_t from, to; /* tokens [from, to); `to` is the semicolon */
};

/* The declaration around token i; an empty span where it has no clear end. */
static struct span statement(const struct unit *u, uint32_t i) {
  struct span s = {i, i};
  for (uint32_t k = i; k-- > 0 && i - k < 64;) {
    const struct token *t = &u->tokens[k];
    if (t->kind == TOKEN_MARK && t->name == ')' && t->match != NONE) {
      k = t->match; /* of __align__(16) */
      continue;
    }
    if (t->kind == TOKEN_MARK &&
        (t->name == ';' || t->name == '{' || t->name == '}' || t->name == ':' || t->name == ')')) {
      break;
    }
    s.from = k;
  }
  for (uint32_t k = i; k < u->token_count && k < i + LONGEST_STATEMENT; k++) {
    const struct token *t = &u->tokens[k];
    if (t->kind == TOKEN_END || is_mark(u, k, '}')) return (struct span){i, i};
    if (t->match != NONE && t->match > k) k = t->match;
    if (is_mark(u, k, ';')) {
      s.to = k;
      return s;
    }
  }
  return (struct span){i, i};
}

static bool is_alignment(const struct unit *u, uint32_t i) {
  return (is_keyword(u, i, KEYWORD_ALIGN) || is_keyword(u, i, KEYWORD_ALIGNAS) ||
          is_keyword(u, i, KEYWORD_ATTRIBUTE)) &&
         is_mark(u, i + 1, '(') && u->tokens[i + 1].match != NONE;
}

/* One declarator of `extern __shared__ T a[], *b[], c[][4];` as a local pointer. */
static void add_pointer(const struct unit *u, struct text *out, const char *type, uint32_t from,
                        uint32_t to) {
  struct text stars = {0};
  text_add(&stars, "", 0);
  uint32_t i = from;
  for (; i < to && !is_name(u, i); i++) text_add(&stars, "*", 1);
  if (i < to) {
    char *name = unit_spelling(u, i);
    const uint32_t open = i + 1;
    if (open >= to || !is_mark(u, open, '[') || u->tokens[open].match == NONE) {
      text_add_format(out, "%s %s&%s = *(%s %s*)simt_dynamic_shared(); ", type, stars.data, name,
                      type, stars.data);
    } else {
      char *rest = unit_render(u, u->tokens[open].match + 1, to);
      if (!*rest) {
        text_add_format(out, "%s %s*%s = (%s %s*)simt_dynamic_shared(); ", type, stars.data, name,
                        type, stars.data);
      } else {
        text_add_format(out, "%s %s(*%s)%s = (%s %s(*)%s)simt_dynamic_shared(); ", type, stars.data,
                        name, rest, type, stars.data, rest);
      }
      free(rest);
    }
    free(name);
  }
  text_free(&stars);
}

/* Where the first declarator begins: its stars, or its name. */
static uint32_t first_declarator(const struct unit *u, struct span s) {
  uint32_t name = NONE;
  for (uint32_t i = s.from; i < s.to; i++) {
    if (is_alignment(u, i)) {
      i = u->tokens[i + 1].match;
    } else if (is_mark(u, i, '{') && u->tokens[i].match != NONE) {
      i = u->tokens[i].match; /* of a class without a name */
    } else if (is_mark(u, i, '<')) {
      const uint32_t close = unit_angle_close(u, i);
      if (close == NONE) break;
      i = close;
    } else if (is_name(u, i)) {
      name = i;
    } else if (is_mark(u, i, '[') || is_mark(u, i, ',')) {
      break;
    }
  }
  while (name != NONE && name > s.from && is_mark(u, name - 1, '*')) name--;
  return name;
}

static bool is_storage(const struct unit *u, uint32_t i) {
  static const char *const words[] = {"inline", "constexpr", "thread_local", "register"};
  const struct token *t = &u->tokens[i];
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (t->length == strlen(words[k]) && !memcmp(u->text + t->start, words[k], t->length))
      return true;
  return is_keyword(u, i, KEYWORD_SHARED) || is_keyword(u, i, KEYWORD_STATIC) ||
         is_keyword(u, i, KEYWORD_EXTERN);
}

/* The type of the declaration as it is spelled; NULL: it is a pointer, or a class defined there. */
static char *spelled_type(const struct unit *u, struct span s, uint32_t first) {
  struct text out = {0};
  text_add(&out, "", 0);
  for (uint32_t i = s.from; i < first; i++) {
    if (is_alignment(u, i)) {
      i = u->tokens[i + 1].match;
    } else if (is_mark(u, i, '[') && u->tokens[i].match != NONE) {
      i = u->tokens[i].match; /* an attribute */
    } else if (is_mark(u, i, '{') || is_keyword(u, i, KEYWORD_ATTRIBUTE)) {
      text_free(&out);
      return NULL;
    } else if (!is_storage(u, i)) {
      text_add_format(&out, "%.*s ", (int)u->tokens[i].length, u->text + u->tokens[i].start);
    }
  }
  if (*out.data && !is_mark(u, first, '*')) return out.data;
  text_free(&out);
  return NULL;
}

/* The compiler gives thread-local variables no more than their elements ask for; on a GPU vectors
 * of 16 bytes are kept in arrays of bytes, too. More is not taken away. */
static char *alignment(const struct unit *u, struct span s) {
  const uint32_t first = first_declarator(u, s);
  struct text out = {0};
  text_add(&out, "", 0);
  if (first == NONE) return out.data;
  char *type = spelled_type(u, s, first);
  if (type)
    text_add_format(&out, " __attribute__((aligned(alignof(%s) > 16 ? alignof(%s) : 16)))", type,
                    type);
  else
    text_add_format(&out, " __attribute__((aligned(16)))");
  free(type);
  return out.data;
}

/* alignas must come first: `alignas(16) static thread_local T x`. */
static void make_static(struct unit *u, uint32_t i, struct span s) {
  char *const aligned = alignment(u, s);
  uint32_t at = i;
  while (is_keyword(u, at + 1, KEYWORD_ALIGNAS) && is_alignment(u, at + 1)) {
    at = u->tokens[at + 2].match;
  }
  if (at == i) {
    edit_replace(u, i, "static thread_local%s", aligned);
  } else {
    edit_delete(u, i);
    edit_after(u, at, " static thread_local%s", aligned);
  }
  for (uint32_t k = s.from; k < s.to && !is_mark(u, k, '[') && !is_mark(u, k, '{'); k++) {
    if (is_keyword(u, k, KEYWORD_STATIC)) edit_delete(u, k);
  }
  free(aligned);
}

static void delete_span(struct unit *u, uint32_t from, uint32_t to) {
  for (uint32_t i = from; i < to; i++) edit_delete(u, i);
}

/* The pointers that stand for an extern declaration; NULL where it has no name. */
static char *dynamic_pointers(struct unit *u, struct span s) {
  const uint32_t first = first_declarator(u, s);
  if (first == NONE) return NULL;
  for (uint32_t i = s.from; i < first; i++) {
    if (is_alignment(u, i)) {
      delete_span(u, i, u->tokens[i + 1].match + 1);
      struct edit *close = &u->edits[u->tokens[u->tokens[i + 1].match].edit];
      close->after.length = 0; /* the "))" of __align__ */
      i = u->tokens[i + 1].match;
    } else if (is_keyword(u, i, KEYWORD_EXTERN) || is_keyword(u, i, KEYWORD_STATIC) ||
               is_keyword(u, i, KEYWORD_SHARED)) {
      edit_delete(u, i);
    }
  }
  char *type = unit_render(u, s.from, first);
  struct text out = {0};
  uint32_t from = first;
  for (uint32_t i = first; i <= s.to; i++) {
    if (u->tokens[i].match != NONE && u->tokens[i].match > i) i = u->tokens[i].match;
    if (i == s.to || is_mark(u, i, ',')) {
      add_pointer(u, &out, type, from, i);
      from = i + 1;
    }
  }
  free(type);
  return out.data;
}

/* The kernel whose own text token i is in, or NULL. */
static struct declaration *kernel_around(struct unit *u, uint32_t i) {
  if (u->inside[i] != INSIDE_DEVICE) return NULL;
  for (size_t k = 0; k < u->declaration_count; k++) {
    struct declaration *d = &u->declarations[k];
    if (d->body < i && i < d->end) return d->flags & IS_GLOBAL ? d : NULL;
  }
  return NULL;
}

/* Each variable of the statement adds its size to the kernel's. */
static void count_bytes(struct unit *u, struct span s) {
  struct declaration *d = kernel_around(u, s.from);
  const uint32_t first = first_declarator(u, s);
  if (!d || first == NONE) return;
  bool begins = true;
  for (uint32_t i = first; i < s.to; i++) {
    if (is_mark(u, i, '(') && begins) return;
    if (begins && is_name(u, i)) {
      char *name = unit_spelling(u, i);
      edit_after(u, s.to, " simt::shared_size<simt_own, %u, sizeof(%s)>::use();", i, name);
      free(name);
      d->has_shared = true;
      begins = false;
    }
    if (u->tokens[i].match != NONE && u->tokens[i].match > i) i = u->tokens[i].match;
    if (is_mark(u, i, ',')) begins = true;
  }
}

static const char gap[] = "static thread_local __attribute__((used, aligned(16))) char";

static void add_gaps(struct unit *u, struct span s, bool is_first) {
  const uint32_t first = first_declarator(u, s);
  if (is_first) edit_before(u, s.from, "%s simt_gap_0[256]; ", gap);
  edit_after(u, s.to, " %s simt_gap_%u[256];", gap, s.to);
  for (uint32_t i = first; first != NONE && i < s.to; i++) {
    if (u->tokens[i].match != NONE && u->tokens[i].match > i) i = u->tokens[i].match;
    if (is_mark(u, i, ',')) edit_before(u, i, ", simt_gap_%u[64] __attribute__((used))", i);
  }
}

static bool has_name(const struct unit *u, uint32_t from, uint32_t to, uint32_t name) {
  for (uint32_t i = from; i < to; i++) {
    if (is_keyword(u, i, name) && !unit_is_member(u, i)) return true;
  }
  return false;
}

/* Gives the pointers to every function behind the declaration that names one of them. */
static void give_to_functions(struct unit *u, struct span s, const char *pointers) {
  for (uint32_t k = 0; k < u->declaration_count; k++) {
    const struct declaration *d = &u->declarations[k];
    if (d->body == NONE || d->body < s.to || d->name == NONE) continue;
    bool used = false;
    for (uint32_t i = first_declarator(u, s); i < s.to; i++) {
      if (!is_name(u, i)) continue;
      const uint32_t name = u->tokens[i].name;
      if (d->open != NONE && has_name(u, d->open, d->close, name)) continue;
      used |= has_name(u, d->body, d->end, name);
    }
    if (!used) continue;
    edit_after(u, d->body, " %s{", pointers);
    edit_before(u, d->end, "}");
  }
}

void rewrite_shared(struct unit *u) {
  bool is_first = true;
  for (uint32_t i = 0; i + 1 < u->token_count; i++) {
    if (!is_keyword(u, i, KEYWORD_SHARED)) continue;
    const struct span s = statement(u, i);
    if (s.from == s.to) continue;
    bool external = false;
    for (uint32_t k = s.from; k < s.to; k++) external |= is_keyword(u, k, KEYWORD_EXTERN);
    if (!external) {
      make_static(u, i, s);
      count_bytes(u, s);
      if (u->check) add_gaps(u, s, is_first);
      is_first = false;
      i = s.to;
      continue;
    }
    char *pointers = dynamic_pointers(u, s);
    if (!pointers) continue;
    if (u->inside[i]) {
      edit_before(u, s.from, "%s", pointers);
    } else {
      give_to_functions(u, s, pointers);
    }
    delete_span(u, s.from, s.to);
    free(pointers);
    i = s.to;
  }
}
