/* tune.c - the table of tunings: what was measured, on which GPU, when
 *
 * A line is for devices of its compute capability and later ones; the first fitting line wins. The
 * bits of results do not depend on any number here. */
#include "tune.h"

/* fold, on an H200 (sm_90), 2026-11-21, GB/s at 2^28 / 2^30 unless said otherwise (reading 4,650)
 *   single_block  8 chunks of f32 in one block: 7.7 us; 9.2 us in several
 *   one_wave  2^18 / 2^20 / 2^21 f32, one kernel after the other in a graph: 2.4 / 2.8 / 3.3 us,
 *           and 4.1 / 5.1 / 5.4 by kernels/fold/one_pass.cu; between events 7.0 / 7.7 / 8.5, and
 *           8.6 / 9.9 / 10.6 (nothing: 4.9)
 *   ungrouped  2^20 f32: 10.1 us; groups of 2^2 chunks 10.8 us
 *   level   f32: 6: 4,464 / 4,651; 5: 4,452 / 4,649; 4: 4,434 / 4,650; 7: 4,475 / 4,650
 *   groups  4,096, f32 at 2^30: 4,551; 16,384: 4,537 (first version, one fence a block)
 *   span    i32 sum: 1,024 vectors in at most 2,048 blocks: 4,508 / 4,663; 2,048 in 4,096: 4,473 /
 *           4,662; 512 in 1,024: 4,399 / 4,555; argmin f32: 512 in 1,024: 4,337 / 4,588
 *   loads   __ldcs, __ldg, plain: the same within 1%; no_allocate with L2::256B: 4,010 / 4,239 */
/* bytes, the same day, 2^31 random bytes, GB/s (reading alone 4,590; constant and skewed data are
 * within 1% with 32 copies only)
 *   threads  1,024: 4,540, and 4,500 with 3 and 4 channels; 512: 4,530, 4,140 and 4,350; 256: 4,380
 *   loads    4: 4,530; 2: 4,520
 *   copies   32: 4,530; 16: 3,360; 8: 2,490; 1: 2,360 */
/* rows, the same day, f32 sums of 2^28 elements, GB/s (reading alone 4,460)
 *   level  2^12 rows of 2^16: 5: 4,370; 4: 4,376; 3: 4,268. One row: 5: 4,248; 4: 4,136; 3: 3,822
 *   batch  2^20 rows of 2^8: 8,192: 4,143; 4,096: 4,131; 1,024: 4,004; 256: 3,145
 *   short rows  (2026-11-22) below a chunk, 40 registers instead of 58: 2^8: 4,166 to 4,038; 300:
 *          3,942 to 3,282; f16, 2^8: 3,026 to 2,376; the same registers for longer rows: 2^11:
 *          3,899 to 4,214; the tiles of two rows on their way: 3,744
 *   stages  segments, part of reading: 2^19 of up to 510 beside one of 2^27: 2: 0.883, 1: 0.848,
 *   none 0.656;
 *           2^20 of a power law: 2: 0.823, none 0.607; copies that end at multiples of 128 bytes:
 *           2^8 a segment 0.907, of 16 bytes: 0.743; bringing chunks to L2 ahead: 0.79 where it is
 *           0.92; smaller batches and pieces near the end, GB/s: power law 3,594 to 3,683, where it
 *           is 3,704 */
/* rows, in choose.c, on an H100 (2026-11-26, reading alone 3,094)
 *   groups  (GROUP_) f32, 502,399 by 61 a thread each 1,178, groups of 32: 2,006, of 64: 1,920 to 2,006;
 *           6,582 by 13,980: 2,248, 2,366 and 2,522; 4,262,741 by 8: 975, and with 8 blocks an SM 1,967,
 *           with 3 2,020 to 2,264; 33,554,432 by 2, blocks of 256, two an SM: 1,782; four: 2,503
 *   short   (SHORT_) rows of 3, a warp for eight 650, a thread each by loads of 4 bytes 1,983, of 16:
 *           2,296, without a branch an element 2,795 to 2,805
 *   plain loads  f32 sums of 2^23, which L2 holds: 14.0 to 15.6 us, evicted first 21.9 */
/* histograms of f32, 2^29, on 2026-11-22: processors end up to 3% apart, but the last one of 16
 * pieces by tickets gains nothing (4,470 to 4,500; 4,480 without), a ticket for 2 KiB loses
 * (4,060), so do a warp's loads side by side (4,160 to 4,260); 49,152 bins with totals of 32 bits
 * instead of 64: 506 us to 509 */
