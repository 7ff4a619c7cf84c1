/* fold.h - what whole folds and those in pieces check alike */
#ifndef HEDDLE_API_FOLD_H
#define HEDDLE_API_FOLD_H

#include "api.h"
#include "overlap.h"

static inline size_t hd_fold_element_bytes(const struct hd_fold *fold) {
  return fold->custom ? fold->custom->element_bytes : heddle_type_size(fold->type);
}

static inline heddle_status hd_fold_check_out(const char *entry, const char *what,
                                              const void *out) {
  if (out) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `%s` is NULL", entry, what);
}

/* Both results of argreduce are written at the end, but not over one another. */
static inline heddle_status hd_fold_check_pair(const char *entry, heddle_type type,
                                               const void *value, const u64 *index) {
  HD_TRY(hd_fold_check_out(entry, "index", index));
  const struct hd_span outs[] = {{"index", index, sizeof *index},
                                 {"value", value, heddle_type_size(type)}};
  return hd_check_apart(entry, outs, 2, NULL, 0);
}

static inline heddle_op hd_fold_extreme_op(heddle_extreme which) {
  return which == HEDDLE_ARGMIN ? HEDDLE_MIN : which == HEDDLE_ARGMAX ? HEDDLE_MAX : (heddle_op)-1;
}

static inline heddle_status hd_fold_check_extreme(const char *entry, heddle_extreme which) {
  if (which == HEDDLE_ARGMIN || which == HEDDLE_ARGMAX) return HEDDLE_OK;
  return hd_fail(HEDDLE_BAD_ARGUMENT, "%s: `which` %d is neither HEDDLE_ARGMIN nor HEDDLE_ARGMAX",
                 entry, (int)which);
}

#endif
