/* devices.h - what --device could name on this machine, and why not
 *
 * Method  A context is opened on each: cpu, cuda:0, cuda:1, ... until there is none, simt */
#ifndef HEDDLE_CLI_COMMANDS_DEVICES_H
#define HEDDLE_CLI_COMMANDS_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

struct device_entry {
  char device[64]; /* "cuda:0" */
  bool found;
  char text[256]; /* its name; or, if it was not found, the library's message */
};
enum { DEVICES = 66 };

size_t devices_list(struct device_entry list[DEVICES]);

#endif
