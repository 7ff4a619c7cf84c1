/* Vector clocks over a fixed number of slots, which streams and branches of graphs share.
 *
 * Method   slot 0 is the legacy default stream, slot 1 what finds no slot of its own: all such
 *          streams count as one. A slot whose stream is gone is used again when all that was in
 *          it is ordered before the new use. A node of a graph goes on in the slot of a node that
 *          it depends on, if it is the first to do so, else in a slot of its own
 * Limits   EVENTS recorded events; one that finds no slot counts as recorded behind everything
 */
#include "clocks.h"
#include "check.h"
#include "entries.h"
#include "streams.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { EVENTS = 8192, LEGACY = 0, SHARED = 1, FIRST = 2 };

static struct slot {
  void *stream; /* NULL: a branch of a graph */
  bool taken, blocking;
  uint32_t count;   /* operations */
  uint32_t seen;    /* of these, how many another clock knows of */
  unsigned ordinal; /* of the stream, as the program made them */
  struct ck_clock clock;
} slots[CK_SLOTS] = {[LEGACY] = {.taken = true}, [SHARED] = {.taken = true, .blocking = true}};
static unsigned used = FIRST, streams_made;
static struct ck_clock host;

static struct event {
  void *event;
  struct ck_clock clock;
} * events;

static _Thread_local struct {
  unsigned depth;
  unsigned home; /* slot of the stream */
  size_t nodes, running;
  struct node {
    struct ck_clock clock;
    unsigned slot;
    bool continued;
  } * node;
  size_t mapped;
  /* of the stream before the first node; it stands behind the nodes, as thread-local storage is
   * short in a library that may be loaded late */
  const struct ck_clock *base;
  bool home_taken;
} graph;

static _Thread_local char per_thread; /* its address stands for cudaStreamPerThread */

static void join(struct ck_clock *into, const struct ck_clock *from) {
  for (unsigned i = 0; i < used; i++)
    if (from->done[i] > into->done[i]) into->done[i] = from->done[i];
}

/* From now on others know how far each slot is. */
static void share(const struct ck_clock *clock) {
  for (unsigned i = 0; i < used; i++)
    if (clock->done[i] > slots[i].seen) slots[i].seen = clock->done[i];
}

bool ck_slot_seen(unsigned slot, uint32_t number) {
  return slot == CK_NO_SLOT || slots[slot].seen >= number;
}

/* ---- Slots ----------------------------------------------------------------------------------- */

/* A slot that is free, or whose operations are all done in `clock`. */
static unsigned take_slot(const struct ck_clock *clock) {
  for (unsigned i = FIRST; i < used; i++)
    if (!slots[i].taken && clock->done[i] >= slots[i].count) return i;
  return used < CK_SLOTS ? used++ : SHARED;
}

static unsigned add_stream(void *stream, bool blocking, unsigned ordinal) {
  const unsigned i = take_slot(&host);
  if (i == SHARED) return i;
  slots[i].stream = stream;
  slots[i].taken = true;
  slots[i].blocking = blocking;
  slots[i].ordinal = ordinal;
  slots[i].clock = host;
  return i;
}

static unsigned slot_of(void *stream) {
  if ((uintptr_t)stream <= 1) return LEGACY;
  if ((uintptr_t)stream == 2) stream = &per_thread;
  for (unsigned i = FIRST; i < used; i++)
    if (slots[i].taken && slots[i].stream == stream) return i;
  return stream == &per_thread ? add_stream(stream, true, 0) : SHARED;
}

void ck_on_stream_made(void *stream, bool blocking) {
  CK_ALONE;
  add_stream(stream, blocking, ++streams_made);
}

void ck_on_stream_gone(void *stream) {
  CK_ALONE;
  const unsigned i = slot_of(stream);
  if (i >= FIRST) slots[i].taken = false;
}

const char *ck_slot_name(unsigned slot, char *text, size_t size) {
  if (slot == LEGACY)
    snprintf(text, size, "the default stream");
  else if (slot < used && slots[slot].stream && slots[slot].ordinal)
    snprintf(text, size, "stream %u", slots[slot].ordinal);
  else
    snprintf(text, size, slot < used && !slots[slot].stream ? "a graph" : "a stream");
  return text;
}

/* ---- Operations ------------------------------------------------------------------------------ */

/* The clock of a slot's stream as it would be at an operation of now. */
static struct ck_clock *at_stream(unsigned slot) {
  struct ck_clock *clock = &slots[slot].clock;
  join(clock, &host);
  if (slot == LEGACY) {
    for (unsigned i = SHARED; i < used; i++)
      if (slots[i].blocking) {
        join(clock, &slots[i].clock);
        if (slots[i].count > slots[i].seen) slots[i].seen = slots[i].count;
      }
  } else if (slots[slot].blocking) {
    join(clock, &slots[LEGACY].clock);
    slots[LEGACY].seen = slots[LEGACY].count;
  }
  return clock;
}

