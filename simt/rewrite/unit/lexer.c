/* Tokens of preprocessed C++ text.
 *
 * Result  unit.tokens: the user's own tokens, each with the user's file and line
 * Method  a line marker `# 12 "file" 1 3` says what comes next; text of system headers and of
 *         our own is passed over line by line, from the marker that enters it to the one that
 *         returns to the user
 * Limits  any bytes are taken: an unterminated literal ends with its line, and g++ reports it
 */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

struct lexer {
  struct unit *u;
  size_t at;
  uint32_t line, file;
  unsigned depth, skip_depth; /* of includes; skip_depth > 0: the header being skipped */
  bool line_start;
};

static bool is_letter(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 128;
}
static bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }

static uint32_t file_number(struct unit *u, const char *name, size_t length) {
  for (size_t i = u->file_count; i-- > 0;) {
    const char *known = u->files[i].name;
    if (strlen(known) == length && !memcmp(known, name, length)) return (uint32_t)i;
  }
  u->files = array_room(u->files, u->file_count, &u->file_room, sizeof *u->files);
  u->files[u->file_count] = (struct file){text_copy(name, length), u->file_count == 0};
  return (uint32_t)u->file_count++;
}

static size_t line_end(const struct unit *u, size_t at) {
  const char *end = memchr(u->text + at, '\n', u->length - at);
  return end ? (size_t)(end - u->text) : u->length;
}

static bool is_own(const struct unit *u, const char *name, size_t length) {
  if (!u->own_headers) return false;
  const size_t own = strlen(u->own_headers);
  return length > own && !strncmp(name, u->own_headers, own) && name[own] == '/';
}

/* Headers whose functions make threads wait under names that say nothing of it: after an alias
 * or a using directive a kernel may call them unnoticed. */
static bool is_waiting_header(const struct unit *u, const char *name, size_t length) {
  static const char *const headers[] = {"/mma.h", "/cuda/", "/cuda_awbarrier", "/cuda_pipeline"};
  if (!is_own(u, name, length)) return false;
  const size_t own = strlen(u->own_headers);
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    const size_t n = strlen(headers[i]);
    if (length - own >= n && !strncmp(name + own, headers[i], n)) {
      return strncmp(name + own, "/cuda/std/", 10) != 0;
    }
  }
  return false;
}