/* scan, the same day, inclusive sums, GB/s read and written at 2^28 (cudaMemcpy 4,183 to 4,232;
 * without any look-back f32 4,009, f64 4,022)
 *   one_wave  (2026-11-22) four warps a tile, f32 at 2^10 / 2^18 / 2^20: 6.3 / 7.7 / 9.4 us, a warp
 *           a tile 9.2 / 9.3 / 10.1; 2^14 takes 2.5 us more than 2^10 by one block, 0.8 more by eight; f64 at 2^20,
 *           1,024 tiles: 256 spans of four 13.9, by kernels/scan/one_pass_bulk.cu 13.4; a warp a
 *           tile had 12.3
 *   stages  that start at multiples of 128 bytes, f32: 3,871; of 16 bytes only: 3,507
 *   span    f32, 32 KiB: 3,871; 16 KiB: 3,774; 64 KiB: 2,679 (three fit)
 *   teams   f32 1: 3,883; 2: 3,871; 3: 3,869. f32 at 2^20: 1: 11.1 us; 2: 10.1 us
 *   tickets f64, drawn when there is room: 3,963; before it: 3,935
 *   rows at once  i64, 8: 3,960; 4: 3,893. f32, 8: 3,886; 4: 3,876; 2 (misaligned): 3,474 to 3,507
 *   a prototype: look-back warps 1: 3,956; 2: 3,771; 3: 3,674. No warp of its own for nodes: 3,705;
 *   results by bulk stores, evict-first loads, pauses between polls: the same within 1%
 *   shifts  (2026-11-26, an H100, 2^27, copy 3,023) f32 at 0 and 0 elements behind 16 bytes: 2,904, 1 and
 *           0: 2,886, 3 and 3: 2,848, with results stored one by one 2,636, with four loads of 4 bytes
 *           out of shared memory for two of 16: 2,826; by kernels/scan/one_pass.cu 2,226 */
/* select, on an H200, 2026-11-29, ms for 2^27 f32: half of them, their positions, one in a hundred, runs of 8; by
 * tiles in registers 0.295, 0.306, 0.254, 0.305
 *   warps   20: 0.221, 0.218, 0.159, 0.212; 12: 0.227, 0.240, 0.195, 0.248; 16: 0.224, 0.223, 0.170, 0.221
 *   bytes   24 warps by 48: 0.230, 0.230, 0.163, 0.205; 28 by 32: 0.231, 0.248, 0.191, 0.243
 *   depth   tiles staged in slots of their own, two: 0.375, 0.353, 0.284, 0.398; three: 0.259, 0.258, 0.176, 0.313
 *   votes   of 32 neighbours for places, instead of counts added up over lanes, 16 warps: 0.223, 0.282, 0.186,
 *           0.335: each takes two counts of bits; stores that begin with lines of memory: the same */
#define LARGE_FOLD                                                                      \
  {                                                                                     \
    .single_block = 8, .one_wave = 2112, .ungrouped = 1056, .level = 6, .groups = 4096, \
    .span = 1024, .blocks = 2048                                                        \
  }

static const struct hd_cuda_tune table[] = {
    {0,
     true,
     {.single_block = 4,
      .one_wave = 256,
      .ungrouped = 256,
      .level = 5,
      .groups = 1024,
      .span = 16384,
      .blocks = 64},
     .rows = {.level = 3, .batch = 1024, .stages = 2},
     .bytes = {.threads = 64, .loads = 4, .copies = 32},
     .scan = {.one_wave = 140, .tiles = 4, .span = 16384, .stages = 66048, .teams = 2, .warps = 2},
     .select = {.ring = 65536, .warps = 4, .bytes = 32, .depth = 4}},
    {90, false, LARGE_FOLD, .rows = {.level = 5, .batch = 8192, .stages = 2},
     .bytes = {.threads = 1024, .loads = 4, .copies = 32},
     .scan = {.one_wave = 528, .tiles = 4, .span = 32768, .stages = 230400, .teams = 2, .warps = 4},
     .select = {.ring = 227328, .warps = 20, .bytes = 64, .depth = 8}},
    {0, false, LARGE_FOLD, .rows = {.level = 5, .batch = 8192},
     .bytes = {.threads = 1024, .loads = 4, .copies = 32},
     .scan = {.one_wave = 528, .tiles = 4, .span = 0, .stages = 0, .teams = 1, .warps = 4}},
};

const struct hd_cuda_tune *hd_cuda_tune(const struct hd_cuda_limits *limits) {
  const struct hd_cuda_tune *line = table;
  while (line->cc > limits->cc || line->software != limits->software) line++;
  return line;
}
