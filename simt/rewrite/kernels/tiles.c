/* Tiles of up to 32 threads that a kernel's own text makes of its block (phases.h).
 *
 * Method   by the text: `auto tile = cg::tiled_partition<16>(block);`, the block being the group of that
 *          name or `cg::this_thread_block()`, or another such tile; then `tile.shfl_down(v, d)`,
 *          `cg::reduce(tile, v, cg::plus<int>())` and questions in the same function
 * Limits   a tile that is given to a function is none of them
 */
#include <stdlib.h>

#include "phases.h"

/* The token of the number that a name of the file stands for, by `const int TILE = 16;`; NONE: of something
 * else, or a template's parameter, too */
static uint32_t number_of_name(const struct unit *u, uint32_t name) {
  uint32_t number = NONE;
  for (uint32_t k = 1; k + 3 < u->token_count; k++) {
    if (!is_name(u, k) || u->tokens[k].name != u->tokens[name].name || u->inside[k]) continue;
    if (is_mark(u, k + 1, '=') && is_mark(u, k + 3, ';') && number == NONE)
      number = k + 2;
    else if (is_mark(u, k + 1, '=') || phases_is_built_in(u, k - 1))
      return NONE;
  }
  return number;
}

/* The number of threads behind `tiled_partition`, between < and >. */
static unsigned threads_in(const struct unit *u, uint32_t open) {
  uint32_t number = open + 1;
  if (!is_mark(u, open, '<') || !is_mark(u, open + 2, '>')) return 0;
  if (is_name(u, number)) number = number_of_name(u, number);
  if (number == NONE || u->tokens[number].kind != TOKEN_NUMBER) return 0;
  char *text = unit_spelling(u, number);
  const unsigned long threads = strtoul(text, NULL, 0);
  free(text);
  return threads <= MOST_TILE && threads && !(threads & (threads - 1)) ? (unsigned)threads : 0;
}

static unsigned made_before(const struct unit *u, uint32_t i, uint32_t before);

/* `block`, `cg::this_thread_block()` or a tile of as many threads, in brackets, of the statement at `first`. */
static bool is_parent(const struct unit *u, uint32_t first, uint32_t open, unsigned threads) {
  const uint32_t close = u->tokens[open].match;
  if (!is_mark(u, open, '(') || close == NONE) return false;
  const uint32_t end = group_qualified_end(u, open + 1);
  if (is_keyword(u, end - 1, KEYWORD_THIS_BLOCK)) return close == end + 2 && is_mark(u, end, '(');
  if (close != open + 2) return false;
  return group_at(u, open + 1) == BLOCK_GROUP ||
         (first > 1 && made_before(u, open + 1, first - 2) >= threads);
}

unsigned tile_statement(const struct unit *u, uint32_t i, uint32_t *name, uint32_t *last) {
  const uint32_t first = i;
  while (is_keyword(u, i, KEYWORD_CONST)) i++;
  uint32_t type = group_qualified_end(u, i);
  if (type == i) return 0;
  const bool is_auto = phases_spells(u, type - 1, "auto");
  if (!is_auto && !phases_spells(u, type - 1, "thread_block_tile")) return 0;
  if (!is_auto && is_mark(u, type, '<') && unit_angle_close(u, type) != NONE)
    type = unit_angle_close(u, type) + 1;
  if (!is_name(u, type) || !is_mark(u, type + 1, '=')) return 0;
  const uint32_t made = group_qualified_end(u, type + 2);
  if (!is_keyword(u, made - 1, KEYWORD_TILED_PARTITION)) return 0;
  const unsigned threads = threads_in(u, made);
  if (!threads || !is_parent(u, first, made + 3, threads)) return 0;
  *name = type, *last = u->tokens[made + 3].match + 1;
  return is_mark(u, *last, ';') ? threads : 0;
}

/* The tile that token i names, made by a statement that begins behind `before` or in front of it. */
static unsigned made_before(const struct unit *u, uint32_t i, uint32_t before) {
  uint32_t name, last;
  if (!is_name(u, i) || unit_is_member(u, i)) return 0;
  for (uint32_t k = before; k > 0 && u->inside[k] != INSIDE_NONE; k--) {
    if (!is_mark(u, k, ';') && !is_mark(u, k, '{') && !is_mark(u, k, '}')) continue;
    const unsigned threads = tile_statement(u, k + 1, &name, &last);
    if (threads && name < i && u->tokens[name].name == u->tokens[i].name) return threads;
  }
  return 0;
}

unsigned tile_at(const struct unit *u, uint32_t i) { return made_before(u, i, i); }

unsigned tile_parent(const struct unit *u, uint32_t last) { return tile_at(u, last - 2); }

unsigned tile_of_call(const struct unit *u, uint32_t i, uint32_t *from) {
  if (!is_mark(u, i + 1, '(')) return 0;
  if (is_mark(u, i - 1, '.')) {
    *from = i - 2;
    return tile_at(u, i - 2);
  }
  if (!is_mark(u, i + 3, ',') && !is_mark(u, i + 3, ')')) return 0;
  for (*from = i; is_mark(u, *from - 1, MARK_SCOPE) && is_name(u, *from - 2);) *from -= 2;
  return tile_at(u, i + 2);
}

static bool asks(const struct unit *u, uint32_t i, const char *const *questions, size_t count) {
  if (!is_name(u, i) || !is_mark(u, i + 1, '.') || !is_mark(u, i + 3, '(') ||
      !is_mark(u, i + 4, ')'))
    return false;
  for (size_t k = 0; k < count; k++)
    if (phases_spells(u, i + 2, questions[k])) return tile_at(u, i) != 0;
  return false;
}

bool tile_is_asked(const struct unit *u, uint32_t i) {
  static const char *const questions[] = {"thread_rank", "size", "num_threads", "meta_group_rank",
                                          "meta_group_size"};
  return asks(u, i, questions, sizeof questions / sizeof *questions);
}

bool tile_is_counted(const struct unit *u, uint32_t i) {
  static const char *const questions[] = {"size", "num_threads", "meta_group_size"};
  return asks(u, i, questions, sizeof questions / sizeof *questions);
}
