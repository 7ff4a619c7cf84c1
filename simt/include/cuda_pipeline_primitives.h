// Asynchronous copies, as C functions.
//
// Result   __pipeline_memcpy_async and its waits
// Method   the copy is complete when the call returns; the checker is told who has to wait
// Source   CUDA C++ Programming Guide, Asynchronous Data Copies, Primitives Interface
#ifndef SIMT_CUDA_PIPELINE_PRIMITIVES_H
#define SIMT_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_awbarrier_primitives.h"

SIMT_SEEN void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0) {
  simt::copy_vector(to, from, bytes, bytes - zeros);
  simt::async_copied(to, bytes);
}
SIMT_SMALL void __pipeline_commit() { simt::async_committed(); }
SIMT_SMALL void __pipeline_wait_prior(size_t prior) { simt::async_wait(prior); }
SIMT_SMALL void __pipeline_arrive_on(__mbarrier_t *barrier) {
  simt::async_bind(barrier, simt::phase_now(barrier));
}

#endif
