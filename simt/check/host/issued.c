/* Operations that were issued behind a kernel that waits for the host: reports name the calls by which they
 * were issued. */
#include "call_stack.h"
#include "check.h"
#include "entries.h"
#include "host.h"

#include <stdlib.h>

void ck_on_issued(void **call) {
  struct ck_call *kept = malloc(sizeof *kept);
  if (kept) *kept = ck_call_here();
  *call = kept;
}

void ck_on_issued_begin(void *call) {
  const struct ck_call *kept = call;
  ck_call_is(kept);
  if (kept) ck_configured_at(kept);
}

void ck_on_issued_end(void *call) {
  ck_call_is(NULL);
  free(call);
}
