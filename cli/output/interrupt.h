/* interrupt.h - signals: partial output goes, the exit status says so */
#ifndef HEDDLE_CLI_OUTPUT_INTERRUPT_H
#define HEDDLE_CLI_OUTPUT_INTERRUPT_H

#include <stdbool.h>

/* The first SIGINT sets a flag that interrupt_poll reports, so that a computation ends in order;
 * while waiting for input, and on the second, the process ends at once. */
void interrupt_catch(void);
/* Before another program takes this one's place: it gets SIGXFSZ as it was. */
void interrupt_release(void);
int interrupt_poll(void *unused); /* a heddle_poll */
void interrupt_waiting(bool waiting);

#endif
