/* hdf5.h - a dataset of an HDF5 or NetCDF-4 file, read by libhdf5 in a process of its own
 *
 * The library is found when it is needed, and what a hostile file does to it ends with that process (child.h). */
#ifndef HEDDLE_CLI_INPUT_HELPER_HDF5_H
#define HEDDLE_CLI_INPUT_HELPER_HDF5_H

#include "input/internal.h"

bool hdf5_has_magic(const unsigned char *bytes, size_t count);
/* The stream becomes that of a .npy array. */
int hdf5_open(struct input *in, struct failure *why);

/* hdf5_child.c: what the process does, which is this program again with HDF5_CHILD as its first argument and then the
 * dataset's name, or none: its exit status. */
#define HDF5_CHILD "--read-hdf5"
int hdf5_child(const char *member);
/* How a program that calls hdf5_child in its main says so; others do not read HDF5. */
void hdf5_allow(void);

#endif
