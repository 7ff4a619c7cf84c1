/* partition.h - marked elements, then the others */
#ifndef HEDDLE_CPU_SELECT_PARTITION_H
#define HEDDLE_CPU_SELECT_PARTITION_H

#include "select.h"

/* job->out has room for all elements, and is not job->in; no positions. */
heddle_status hd_cpu_partition(heddle_context *ctx, const struct hd_cpu_packed *job, u64 *found);

#endif
