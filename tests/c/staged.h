/* staged.h - the library's calls with their arrays in device memory
 *
 * Result    every test calls heddle_reduce and the others by their names; on a context that
 *           staged_begin has been told of, arrays are first copied to device memory, outputs too,
 *           and outputs back after heddle_sync; on any other context the call is the library's own
 * Method    the names are redirected here; an array keeps its place modulo 64 bytes, but for what a
 *           GPU does not take: less than an element; canaries lie on both sides of it, and what
 *           overlaps in host memory overlaps on the device
 * Limits    options, bins and shapes stay in host memory, where the library wants them; every other
 *           call has offsets of segments, descriptions and results of histograms there too */
#ifndef TESTS_STAGED_H
#define TESTS_STAGED_H

#include "heddle.h"

void staged_begin(heddle_context *ctx);
void staged_end(heddle_context *ctx); /* before heddle_close */

heddle_status staged_reduce(heddle_context *ctx, heddle_op op, heddle_type type, const void *in,
                            size_t count, void *out, const heddle_options *options);
heddle_status staged_argreduce(heddle_context *ctx, heddle_extreme which, heddle_type type,
                               const void *in, size_t count, void *value, uint64_t *index,
                               const heddle_options *options);
heddle_status staged_dot(heddle_context *ctx, heddle_type type, const void *x, const void *y,
                         size_t count, void *out, const heddle_options *options);
heddle_status staged_describe(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                              heddle_description *out, const heddle_options *options);
heddle_status staged_scan(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                          heddle_type type, const void *in, size_t count, void *out,
                          const heddle_options *options);
heddle_status staged_histogram(heddle_context *ctx, heddle_type type, const void *in, size_t count,
                               const heddle_bins *bins, uint64_t *counts,
                               heddle_histogram_result *result,
                               const heddle_histogram_options *options);

heddle_status staged_reduce_rows(heddle_context *ctx, heddle_op op, heddle_type type,
                                 const void *in, const heddle_rows *rows, void *out,
                                 const heddle_options *options);
heddle_status staged_argreduce_rows(heddle_context *ctx, heddle_extreme which, heddle_type type,
                                    const void *in, const heddle_rows *rows, void *value,
                                    uint64_t *index, const heddle_options *options);
heddle_status staged_dot_rows(heddle_context *ctx, heddle_type type, const void *x, const void *y,
                              const heddle_rows *rows, void *out, const heddle_options *options);
heddle_status staged_describe_rows(heddle_context *ctx, heddle_type type, const void *in,
                                   const heddle_rows *rows, heddle_description *out,
                                   const heddle_options *options);
heddle_status staged_scan_rows(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                               heddle_type type, const void *in, const heddle_rows *rows, void *out,
                               const heddle_options *options);

heddle_status staged_reduce_begin(heddle_context *ctx, heddle_op op, heddle_type type,
                                  const heddle_options *options, heddle_state **out);
heddle_status staged_reduce_update(heddle_state *state, const void *in, size_t count);
heddle_status staged_reduce_finish(heddle_state *state, void *out);
heddle_status staged_argreduce_begin(heddle_context *ctx, heddle_extreme which, heddle_type type,
                                     const heddle_options *options, heddle_state **out);
heddle_status staged_argreduce_update(heddle_state *state, const void *in, size_t count);
heddle_status staged_argreduce_finish(heddle_state *state, void *value, uint64_t *index);
heddle_status staged_dot_begin(heddle_context *ctx, heddle_type type, const heddle_options *options,
                               heddle_state **out);
heddle_status staged_dot_update(heddle_state *state, const void *x, const void *y, size_t count);
heddle_status staged_dot_finish(heddle_state *state, void *out);
heddle_status staged_describe_begin(heddle_context *ctx, heddle_type type,
                                    const heddle_options *options, heddle_state **out);
heddle_status staged_describe_update(heddle_state *state, const void *in, size_t count);
heddle_status staged_describe_finish(heddle_state *state, heddle_description *out);
heddle_status staged_scan_begin(heddle_context *ctx, heddle_op op, heddle_scan_kind kind,
                                heddle_type type, const heddle_options *options,
                                heddle_state **out);
heddle_status staged_scan_update(heddle_state *state, const void *in, size_t count, void *out);
heddle_status staged_scan_finish(heddle_state *state, void *total);
heddle_status staged_histogram_begin(heddle_context *ctx, heddle_type type, const heddle_bins *bins,
                                     const heddle_histogram_options *options, heddle_state **out);
heddle_status staged_histogram_update(heddle_state *state, const void *in, const void *weights,
                                      size_t count);
heddle_status staged_histogram_finish(heddle_state *state, uint64_t *counts,
                                      heddle_histogram_result *result, double *sums);
void staged_state_free(heddle_state *state);

#ifndef STAGED_OWN_NAMES /* staged*.c call the library by its own names */
#define heddle_reduce staged_reduce
#define heddle_argreduce staged_argreduce
#define heddle_dot staged_dot
#define heddle_describe staged_describe
#define heddle_scan staged_scan
#define heddle_histogram staged_histogram
#define heddle_reduce_rows staged_reduce_rows
#define heddle_argreduce_rows staged_argreduce_rows
#define heddle_dot_rows staged_dot_rows
#define heddle_describe_rows staged_describe_rows
#define heddle_scan_rows staged_scan_rows
#define heddle_reduce_begin staged_reduce_begin
#define heddle_reduce_update staged_reduce_update
#define heddle_reduce_finish staged_reduce_finish
#define heddle_argreduce_begin staged_argreduce_begin
#define heddle_argreduce_update staged_argreduce_update
#define heddle_argreduce_finish staged_argreduce_finish
#define heddle_dot_begin staged_dot_begin
#define heddle_dot_update staged_dot_update
#define heddle_dot_finish staged_dot_finish
#define heddle_describe_begin staged_describe_begin
#define heddle_describe_update staged_describe_update
#define heddle_describe_finish staged_describe_finish
#define heddle_scan_begin staged_scan_begin
#define heddle_scan_update staged_scan_update
#define heddle_scan_finish staged_scan_finish
#define heddle_histogram_begin staged_histogram_begin
#define heddle_histogram_update staged_histogram_update
#define heddle_histogram_finish staged_histogram_finish
#define heddle_state_free staged_state_free
#endif

#endif