const struct ck_clock *ck_clock_operation(void *stream, unsigned *slot, uint32_t *number) {
  const bool node = graph.depth && graph.running < graph.nodes;
  *slot = node ? graph.node[graph.running].slot : slot_of(stream);
  struct ck_clock *clock = node ? &graph.node[graph.running].clock : at_stream(*slot);
  *number = clock->done[*slot] = ++slots[*slot].count;
  return clock;
}

const struct ck_clock *ck_clock_of_stream(void *stream) {
  if (graph.depth) return &host;
  return at_stream(slot_of(stream));
}

/* ---- The host -------------------------------------------------------------------------------- */

const struct ck_clock *ck_host_clock(void) { return &host; }

void ck_clock_host_joins(const struct ck_clock *clock) {
  if (graph.depth) return;
  join(&host, clock);
  share(clock);
}

void ck_clock_host_joins_all(void) {
  if (graph.depth) return;
  for (unsigned i = 0; i < used; i++) host.done[i] = slots[i].seen = slots[i].count;
}

/* ---- Events ---------------------------------------------------------------------------------- */

static struct event *event_slot(void *event, bool make) {
  if (!events) {
    void *memory = mmap(NULL, EVENTS * sizeof *events, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    events = memory;
  }
  struct event *free_one = NULL;
  const size_t start = ((uintptr_t)event >> 4) * 0x9E3779B1u % EVENTS;
  for (size_t n = 0; n < EVENTS; n++) {
    struct event *e = &events[(start + n) % EVENTS];
    if (e->event == event) return e;
    if ((!e->event || e->event == &events) && !free_one) free_one = e;
    if (!e->event) break;
  }
  if (!make || !free_one) return NULL;
  free_one->event = event;
  return free_one;
}

void ck_on_event_recorded(void *event, void *stream) {
  CK_ALONE;
  struct event *e = event_slot(event, true);
  const bool node = graph.depth && graph.running < graph.nodes;
  if (!e) return;
  e->clock = node ? graph.node[graph.running].clock : *at_stream(slot_of(stream));
  share(&e->clock);
}

/* Its slot stays taken, so that those behind it are found. */
void ck_on_event_gone(void *event) {
  CK_ALONE;
  struct event *e = event_slot(event, false);
  if (e) e->event = &events;
}

const struct ck_clock *ck_clock_of_event(void *event) {
  const struct event *e = event_slot(event, false);
  return e ? &e->clock : NULL;
}

void ck_on_stream_waits(void *stream, void *event) {
  CK_ALONE;
  const struct ck_clock *clock = ck_clock_of_event(event);
  const bool node = graph.depth && graph.running < graph.nodes;
  if (!clock) return;
  join(node ? &graph.node[graph.running].clock : at_stream(slot_of(stream)), clock);
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

void ck_on_graph_begin(void *stream, size_t nodes) {
  CK_ALONE;
  if (graph.depth++) return;
  graph.home = slot_of(stream);
  graph.home_taken = false;
  graph.mapped = (nodes + 1) * sizeof *graph.node;
  graph.node = mmap(NULL, graph.mapped, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  graph.nodes = graph.node == MAP_FAILED ? 0 : nodes;
  if (graph.nodes) {
    graph.node[nodes].clock = *at_stream(graph.home);
    graph.base = &graph.node[nodes].clock;
  }
  graph.running = nodes;
}

/* Where a node goes on: behind one that it depends on, or in the stream, or by itself. */
static unsigned slot_of_node(const struct ck_clock *clock, const size_t *before, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct node *b = &graph.node[before[i]];
    if (b->continued) continue;
    b->continued = true;
    return b->slot;
  }
  if (!graph.home_taken) {
    graph.home_taken = true;
    return graph.home;
  }
  const unsigned i = take_slot(clock);
  if (i == SHARED) return i;
  slots[i].stream = NULL;
  slots[i].taken = true;
  slots[i].blocking = false;
  return i;
}

void ck_on_graph_node(size_t node, const size_t *before, size_t count) {
  CK_ALONE;
  if (graph.depth != 1 || node >= graph.nodes) return;
  struct node *n = &graph.node[node];
  n->clock = *graph.base;
  for (size_t i = 0; i < count; i++) {
    join(&n->clock, &graph.node[before[i]].clock);
    share(&graph.node[before[i]].clock);
  }
  n->slot = slot_of_node(&n->clock, before, count);
  graph.running = node;
}

void ck_on_graph_end(void) {
  CK_ALONE;
  if (graph.depth == 0 || --graph.depth) return;
  struct ck_clock *clock = &slots[graph.home].clock;
  for (size_t i = 0; i < graph.nodes; i++) {
    join(clock, &graph.node[i].clock);
    if (graph.node[i].slot >= FIRST && !slots[graph.node[i].slot].stream)
      slots[graph.node[i].slot].taken = false;
  }
  share(clock);
  if (graph.node != MAP_FAILED) munmap(graph.node, graph.mapped);
}
