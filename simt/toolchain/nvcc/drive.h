/* drive.h - does what a command line of nvcc's asks for */
#ifndef SIMT_TOOLCHAIN_NVCC_DRIVE_H
#define SIMT_TOOLCHAIN_NVCC_DRIVE_H

#include "line.h"

/* nvcc_show_environment - the lines "#$ TOP=..." by which builds find the toolkit, on standard
 * error. False: there is none, a message has been printed */
bool nvcc_show_environment(const char *program);
/* nvcc_drive - the exit status; messages are printed */
int nvcc_drive(const char *program, struct nvcc_line *line);

#endif
