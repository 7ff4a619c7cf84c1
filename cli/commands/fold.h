/* fold.h - what sum, min, max, reduce, dot and scan share: operators and types of results */
#ifndef HEDDLE_CLI_COMMANDS_FOLD_H
#define HEDDLE_CLI_COMMANDS_FOLD_H

#include "options/args.h"

static inline bool fold_is_indexed(int op) { return op == OP_ARGMIN || op == OP_ARGMAX; }
static inline heddle_extreme fold_extreme(int op) {
  return op == OP_ARGMIN ? HEDDLE_ARGMIN : HEDDLE_ARGMAX;
}

/* The type that the call writes; of REDUCE that of ARGREDUCE where the operator is one of its. */
heddle_type fold_result_type(const struct settings *s, heddle_verb verb, heddle_type type);

/* 0, or a failure: --exact is given, and there is no exact result of the operator, or of the type. */
int fold_check_exact(const struct settings *s, heddle_type type, const char *path,
                     struct failure *why);

/* Options for a result of `type`; *init keeps the element of --init. */
int fold_options(const struct settings *s, heddle_type type, heddle_options *options,
                 uint64_t *init, struct failure *why);

/* Puts an integer, given as a decimal, into the row: as `type`, or as i64, else u64. */
struct value_row;
int fold_store_exact(const char *path, const char *op, const char *text, heddle_type type,
                     struct value_row *row, struct failure *why);

#endif
