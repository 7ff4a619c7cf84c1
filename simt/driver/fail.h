/* fail.h - errors on demand, for tests of programs that use the two libraries
 *
 * Result   SIMT_FAIL="cuMemAlloc_v2:2,cuLaunchKernel:1:719": the second call of the one from now on
 *          fails out of memory, the next launch with 719
 * Method   items ENTRY:N or ENTRY:N:CODE, separated by commas. N+ is every call from the Nth on, an
 *          ENTRY of * is any call. The variable is read at each call, so a program can set it for
 *          itself; when all of its items have been used up it is removed, so that the same value
 *          can be set again
 * Limits   ITEMS items; each library counts the entries that are its own
 */
#ifndef SIMT_DRIVER_FAIL_H
#define SIMT_DRIVER_FAIL_H

/* fail_code - the code with which this call of `entry` has to fail, or 0. `usual` is that of items
 * without a code; `prefix` begins the names that are this library's ("cu", "nvrtc") */
int fail_code(const char *entry, int usual, const char *prefix);

#endif
