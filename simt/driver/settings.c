/* The devices that are shown, by the environment (entry.h). All are alike.
 *
 * Result   compute capability 9.0, or that of SIMT_ARCH (8.0, 80, sm_80); 4 multiprocessors, or
 *          SIMT_MULTIPROCESSORS of them: a program that makes its grid from their number is not to
 *          make thousands of blocks here
 */
#include "entry.h"

#include <ctype.h>
#include <stdlib.h>

enum { MULTIPROCESSORS = 4, ARCHITECTURE = 90 };

int settings_architecture(void) {
  const char *text = getenv("SIMT_ARCH");
  if (!text) return ARCHITECTURE;
  int number = 0;
  for (; *text; text++)
    if (isdigit((unsigned char)*text) && number < 1000) number = number * 10 + *text - '0';
  return number >= 50 && number < 1000 ? number : ARCHITECTURE;
}

int settings_multiprocessors(void) {
  const char *text = getenv("SIMT_MULTIPROCESSORS");
  const long number = text ? strtol(text, NULL, 10) : 0;
  return number >= 1 && number <= 1024 ? (int)number : MULTIPROCESSORS;
}

bool settings_device_ok(CUdevice device) { return device >= 0 && device < simt_device_count(); }
