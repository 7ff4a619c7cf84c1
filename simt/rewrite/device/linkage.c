/* Linkage of __device__ names.
 *
 * Result  variables of the device stand in the sections "simt_device", "simt_device_zero",
 *         "simt_device_constant" and "simt_device_inline", by which the runtime knows them; names
 *         of the device are the file's own, as nvcc has it without -rdc
 * Limits  members of classes and inline constants keep the section that g++ gives them; variables
 *         of templates, too (variables.c)
 */
#include <stdlib.h>
#include <string.h>

#include "rewrite/passes.h"

/* How the declarations of one name relate. */
struct use {
  bool defined, external, other_file, friend;
  uint32_t file; /* of the definition */
};

static bool is_plain(const struct declaration *d) {
  return !(d->flags & (IS_MEMBER | IS_TEMPLATE | IS_SPECIAL | IS_TYPEDEF)) && d->name != NONE;
}

/* Where specifiers may be put: behind [[attributes]] and alignas. */
static uint32_t specifiers(const struct unit *u, const struct declaration *d) {
  uint32_t i = d->head;
  for (;;) {
    const uint32_t open = is_keyword(u, i, KEYWORD_ALIGNAS) ? i + 1 : i;
    const bool attribute =
        open > i ? is_mark(u, open, '(') : is_mark(u, i, '[') && is_mark(u, i + 1, '[');
    if (!attribute || u->tokens[open].match == NONE) return i;
    i = u->tokens[open].match + 1;
  }
}

static bool is_qualified(const struct unit *u, const struct declaration *d) {
  return d->name > d->first && is_mark(u, d->name - 1, MARK_SCOPE);
}

static bool is_device_function(const struct unit *u, const struct declaration *d) {
  return d->open != NONE && is_plain(d) && (d->flags & IS_DEVICE) &&
         !(d->flags & (IS_HOST | IS_GLOBAL)) && !is_qualified(u, d);
}

static bool is_device_variable(const struct unit *u, const struct declaration *d) {
  return d->open == NONE && d->body == NONE && is_plain(d) &&
         (d->flags & (IS_DEVICE | IS_CONSTANT | IS_MANAGED)) && !(d->flags & IS_SHARED) &&
         !is_qualified(u, d);
}

/* `template <> __constant__ int limit<5> = 50;` is a variable like others, but for its name. */
static bool is_specialised(const struct unit *u, const struct declaration *d) {
  return d->name != NONE && d->open == NONE && d->body == NONE && (d->flags & IS_SPECIAL) &&
         (d->flags & (IS_DEVICE | IS_CONSTANT | IS_MANAGED)) &&
         !(d->flags & (IS_MEMBER | IS_TYPEDEF | IS_SHARED | IS_INLINE)) && d->head > d->first + 2 &&
         is_mark(u, d->first + 1, '<') && !is_qualified(u, d);
}

static void note(const struct unit *u, struct use *use, const struct declaration *d) {
  const uint32_t file = u->tokens[d->name].file;
  const bool function = d->open != NONE;
  use->friend |= (d->flags & IS_FRIEND) != 0;
  use->external |= (d->flags & IS_EXTERN) != 0;
  if (use->defined) {
    use->other_file |= file != use->file;
  } else if (use->file != NONE) {
    use->other_file |= file != use->file;
  }
  use->file = file;
  use->defined |= function ? d->body != NONE : !(d->flags & IS_EXTERN);
}

/* Numbers without an initialiser, which need no room in the program's file; any other type may
 * have a constructor that the compiler has run. */
static bool is_zero(const struct unit *u, const struct declaration *d) {
  static const char *const types[] = {
      "float",   "double",   "int",     "char",     "unsigned", "signed",   "long",
      "short",   "bool",     "size_t",  "int8_t",   "uint8_t",  "int16_t",  "uint16_t",
      "int32_t", "uint32_t", "int64_t", "uint64_t", "uint",     "volatile", "static"};
  for (uint32_t i = d->head; i < d->end; i++) {
    if (is_mark(u, i, '=') || is_mark(u, i, '{') || is_mark(u, i, '(')) return false;
  }
  for (uint32_t i = d->head; i < d->end && !is_mark(u, i, '[') && !is_mark(u, i, ','); i++) {
    const struct token *t = &u->tokens[i];
    bool known = !is_name(u, i) || is_mark(u, i + 1, '[') || is_mark(u, i + 1, ',') ||
                 i + 1 == d->end || (keyword_flags(t->name) & DROPPED);
    for (size_t k = 0; k < sizeof types / sizeof *types && !known; k++) {
      known = strlen(types[k]) == t->length && !memcmp(types[k], u->text + t->start, t->length);
    }
    if (!known) return false;
  }
  return true;
}

