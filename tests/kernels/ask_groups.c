/* ask_groups.c - search, gather, unique and groups: every kernel of theirs is asked for
 *
 * Method   what ids are is told by the stub driver ($STUB_REPLY): in order or not, and that one group is long */
#include "ask.h"

#include <stdlib.h>

#include "lists.h"

static void searches(heddle_type type) {
  const size_t n = sizes[1], size = heddle_type_size(type);
  uint64_t *words = (uint64_t *)(void *)array[2], *found = words + n, *first = found + n;
  for (int turn = 0; turn < 8; turn++) {
    if (reduced && (turn + (int)type) % 3) continue;
    allow(heddle_search_sorted(ctx, type, array[0], n, array[0] + (size_t)(turn % 2) * size, n,
                               turn & 2 ? HEDDLE_LEFT : HEDDLE_RIGHT,
                               turn & 4 ? HEDDLE_U32 : HEDDLE_U64, array[1]),
          "search_sorted");
    allow(heddle_search_sorted(ctx, type, array[0], 300, array[0] + (size_t)(turn % 2) * size,
                               (size_t)1 << 24, turn & 2 ? HEDDLE_LEFT : HEDDLE_RIGHT,
                               turn & 4 ? HEDDLE_U32 : HEDDLE_U64, array[1]),
          "search_sorted in a short table");
    allow(heddle_unique(ctx, type, array[0], n, array[1], words, turn & 1 ? first : NULL,
                        turn & 4 ? HEDDLE_U32 : HEDDLE_U64, turn & 2 ? array[1] + HALF : NULL,
                        found),
          "unique");
  }
}

static void gathers(void) {
  static const heddle_type positions[] = {HEDDLE_I32, HEDDLE_U32, HEDDLE_I64};
  static const size_t bytes[] = {1, 2, 3, 4, 8, 16, 48, 100, 520, 4096};
  for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++)
    for (size_t p = 0; p < 3; p++)
      if (!reduced || (b + p) % 3 == 0)
        allow(heddle_gather(ctx, bytes[b], array[0], 1000, positions[p], array[1], 1000, array[2]),
              "gather");
}

/* Ids in order, and not; the stub says which, and that one group is long. */
static void groups_of(heddle_type id_type, size_t count, size_t groups, const char *reply,
                      size_t turn) {
  static const size_t widths[] = {1, 2, 3, 4, 12, 30, 100, 256, 1000};
  heddle_groups *made = NULL;
  (void)setenv("STUB_REPLY", reply, 1);
  allow(heddle_groups_make(ctx, id_type, array[0], count, groups, &made), "groups_make");
  (void)unsetenv("STUB_REPLY");
  if (!made) return;
  for (size_t t = 0; t < type_count; t++)
    for (size_t p = 0; p < op_count; p++)
      for (size_t w = 0; w < sizeof widths / sizeof *widths; w++, turn++) {
        const heddle_type type = all_types[t];
        heddle_options o = HEDDLE_OPTIONS_INIT;
        const int sum = all_ops[p] == HEDDLE_SUM && (type == HEDDLE_F32 || type == HEDDLE_F64);
        if (reduced && !(sum && w % 3 == 0) && turn % 23) continue;
        if ((count > groups ? count : groups) * widths[w] > HALF / 8) continue;
        o.nan = nan_policies[turn % 2];
        if (is_float(type) && turn % 3 == 0) o.acc_type = HEDDLE_F64;
        allow(heddle_groups_reduce(made, all_ops[p], type, array[1], widths[w], array[2], &o),
              "groups_reduce");
        o.exact = 1;
        if (is_float(type) && all_ops[p] == HEDDLE_SUM)
          allow(heddle_groups_reduce(made, HEDDLE_SUM, type, array[1], widths[w], array[2], &o),
                "exact groups_reduce");
      }
  allow(heddle_groups_gather(made, 8, array[1], array[2]), "groups_gather");
  heddle_groups_free(made);
}

void searches_and_groups(void) {
  const size_t n = sizes[1];
  for (size_t t = 0; t < type_count; t++) searches(all_types[t]);
  gathers();
  groups_of(HEDDLE_I32, n, 1000, "1 100000001", 0);
  groups_of(HEDDLE_U32, n, 1000, "0 100000001", 5);
  groups_of(HEDDLE_I64, n, 1000, "1 100000001", 11);
  groups_of(HEDDLE_U64, n, (size_t)1 << 33, "1 100000001", 7);
  groups_of(HEDDLE_I64, sizes[2], 1000, "1 100000001", 3);
}
