/* args.h - what the host hands to the kernels of sorts: structs laid out alike by both
 *
 * Needs u32 and u64 of kernels/base/device.h or of order/types.h. Addresses are u64, 0 where there is none.
 * Rows are sorted one by one; an array is one row. Elements of all rows lie one behind the other. */
#ifndef HEDDLE_KERNELS_SORT_ARGS_H
#define HEDDLE_KERNELS_SORT_ARGS_H

enum {
  SORT_BINS = 256, /* of a digit */
  SORT_DIGITS = 8, /* of a key, at most */
  SORT_TOPS = 4,   /* steps before finish.cu, at most; and at least */
  SORT_TOPS_LEAST = 3,
  SORT_SPARED = 3, /* steps that it spares, at least */
  SORT_STEPS = 13  /* those, a step a digit, and a copy */
};

/* Where the elements of a step are. */
enum { SORT_IN, SORT_ROOM, SORT_OUT, SORT_PLACES };

/* What may not be written by the first step. */
enum {
  SORT_APART,    /* SORT_IN alone */
  SORT_IN_PLACE, /* SORT_IN and SORT_OUT, which are one */
  SORT_ROOM_IN   /* SORT_IN and SORT_ROOM, which are one */
};

/* From elements to keys (key.h). */
struct sort_map {
  u64 flip, turn;
  u64 infinity; /* its bits, of floats */
};

enum { SORT_NOTHING, SORT_BY_DIGIT, SORT_COPY };
struct sort_step {
  u32 kind;
  u32 shift, mask; /* digit = key >> shift & mask */
  u32 digit;       /* its number */
  u32 from, to;
  u32 first, last; /* steps: positions are made, results are stored */
  u32 done;        /* word of a tile that is done (look_back.h) */
  u32 again;       /* only if finish.cu has failed */
};

/* Zero before count.cu, which leaves the steps. */
struct sort_plan {
  u64 ones, zeros;  /* bits that some key has set, clear */
  u32 blocks;       /* of count.cu that are done */
  u32 sampled;      /* of sample.cu */
  u32 heavy[2];     /* the most elements of the sample that have one prefix, or more */
  u32 finishes;     /* finish.cu has something to do */
  u32 finish_shift; /* of the lowest digit that keys are in the order of before it */
  u32 listed;       /* spans of which its small blocks have no room for what begins there */
  u32 failed;       /* nor have the large ones */
  u32 ticket[SORT_STEPS + 1]; /* of tiles */
  struct sort_step step[SORT_STEPS + 1];
};

/* A row that is cut into tiles. */
struct sort_long {
  u64 start, count;
  u64 tile; /* its first one */
};

struct sort_args {
  struct sort_map map;
  u64 plan;
  u64 keys[SORT_PLACES], values[SORT_PLACES];
  u64 unsorted;   /* of a u64 that is 0 if the keys are in order; or 0: nobody knows */
  u64 result;     /* positions of another size than on their way: where the last step stores them */
  u64 counts;     /* elements of each row and digit that have each of SORT_BINS digits */
  u64 tiles_told; /* a word a tile and digit, zero before */
  u64 longs;      /* 0: rows of `length` elements */
  u64 owners;     /* the row of each tile, by its number in longs */
  u64 length;     /* of a row */
  u32 row_tiles;  /* of a row of `length` */
  u32 tiles;
  u32 slot;   /* the step */
  u32 digits; /* of keys */
  u32 bit_begin, bit_end;
  u32 limits;    /* SORT_APART and so on */
  u32 drop_keys; /* the last step stores no keys */
};

/* sample.cu and finish.cu. */
struct sort_finish_args {
  struct sort_args all;
  u64 table;          /* SORT_TOPS - SORT_TOPS_LEAST + 1 tables of `slots` words, zero before */
  u64 list;           /* a word a span of finish.cu */
  u64 count;          /* elements of the row */
  u32 samples, slots; /* powers of two */
};

/* block.cu, short.cu, network.cu: rows that a block has room for. */
struct sort_block_args {
  struct sort_map map;
  u64 keys;
  u64 values;
  u64 keys_out;
  u64 values_out;
  u64 offsets; /* of segments; 0: rows of `length` */
  u64 rows;
  u64 length;
  u64 first;   /* offsets[0] */
  u32 at_once; /* rows of a block; segments: those that begin among so many elements */
  u32 bit_begin, bit_end;
  u32 numbers;  /* short.cu: bytes of shared memory before its numbers of elements */
  u64 elements; /* network.cu: of all rows, of which the last one may be shorter */
};

/* merge.cu: sorted tiles of a row, of which the last one may be shorter. */
struct sort_merge_args {
  struct sort_map map;
  u64 keys, values, keys_out, values_out;
  u32 count, tile; /* elements; of a tile: a power of two */
  u32 bit_begin, bit_end;
};

/* short.cu: elements of a row, at most, and a line of its shared memory. */
enum { SHORT_MOST = 32, SHORT_LINE = 128 };

/* fill.cu */
struct sort_fill_args {
  struct sort_map map;
  u64 counts; /* u64 a bit pattern */
  u64 starts; /* u64 a key, and one more */
  u64 out, count;
};

/* strided.cu: rows of an array whose elements lie anywhere. */
enum { SORT_DIMS = 31 };
struct sort_strided_args {
  u64 rows, length;
  u64 strided, dense; /* arrays: the first row's first element */
  i64 step;           /* from an element of a row to the next */
  u64 dims;           /* the other axes, innermost first, at least one */
  u64 shape[SORT_DIMS];
  i64 stride[SORT_DIMS];
};

#endif
