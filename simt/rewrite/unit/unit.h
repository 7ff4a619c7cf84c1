/* unit.h - one preprocessed source: its tokens, declarations and edits
 *
 * Method  the text is never copied piecewise: a token is a range of it, and what lies between
 *         tokens (blanks, line markers, whole system headers) passes through untouched, so
 *         that g++ reports the user's own files and lines. Passes note edits at tokens.
 */
#ifndef SIMT_REWRITE_UNIT_UNIT_H
#define SIMT_REWRITE_UNIT_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "keywords.h"

#define NONE UINT32_MAX

enum { MOST_ERRORS = 20 }; /* that are reported; a text that is no C++ at all has one a token */

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_CHAR, TOKEN_MARK };

/* Marks that are longer than a byte; all others are their byte. `<` and `>` are always single,
 * so that a split <<< is one like any other. */
enum { MARK_SCOPE = 128, MARK_ARROW, MARK_EQUAL, MARK_COMPARE, MARK_ASSIGN };

struct token {
  uint32_t start, length;
  uint32_t line, file; /* of the user; file indexes unit.files */
  uint32_t match;      /* of a bracket: its partner, or NONE */
  uint32_t name;       /* of a name: its number; of a mark: the mark */
  uint32_t edit;       /* index into unit.edits, 0 = none */
  uint8_t kind;
};

struct edit {
  struct text before, after, instead;
  bool replaced;
};

enum {
  IS_GLOBAL = 1 << 0,
  IS_DEVICE = 1 << 1,
  IS_HOST = 1 << 2,
  IS_TEMPLATE = 1 << 3, /* or a member of one */
  IS_MEMBER = 1 << 4,
  IS_UNNAMED = 1 << 5, /* operator, constructor, lambda: called without being named */
  IS_STATIC = 1 << 6,
  IS_EXTERN = 1 << 7,
  IS_INLINE = 1 << 8,
  IS_CONST = 1 << 9,
  IS_FRIEND = 1 << 10,
  IS_CONSTANT = 1 << 11, /* __constant__ */
  IS_MANAGED = 1 << 12,
  IS_SHARED = 1 << 13,
  IS_SPECIAL = 1 << 14, /* an explicit instantiation or specialisation */
  IS_TYPEDEF = 1 << 15,
  IS_C_LINKAGE = 1 << 16, /* in an extern "C" block */
};

/* A function, or a lambda marked __device__, or (without parameters) a variable. */
struct declaration {
  uint32_t first;       /* token where the declaration begins, template<> included */
  uint32_t head;        /* the same behind template<> */
  uint32_t name;        /* token of the name, NONE if unnamed */
  uint32_t open, close; /* brackets of the parameters, NONE for a variable */
  uint32_t body, end;   /* braces of the body, or NONE and the closing `;` */
  uint32_t flags;
  bool waits, coordinates; /* taint.c */
  bool has_shared;         /* shared.c: a kernel with __shared__ variables of its own */
  bool rounds;             /* strides.c */
  bool barriers;           /* taint.c: it waits nowhere but at what may be in a kernel of phases */
  bool for_warps;   /* helpers.c: its text is there for a whole warp, too, as simt_warp_NAME */
  bool for_blocks;  /* or for a whole block, as simt_block_NAME */
  bool rows, whole; /* that one is for blocks of SIMT_ROWS, SIMT_WHOLE */
  uint64_t uniform; /* of a bit: its parameter of that number must be the same in the warp */
};

enum inside { INSIDE_NONE, INSIDE_HOST, INSIDE_DEVICE, INSIDE_BOTH };

struct file {
  char *name;
  bool main;
};

struct unit {
  const char *text;
  size_t length;
  struct token *tokens; /* the last one is TOKEN_END */
  size_t token_count, token_room;
  struct edit *edits; /* [0] is unused */
  size_t edit_count, edit_room;
  struct declaration *declarations;
  size_t declaration_count, declaration_room;
  struct file *files;
  size_t file_count, file_room;
  struct names *names;
  uint8_t *inside;          /* of a token: which kind of function body it stands in, enum inside */
  const char *own_headers;  /* folder whose headers pass through, NULL for none */
  bool separate;            /* -rdc=true */
  bool instrumented, check; /* rewrite.h */
  bool device_default;      /* the same */
  bool fibres;              /* the same: no kernel as phases */
  bool all_general;         /* taint.c: no kernel may be run as a plain loop */
  bool all_coordinates;
  struct text *messages; /* file:line: error: ... */
  bool failed;
  unsigned errors;
};

