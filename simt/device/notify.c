/* What a watched program says of itself beyond its accesses. */
#include "grid.h"
#include "observer.h"

void simt_polling(int on) {
  if (sd_me && sd_me->lane) sd_me->lane->polling = on;
}

void simt_release(const void *object, int scope) {
  if (sd_me && sd_me->lane) SD_TELL(release, object, scope);
}

void simt_acquire(const void *object, int scope) {
  if (sd_me && sd_me->lane) SD_TELL(acquire, object, scope);
}
