/* Groups of all threads of a block or a grid, and where they synchronise (phases.h).
 *
 * Method   by the text: `cg::grid_group g = cg::this_grid();` and then `g.sync();` or `cg::sync(g);`
 *          in the same function, or `cg::this_grid().sync();`
 * Limits   a group that is given to a function, or that has come as a parameter, is none of them
 */
#include "phases.h"

/* `this_grid()` or `this_thread_block()` with its `(` at open. */
static enum group made_at(const struct unit *u, uint32_t open) {
  if (!is_mark(u, open, '(') || !is_mark(u, open + 1, ')')) return NO_GROUP;
  if (is_keyword(u, open - 1, KEYWORD_THIS_GRID)) return GRID_GROUP;
  return is_keyword(u, open - 1, KEYWORD_THIS_BLOCK) ? BLOCK_GROUP : NO_GROUP;
}

uint32_t group_qualified_end(const struct unit *u, uint32_t i) {
  while (is_name(u, i) && is_mark(u, i + 1, MARK_SCOPE)) i += 2;
  return is_name(u, i) ? i + 1 : i;
}

/* `const cg::grid_group g = cg::this_grid();` begins at i: its kind, *name, *last. */
static enum group declared_at(const struct unit *u, uint32_t i, uint32_t *name, uint32_t *last) {
  while (is_keyword(u, i, KEYWORD_CONST)) i++;
  const uint32_t type = group_qualified_end(u, i);
  if (type == i || !is_name(u, type) || !is_mark(u, type + 1, '=')) return NO_GROUP;
  const uint32_t open = group_qualified_end(u, type + 2);
  const enum group made = made_at(u, open);
  const bool of_type =
      phases_spells(u, type - 1, "auto") ||
      phases_spells(u, type - 1, made == GRID_GROUP ? "grid_group" : "thread_block");
  if (!of_type || !is_mark(u, open + 2, ';')) return NO_GROUP;
  *name = type, *last = open + 2;
  return made;
}

/* The group that token i names: declared in front of it in the same function. */
static enum group named_at(const struct unit *u, uint32_t i) {
  uint32_t name, last;
  if (!is_name(u, i)) return NO_GROUP;
  for (uint32_t k = i; k > 0 && u->inside[k] != INSIDE_NONE; k--) {
    if (!is_mark(u, k, ';') && !is_mark(u, k, '{') && !is_mark(u, k, '}')) continue;
    const enum group kind = declared_at(u, k + 1, &name, &last);
    if (kind != NO_GROUP && name < i && u->tokens[name].name == u->tokens[i].name) return kind;
  }
  return NO_GROUP;
}

enum group group_at(const struct unit *u, uint32_t i) {
  return unit_is_member(u, i) ? NO_GROUP : named_at(u, i);
}

bool group_is_asked(const struct unit *u, uint32_t i) {
  static const char *const questions[] = {
      "thread_rank",  "size",        "num_threads", "num_blocks", "block_rank",  "group_index",
      "thread_index", "dim_threads", "group_dim",   "dim_blocks", "block_index", "is_valid"};
  for (size_t k = 0; k < sizeof questions / sizeof *questions && is_mark(u, i + 1, '.'); k++)
    if (phases_spells(u, i + 2, questions[k]) && is_mark(u, i + 3, '(')) return true;
  return false;
}

enum group group_synchronised(const struct unit *u, uint32_t i) {
  if (!phases_spells(u, i, "sync") || !is_mark(u, i + 1, '(')) return NO_GROUP;
  if (!is_mark(u, i - 1, '.')) return is_mark(u, i + 3, ')') ? named_at(u, i + 2) : NO_GROUP;
  if (!is_mark(u, i + 2, ')')) return NO_GROUP;
  if (is_mark(u, i - 2, ')')) return made_at(u, i - 3);
  return is_mark(u, i - 3, '.') || is_mark(u, i - 3, MARK_ARROW) ? NO_GROUP : named_at(u, i - 2);
}

enum group group_statement(const struct unit *u, uint32_t i, uint32_t *last, bool *syncs) {
  uint32_t name;
  const enum group declared = declared_at(u, i, &name, last);
  *syncs = declared == NO_GROUP;
  if (declared != NO_GROUP) return declared;
  uint32_t at = group_qualified_end(u, i); /* g, sync or this_grid */
  if (at == i) return NO_GROUP;
  if (!phases_spells(u, at - 1, "sync")) {
    if (made_at(u, at) != NO_GROUP) at += 2;
    if (!is_mark(u, at, '.')) return NO_GROUP;
    at += 2;
  }
  *last = is_mark(u, at, '(') ? u->tokens[at].match + 1 : at;
  return is_mark(u, *last, ';') ? group_synchronised(u, at - 1) : NO_GROUP;
}
