// thread_block_tile: 1 to 32 threads of a warp, or 64 to 1024 threads in whole warps.
//
// Method   the threads of a tile follow each other in the block's linear order. A tile of
//          several warps has counters and a board in thread-local memory, which belongs to the
//          block as its shared memory does
// Limits   tiles of several warps: sync, shfl, any, all, reduce, scan and invoke_one
#ifndef SIMT_CG_TILES_HPP
#define SIMT_CG_TILES_HPP

#include "blocks.hpp"
#include "lanes.hpp"

namespace cooperative_groups {
namespace details {

// A barrier of each tile: entry (threads in the tile, in units of two warps) + its number, as
// in a heap, gives every tile of every size its own. A block is known by the end of its
// dynamic shared memory: what another block left is not looked at.
struct wide_tiles {
  uintptr_t block;
  unsigned arrived[64], phase[64];
  void *board[1024];
};

inline SIMT_QUIET wide_tiles &wide() {
  static __thread wide_tiles tiles;
  if (tiles.block != simt_shared.dynamic_end) {
    for (unsigned i = 0; i < 64; ++i) tiles.arrived[i] = tiles.phase[i] = 0;
    tiles.block = simt_shared.dynamic_end;
  }
  return tiles;
}

struct wide_wait {
  const unsigned *phase;
  unsigned before;
};

inline SIMT_QUIET int wide_ready(void *user) {
  const wide_wait *w = static_cast<const wide_wait *>(user);
  return *w->phase != w->before;
}

inline SIMT_QUIET void wide_sync(unsigned size, simt_location at) {
  wide_tiles &t = wide();
  const unsigned rank = rank_in_block(), tile = rank / size, rest = block_size() - tile * size;
  const unsigned i = 1024 / size + tile;
  simt_release(&t.phase[i], SIMT_FENCE_BLOCK);
  if (++t.arrived[i] == (rest < size ? rest : size)) {
    t.arrived[i] = 0;
    ++t.phase[i];
    simt_acquire(&t.phase[i], SIMT_FENCE_BLOCK);
    return;
  }
  wide_wait w = {&t.phase[i], t.phase[i]};
  simt_wait(wide_ready, &w, "thread_block_tile.sync", at.file, at.line);
  simt_acquire(&t.phase[i], SIMT_FENCE_BLOCK);
}

// Every thread shows where its value is; between the two barriers all may read all.
template <class T, class Read>
inline SIMT_QUIET auto wide_read(unsigned size, const T &value, Read read, simt_location at)
    -> decltype(read(nullptr)) {
  wide_tiles &t = wide();
  const unsigned rank = rank_in_block();
  t.board[rank] = const_cast<T *>(&value);
  wide_sync(size, at);
  const auto result = read(t.board + rank / size * size);
  wide_sync(size, at);
  return result;
}

template <unsigned Size, bool Wide> class tile_base : public lane_group {
public:
  static constexpr SIMT_QUIET unsigned size() { return Size; }
  static constexpr SIMT_QUIET unsigned num_threads() { return Size; }
  static SIMT_QUIET unsigned thread_rank() { return simt_lane() & (Size - 1); }

  template <class T> SIMT_QUIET T shfl(T value, int rank, simt_location at = SIMT_HERE) const {
    return from(value, first() | (unsigned(rank) & (Size - 1)), "tile.shfl", at);
  }
  template <class T>
  SIMT_QUIET T shfl_up(T value, unsigned delta, simt_location at = SIMT_HERE) const {
    return move(simt::SHUFFLE_UP, value, delta, "tile.shfl_up", at);
  }
  template <class T>
  SIMT_QUIET T shfl_down(T value, unsigned delta, simt_location at = SIMT_HERE) const {
    return move(simt::SHUFFLE_DOWN, value, delta, "tile.shfl_down", at);
  }
  template <class T>
  SIMT_QUIET T shfl_xor(T value, unsigned lanes, simt_location at = SIMT_HERE) const {
    return move(simt::SHUFFLE_XOR, value, lanes, "tile.shfl_xor", at);
  }
  SIMT_QUIET unsigned ballot(int predicate, simt_location at = SIMT_HERE) const {
    return simt::vote(lanes_, predicate, "tile.ballot", at).ones >> first();
  }
  template <class T> SIMT_QUIET unsigned match_any(T value, simt_location at = SIMT_HERE) const {
    return simt::match_any(lanes_, value, at) >> first();
  }
  template <class T>
  SIMT_QUIET unsigned match_all(T value, int &all, simt_location at = SIMT_HERE) const {
    return simt::match_all(lanes_, value, &all, at) >> first();
  }

protected:
  tile_base(unsigned meta_rank, unsigned meta_size)
      : lane_group(all_of(Size) << (simt_lane() & ~(Size - 1)), meta_rank, meta_size) {}

private:
  static SIMT_QUIET unsigned first() { return simt_lane() & ~(Size - 1); }
  template <class T>
  SIMT_QUIET T from(const T &value, unsigned lane, const char *what, simt_location at) const {
    return simt::shuffle_from(lanes_, value, lane, what, at);
  }
  template <class T>
  SIMT_QUIET T move(simt::shuffle_kind kind, const T &value, unsigned operand, const char *what,
                    simt_location at) const {
    return from(value, simt::shuffle_source(kind, simt_lane(), operand, Size), what, at);
  }
};

template <unsigned Size> class tile_base<Size, true> : public thread_group {
public:
  static constexpr SIMT_QUIET unsigned size() { return Size; }
  static constexpr SIMT_QUIET unsigned num_threads() { return Size; }
  static SIMT_QUIET unsigned thread_rank() { return rank_in_block() & (Size - 1); }
  SIMT_QUIET unsigned meta_group_rank() const { return rank_in_block() / Size; }
  SIMT_QUIET unsigned meta_group_size() const { return (block_size() + Size - 1) / Size; }

  SIMT_QUIET void sync(simt_location at = SIMT_HERE) const { wide_sync(Size, at); }
  template <class T> SIMT_QUIET T shfl(T value, int rank, simt_location at = SIMT_HERE) const {
    return wide_read(
        Size, value,
        [rank](void *const *all)
            SIMT_QUIET { return *static_cast<const T *>(all[unsigned(rank) & (Size - 1)]); },
        at);
  }
  SIMT_QUIET int any(int predicate, simt_location at = SIMT_HERE) const {
    return ones(predicate, at) != 0;
  }
  SIMT_QUIET int all(int predicate, simt_location at = SIMT_HERE) const {
    return ones(predicate, at) == Size;
  }

protected:
  tile_base(unsigned, unsigned) : thread_group(WIDE_GROUP, Size) {}

private:
  SIMT_QUIET unsigned ones(int predicate, simt_location at) const {
    return wide_read(
        Size, predicate,
        [](void *const *all) SIMT_QUIET {
          unsigned n = 0;
          for (unsigned i = 0; i < Size; ++i) n += *static_cast<const int *>(all[i]) != 0;
          return n;
        },
        at);
  }
};

} // namespace details

template <unsigned Size, class Parent = void>
class thread_block_tile : public thread_block_tile<Size, void> {
public:
  // Not of CUDA: made by tiled_partition.
  thread_block_tile(unsigned meta_rank, unsigned meta_size)
      : thread_block_tile<Size, void>(meta_rank, meta_size) {}
};

template <unsigned Size>
class thread_block_tile<Size, void> : public details::tile_base<Size, (Size > 32)> {
  static_assert(Size >= 1 && Size <= 1024 && (Size & (Size - 1)) == 0,
                "a tile has a power of two of threads, up to 1024");

public:
  thread_block_tile(unsigned meta_rank, unsigned meta_size)
      : details::tile_base<Size, (Size > 32)>(meta_rank, meta_size) {}
};

inline SIMT_QUIET thread_block_tile<1> this_thread() { return thread_block_tile<1>(0, 1); }

} // namespace cooperative_groups
#endif
