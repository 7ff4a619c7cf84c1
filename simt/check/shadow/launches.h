/* Kernels, copies and fills by number, for what is said of them later. */
#ifndef SIMT_CHECK_LAUNCHES_H
#define SIMT_CHECK_LAUNCHES_H

#include "check.h"

struct ck_launch {
  uint32_t number;
  char name[FINDING_NAME]; /* of the kernel, which may be gone; "" for a copy */
  struct uint3 grid, block;
  uint64_t blocks;
};
const struct ck_launch *ck_launch_of(uint32_t number);
/* ck_next_launch - a number for a launch, copy or fill */
uint32_t ck_next_launch(const struct grid *grid);

#endif
