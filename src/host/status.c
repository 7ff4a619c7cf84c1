/* status.c - statuses, the thread's message, versions and type names */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "order/types.h"

static _Thread_local char message[HD_MESSAGE_BYTES];

heddle_status hd_fail(heddle_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return status;
}

const char *heddle_message(void) { return message; }

void hd_message_keep(struct hd_message *kept) { memcpy(kept->text, message, sizeof message); }
void hd_message_restore(const struct hd_message *kept) {
  memcpy(message, kept->text, sizeof message);
}

const char *heddle_status_name(heddle_status status) {
  static const char *const names[] = {
#define X(NAME) [HEDDLE_##NAME] = "HEDDLE_" #NAME,
      HD_STATUSES(X)
#undef X
  };
  size_t i = (size_t)status;
  return i < sizeof names / sizeof *names ? names[i] : "unknown status";
}

int heddle_version(void) { return HEDDLE_VERSION; }
int heddle_abi(void) { return HEDDLE_ABI; }

#define TEXT_OF(x) #x
#define VERSION_TEXT(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)
const char *heddle_version_string(void) {
  return VERSION_TEXT(HEDDLE_VERSION_MAJOR, HEDDLE_VERSION_MINOR, HEDDLE_VERSION_PATCH);
}

static const struct {
  const char *name;
  size_t bytes;
} types[] = {
#define X(ENUM, name, ...) [HEDDLE_##ENUM] = {#name, sizeof(name)},
    HD_TYPES(X)
#undef X
};

size_t heddle_type_size(heddle_type type) { return hd_is_type(type) ? types[type].bytes : 0; }

const char *heddle_type_name(heddle_type type) {
  return hd_is_type(type) ? types[type].name : "unknown type";
}

heddle_type heddle_type_parse(const char *name) {
  for (size_t t = 0; name && t < sizeof types / sizeof *types; t++)
    if (types[t].name && !strcmp(name, types[t].name)) return (heddle_type)t;
  return HEDDLE_TYPE_DEFAULT;
}

const char *hd_op_name(heddle_op op) {
  switch (op) {
#define X(ENUM, name, ...) \
  case HEDDLE_##ENUM: return #name;
    HD_OPS(X)
#undef X
  case HEDDLE_OP_CUSTOM: return "custom";
  }
  return "unknown operator";
}
