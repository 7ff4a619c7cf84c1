/* phases.h - a kernel whose barriers stand in uniform control flow, as loops over its threads
 *
 * A phase is what threads do between two barriers. All threads of a block go through one phase,
 * one after the other, then through the next; control flow around barriers runs once a block.
 * A variable is uniform if it has one value in the block: it is declared once a block. Any other
 * that is used in several phases has a place for each thread (simt::slots).
 *
 * A region is a run of statements with functions of a warp: warps go through it one after the other,
 * and within it phases are what the lanes do between two such functions; control flow around them runs
 * once a warp. A device function with functions of a warp, or with barriers, is written a second time for
 * a whole warp, or block (helpers.c).
 */
#ifndef SIMT_REWRITE_KERNELS_PHASES_H
#define SIMT_REWRITE_KERNELS_PHASES_H

#include "rewrite/groups.h"
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
  uint32_t region; /* that all its uses are in; 0: the block's */
  bool again;      /* never changed and made of coordinates: each phase can make it anew */
  unsigned tile;   /* such is a tile, of so many threads; else 0 */
  unsigned parent; /* of a tile: the threads of that which it is a part of; 0: the block */
};

/* `name = ..;` and the like, a statement of its own in control flow of the block. */
struct assignment {
  uint32_t target, region;
  struct range all;
};

struct header {
  struct range range;
  uint32_t region;
  bool returns; /* of `if (..) return;` in a region up to the end */
};

struct phases {
  struct unit *u;
  const struct declaration *d;
  struct variable variables[MOST_VARIABLES];
  struct header headers[MOST_HEADERS]; /* of for, while and if around barriers */
  struct assignment assignments[MOST_ASSIGNMENTS];
  size_t variable_count, header_count, assignment_count;
  uint8_t *changes;           /* of a token of the body: the name there may be changed */
  uint32_t *phase_of;         /* of a token of the body: 0 where it runs once a block */
  uint32_t phase;             /* the present one, from 1 */
  uint32_t last_cut;          /* the last token of the last statement with a barrier */
  uint32_t region, regions;   /* the present one, or 0; how many there were */
  struct range region_tokens; /* of the present one */
  uint32_t outer_end;         /* where the scope ends that it stands in */
  uint32_t last_wait;         /* the last barrier or function of a warp */
  uint32_t exchanges;         /* how many calls of functions of a warp were written */
  bool pure;                  /* there are no barriers: one region, to the end */
  bool rows, whole;           /* what a block must be (SIMT_ROWS, SIMT_WHOLE) */
  bool helper;                /* d is a device function */
  bool lanes;                 /* all of it is for a warp */
  bool some; /* lanes return before others have come to the last function of the warp */
  bool uniform_parameters; /* of a helper: all that are never changed */
  const char *returned;    /* of a helper: the type, or "void" */
  bool by_thread;          /* uniform.c: threadIdx is asked for, too */
  bool coordinates;        /* what the kernel calls reads threadIdx */
  bool grid;               /* there are barriers of the grid */
  bool failed;
  enum { FIND, NUMBER, WRITE } step;
  struct text out, pending; /* of the block; of the present phase */
  struct text into;         /* what the value goes into that the present phase ends with */
  struct range pending_tokens;
};

/* phases_find - the kernel as phases, with what is known of its variables; false: it is none. To be
 * freed by phases_free either way */
bool phases_find(struct unit *u, const struct declaration *d, bool coordinates,
                 struct phases **out);
/* phases_find_helper - the same of a device function's text for a warp */
bool phases_find_helper(struct unit *u, const struct declaration *d, bool coordinates,
                        const char *returned, bool uniform_parameters, struct phases **out);
/* phases_write - the kernel's body as a lambda's, the helper's as a function's; NULL: it is none. To be
 * freed */
char *phases_write(struct phases *p);
void phases_free(struct phases *p);

/* phases_walk - one of the steps over the whole body (phases.c) */
void phases_walk(struct phases *p);
/* phases_flush - the present phase is over (phases_write.c) */
void phases_flush(struct phases *p);
/* phases_end - a block leaves the kernel, or the helper's text begins, at token i (phases_write.c) */
void phases_end(struct phases *p, uint32_t i);
/* phases_make - of variables of the region at [i, last]: those made of coordinates, for which its control
 * flow may ask */
void phases_make(struct phases *p, uint32_t i, uint32_t last);
/* phases_make_tile - declares it for the thread of these coordinates (phases_write.c) */
void phases_make_tile(struct phases *p, const struct variable *v, const char *thread);
/* phases_open_region, phases_close_region - what a region's statements stand between */
void phases_open_region(struct phases *p);
void phases_close_region(struct phases *p);

/* phases_variable - the variable that token i names, or NULL */
struct variable *phases_variable(struct phases *p, uint32_t i);

/* ---- statements.c, phases_changes.c ------------------------------------------------------------ */