/* ---- names.c --------------------------------------------------------------------------------- */

struct names *names_new(void);
void names_free(struct names *n);
uint32_t names_number(struct names *n, const char *spelling, size_t length);
uint32_t names_count(const struct names *n);
unsigned keyword_flags(uint32_t name); /* 0 if it is none of ours */

/* ---- lexer.c --------------------------------------------------------------------------------- */

void unit_lex(struct unit *u);
void unit_match_brackets(struct unit *u);

/* ---- unit.c ---------------------------------------------------------------------------------- */

void unit_free(struct unit *u);
void unit_error(struct unit *u, uint32_t token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline bool is_mark(const struct unit *u, uint32_t i, uint32_t mark) {
  return u->tokens[i].kind == TOKEN_MARK && u->tokens[i].name == mark;
}
static inline bool is_keyword(const struct unit *u, uint32_t i, uint32_t word) {
  return u->tokens[i].kind == TOKEN_NAME && u->tokens[i].name == word;
}
static inline bool is_name(const struct unit *u, uint32_t i) {
  return u->tokens[i].kind == TOKEN_NAME;
}
static inline bool is_end(const struct unit *u, uint32_t i) {
  return u->tokens[i].kind == TOKEN_END;
}
/* is_adjacent - nothing stands between token i and the next */
static inline bool is_adjacent(const struct unit *u, uint32_t i) {
  return u->tokens[i].start + u->tokens[i].length == u->tokens[i + 1].start;
}

/* unit_angle_close - the `>` that closes the `<` at i, or NONE where it is none of a template */
uint32_t unit_angle_close(const struct unit *u, uint32_t i);
/* unit_angle_open - backwards, from the `>` at i */
uint32_t unit_angle_open(const struct unit *u, uint32_t i);
/* unit_is_launch - the <<< of a kernel launch begins at token i */
bool unit_is_launch(const struct unit *u, uint32_t i);
/* unit_lambda_body - the `{` of a lambda whose `[` is at i, or NONE; *marked: it is __device__ */
uint32_t unit_lambda_body(const struct unit *u, uint32_t i, bool *marked);
/* unit_class_body - the `{` of a class whose key is at i, or NONE */
uint32_t unit_class_body(const struct unit *u, uint32_t i);
/* unit_is_member - token i is a member: behind `.` or `->` */
bool unit_is_member(const struct unit *u, uint32_t i);

/* ---- changes.c ------------------------------------------------------------------------------- */

/* unit_expects_operand - behind token `before` an operand must follow, so that * and & are no
 * operators between two */
bool unit_expects_operand(const struct unit *u, uint32_t before);
/* unit_is_doubled - ++, --, && at token i */
bool unit_is_doubled(const struct unit *u, uint32_t i, uint32_t mark);
/* unit_changes_at - the name at token i is assigned to, counted up or down, or has its address
 * taken */
bool unit_changes_at(const struct unit *u, uint32_t i);
/* unit_assigns_at - an assignment, or ++ or --, stands at token i */
bool unit_assigns_at(const struct unit *u, uint32_t i);
/* unit_takes_reference - a function of this text that takes something by reference is called */
bool unit_takes_reference(const struct unit *u, uint32_t call);

/* ---- edits.c --------------------------------------------------------------------------------- */

void edit_before(struct unit *u, uint32_t token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void edit_after(struct unit *u, uint32_t token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void edit_replace(struct unit *u, uint32_t token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void edit_delete(struct unit *u, uint32_t token);
/* unit_render - the tokens [from, to) as they will be written, on one line */
char *unit_render(const struct unit *u, uint32_t from, uint32_t to);
/* spelling - a token's own text, to be freed */
char *unit_spelling(const struct unit *u, uint32_t token);
void unit_write(const struct unit *u, struct text *out);

/* ---- declarations.c -------------------------------------------------------------------------- */

void unit_find_declarations(struct unit *u);

#endif
