/* runs.c - totals of runs, merged
 *
 * The right run's blocks are appended one by one; two halves of an aligned block become that block as
 * soon as they lie side by side. */
#include "runs.h"

#include <assert.h>
#include <string.h>

#include "merge.h"

heddle_status hd_run_combine(void *left, const void *right, void *user) {
  hd_total_merge(user, left, right);
  return HEDDLE_OK;
}

/* Totals so far, and how many elements each one's block has. */
struct list {
  const struct hd_run_form *form;
  u32 n;
  unsigned char *totals;
  u64 at, size[2 * HD_RUN_TOTALS]; /* at: where the last block ends */
};

static unsigned char *total_of(const struct list *list, u32 i) {
  return list->totals + (size_t)i * list->form->bytes;
}

/* Whether the last two are the halves of an aligned block; blocks of elements never are, since
 * nothing follows them that is as long. */
static bool last_two_are_halves(const struct list *list) {
  const u64 size = list->n > 1 ? list->size[list->n - 1] : 0;
  return size >= list->form->chunk && list->size[list->n - 2] == size && list->at % (2 * size) == 0;
}

static heddle_status append(struct list *list, u64 size, const void *total) {
  heddle_status status = HEDDLE_OK;
  memmove(total_of(list, list->n), total, list->form->bytes);
  list->size[list->n++] = size;
  list->at += size;
  while (last_two_are_halves(list) && !status) {
    list->n--;
    status =
        list->form->combine(total_of(list, list->n - 1), total_of(list, list->n), list->form->user);
    list->size[list->n - 1] *= 2;
  }
  return status;
}

heddle_status hd_runs_merge(const struct hd_run_form *form, struct hd_run left,
                            const void *left_totals, struct hd_run right, const void *right_totals,
                            void *totals) {
  struct list list = {.form = form, .totals = totals};
  const unsigned char *from = right_totals;
  heddle_status status = HEDDLE_OK;
  const u32 n = hd_run_totals(form->order_free, form->chunk, left);
  assert(left.first + left.count == right.first);
  memmove(totals, left_totals, (size_t)n * form->bytes);
  if (form->order_free) {
    if (n && right.count) return form->combine(totals, right_totals, form->user);
    if (right.count) memcpy(totals, right_totals, form->bytes);
    return status;
  }
  list.at = left.first;
  for (u64 rest = left.count; rest; rest -= list.size[list.n - 1]) {
    list.size[list.n] = hd_run_block(form->chunk, list.at, rest);
    list.at += list.size[list.n++];
  }
  while (right.count && !status) {
    const u64 size = hd_run_block(form->chunk, right.first, right.count);
    status = append(&list, size, from);
    from += form->bytes;
    right.first += size, right.count -= size;
  }
  return status;
}

heddle_status hd_runs_total(const struct hd_run_form *form, struct hd_run run, const void *totals,
                            void *out) {
  const u32 n = hd_run_totals(form->order_free, form->chunk, run);
  const unsigned char *from = totals;
  heddle_status status = HEDDLE_OK;
  assert(n);
  memcpy(out, from, form->bytes);
  for (u32 i = 1; i < n && !status; i++)
    status = form->combine(out, from + (size_t)i * form->bytes, form->user);
  return status;
}
