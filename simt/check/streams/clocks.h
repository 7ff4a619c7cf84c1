/* Clocks of streams, events, graph nodes and the host: how much of each stream is done before. */
#ifndef SIMT_CHECK_CLOCKS_H
#define SIMT_CHECK_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CK_SLOTS = 128, CK_NO_SLOT = CK_SLOTS };

/* For each slot (a stream, or a branch of a graph): how many of its operations are done. */
struct ck_clock {
  uint32_t done[CK_SLOTS];
};

/* ck_clock_operation - one more operation of a stream, or of the running node of a graph: its
 * clock (good until the stream's next operation), slot and number there */
const struct ck_clock *ck_clock_operation(void *stream, unsigned *slot, uint32_t *number);
/* ck_clock_of_stream - what has been given to it so far; waiting for the legacy stream means
 * waiting for all that block it */
const struct ck_clock *ck_clock_of_stream(void *stream);
const struct ck_clock *ck_clock_of_event(void *event); /* NULL: never recorded */
const struct ck_clock *ck_host_clock(void);
void ck_clock_host_joins(const struct ck_clock *clock);
void ck_clock_host_joins_all(void);
/* ck_slot_seen - another clock has taken over what this slot had done at `number` or later */
bool ck_slot_seen(unsigned slot, uint32_t number);
const char *ck_slot_name(unsigned slot, char *text, size_t size);

#endif