bool phases_spells(const struct unit *u, uint32_t i, const char *word);
bool phases_has_word(const struct unit *u, uint32_t from, uint32_t last, const char *word);
/* phases_is_barrier - of a block or a grid: `__syncthreads`, or `sync` of a group */
bool phases_is_barrier(const struct unit *u, uint32_t i);
/* phases_has_barrier - there is one in [from, last], or a helper with barriers is called */
bool phases_has_barrier(const struct unit *u, uint32_t from, uint32_t last);
/* phases_header_open - the ( behind the if, for or while at i */
uint32_t phases_header_open(const struct unit *u, uint32_t i);
/* phases_statement_last - the last token of the statement that begins at i, NONE where it does not end
 * before `to` */
uint32_t phases_statement_last(const struct unit *u, uint32_t i, uint32_t to, unsigned depth);
/* phases_names_numbers - `enum { A, B = 2 };` */
bool phases_names_numbers(const struct unit *u, uint32_t i);
/* phases_leaves_loop - a break or continue of the loop around [i, last] is there */
bool phases_leaves_loop(const struct unit *u, uint32_t i, uint32_t last, bool in_switch);
/* phases_has_atomic - an atomic function is named in [from, last] */
bool phases_has_atomic(const struct unit *u, uint32_t from, uint32_t last);
/* phases_is_of_block - what stands in the block's own text as it is: shared variables, names of types and
 * numbers */
bool phases_is_of_block(const struct unit *u, uint32_t i, uint32_t last);
void phases_find_changes(struct phases *p); /* into p->changes */

/* phases_of_threads - tokens [from, to) are the present phase's */
void phases_of_threads(struct phases *p, uint32_t from, uint32_t to);

/* ---- uniform.c, warp_uniform.c --------------------------------------------------------------- */

/* phases_is_uniform - tokens [from, to) are made of nothing but uniform names of the region (0: of the
 * block) */
bool phases_is_uniform(struct phases *p, uint32_t from, uint32_t to, uint32_t region);
bool phases_is_never_changed(struct phases *p, const struct variable *v);
/* phases_is_warp_uniform - the same, where threadIdx.x / 32 and its like count as uniform, too */
bool phases_is_warp_uniform(struct phases *p, uint32_t from, uint32_t to);
bool phases_is_uniform_name(struct phases *p, uint32_t i);

/* phases_is_full_mask - tokens [from, to) are a mask of all lanes (warp_masks.c) */
bool phases_is_full_mask(struct phases *p, uint32_t from, uint32_t to);

/* ---- warp_calls.c, helpers.c ------------------------------------------------------------------- */

/* phases_is_warp_function - token i names one that can be in a kernel of phases */
bool phases_is_warp_function(const struct unit *u, uint32_t i);
/* phases_helper - the device function that is called at token i, if lanes wait in it; else NULL */
const struct declaration *phases_helper(const struct unit *u, uint32_t i);
/* phases_calls_block - token i calls a helper that has barriers */
bool phases_calls_block(const struct unit *u, uint32_t i);
/* phases_has_call - a function of a warp or a helper without barriers is called in [from, last] */
bool phases_has_call(const struct unit *u, uint32_t from, uint32_t last);
/* phases_leave - `if (..) return;`, the condition at [from, to), where it is each lane's own; false: it
 * is the warp's */
bool phases_leave(struct phases *p, uint32_t from, uint32_t to);
/* phases_argument_end - behind the argument that begins at i, of a call that ends with `close` */
uint32_t phases_argument_end(const struct unit *u, uint32_t i, uint32_t close);
/* phases_calls - takes the calls out of the statement at [i, last]; what is left of it is the present
 * phase's. With `returned`, a type: the statement is `return` of a helper */
void phases_calls(struct phases *p, uint32_t i, uint32_t last, const char *returned);
/* phases_needs_coordinates - what d calls, but for helpers, reads threadIdx */
bool phases_needs_coordinates(const struct unit *u, const struct declaration *d);
/* rewrite_helper - writes a device function for a warp, if that is possible */
void rewrite_helper(struct unit *u, struct declaration *d);
/* helper_type - what it returns, to be freed; NULL: that is not known */
char *helper_type(const struct unit *u, const struct declaration *d);
/* helper_is_uniform - the helper's parameter of this number must be the same in the warp */
bool helper_is_uniform(const struct declaration *d, unsigned parameter);
/* helper_parameter - the token that names it, and its tokens; NONE: there is none of this number */
uint32_t helper_parameter(const struct unit *u, const struct declaration *d, unsigned number,
                          struct range *type);

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
/* phases_type_end - behind the type that begins at i; i itself where none does */
uint32_t phases_type_end(const struct unit *u, uint32_t i);
/* phases_declare - its variables; last: its `;` */
void phases_declare(struct phases *p, uint32_t i, uint32_t last, uint32_t scope_end);

static inline bool phases_changes(const struct phases *p, uint32_t i) {
  return p->changes[i - p->d->open];
}

#endif
