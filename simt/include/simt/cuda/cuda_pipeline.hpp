// cuda::pipeline.
//
// Method   copies are complete when the call returns. A pipeline of one thread has nothing to
//          wait for; one of a group counts, for each stage, how often it was filled and emptied,
//          over its whole life: use u of a stage may be read after (u + 1) * producers commits
//          and filled after u * consumers releases
// Limits   quit does not lower the counts: no thread may go on waiting for one that has quit
// Source   libcu++, cuda::pipeline
#ifndef SIMT_CUDA_PIPELINE_HPP
#define SIMT_CUDA_PIPELINE_HPP

#include "cuda_barrier.hpp"

namespace cuda {

enum class pipeline_role { producer, consumer };

namespace simt_detail {

struct stage_count {
  unsigned filled, emptied;
};

struct pipeline_state {
  unsigned producers, consumers, stages;
  stage_count *stage;
};

struct count_wait {
  const unsigned *count;
  unsigned enough;
};
inline SIMT_QUIET int is_enough(void *user) {
  const count_wait *w = static_cast<const count_wait *>(user);
  return int(__atomic_load_n(w->count, __ATOMIC_SEQ_CST) - w->enough) >= 0;
}

// A pipeline is of a block's threads.
enum {
  STAGE_DONE = SIMT_ORDER(__ATOMIC_ACQ_REL, SIMT_FENCE_BLOCK),
  STAGE_WAIT = SIMT_ORDER(__ATOMIC_ACQUIRE, SIMT_FENCE_BLOCK)
};

} // namespace simt_detail

template <thread_scope Scope, unsigned char Stages> class pipeline_shared_state {
public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state &) = delete;
  pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;

  SIMT_QUIET simt_detail::pipeline_state *simt_start() {
    state_.producers = state_.consumers = 0;
    state_.stages = Stages;
    state_.stage = stages_;
    for (auto &s : stages_) s = simt_detail::stage_count();
    ::simt::notify_write(this, sizeof *this);
    return &state_;
  }
  simt_detail::pipeline_state *simt_state() { return &state_; }

private:
  simt_detail::pipeline_state state_;
  simt_detail::stage_count stages_[Stages];
};

template <thread_scope Scope> class pipeline {
public:
  explicit pipeline(simt_detail::pipeline_state *state) : state_(state), head_(0), tail_(0) {}
  pipeline(pipeline &&) = default;
  pipeline &operator=(pipeline &&) = default;
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;

  bool quit() { return false; }

  SIMT_SEEN void producer_acquire(::simt::location at = SIMT_HERE) {
    if (state_)
      wait_for(&stage(head_).emptied, head_ / state_->stages * state_->consumers,
               "cuda::pipeline::producer_acquire", at);
  }
  SIMT_SEEN void producer_commit() {
    if (state_)
      ::simt::fetch_add(&stage(head_).filled, 1u, simt_detail::STAGE_DONE);
    else
      ::simt::async_committed();
    head_++;
  }
  SIMT_SEEN void consumer_wait(::simt::location at = SIMT_HERE) {
    if (state_) {
      wait_for(&stage(tail_).filled, (tail_ / state_->stages + 1) * state_->producers,
               "cuda::pipeline::consumer_wait", at);
      ::simt::async_seen(&stage(tail_).filled, tail_ / state_->stages);
    } else {
      ::simt::async_wait(head_ - tail_ - 1);
    }
  }
  template <class Duration>
  bool consumer_wait_for(const Duration &, ::simt::location at = SIMT_HERE) {
    consumer_wait(at);
    return true;
  }
  SIMT_SEEN void consumer_release() {
    if (state_) ::simt::fetch_add(&stage(tail_).emptied, 1u, simt_detail::STAGE_DONE);
    tail_++;
  }

  // What a copy is for.
  SIMT_SMALL const unsigned *simt_stage() { return state_ ? &stage(head_).filled : nullptr; }
  SIMT_SMALL unsigned simt_use() const { return state_ ? head_ / state_->stages : 0; }

private:
  SIMT_SMALL simt_detail::stage_count &stage(unsigned use) {
    return state_->stage[use % state_->stages];
  }
  static SIMT_SEEN void wait_for(const unsigned *count, unsigned enough, const char *what,
                                 ::simt::location at) {
    simt_detail::count_wait w = {count, enough};
    ::simt::wait_until(simt_detail::is_enough, &w, what, at);
    (void)::simt::load(count, simt_detail::STAGE_WAIT);
  }

  simt_detail::pipeline_state *state_;
  unsigned head_, tail_;
};

inline pipeline<thread_scope_thread> make_pipeline() {
  return pipeline<thread_scope_thread>(nullptr);
}

namespace simt_detail {

// Who must arrive: all threads of the group.
template <thread_scope Scope, unsigned char Stages, class Group>
inline SIMT_QUIET pipeline<Scope> start_pipeline(const Group &g,
                                                 pipeline_shared_state<Scope, Stages> *shared,
                                                 bool produces, bool consumes) {
  if (g.thread_rank() == 0) shared->simt_start();
  g.sync();
  if (produces) ::simt::fetch_add(&shared->simt_state()->producers, 1u);
  if (consumes) ::simt::fetch_add(&shared->simt_state()->consumers, 1u);
  g.sync();
  return pipeline<Scope>(shared->simt_state());
}

} // namespace simt_detail

template <class Group, thread_scope Scope, unsigned char Stages>
inline SIMT_QUIET pipeline<Scope> make_pipeline(const Group &g,
                                                pipeline_shared_state<Scope, Stages> *shared) {
  return simt_detail::start_pipeline(g, shared, true, true);
}
template <class Group, thread_scope Scope, unsigned char Stages>
inline SIMT_QUIET pipeline<Scope>
make_pipeline(const Group &g, pipeline_shared_state<Scope, Stages> *shared, size_t producers) {
  const bool produces = g.thread_rank() < producers;
  return simt_detail::start_pipeline(g, shared, produces, !produces);
}
template <class Group, thread_scope Scope, unsigned char Stages>
inline SIMT_QUIET pipeline<Scope>
make_pipeline(const Group &g, pipeline_shared_state<Scope, Stages> *shared, pipeline_role role) {
  return simt_detail::start_pipeline(g, shared, role == pipeline_role::producer,
                                     role == pipeline_role::consumer);
}

template <unsigned char Prior>
inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) {
  ::simt::async_wait(Prior);
}
template <thread_scope Scope>
inline void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<Scope> &b) {
  ::simt::async_bind(b.simt_word(), ::simt::phase_now(b.simt_word()));
}

template <class Shape, thread_scope Scope>
SIMT_SEEN async_contract_fulfillment memcpy_async(void *to, const void *from, Shape bytes,
                                                  pipeline<Scope> &p) {
  ::simt::copy_bytes(to, from, size_t(bytes));
  if (p.simt_stage())
    ::simt::async_bound(to, size_t(bytes), p.simt_stage(), p.simt_use());
  else
    ::simt::async_copied(to, size_t(bytes));
  return async_contract_fulfillment::none;
}
template <class Group, class Shape, thread_scope Scope>
SIMT_SEEN async_contract_fulfillment memcpy_async(const Group &g, void *to, const void *from,
                                                  Shape bytes, pipeline<Scope> &p) {
  return simt_detail::copy_share(g, to, from, size_t(bytes), p.simt_stage(), p.simt_use());
}

} // namespace cuda
#endif
