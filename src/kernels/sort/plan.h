/* plan.h - the steps of a sort, by the digits in which keys differ
 *
 * Result   plan_steps  one step a digit, and a copy where the last one would not write the result
 *          plan_tops   some steps, by the highest digits alone, which leave the rest to finish.cu; behind them, if
 *                      that fails, one step a digit again
 * Order    one thread; the plan's steps are zero before */
#ifndef HEDDLE_KERNELS_SORT_PLAN_H
#define HEDDLE_KERNELS_SORT_PLAN_H

#include "key.h"

/* Digits of the bits in which keys differ, the lowest first. */
struct plan_digits {
  u32 by[SORT_DIGITS], count;
};

HD_DEVICE struct plan_digits plan_find_digits(const struct sort_args *a, u64 differ) {
  struct plan_digits d;
  d.count = 0;
  for (u32 i = 0; i < a->digits; i++) {
    const u32 shift = a->bit_begin + 8 * i;
    if (differ >> shift & digit_mask(shift, a->bit_end)) d.by[d.count++] = i;
  }
  return d;
}

/* Where elements are, and how many steps there have been. */
struct plan_place {
  u32 from, to, done;
};

HD_DEVICE u32 plan_other(u32 place) { return place == SORT_OUT ? SORT_ROOM : SORT_OUT; }

/* A step into `slot`. */
HD_DEVICE void plan_add(const struct sort_args *a, struct plan_place *at, u32 slot, u32 digit,
                        bool last, bool again) {
  struct sort_plan *plan = (struct sort_plan *)a->plan;
  const u32 shift = a->bit_begin + 8 * digit;
  const struct sort_step step = {SORT_BY_DIGIT,
                                 shift,
                                 digit_mask(shift, a->bit_end),
                                 digit,
                                 at->from,
                                 at->to,
                                 at->done == 0,
                                 last && at->to == SORT_OUT,
                                 2 + at->done % 2,
                                 again};
  plan->step[slot] = step;
  at->from = at->to;
  at->to = plan_other(at->to);
  at->done++;
}

/* The copy behind steps that do not end where the result is. */
HD_DEVICE void plan_copy(const struct sort_args *a, const struct plan_place *at, u32 slot,
                         bool again) {
  struct sort_plan *plan = (struct sort_plan *)a->plan;
  const struct sort_step copy = {SORT_COPY,     0, 0, 0,    at->from, SORT_OUT,
                                 at->done == 0, 1, 0, again};
  if (at->from != SORT_OUT) plan->step[slot] = copy;
}

HD_DEVICE void plan_steps(const struct sort_args *a, u64 differ) {
  const struct plan_digits d = plan_find_digits(a, differ);
  struct plan_place at = {SORT_IN, SORT_ROOM, 0};
  if (d.count % 2) at.to = SORT_OUT;
  if (a->limits == SORT_IN_PLACE) at.to = SORT_ROOM;
  if (a->limits == SORT_ROOM_IN) at.to = SORT_OUT;
  for (u32 s = 0; s < d.count; s++) plan_add(a, &at, s, d.by[s], s + 1 == d.count, false);
  plan_copy(a, &at, d.count, false);
}

/* Whether steps by so many digits may be followed by finish.cu: they end in SORT_ROOM, from which it writes the
 * result, and spare more steps than it takes the time of. */
HD_DEVICE bool plan_takes(const struct sort_args *a, const struct plan_digits *d, u32 tops) {
  if (d->count < tops + SORT_SPARED) return false;
  if (a->limits == SORT_IN_PLACE) return tops % 2;
  return a->limits != SORT_ROOM_IN || tops % 2 == 0;
}

HD_DEVICE void plan_tops(const struct sort_args *a, const struct plan_digits *d, u32 tops) {
  struct sort_plan *plan = (struct sort_plan *)a->plan;
  const struct sort_step none = {SORT_NOTHING, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  struct plan_place at = {SORT_IN, SORT_ROOM, 0};
  u32 slot = 0;
  if (tops % 2 == 0) at.to = SORT_OUT; /* the last one writes SORT_ROOM */
  for (u32 s = 0; s < SORT_STEPS; s++) plan->step[s] = none;
  for (; slot < tops; slot++) plan_add(a, &at, slot, d->by[d->count - tops + slot], false, false);
  for (u32 s = 0; s < d->count; s++)
    plan_add(a, &at, SORT_TOPS + s, d->by[s], s + 1 == d->count, true);
  plan_copy(a, &at, SORT_TOPS + d->count, true);
  plan->finish_shift = a->bit_begin + 8 * d->by[d->count - tops];
  plan->finishes = 1;
}

#endif
