/* What is wrong with the masks of a warp's functions.
 *
 * Result   lanes that call without being named, wait for lanes that never come, were walked
 *          round, or meet in one shuffle or vote at different lines
 * Method   the first two are reported to everybody, once a grid; the others to the observer, once a
 *          block, since what follows may come of it. __syncwarp may be met at different
 *          lines (since sm_70); if such a meeting leaves lanes behind, its first line was in
 *          a branch
 * Limits   a lane that has returned before the call need not take part; one that returned
 *          behind it (lane_position.c) walked round it
 * Source   CUDA C++ Programming Guide, Warp Shuffle Functions; PTX ISA, shfl.sync
 */
#include "schedule/lockstep.h"

static struct sd_location location_of(const struct lane *lane) {
  return lane ? (struct sd_location){lane->file, lane->line} : (struct sd_location){NULL, 0};
}

static bool already_reported(struct block *block) {
  const bool grid = atomic_exchange(&block->grid->collective_reported, true);
  const bool reported = sd_is_checked() ? block->collective_reported : grid;
  block->collective_reported = true;
  return reported;
}

static void report(struct block *block, const struct warp *warp, const struct lane *lane,
                   unsigned group, const char *why, struct sd_location other) {
  if (already_reported(block)) return;
  const struct simt_kernel *kernel = block->grid->kernel;
  const struct sd_location locations[2] = {location_of(lane), other};
  struct lane *running = sd_speak_for(lane);
  sd_report_finding(
      SD_WARP_MASK, locations,
      "kernel %s (%s:%d), block (%u,%u,%u), warp %u: %s at %s:%d with mask %08x %s (lanes "
      "that called: %08x, lanes that have returned: %08x)",
      kernel->name, kernel->file, kernel->line, block->index.x, block->index.y, block->index.z,
      (unsigned)(warp - block->warp_list), lane->what, lane->file, lane->line, lane->mask, why,
      group, warp->finished);
  sd_current->lane = running;
}

void sd_mask_without_caller(struct block *block, const struct warp *warp, const struct lane *lane) {
  report(block, warp, lane, lane->bit, "does not name the calling lane", location_of(NULL));
}

/* ---- Lanes that never come ------------------------------------------------------------------ */

static bool at_line(const struct sd_location *location, const struct lane *lane) {
  return location->file && location->line == lane->line && sd_same_file(location->file, lane->file);
}

/* If lanes of two lines met here before, the other of them stands in a branch: from there on
 * some lanes were one meeting ahead. */
static void report_left_behind(struct block *block, const struct warp *warp, struct lane *lane,
                               unsigned group, const char *why, struct sd_location other) {
  const struct sd_location *met = block->met[warp - block->warp_list];
  if (at_line(&met[0], lane) || at_line(&met[1], lane)) {
    const struct sd_location elsewhere = met[at_line(&met[0], lane)], here = location_of(lane);
    lane->file = elsewhere.file;
    lane->line = elsewhere.line;
    report(block, warp, lane, group, why, here);
    lane->file = here.file;
    lane->line = here.line;
    return;
  }
  report(block, warp, lane, group, why, other);
}

/* The lanes that do not come wait at a barrier that the others have walked round. */
static bool is_barrier_divergence(struct block *block, const struct warp *warp,
                                  const struct lane *lane, const struct lane *missing) {
  if (!(warp->barrier & missing->bit) || !sd_waits_before(block, missing, lane)) return false;
  if (block->barrier_reported) return true;
  const struct simt_kernel *kernel = block->grid->kernel;
  const struct sd_location locations[2] = {location_of(missing), location_of(lane)};
  struct lane *running = sd_speak_for(missing);
  sd_report_finding(
      SD_BARRIER_DIVERGENCE, locations,
      "kernel %s (%s:%d), block (%u,%u,%u): %u of %u threads wait at %s:%d, others of warp %u "
      "at %s, %s:%d. All threads of a block must reach the same barrier: move it out of the "
      "branch",
      kernel->name, kernel->file, kernel->line, block->index.x, block->index.y, block->index.z,
      block->at_barrier, block->threads, missing->file, missing->line,
      (unsigned)(warp - block->warp_list), lane->what, lane->file, lane->line);
  sd_current->lane = running;
  block->barrier_reported = block->collective_reported = true;
  return true;
}

void sd_mask_stuck(struct block *block, struct warp *warp, struct lane *lane, unsigned group) {
  static const char why[] = "names lanes that never come";
  const unsigned others = lane->mask & warp->present & ~warp->finished & ~group;
  struct lane *missing = others ? &warp->lanes[__builtin_ctz(others)] : NULL;
  if (!sd_is_checked()) {
    report(block, warp, lane, group, why, location_of(missing));
    return;
  }
  if (missing && is_barrier_divergence(block, warp, lane, missing)) return;
  report_left_behind(block, warp, lane, group, why, location_of(missing));
}

/* ---- Lanes that come, but not as they should ------------------------------------------------- */

static void look_at_lines(struct block *block, struct warp *warp, unsigned group, bool sync) {
  struct lane *first = &warp->lanes[__builtin_ctz(group)];
  for (unsigned m = group & (group - 1); m; m &= m - 1) {
    const struct lane *lane = &warp->lanes[__builtin_ctz(m)];
    if (lane->line == first->line && sd_same_file(lane->file, first->file)) continue;
    struct sd_location *met = block->met[warp - block->warp_list];
    if (!sync) {
      report(block, warp, first, group, "is met by lanes of another branch", location_of(lane));
    } else if (!at_line(&met[0], first) || !at_line(&met[1], lane)) {
      const bool before = sd_waits_before(block, lane, first);
      met[before] = location_of(first);
      met[!before] = location_of(lane);
    }
    return;
  }
}

static void look_at_returned(struct block *block, struct warp *warp, unsigned group) {
  struct lane *lane = &warp->lanes[__builtin_ctz(group)];
  for (unsigned m = lane->mask & warp->finished & ~group; m; m &= m - 1) {
    const struct lane *gone = &warp->lanes[__builtin_ctz(m)];
    if (!sd_returned_behind(block, lane, gone)) continue;
    report_left_behind(block, warp, lane, group, "names lanes that walked round it",
                       (struct sd_location){block->grid->kernel->file, gone->return_line});
    return;
  }
}

void sd_mask_report(struct block *block, const struct warp *warp, const struct lane *lane,
                    unsigned group, const char *why) {
  report(block, warp, lane, group, why, location_of(NULL));
}

void simt_shuffle_width(int width, const char *what, const char *file, int line) {
  struct worker *me = sd_current;
  if (!sd_is_checked() || !me || !me->lane || me->block->collective_reported) return;
  const struct simt_kernel *kernel = me->grid->kernel;
  const struct sd_location locations[2] = {{file, line}, {NULL, 0}};
  me->block->collective_reported = true;
  sd_report_finding(
      SD_WARP_MASK, locations,
      "kernel %s (%s:%d): %s at %s:%d with width %d, which is not a power of two from 1 to 32",
      kernel->name, kernel->file, kernel->line, what, file, line, width);
}

/* sd_mask_complete - the lanes of the group have come, none has gone on */
void sd_mask_complete(struct block *block, struct warp *warp, unsigned group, bool sync) {
  if (!sd_is_checked() || block->collective_reported || !group) return;
  look_at_lines(block, warp, group, sync);
  look_at_returned(block, warp, group);
}