/* A directive line at `at`, whose first character is '#': follows line markers. */
static void read_directive(struct lexer *l, size_t at, size_t end) {
  const char *text = l->u->text;
  at++;
  while (at < end && (text[at] == ' ' || text[at] == '\t')) at++;
  if (at + 4 < end && !strncmp(text + at, "line ", 5)) at += 5;
  if (at >= end || !is_digit((unsigned char)text[at])) return;
  uint32_t line = 0;
  for (; at < end && is_digit((unsigned char)text[at]); at++) {
    line = line * 10 + (uint32_t)(text[at] - '0');
  }
  while (at < end && text[at] == ' ') at++;
  l->line = line - 1; /* the end of this line adds one */
  if (at >= end || text[at] != '"') return;
  const size_t name = ++at;
  while (at < end && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  if (at > end) at = end;
  const size_t length = at - name;
  bool enters = false, returns = false, system = false;
  for (at++; at < end; at++) {
    enters |= text[at] == '1', returns |= text[at] == '2', system |= text[at] == '3';
  }
  if (enters) {
    l->u->all_general |= is_waiting_header(l->u, text + name, length);
    l->depth++;
    if (!l->skip_depth && (system || is_own(l->u, text + name, length))) l->skip_depth = l->depth;
  } else if (returns && l->depth) {
    if (l->skip_depth == l->depth) l->skip_depth = 0;
    l->depth--;
  }
  if (!l->skip_depth) l->file = file_number(l->u, text + name, length);
}

static void add_token(struct lexer *l, enum token_kind kind, size_t start, size_t end,
                      uint32_t name) {
  struct unit *u = l->u;
  u->tokens = array_room(u->tokens, u->token_count, &u->token_room, sizeof *u->tokens);
  u->tokens[u->token_count++] = (struct token){.start = (uint32_t)start,
                                               .length = (uint32_t)(end - start),
                                               .line = l->line,
                                               .file = l->file,
                                               .match = NONE,
                                               .name = name,
                                               .kind = (uint8_t)kind};
}

/* The end of a literal whose opening quote is at `at`; a newline ends it too. */
static size_t literal_end(const struct unit *u, size_t at) {
  const char quote = u->text[at++];
  for (; at < u->length && u->text[at] != '\n'; at++) {
    if (u->text[at] == '\\' && at + 1 < u->length && u->text[at + 1] != '\n') {
      at++;
    } else if (u->text[at] == quote) {
      return at + 1;
    }
  }
  return at;
}

/* The end of a raw string whose opening quote is at `at`, or 0 where it is none. */
static size_t raw_end(const struct unit *u, size_t at) {
  size_t open = at + 1;
  while (open < u->length && open - at <= 17 && !strchr("( )\\\t\n\v\f\"", u->text[open])) open++;
  if (open >= u->length || u->text[open] != '(') return 0;
  const size_t length = open - at - 1;
  for (size_t i = open + 1; i + length + 1 < u->length; i++) {
    const char *close = memchr(u->text + i, ')', u->length - i);
    if (!close) return 0;
    i = (size_t)(close - u->text);
    if (i + length + 1 < u->length && !memcmp(u->text + i + 1, u->text + at + 1, length) &&
        u->text[i + length + 1] == '"') {
      return i + length + 2;
    }
  }
  return 0;
}

static void count_lines(struct lexer *l, size_t from, size_t to) {
  for (; from < to; from++) l->line += l->u->text[from] == '\n';
}

static bool is_prefix(const char *name, size_t length, bool *raw) {
  static const char *const prefixes[] = {"L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    if (strlen(prefixes[i]) == length && !memcmp(prefixes[i], name, length)) {
      *raw = i >= 4;
      return true;
    }
  }
  return false;
}

static void lex_quoted(struct lexer *l, size_t start, size_t quote, bool raw) {
  const struct unit *u = l->u;
  size_t end = raw ? raw_end(u, quote) : 0;
  if (!end) end = literal_end(u, quote);
  add_token(l, u->text[quote] == '"' ? TOKEN_STRING : TOKEN_CHAR, start, end, 0);
  count_lines(l, start, end);
  l->at = end;
}

static void lex_name(struct lexer *l) {
  const struct unit *u = l->u;
  size_t end = l->at;
  while (end < u->length &&
         (is_letter((unsigned char)u->text[end]) || is_digit((unsigned char)u->text[end]))) {
    end++;
  }
  bool raw = false;
  if (end < u->length && (u->text[end] == '"' || u->text[end] == '\'') &&
      is_prefix(u->text + l->at, end - l->at, &raw)) {
    lex_quoted(l, l->at, end, raw && u->text[end] == '"');
    return;
  }
  add_token(l, TOKEN_NAME, l->at, end, names_number(u->names, u->text + l->at, end - l->at));
  l->at = end;
}

static void lex_number(struct lexer *l) {
  const struct unit *u = l->u;
  size_t end = l->at + 1;
  for (; end < u->length; end++) {
    const unsigned char c = (unsigned char)u->text[end], before = (unsigned char)u->text[end - 1];
    const bool sign = (c == '+' || c == '-') && strchr("eEpP", before);
    const bool separator =
        c == '\'' && end + 1 < u->length &&
        (is_letter((unsigned char)u->text[end + 1]) || is_digit((unsigned char)u->text[end + 1]));
    if (!is_letter(c) && !is_digit(c) && c != '.' && !sign && !separator) break;
  }
  add_token(l, TOKEN_NUMBER, l->at, end, 0);
  l->at = end;
}

