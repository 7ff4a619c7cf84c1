/* The two ends of a copy or fill: where they are and whose memory they are of. */
#ifndef SIMT_CHECK_COPIES_H
#define SIMT_CHECK_COPIES_H

#include "observer.h"

#include <stdint.h>

struct ck_end {
  uintptr_t address;
  size_t pitch, slice;
  size_t bytes; /* from the first to the last */
  bool writes;
  bool device;   /* memory of the device that the host cannot reach */
  bool fresh;    /* from cudaMalloc: nothing has written it but what the checker saw */
  bool pageable; /* ordinary memory of the host */
  bool tracked;  /* has shadow cells */
};
struct ck_end ck_end_of(const struct sd_copy *copy, bool writes);

/* ck_report_refused - says which end of a refused copy or fill is wrong */
void ck_report_refused(const struct sd_copy *copy, bool fill);

#endif