/* Nobody's bytes behind a variable, so that what runs over its end does not land in the next one. */
static void add_gap(struct unit *u, const struct declaration *d, const char *section) {
  if (d->flags & (IS_EXTERN | IS_C_LINKAGE | IS_SPECIAL)) return;
  char *name = unit_spelling(u, d->name);
  edit_after(u, d->end, " __attribute__((section(\"%s\"), used)) static char simt_gap_%s[256];",
             section, name);
  free(name);
}

/* A section holds constants or variables, not both, so g++ refuses a constant in the section of
 * variables. Its name is written as it is into the assembler's text: flags given there and a
 * comment behind them make it a section of its own for g++, and the same for the assembler. */
static void put_into_section(struct unit *u, const struct declaration *d, const struct use *use) {
  /* Variables that several files may define share no section with others. */
  if ((d->flags & IS_INLINE) && !(d->flags & IS_STATIC)) {
    if (!(d->flags & IS_CONST))
      edit_before(u, specifiers(u, d), "__attribute__((section(\"simt_device_inline\"))) ");
    return;
  }
  const char *name = d->flags & IS_CONSTANT ? "simt_device_constant" : "simt_device";
  const bool zero = !use->external && !(d->flags & IS_CONSTANT) && is_zero(u, d);
  if (zero) name = "simt_device_zero,\\\"aw\\\",@nobits#";
  if (!zero && (d->flags & IS_CONST)) {
    edit_before(u, specifiers(u, d), "__attribute__((section(\"%s,\\\"aw\\\"#%u\"))) ", name,
                d->head);
    return;
  }
  edit_before(u, specifiers(u, d), "__attribute__((section(\"%s\"))) ", name);
  if (u->check && is_mark(u, d->end, ';')) add_gap(u, d, name);
}

/* The checker is to know which variables host code may not touch. */
static void name_variable(struct unit *u, const struct declaration *d) {
  if (d->flags & (IS_CONST | IS_EXTERN | IS_C_LINKAGE | IS_INLINE)) return;
  if (!is_mark(u, d->end, ';')) return;
  char *name = unit_spelling(u, d->name);
  edit_after(u, d->end, " static const ::simt::device_variable simt_variable_%s(%s, \"%s\", %d);",
             name, name, name, (d->flags & IS_MANAGED) != 0);
  free(name);
}

static void rewrite_variable(struct unit *u, const struct declaration *d, const struct use *use) {
  const bool own = !use->external && !u->separate;
  if (!(d->flags & (IS_STATIC | IS_EXTERN | IS_INLINE)) && own)
    edit_before(u, specifiers(u, d), "static ");
  put_into_section(u, d, use);
  if (u->check) name_variable(u, d);
}

static void rewrite_function(struct unit *u, const struct declaration *d, const struct use *use) {
  if (u->separate || !use->defined || use->external || use->other_file) return;
  if (d->flags & (IS_STATIC | IS_EXTERN | IS_FRIEND)) return;
  if (!use->friend) {
    edit_before(u, specifiers(u, d), "static ");
  } else if (!(d->flags & IS_INLINE)) {
    edit_before(u, specifiers(u, d), "inline ");
  }
}

void rewrite_linkage(struct unit *u) {
  const size_t names = names_count(u->names);
  struct use *uses = text_allocate(names * sizeof *uses);
  for (size_t i = 0; i < names; i++) uses[i].file = NONE;
  for (size_t i = 0; i < u->declaration_count; i++) {
    const struct declaration *d = &u->declarations[i];
    const bool friend = d->name != NONE && (d->flags & IS_FRIEND);
    if (friend || is_device_function(u, d) || is_device_variable(u, d)) {
      note(u, &uses[u->tokens[d->name].name], d);
    }
  }
  for (size_t i = 0; i < u->declaration_count; i++) {
    const struct declaration *d = &u->declarations[i];
    if (is_device_variable(u, d)) rewrite_variable(u, d, &uses[u->tokens[d->name].name]);
    if (is_specialised(u, d)) put_into_section(u, d, &(struct use){.external = true});
    if (is_device_function(u, d)) rewrite_function(u, d, &uses[u->tokens[d->name].name]);
  }
  free(uses);
}
