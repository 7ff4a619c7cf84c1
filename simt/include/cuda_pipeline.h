// nvcuda::experimental::pipeline, the forerunner of cuda::pipeline.
//
// Method   copies are complete when the call returns
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
  size_t commit() { return committed_++; }
  void commit_and_wait() { commit(); }
  void wait(size_t) {}
  template <unsigned Prior> void wait_prior() {}
  void arrive_on(awbarrier &) {}

private:
  size_t committed_;
};

template <class T> SIMT_SEEN void memcpy_async(T &to, const T &from, pipeline &) {
  simt::copy_bytes(&to, &from, sizeof(T));
}
template <size_t Bytes, size_t Source = Bytes>
SIMT_SEEN void memcpy_async(void *to, const void *from, pipeline &) {
  __pipeline_memcpy_async(to, from, Bytes, Bytes - Source);
}

} // namespace experimental
} // namespace nvcuda
#include "simt/names_end.inc"
#endif
