/* tune.h - tunings of the primitives, by the features of a device */
#ifndef HEDDLE_CUDA_CORE_TUNE_H
#define HEDDLE_CUDA_CORE_TUNE_H

#include "cuda.h"

struct hd_cuda_tune_fold {
  /* Chunks of a whole array: */
  unsigned single_block; /* that kernels/fold/single_block.cu takes, below 32 */
  unsigned one_wave;     /* and kernels/fold/one_wave.cu, below 4,096 */
  unsigned ungrouped;    /* chunks of which each is a group */
  unsigned level;        /* groups have 2^level chunks, fewer if there are not enough of them */
  unsigned groups;       /* at most, before groups get larger */
  /* Of an order-independent fold: */
  unsigned span;   /* 16-byte vectors a block, at least, in batches of a block */
  unsigned blocks; /* at most, before spans get longer */
};

struct hd_cuda_tune_bytes {
  unsigned threads; /* a block */
  unsigned loads;   /* of 16 bytes in flight a thread */
  unsigned copies;  /* of each counter, at most: 4, 8, 16 or 32 */
};

struct hd_cuda_tune_rows {
  unsigned level;  /* 2^level chunks of a long row are a block's, fewer if there are few blocks */
  unsigned batch;  /* elements that a warp takes at once, in rows of one length */
  unsigned stages; /* of a warp that folds segments; 0: no bulk copies */
};

struct hd_cuda_tune_scan {
  unsigned one_wave; /* tiles of a whole array that kernels/scan/one_wave.cu takes */
  unsigned tiles;    /* of a span of those, at most */
  unsigned span;   /* bytes that a ticket of one_pass_bulk stands for, at most; 0: no bulk copies */
  unsigned stages; /* bytes of all the spans that a block has room for */
  unsigned teams;  /* of warps of a block that scan a span each */
  unsigned warps;  /* a block of scan */
};

struct hd_cuda_tune_select {
  unsigned
      ring; /* bytes of shared memory of a block of kernels/select/compact_bulk.cu; 0: no bulk copies */
  unsigned warps; /* of it that look at elements */
  unsigned bytes; /* of elements, or of their values, of a thread */
  unsigned depth; /* tiles that are staged before they are stored */
};

struct hd_cuda_tune {
  int cc;        /* for this compute capability and later ones */
  bool software; /* for the software device */
  struct hd_cuda_tune_fold fold;
  struct hd_cuda_tune_rows rows;
  struct hd_cuda_tune_bytes bytes;
  struct hd_cuda_tune_scan scan;
  struct hd_cuda_tune_select select;
};

/* The first line of the table whose features the device has. */
const struct hd_cuda_tune *hd_cuda_tune(const struct hd_cuda_limits *limits);

#endif
