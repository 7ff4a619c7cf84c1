/* failure.h - mistakes and failures that end heddle-ladder
 *
 * Result   one line on standard error, "heddle ladder: ..."; what was to be removed is removed
 */
#ifndef LADDER_TOOL_FAILURE_H
#define LADDER_TOOL_FAILURE_H

enum { STATUS_RIGHT = 0, STATUS_WRONG = 1, STATUS_USAGE = 2 };

/* fail - the message, and exit(STATUS_USAGE) */
void fail(const char *format, ...) __attribute__((__format__(printf, 1, 2)))
__attribute__((noreturn));

/* fail_without_memory - from then on, memory that cannot be had ends the program in the same way */
void fail_without_memory(void);

#endif
