/* words.cu - every word of src/order/device/intrinsics.h and src/kernels/base/device*.h on data
 *
 * Result    bytes of `out`, the same whether the words are compiled as the GPU's own instructions or,
 *           with __SIMT__ defined, in their plain C meaning: tests/c/test_words.c compares the two
 * Defines   HEDDLE_CC: 90 for sm_90
 * Launch    4 blocks of 256 threads; `in` and `out` have WORDS_BYTES bytes
 * Memory    4.1 KiB of shared memory
 * Order     each thread, and for bulk copies each block, has a part of `out` of its own */
#define THREADS 256u
#define ALL_THREADS 1024u

/* ---- streamed memory ------------------------------------------------------------------------- */

HD_KERNEL words_memory(const u8 *in, u8 *out) {
  u32 i = blockIdx.x * THREADS + threadIdx.x;
  const u8 *from = in + i * 32;
  u8 *to = out + i * 32;
  if (i % 2) { /* every width, at every place that it may have */
    store16_stream(to, load16(from));
    store8_stream(to + 16, load8(from + 16));
    store4_stream(to + 24, load4(from + 24));
    store2_stream(to + 28, load2(from + 28));
    store1_stream(to + 30, load1(from + 30));
    store1_stream(to + 31, load1(from + 31) + 0x1200u); /* bits beyond the width are lost */
  } else {
    store1_stream(to, load1(from + 1));
    store1_stream(to + 1, load1(from));
    store2_stream(to + 2, load2(from + 2) + 0x30000u);
    store4_stream(to + 4, load4(from + 4));
    store8_stream(to + 8, load8(from + 8));
    store16_stream(to + 16, load16(from + 16));
  }
}

/* ---- shared memory ----------------------------------------------------------------------------- */

HD_DEVICE u32 shared_sum(const u8 *at, int bytes, int align, u32 sum) {
  u32 words[4];
  load_words_shared(at, bytes, align, words);
  for (int i = 0; i < bytes / 4; i++) sum = sum * 31u + words[i];
  return sum;
}

/* Every width, at every multiple of what an element may have. */
HD_KERNEL words_shared(const u8 *in, u32 *out) {
  __shared__ __align__(16) u8 bytes[THREADS * 16 + 32];
  for (u32 i = threadIdx.x; i < sizeof bytes; i += THREADS)
    bytes[i] = in[blockIdx.x * sizeof bytes + i];
  __syncthreads(); /* they are there */
  for (u32 shift = 0; shift < 16; shift++) {
    const u8 *at = bytes + threadIdx.x * 16 + shift;
    u32 sum = shared_sum(at, 4, 1, shared_sum(at, 8, 1, shared_sum(at, 16, 1, 0)));
    if (shift % 2 == 0)
      sum = shared_sum(at, 4, 2, shared_sum(at, 8, 2, shared_sum(at, 16, 2, sum)));
    if (shift % 4 == 0)
      sum = shared_sum(at, 4, 4, shared_sum(at, 8, 4, shared_sum(at, 16, 4, sum)));
    if (shift % 8 == 0) sum = shared_sum(at, 8, 8, shared_sum(at, 16, 8, sum));
    if (shift == 0) sum = shared_sum(at, 16, 16, sum);
    out[(blockIdx.x * 16 + shift) * THREADS + threadIdx.x] = sum;
  }
}

/* ---- words between blocks ----------------------------------------------------------------------- */

/* Block b + 1 waits for the words of block b; the first ticket has nothing to wait for. */
HD_KERNEL words_between_blocks(u32 *ticket, u64 *slots, const u64 *in, u64 *out) {
  __shared__ u32 mine;
  if (threadIdx.x == 0) mine = atomicAdd(ticket, 1u);
  __syncthreads(); /* the block has its ticket */
  u32 i = mine * THREADS + threadIdx.x;
  u64 sum = in[i] | 1u;
  if (mine > 0) {
    u64 before;
    do before = peek64(slots + i - THREADS);
    while (before == 0);
    sum = (sum + before) | 1u;
  }
  publish64(slots + i, sum);
  out[i] = sum;
  publish32((u32 *)(out + i), (u32)sum ^ warp_alike((u32)sum, 16u));
  out[i] = (sum >> 32 << 32) + peek32((const u32 *)(out + i)) + 1u;
  prefetch_l2(in + i); /* of no effect on anything */
}

