/* strides.h - loops in which a thread strides over the data (loops/strides.c) */
#ifndef SIMT_REWRITE_STRIDES_H
#define SIMT_REWRITE_STRIDES_H

#include "rewrite/unit/unit.h"

struct stride_loop {
  const struct declaration *d;
  uint32_t word;           /* for or while */
  uint32_t open, close;    /* of its condition or header */
  uint32_t first, second;  /* semicolons of a for header */
  uint32_t variable;       /* the name that the condition begins with */
  uint32_t step, step_end; /* tokens of the step's amount */
  uint32_t body, end;      /* first and last token of its statement */
};

/* strides_match - such a loop is at token i of d's body */
bool strides_match(const struct unit *u, const struct declaration *d, uint32_t i,
                   struct stride_loop *l);

#endif
