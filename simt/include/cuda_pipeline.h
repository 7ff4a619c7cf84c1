// nvcuda::experimental::pipeline, the forerunner of cuda::pipeline.
//
// Method   copies are complete when the call returns; the checker is told who has to wait
#ifndef SIMT_CUDA_PIPELINE_H
#define SIMT_CUDA_PIPELINE_H
#include "simt/names_begin.inc"

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

namespace nvcuda {
namespace experimental {

class pipeline {
public:
  pipeline() : committed_(0) {}
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
  SIMT_SMALL size_t commit() {
    simt::async_committed();
    return committed_++;
  }
  SIMT_SMALL void commit_and_wait() { wait(commit()); }
  SIMT_SMALL void wait(size_t batch) { simt::async_wait(committed_ - batch - 1); }
  template <unsigned Prior> SIMT_SMALL void wait_prior() { simt::async_wait(Prior); }
  SIMT_SMALL void arrive_on(awbarrier &barrier) {
    simt::async_bind(barrier.simt_word(), simt::phase_now(barrier.simt_word()));
  }

private:
  size_t committed_;
};

template <class T> SIMT_SEEN void memcpy_async(T &to, const T &from, pipeline &) {
  simt::copy_bytes(&to, &from, sizeof(T));
  simt::async_copied(&to, sizeof(T));
}
template <size_t Bytes, size_t Source = Bytes>
SIMT_SEEN void memcpy_async(void *to, const void *from, pipeline &) {
  __pipeline_memcpy_async(to, from, Bytes, Bytes - Source);
}

} // namespace experimental
} // namespace nvcuda
#include "simt/names_end.inc"
#endif
