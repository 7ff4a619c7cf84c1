/* machine.h - what this processor is and how much of it this process may use */
#ifndef HEDDLE_HOST_MACHINE_H
#define HEDDLE_HOST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/* The smaller of the affinity mask and the cgroup's quota (cpu.max, rounded up); at least 1. */
unsigned hd_machine_threads(void);
/* Bytes of the last cache before memory, as the system tells; 0 if it does not. */
size_t hd_machine_cache(void);
/* Bytes of the cache that each processor has to itself; a guess where the system does not tell. */
size_t hd_machine_near_cache(void);
/* The processor's own name, "unknown processor" if it has none. */
void hd_machine_name(char *out, size_t bytes);

#endif
