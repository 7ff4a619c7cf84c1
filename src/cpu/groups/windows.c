/* windows.c - rows group after group, where groups are few and long
 *
 * Method   In each group positions rise. A window of the array, which stays in a cache, holds a run of each group's
 *          rows, which are moved to where they belong; so every cache line of the array is read once, where groups
 *          one after the other would read it once a row. Threads take as many
 *          windows each, one behind the other. */
#include "groups.h"
#include "host/machine.h"

enum {
  BLOCK = 32,            /* places that are compared at once */
  LEAST_BYTES = 1 << 22, /* of arrays that a cache does not hold anyway */
  LEAST_RUN = 16         /* rows of a group in a window, on average */
};

struct windows_job {
  const struct hd_cpu_groups *groups;
  size_t row_bytes, window, windows;
  const char *in;
  char *out;
  struct hd_cancellation *token;
  size_t workers;
  u64 *next; /* a worker: of each group, the first place that is not moved */
};

static size_t window_rows(size_t row_bytes) { return hd_machine_near_cache() / 2 / row_bytes + 1; }

bool hd_cpu_groups_have_windows(const struct hd_cpu_groups *groups, size_t row_bytes) {
  if (!groups->order || groups->index_bytes != 4 || row_bytes > 16) return false;
  return groups->count * row_bytes >= LEAST_BYTES &&
         window_rows(row_bytes) / LEAST_RUN >= groups->groups;
}

/* The first place from `at` to `end` whose position is not below the limit: it is near. */
static size_t find(const u32 *order, size_t at, size_t end, u64 limit) {
  while (end - at >= BLOCK) {
    u32 below = 0;
    for (size_t i = 0; i < BLOCK; i++) below += order[at + i] < (u32)limit;
    at += below;
    if (below < BLOCK) return at;
  }
  while (at < end && order[at] < limit) at++;
  return at;
}

/* The same from the start of a group, by halving. */
static size_t find_far(const u32 *order, size_t at, size_t end, u64 limit) {
  while (at < end) {
    const size_t middle = at + (end - at) / 2;
    if (order[middle] < limit)
      at = middle + 1;
    else
      end = middle;
  }
  return at;
}

/* next[g] becomes the group's first place behind the window. */
static void move_window(const struct windows_job *job, size_t window, u64 *next) {
  const struct hd_cpu_groups *groups = job->groups;
  const u32 *order = groups->order;
  const u64 behind = (u64)(window + 1) * job->window;
  const u64 last = behind < groups->count ? behind : groups->count;
  for (size_t g = 0; g < groups->groups; g++) {
    const size_t at = (size_t)next[g], end = (size_t)groups->offsets[g + 1];
    const size_t stop = last == groups->count ? end : find(order, at, end, last);
    hd_cpu_gather_rows(job->row_bytes, job->in, order + at, 4, 0, stop - at,
                       job->out + at * job->row_bytes);
    next[g] = stop;
  }
}

static void windows_task(void *arg, size_t worker) {
  const struct windows_job *job = arg;
  const struct hd_cpu_groups *groups = job->groups;
  const size_t share = (job->windows + job->workers - 1) / job->workers, first = share * worker;
  u64 *next = job->next + worker * groups->groups;
  for (size_t g = 0; g < groups->groups; g++)
    next[g] = find_far(groups->order, (size_t)groups->offsets[g], (size_t)groups->offsets[g + 1],
                       (u64)first * job->window);
  for (size_t w = first; w < job->windows && w < first + share; w++) {
    if (hd_poll(job->token)) return;
    move_window(job, w, next);
  }
}

heddle_status hd_cpu_groups_windows(const struct hd_cpu_groups *groups, size_t row_bytes,
                                    const void *in, void *out, struct hd_cancellation *token) {
  struct windows_job job = {.groups = groups,
                            .row_bytes = row_bytes,
                            .window = window_rows(row_bytes),
                            .in = in,
                            .out = out,
                            .token = token};
  job.windows = (groups->count + job.window - 1) / job.window;
  job.workers = hd_cpu_groups_workers(groups->ctx, groups->count);
  if (job.workers > job.windows) job.workers = job.windows;
  const size_t bytes = job.workers * groups->groups * sizeof *job.next;
  job.next = hd_allocate(groups->ctx, bytes);
  if (!job.next) return HEDDLE_OUT_OF_MEMORY;
  hd_cpu_groups_run(groups->ctx, job.workers, windows_task, &job);
  hd_release(groups->ctx, job.next, bytes);
  return HEDDLE_OK;
}
