/* What an instrumented program makes known beyond its accesses. */
#include "grid.h"
#include "observer.h"

void simt_polling(int on) {
  if (sd_current && sd_current->lane) sd_current->lane->polling = on;
}

void simt_release(const void *object, int scope) {
  if (sd_current && sd_current->lane) SD_NOTIFY(release, object, scope);
}

void simt_acquire(const void *object, int scope) {
  if (sd_current && sd_current->lane) SD_NOTIFY(acquire, object, scope);
}
