/* The few bytes between the end of a block and its closed page.
 *
 * Result   a kernel that writes there is reported, by name, when the next call comes: such a write
 *          is as wrong as any behind the end, but too near to fault
 * Method   the bytes hold a pattern; it is looked at before each launch and each waiting call
 * Limits   reads are not seen, nor writes of the pattern itself; GAPS blocks at a time
 */
#include "observer.h"
#include "runtime.h"

#include <stdatomic.h>
#include <string.h>

enum { GAPS = 4096, MOST = 255, PATTERN = 0xA5 };

static struct gap {
  unsigned char *begin;
  size_t bytes, block_bytes;
} gaps[GAPS];
static size_t count;
static _Atomic(const struct simt_kernel *) ran; /* since the last look */

/* Both under the lock of rt_allocate and rt_release. */
void rt_slack_add(uintptr_t end, size_t bytes, size_t block_bytes) {
  if (bytes == 0 || bytes > MOST || count == GAPS) return;
  gaps[count] = (struct gap){(unsigned char *)end - bytes, bytes, block_bytes};
  memset(gaps[count++].begin, PATTERN, bytes);
}

void rt_slack_forget(uintptr_t end) {
  for (size_t i = 0; i < count; i++) {
    if ((uintptr_t)gaps[i].begin + gaps[i].bytes != end) continue;
    gaps[i] = gaps[--count];
    return;
  }
}

/* A checker has seen the access itself. */
static void look(struct gap *gap, const struct simt_kernel *kernel) {
  const unsigned char *at = gap->begin;
  if (*at == PATTERN && !memcmp(at, at + 1, gap->bytes - 1)) return;
  if (!sd_observer || !sd_observer->finding)
    sd_report("out of bounds: kernel %s (%s:%d) wrote just behind the %zu bytes at %p",
              kernel->name, kernel->file, kernel->line, gap->block_bytes,
              (const void *)(at - gap->block_bytes));
  memset(gap->begin, PATTERN, gap->bytes);
}

void rt_slack_look(const struct simt_kernel *next) {
  if (!count || !atomic_load(&ran)) {
    if (next) atomic_store(&ran, next);
    return;
  }
  rt_lock();
  const struct simt_kernel *kernel = atomic_exchange(&ran, next);
  for (size_t i = 0; kernel && i < count; i++) look(&gaps[i], kernel);
  rt_unlock();
}
