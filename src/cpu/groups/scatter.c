/* scatter.c - rows folded by ids that are used once: a handle for the length of the call
 *
 * Memory   the handle's */
#include "groups.h"
#include "host/status.h"

heddle_status hd_cpu_scatter_reduce(heddle_context *ctx, const struct hd_scatter *job,
                                    const void *in, void *out) {
  struct hd_cpu_groups *groups = NULL;
  HD_TRY(hd_cpu_groups_order(ctx, job->fold->entry, job->id_type, job->ids, job->count, job->groups,
                             &groups));
  heddle_status status = hd_cpu_groups_reduce(groups, job->fold, in, job->width, out);
  hd_cpu_groups_free(groups);
  return status;
}
