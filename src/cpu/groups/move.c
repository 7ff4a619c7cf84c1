/* move.c - the kernels of move.h */
#include "move.h"

#define MOVE_E u8
#define MOVE_PAIR pair_of_u8
#include "move_tmpl.h"
#define MOVE_E u16
#define MOVE_PAIR pair_of_u16
#include "move_tmpl.h"
#define MOVE_E u32
#define MOVE_PAIR pair_of_u32
#include "move_tmpl.h"
#define MOVE_E u64
#define MOVE_PAIR pair_of_u64
#include "move_tmpl.h"

const struct hd_cpu_move_kernel *hd_cpu_move_kernel(size_t element_bytes) {
  static const struct hd_cpu_move_kernel kernels[] = {
      {sizeof(struct pair_of_u8), move_u8, pair_u8, bucket_u8},
      {sizeof(struct pair_of_u16), move_u16, pair_u16, bucket_u16},
      {sizeof(struct pair_of_u32), move_u32, pair_u32, bucket_u32},
      {sizeof(struct pair_of_u64), move_u64, pair_u64, bucket_u64}};
  return &kernels[hd_top_bit(element_bytes)];
}
