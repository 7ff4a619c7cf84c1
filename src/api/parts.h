/* parts.h - checks that calls on arrays in parts share */
#ifndef HEDDLE_API_PARTS_H
#define HEDDLE_API_PARTS_H

#include "api.h"
#include "parts/parts.h"

/* A context, which is not preparing. */
heddle_status hd_parts_check_ready(const char *entry, heddle_context *ctx);
/* An array's parts as this version knows them, and how many elements they have together. */
heddle_status hd_parts_read(const char *entry, heddle_context *ctx, const char *what,
                            const heddle_parts *given, size_t element_bytes, heddle_parts *parts,
                            size_t *count);
/* Both are cut at the same elements. */
heddle_status hd_parts_check_alike(const char *entry, const char *what, const heddle_parts *a,
                                   const char *other, const heddle_parts *b);
/* Results come from several devices, and to the host. */
heddle_status hd_parts_check_on_host(const char *entry, heddle_context *ctx, const char *what,
                                     const void *out);
/* y: of a dot, or weights; out: of a scan; both cut as x is, or NULL. *part has as many as x has parts, to be
 * released with *bytes. */
heddle_status hd_parts_gather(heddle_context *ctx, const heddle_parts *x, const heddle_parts *y,
                              const heddle_parts *out, struct hd_part **part, size_t *bytes);

#endif
