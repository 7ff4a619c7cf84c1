/* args.h - what the host hands to the kernels of exact sums: one struct a kernel, laid out alike by both
 *
 * Needs u32 and u64 of kernels/base/device.h or of order/types.h. Addresses are u64, 0 where there is none. */
#ifndef HEDDLE_KERNELS_EXACT_ARGS_H
#define HEDDLE_KERNELS_EXACT_ARGS_H

/* HEDDLE_PRODUCTS: what is summed. */
#define HD_EXACT_OF_VALUES 0
#define HD_EXACT_OF_SQUARES 1
#define HD_EXACT_OF_PRODUCTS 2

/* What array.cu does with the sum that it adds to. */
#define EXACT_CLEARS 0  /* there is a result, behind which the sum is zero for the next call */
#define EXACT_KEEPS 1   /* there is a result, and the sum stays */
#define EXACT_ADDS 2    /* no result */
#define EXACT_CARRIES 3 /* no result: of no elements, one block carries the sum's limbs */

/* What is made of a sum. */
struct exact_result {
  f64 init;       /* one more element, if has_init */
  u64 divisor;    /* 0: none; HD_EXACT_NO_DIVISOR: NaN */
  u32 first, end; /* the limbs of the sum, and of init */
  i32 out_type;
  u32 has_init;
};
#define HD_EXACT_LONG_ROW 32768 /* elements that a warp leaves to a block */
/* Elements of a row that a lane of held_rows.cu has in registers. */
#define HD_EXACT_HELD(bytes, products) ((products) || (bytes) == 8 ? 16u : 32u)
#define HD_EXACT_NO_DIVISOR 0xffffffffffffffffu

/* Of array.cu. */
struct exact_args {
  u64 x, y;
  u64 count;  /* elements */
  u64 sum;    /* struct hd_exact: what is added to */
  u64 ticket; /* of blocks that are done; zero, and zero again afterwards */
  u64 out;    /* an element of out_type */
  struct exact_result result;
  u32 head; /* elements before the first vector of 16 bytes */
  u32 then; /* EXACT_CLEARS and so on */
};

/* Of rows.cu, short_rows.cu, held_rows.cu, long_rows.cu and columns.cu. */
enum { EXACT_DIMS = 31 };
struct exact_rows_args {
  u64 x, y, out;
  u64 sums;    /* struct hd_exact of each row, zero: of rows in parts; else 0 */
  u64 parts;   /* of a row, a block each */
  u64 each;    /* elements of a part */
  u64 offsets; /* segments: rows + 1 numbers; else 0 */
  u64 fault;   /* segments */
  u64 count;   /* segments that the device has counted, u64: how many; rows: at most. Else 0 */
  u64 first;   /* axis: the number of the first row */
  u64 rows;
  u64 length; /* axis: of every row */
  i64 step;   /* elements from one to the next of a row */
  u64 dims;   /* axis: the other ones, innermost first, at least one */
  u64 shape[EXACT_DIMS];
  i64 stride[EXACT_DIMS];
  struct exact_result result;
};

#endif
