/* staging.h - arrays of one call, moved to device memory and back; see staged.h
 *
 * Result    staging_in and staging_out give the address on the device in place of the host's;
 *           staging_end waits, copies outputs back and looks at the canaries
 * Limits    one call at a time on a context with device memory */
#ifndef TESTS_STAGING_H
#define TESTS_STAGING_H

#define STAGED_OWN_NAMES
#include "support.h"

/* 1 if ctx keeps its arrays in device memory: a call's arrays are now announced anew. */
int staging_begin(heddle_context *ctx);
/* Where count elements of `size` bytes at `host` are on the device; host itself if there is nothing
 * to move. */
const void *staging_in(const void *host, size_t count, size_t size);
void *staging_out(void *host, size_t count, size_t size);
/* As staging_out in every other call, and host in the rest. */
void *staging_sometimes(void *host, size_t count, size_t size);
/* What the call came to, after heddle_sync. Only HEDDLE_OK brings outputs back. */
heddle_status staging_end(heddle_status status);

/* Bytes of an element of a type, HEDDLE_CUSTOM included, and of a call's result. */
size_t staged_size(heddle_type type, const heddle_options *options);
size_t staged_out_size(heddle_op op, heddle_type type, const heddle_options *options);
size_t staged_scan_size(heddle_type type, const heddle_options *options);

#endif
