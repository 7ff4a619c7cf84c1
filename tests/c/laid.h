/* laid.h - arrays cut into parts, and the parts laid on the host and on devices by lot
 *
 * Contexts: the CPU; of software devices, unless HEDDLE_TEST_DEVICES has none, a group of four, one of two
 * and a single one. */
#ifndef TESTS_LAID_H
#define TESTS_LAID_H

#include "support.h"

enum { LAID_DEVICES = 4, LAID_CONTEXTS = 4, LAID_PARTS = 11 };

extern heddle_context *laid_cpu;                 /* whose bits all have */
extern heddle_context *laid_on[LAID_CONTEXTS];   /* the CPU, simt:all, simt:2,0, simt:2 */
extern heddle_context *laid_owner[LAID_DEVICES]; /* on each device: it allocates there */
extern size_t laid_contexts, laid_devices;       /* how many there are */
int laid_setup(void **unused);
int laid_teardown(void **unused);

uint64_t laid_draw(uint64_t below);
/* Where the parts of n elements end: anywhere, at multiples of a chunk, beside one another; all are multiples
 * of `group`, as n is. How many parts. */
size_t laid_cut(size_t n, size_t group, size_t end[LAID_PARTS]);

struct laid {
  heddle_part part[LAID_PARTS];
  void *memory[LAID_PARTS];
  int device[LAID_PARTS]; /* -1: the host */
  heddle_parts parts;
  size_t size;
};
/* Copies of an array's parts, each on a device of context c or on the host; on no other device than its like
 * of `beside`, if that is given. */
void laid_lay(struct laid *laid, size_t c, const void *x, size_t size, size_t parts,
              const size_t *end, const struct laid *beside);
/* What is there now, as one array. */
void laid_fetch(const struct laid *laid, void *to);
void laid_drop(struct laid *laid);

#endif
