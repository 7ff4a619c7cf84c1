/* pool.h - the process's worker threads, shared by all contexts */
#ifndef HEDDLE_CPU_POOL_H
#define HEDDLE_CPU_POOL_H

/* A context counts as a user of the pool from open to close; when the last one leaves, its
 * threads end and are joined. None starts before the first hd_parallel that needs one. */
void hd_pool_enter(void);
void hd_pool_leave(void);

#endif
