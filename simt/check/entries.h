/* What the checker is told: the entries of its table of observers (observe.c).
 *
 * Rule     named like the entries of struct sd_observer, where each is explained
 */
#ifndef SIMT_CHECK_ENTRIES_H
#define SIMT_CHECK_ENTRIES_H

#include "observer.h"

/* ---- blocks.c */
void ck_on_module_opened(const struct simt_module *module);
void ck_on_module_closed(const struct simt_module *module);
void ck_on_grid_begin(struct grid *grid);
void ck_on_grid_end(struct grid *grid);
void ck_on_block_begin(struct block *block);
void ck_on_block_enter(struct block *block);
void ck_on_block_end(struct block *block);
void ck_on_barrier(struct block *block);
void ck_on_grid_barrier(struct grid *grid);
void ck_on_warp_sync(struct block *block, struct warp *warp, unsigned int lanes);
void ck_on_warp_exchange(struct block *block, struct warp *warp, unsigned int lanes);
void ck_on_fence(int scope);
void ck_on_polled(void);
void ck_on_release(const void *object, int scope);
void ck_on_acquire(const void *object, int scope);
void ck_on_lane_end(void);

/* ---- faults.c */
void ck_on_finding(enum sd_class class, const struct sd_place places[2], const char *text);
void ck_on_fault(enum sd_class class, const void *address, const void *pc, const void *frame,
                 const char *text);

/* ---- memory.c */
void ck_on_allocated(const void *memory, size_t bytes, int kind);
void ck_on_freed(const void *memory, size_t bytes, int kind);
void ck_on_freeing(const void *memory, void *stream);
void ck_on_bad_free(const void *memory);
void ck_on_reset(void);
void ck_tell_leaks(void); /* at the program's end */

/* ---- copies.c */
void ck_on_copied(const struct sd_copy *copy, int error);
void ck_on_filled(const struct sd_copy *fill, int error);

/* ---- streams.c, clocks.c */
void ck_on_stream_made(void *stream, bool blocking);
void ck_on_stream_gone(void *stream);
void ck_on_event_recorded(void *event, void *stream);
void ck_on_event_gone(void *event);
void ck_on_stream_waits(void *stream, void *event);
void ck_on_host_waits_stream(void *stream);
void ck_on_host_waits_event(void *event);
void ck_on_host_waits_all(void);
void ck_on_host_begin(void *stream);
void ck_on_host_end(void);
void ck_on_graph_begin(void *stream, size_t nodes);
void ck_on_graph_node(size_t node, const size_t *before, size_t count);
void ck_on_graph_end(void);

/* ---- unchecked_errors.c */
void ck_on_error_made(int error);
void ck_on_error_asked(void);
void ck_on_configured(void);
void ck_on_launched(const struct simt_kernel *kernel, const struct simt_config *config, int error);
void ck_tell_unchecked(void); /* at the program's end */
/* ck_call_explained - a finding has been made of the error that the running call will return */
void ck_call_explained(void);

/* CK_ALONE - to the end of its block no other thread of the host is in the checker, and no
 * kernel runs. A lane of the running kernel passes. One that has waited long passes, too: its
 * kernel may be waiting for it */
#define CK_ALONE __attribute__((cleanup(ck_leave), unused)) const bool ck_alone = ck_enter()
bool ck_enter(void);
bool ck_try_enter(void); /* false: somebody else is */
void ck_leave(const bool *entered);

#endif
