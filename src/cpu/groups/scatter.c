/* scatter.c - rows folded by ids that are used once
 *
 * Method   Rows of one element whose ids are in no order: of few groups they are folded as they come (chunked.c), else
 *          they are moved themselves, group after group, and folded there. Others: a handle for the length of the
 *          call.
 * Memory   that of chunked.c; of the moved rows, with ids where groups are many; or of a handle */
#include "groups.h"
#include "host/status.h"

enum { LEAST_MOVED = 1 << 12 }; /* rows */

bool hd_cpu_groups_are_moved(size_t width, size_t count) {
  return width == 1 && count >= LEAST_MOVED && count <= UINT32_MAX;
}

static heddle_status reduce_moved(heddle_context *ctx, const struct hd_scatter *job, const void *in,
                                  void *out) {
  const size_t bytes = job->count * heddle_type_size(job->fold->type);
  void *moved = hd_allocate(ctx, bytes);
  struct hd_cpu_groups groups;
  if (!moved) return HEDDLE_OUT_OF_MEMORY;
  hd_large_pages(moved, bytes);
  heddle_status status = hd_cpu_groups_move(ctx, job, in, moved, &groups);
  if (!status) {
    status = hd_cpu_groups_reduce(&groups, job->fold, moved, 1, out);
    hd_release(ctx, groups.offsets, groups.offsets_bytes);
  }
  hd_release(ctx, moved, bytes);
  return status;
}

heddle_status hd_cpu_scatter_reduce(heddle_context *ctx, const struct hd_scatter *job,
                                    const void *in, void *out) {
  const struct hd_cpu_ids ids = hd_cpu_ids_of(job->id_type, job->ids, job->groups);
  struct hd_cpu_groups *groups = NULL;
  if (hd_cpu_groups_are_moved(job->width, job->count) && hd_cpu_groups_fall(&ids, job->count))
    return hd_cpu_groups_are_chunked(ctx, job->fold, job->width, job->count, job->groups)
               ? hd_cpu_groups_chunked(ctx, job, in, out)
               : reduce_moved(ctx, job, in, out);
  HD_TRY(hd_cpu_groups_order(ctx, job->fold->entry, job->id_type, job->ids, job->count, job->groups,
                             &groups));
  heddle_status status = hd_cpu_groups_reduce(groups, job->fold, in, job->width, out);
  hd_cpu_groups_free(groups);
  return status;
}
