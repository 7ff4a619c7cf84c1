/* failure.c - what stands in standard output is written first, so that the message comes last */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

void fail(const char *format, ...) {
  va_list list;
  fflush(stdout);
  fputs("heddle ladder: ", stderr);
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  fputc('\n', stderr);
  exit(STATUS_USAGE);
}

static void no_memory(void) { fail("out of memory"); }

void fail_without_memory(void) { text_no_memory = no_memory; }