static void mark(struct lexer *l) {
  static const struct {
    const char *spelling;
    unsigned mark;
  } marks[] = {{"<=>", MARK_COMPARE}, {"::", MARK_SCOPE},  {"->", MARK_ARROW},
               {"==", MARK_EQUAL},    {"!=", MARK_EQUAL},  {"<=", MARK_COMPARE},
               {">=", MARK_COMPARE},  {"+=", MARK_ASSIGN}, {"-=", MARK_ASSIGN},
               {"*=", MARK_ASSIGN},   {"/=", MARK_ASSIGN}, {"%=", MARK_ASSIGN},
               {"&=", MARK_ASSIGN},   {"|=", MARK_ASSIGN}, {"^=", MARK_ASSIGN}};
  const struct unit *u = l->u;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    const size_t length = strlen(marks[i].spelling);
    if (u->length - l->at >= length && !memcmp(u->text + l->at, marks[i].spelling, length)) {
      add_token(l, TOKEN_MARK, l->at, l->at + length, marks[i].mark);
      l->at += length;
      return;
    }
  }
  add_token(l, TOKEN_MARK, l->at, l->at + 1, (unsigned char)u->text[l->at]);
  l->at++;
}

static bool skip_comment(struct lexer *l) {
  const struct unit *u = l->u;
  if (u->text[l->at] != '/' || l->at + 1 >= u->length) return false;
  if (u->text[l->at + 1] == '/') {
    l->at = line_end(u, l->at);
    return true;
  }
  if (u->text[l->at + 1] != '*') return false;
  size_t end = l->at + 2;
  while (end + 1 < u->length && (u->text[end] != '*' || u->text[end + 1] != '/')) end++;
  end = end + 2 < u->length ? end + 2 : u->length;
  count_lines(l, l->at, end);
  l->at = end;
  return true;
}

static void lex_token(struct lexer *l) {
  const unsigned char c = (unsigned char)l->u->text[l->at];
  if (skip_comment(l)) return;
  if (is_letter(c)) {
    lex_name(l);
  } else if (is_digit(c) || (c == '.' && l->at + 1 < l->u->length &&
                             is_digit((unsigned char)l->u->text[l->at + 1]))) {
    lex_number(l);
  } else if (c == '"' || c == '\'') {
    lex_quoted(l, l->at, l->at, false);
  } else {
    mark(l);
  }
}

static bool pass_line(struct lexer *l) {
  const struct unit *u = l->u;
  size_t at = l->at;
  while (at < u->length && (u->text[at] == ' ' || u->text[at] == '\t')) at++;
  const size_t end = line_end(u, at);
  if (at < u->length && u->text[at] == '#') {
    read_directive(l, at, end);
  } else if (!l->skip_depth) {
    return false;
  }
  l->at = end;
  return true;
}

void unit_lex(struct unit *u) {
  struct lexer l = {.u = u, .line = 1, .line_start = true};
  file_number(u, "", 0);
  while (l.at < u->length) {
    const char c = u->text[l.at];
    if (l.line_start && pass_line(&l)) {
      l.line_start = false;
    } else if (c == '\n') {
      l.line++, l.at++;
      l.line_start = true;
    } else if (c == ' ' || (c >= '\t' && c <= '\r') || c == 0) {
      l.line_start = false;
      l.at++;
    } else {
      l.line_start = false;
      lex_token(&l);
    }
  }
  add_token(&l, TOKEN_END, u->length, u->length, 0);
}

/* Brackets that do not pair keep NONE: g++ will say so better than we could. */
void unit_match_brackets(struct unit *u) {
  uint32_t *stack = NULL;
  size_t depth = 0, room = 0;
  for (uint32_t i = 0; i + 1 < u->token_count; i++) {
    if (u->tokens[i].kind != TOKEN_MARK) continue;
    const uint32_t m = u->tokens[i].name;
    if (m == '(' || m == '[' || m == '{') {
      stack = array_room(stack, depth, &room, sizeof *stack);
      stack[depth++] = i;
    } else if (m == ')' || m == ']' || m == '}') {
      const uint32_t open = m == ')' ? '(' : m == ']' ? '[' : '{';
      size_t d = depth;
      if (m == '}') { /* an open parenthesis before a brace is lost */
        while (d && u->tokens[stack[d - 1]].name != '{') d--;
        if (d) depth = d;
      }
      if (depth && u->tokens[stack[depth - 1]].name == open) {
        u->tokens[i].match = stack[--depth];
        u->tokens[stack[depth]].match = i;
      }
    }
  }
  free(stack);
}
