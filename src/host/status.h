/* status.h - how the library reports an error: a status and the thread's message */
#ifndef HEDDLE_HOST_STATUS_H
#define HEDDLE_HOST_STATUS_H

#include "heddle.h"

/* Sets the thread's message and returns `status`, so that `return hd_fail(...)` is the idiom.
 * The text says what, where, why and the remedy; it starts with the entry's name. */
heddle_status hd_fail(heddle_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/* Leaves the function with the status of a failed step. */
#define HD_TRY(call) \
  for (heddle_status hd_status_ = (call); hd_status_;) return hd_status_

/* The thread's message, put by around something that may fail without the call failing. */
enum { HD_MESSAGE_BYTES = 2048 }; /* a compiler's first words fit in, too */
struct hd_message {
  char text[HD_MESSAGE_BYTES];
};
void hd_message_keep(struct hd_message *kept);
void hd_message_restore(const struct hd_message *kept);

#endif
