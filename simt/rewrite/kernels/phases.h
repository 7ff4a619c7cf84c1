/* phases.h - a kernel whose barriers stand in uniform control flow, as loops over its threads
 *
 * A phase is what threads do between two barriers. All threads of a block go through one phase,
 * one after the other, then through the next; control flow around barriers runs once a block.
 * A variable is uniform if it has one value in the block: it is declared once a block. Any other
 * that is used in several phases has a place for each thread (simt::slots).
 */
#ifndef SIMT_REWRITE_KERNELS_PHASES_H
#define SIMT_REWRITE_KERNELS_PHASES_H

#include "rewrite/unit/unit.h"

enum { MOST_VARIABLES = 200, MOST_HEADERS = 200, MOST_ASSIGNMENTS = 200, MOST_TOKENS = 20000 };

struct range {
  uint32_t from, to; /* tokens [from, to) */
};

struct variable {
  uint32_t name, token;     /* number of its name; where it is declared */
  struct range type;        /* as it is spelled, const and the like included */
  struct range stars, dims; /* * and const before the name; [..] behind it */
  struct range init;        /* behind =; empty: there is none */
  uint32_t scope_end;
  uint32_t phase; /* that declares it; 0: a parameter */
  bool is_reference, is_auto;
  bool uniform, crossing;
  bool again; /* never changed and made of coordinates: each phase can make it anew */
};

/* `name = ..;` and the like, a statement of its own in control flow of the block. */
struct assignment {
  uint32_t target;
  struct range all;
};

struct phases {
  struct unit *u;
  const struct declaration *d;
  struct variable variables[MOST_VARIABLES];
  struct range headers[MOST_HEADERS]; /* of for, while and if around barriers */
  struct assignment assignments[MOST_ASSIGNMENTS];
  size_t variable_count, header_count, assignment_count;
  uint8_t *changes;   /* of a token of the body: the name there may be changed */
  uint32_t *phase_of; /* of a token of the body: 0 where it runs once a block */
  uint32_t phase;     /* the present one, from 1 */
  uint32_t last_cut;  /* the last token of the last statement with a barrier */
  bool by_thread;     /* uniform.c: threadIdx is asked for, too */
  bool coordinates;   /* what the kernel calls reads threadIdx */
  bool failed;
  enum { FIND, NUMBER, WRITE } step;
  struct text out, pending; /* of the block; of the present phase */
  struct range pending_tokens;
};

/* phases_find - the kernel as phases, with what is known of its variables; false: it is none. To be
 * freed by phases_free either way */
bool phases_find(struct unit *u, const struct declaration *d, bool coordinates,
                 struct phases **out);
/* phases_write - the kernel's body as a lambda's; NULL: it is none. To be freed */
char *phases_write(struct phases *p);
void phases_free(struct phases *p);

/* phases_walk - one of the steps over the whole body (phases.c) */
void phases_walk(struct phases *p);
/* phases_flush - the present phase is over (phases_write.c) */
void phases_flush(struct phases *p);

/* phases_variable - the variable that token i names, or NULL */
struct variable *phases_variable(struct phases *p, uint32_t i);
bool phases_spells(const struct unit *u, uint32_t i, const char *word);

/* ---- phases_doubt.c -------------------------------------------------------------------------- */

/* phases_doubt - marks further names as changed, and variables as not uniform; once all are found */
void phases_doubt(struct phases *p);
/* phases_escapes - fails where an address outlives a phase that moves what it is of */
void phases_escapes(struct phases *p);
/* phases_returns - fails where a thread may return and there is a later phase */
void phases_returns(struct phases *p);

/* ---- uniform.c ------------------------------------------------------------------------------- */

/* phases_is_constant - a constant of the file, or a parameter of the kernel's template */
bool phases_is_constant(const struct unit *u, const struct declaration *d, uint32_t i);
/* phases_is_known_word - a type of the language, a coordinate of the block, or a call without effect */
bool phases_is_known_word(const struct unit *u, uint32_t i);
/* phases_is_unary - the * or & at i reads memory or takes an address, and is no operator of two */
bool phases_is_unary(const struct unit *u, uint32_t i);
/* phases_parameter - the token of the kernel's parameter of this name, or NONE */
uint32_t phases_parameter(const struct unit *u, const struct declaration *d, uint32_t name);

/* ---- phases_declare.c ------------------------------------------------------------------------ */

/* phases_is_built_in - a type's word of the language, or a common one */
bool phases_is_built_in(const struct unit *u, uint32_t i);
bool phases_is_const_word(const struct unit *u, uint32_t i);
/* phases_is_declaration - one of variables begins at i: a type, and a name with what may follow one */
bool phases_is_declaration(const struct unit *u, uint32_t i);
/* phases_declare - its variables; last: its `;` */
void phases_declare(struct phases *p, uint32_t i, uint32_t last, uint32_t scope_end);

static inline bool phases_changes(const struct phases *p, uint32_t i) {
  return p->changes[i - p->d->open];
}

#endif
