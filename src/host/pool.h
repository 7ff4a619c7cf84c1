/* pool.h - the process's worker threads, shared by all contexts */
#ifndef HEDDLE_HOST_POOL_H
#define HEDDLE_HOST_POOL_H

#include "context.h"

/* hd_parallel in two steps, for work that goes on while the caller does something else. The job is
 * the caller's memory and lives until hd_parallel_end, which helps and waits; a job of zeroes has
 * ended. On an executor, and inside of a task, begin does it all. */
struct hd_job {
  heddle_task *task;
  void *arg;
  size_t count, next, done;
  struct hd_job *later;
};
void hd_parallel_begin(heddle_context *ctx, struct hd_job *job, size_t count, heddle_task *task,
                       void *arg);
void hd_parallel_end(struct hd_job *job);

/* A context counts as a user of the pool from open to close; when the last one leaves, its
 * threads end and are joined. None starts before the first hd_parallel that needs one. */
void hd_pool_enter(void);
void hd_pool_leave(void);

#endif