HD_KERNEL words_fault(u64 *faults, u64 *out) {
  u32 i = blockIdx.x * THREADS + threadIdx.x;
  for (u32 n = 0; n < 3; n++)
    hd_fault(faults + i, (5 + n + i) % 256, i * 7 + n); /* the first stays */
  out[i] = *(volatile u64 *)(faults + i);
  memory_add64(out + i, (u64)i << 40 | 0xffffffffull); /* carries */
  memory_add32((u32 *)(out + i), 0x80000007u);         /* does not */
}

/* ---- half precision ------------------------------------------------------------------------------ */

/* A NaN is only known to be one. */
HD_DEVICE u32 known_f32(f32 x) { return x == x ? __float_as_uint(x) : 0x7fc00000u; }
HD_DEVICE u16 known_f16(u16 x) { return (x & 0x7fffu) > 0x7c00u ? (u16)0x7e00u : x; }

HD_KERNEL words_f32_of_f16(u32 *out) {
  for (u32 i = blockIdx.x * THREADS + threadIdx.x; i < 65536; i += ALL_THREADS)
    out[i] = known_f32(f32_of_f16((u16)i));
}

/* Bit patterns `step` apart, and the neighbours of every half way between two f16. */
HD_KERNEL words_f16_of_f32(u32 step, u32 *out) {
  u32 thread = blockIdx.x * THREADS + threadIdx.x, sum = 0;
  for (u64 bits = (u64)thread * step; bits < 0x100000000ull; bits += (u64)ALL_THREADS * step)
    sum = sum * 31u + known_f16(f16_of_f32(__uint_as_float((u32)bits)));
  for (u32 i = thread; i < 0x7c00u; i += ALL_THREADS) {
    u32 low = __float_as_uint(f32_of_f16((u16)i)), high = __float_as_uint(f32_of_f16((u16)(i + 1)));
    u32 half = low + (high - low) / 2;
    for (u32 d = 0; d < 5; d++) {
      sum = sum * 31u + known_f16(f16_of_f32(__uint_as_float(half + d - 2)));
      sum = sum * 31u + known_f16(f16_of_f32(__uint_as_float((half + d - 2) | 0x80000000u)));
    }
  }
  out[thread] = sum;
}

/* ---- bulk copies and signals -------------------------------------------------------------------- */

#if HEDDLE_CC >= 90
#define STAGES 2
#define STAGE_BYTES 1024
#define PIECES 8
#define READERS 7 /* warps */

/* Warp 0 brings pieces in, one stage after the other; the other warps write them out mixed and say
 * when a stage may be filled again. Stages are written by stores before the first copy. A piece begins
 * and ends anywhere in 16 bytes. */
HD_KERNEL words_bulk(const u8 *in, u8 *out) {
  __shared__ __align__(128) u8 stage[STAGES][STAGE_BYTES];
  __shared__ u64 full[STAGES], freed[STAGES];
  u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const u8 *from = in + blockIdx.x * PIECES * STAGE_BYTES;
  u8 *to = out + blockIdx.x * PIECES * STAGE_BYTES;
  for (u32 i = threadIdx.x; i < STAGES * STAGE_BYTES; i += THREADS)
    stage[i / STAGE_BYTES][i % STAGE_BYTES] = 0xee;
  bulk_yield();
  if (threadIdx.x == 0) {
    for (u32 s = 0; s < STAGES; s++) {
      signal_open(&full[s], 1);
      signal_open(&freed[s], 33 * READERS + 1);
    }
    signal_opened();
  }
  __syncthreads(); /* stages are written, signals are open */
  for (u32 piece = 0; piece < PIECES; piece++) {
    u32 s = piece % STAGES, turn = piece / STAGES;
    if (warp == 0) {
      if (lane != 0) continue;
      if (turn > 0) signal_wait(&freed[s], (turn - 1) % 2);
      bulk_fetch(stage[s] + piece, from + piece * STAGE_BYTES + piece, STAGE_BYTES - 5 * piece,
                 &full[s]);
      continue;
    }
    warp_signal_wait(&full[s], turn % 2);
    for (u32 i = threadIdx.x - 32; i < STAGE_BYTES - 5 * piece; i += THREADS - 32)
      to[piece * STAGE_BYTES + i] = (u8)(stage[s][STAGE_BYTES - 1 - 4 * piece - i] + piece);
    warp_signal_arrive(&freed[s]);
    warp_signal_arrive_once(&freed[s]);
    if (threadIdx.x == 32) signal_arrive(&freed[s]);
  }
}
#endif
