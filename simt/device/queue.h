/* Operations that the host has issued and that have not been done yet, in the order of issue.
 *
 * Result   a call that issues one returns before it is done; one that waits finds the memory as if
 *          each had been done when it was issued
 * Method   one queue for all streams. A thread of its own does the operations; whoever waits does
 *          those that it has not begun, so that a launch and its wait cost no change of threads.
 *          Places have numbers, from 1 on. Operations are done one at a time
 */
#ifndef SIMT_QUEUE_H
#define SIMT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SD_QUEUE_BYTES = 960 }; /* of an operation */

/* sd_queue_add - room for `bytes` of an operation's own, at a multiple of 64, for the caller to fill;
 * NULL: it does not fit, there is no thread, no room behind one that is held, or the caller itself is inside an operation: to be done
 * at once. Else the queue is the caller's until sd_queue_commit, which gives the place */
void *sd_queue_add(size_t bytes, void (*run)(void *data));
uint64_t sd_queue_commit(void);
/* sd_queue_drain - returns when all that was added before has been done; at once inside an
 * operation */
void sd_queue_drain(void);
uint64_t sd_queue_last(void);          /* the place of the last one; 0: none was ever added */
bool sd_queue_is_done(uint64_t place); /* it, and so all before it */
void sd_queue_wait(uint64_t place);
/* sd_queue_ask - whether it is done, for a thread of the host that may ask until it is */
bool sd_queue_ask(uint64_t place);
/* sd_queue_hold - by the operation that is being done, or by one that was never added while no other is
 * under way: it returns now, and is over when sd_queue_go_on is called. Its place. What is added
 * meanwhile waits, and is done by the caller of sd_queue_go_on; it needs no thread */
uint64_t sd_queue_hold(void);
bool sd_queue_is_held(void);
void sd_queue_go_on(void);
/* sd_queue_is_awaited - a thread of the host waits for what runs now, or has asked since this was
 * called last */
bool sd_queue_is_awaited(void);

#endif
