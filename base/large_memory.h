/* large_memory.h - arrays that grow far, and are read anywhere: in large pages where the system has them
 *
 * Why     a table of 100 MB that is asked for one slot after another finds few of its addresses translated
 *         where pages are of 4 KiB; and what grows is moved, not copied
 * Limits  who holds such memory knows its size; small memory is malloc's
 */
#ifndef HEDDLE_BASE_LARGE_MEMORY_H
#define HEDDLE_BASE_LARGE_MEMORY_H

#include <stddef.h>

/* large_memory_grow - as realloc: memory of `bytes` with what the `old_bytes` at `old` have
 *
 * Arguments  old        memory of this file's functions, or NULL with 0 bytes
 *            bytes      at least old_bytes, and more than 0
 * Errors     NULL: there is none; `old` stays
 */
void *large_memory_grow(void *old, size_t old_bytes, size_t bytes);

/* large_memory_zeroed - as calloc: `bytes` that are 0, more than none; NULL: there are none */
void *large_memory_zeroed(size_t bytes);

/* large_memory_free - of as many bytes as were asked for last; NULL with 0 bytes is nothing */
void large_memory_free(void *memory, size_t bytes);

#endif
