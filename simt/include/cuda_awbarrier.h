// nvcuda::experimental::awbarrier, the forerunner of cuda::barrier.
//
// Method   simt/cuda/phase_word.hpp
#ifndef SIMT_CUDA_AWBARRIER_H
#define SIMT_CUDA_AWBARRIER_H
#include "simt/names_begin.inc"

#include "cuda_awbarrier_primitives.h"

namespace nvcuda {
namespace experimental {

class awbarrier {
public:
  class arrival_token {
  public:
    arrival_token() = default;
    SIMT_SMALL unsigned pending_count() const { return simt::phase_pending(word_); }

  private:
    friend class awbarrier;
    explicit SIMT_SMALL arrival_token(__mbarrier_token_t word) : word_(word) {}
    __mbarrier_token_t word_;
  };

  awbarrier() = default;
  awbarrier(const awbarrier &) = delete;
  awbarrier &operator=(const awbarrier &) = delete;

  SIMT_SEEN arrival_token arrive() { return arrival_token(__mbarrier_arrive(&word_)); }
  SIMT_SEEN arrival_token arrive_and_drop() {
    return arrival_token(__mbarrier_arrive_and_drop(&word_));
  }
  SIMT_SEEN bool timed_wait(arrival_token token, unsigned) const {
    return simt::phase_test(&word_, simt::phase_number(token.word_));
  }
  SIMT_SEEN bool timed_wait_parity(bool parity, unsigned) const {
    return simt::phase_test_parity(&word_, parity);
  }
  SIMT_SEEN void wait(arrival_token token, simt::location at = SIMT_HERE) const {
    simt::phase_wait(&word_, simt::phase_number(token.word_), "awbarrier::wait", at);
  }
  SIMT_SEEN void arrive_and_wait(simt::location at = SIMT_HERE) { wait(arrive(), at); }
  static constexpr unsigned max() { return simt::PHASE_LIMIT; }

  const simt::phase_word *simt_word() const { return &word_; }

private:
  friend void init(awbarrier *b, unsigned expected) { __mbarrier_init(&b->word_, expected); }
  __mbarrier_t word_;
};

} // namespace experimental
} // namespace nvcuda
#include "simt/names_end.inc"
#endif
